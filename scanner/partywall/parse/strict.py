"""Parts of an object as the API server's schema has them: absent or null is nothing, another type is refused."""

from collections.abc import Iterator, Mapping, Sequence

from partywall.model.evidence import Json
from partywall.parse.kubernetes_objects import Object


class RefusedError(ValueError):
    """The API server would refuse this part of an object; the text says why."""


def array(obj: Object, key: str) -> Sequence[Json]:
    """Return an array. Raises RefusedError where something else stands there."""
    value = obj.get(key)
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise RefusedError(f"{key} that is not an array")
    return value


def words(obj: Object, key: str) -> tuple[str, ...]:
    """Return an array of strings."""
    found = array(obj, key)
    if any(not isinstance(item, str) for item in found):
        raise RefusedError(f"{key} that is not an array of strings")
    return tuple(item for item in found if isinstance(item, str))


def word(obj: Object, key: str) -> str:
    """Return a string, an empty one where it is absent."""
    value = obj.get(key)
    if value is not None and not isinstance(value, str):
        raise RefusedError(f"{key} that is not a string")
    return value or ""


def record(obj: Object, key: str) -> Object:
    """Return an object, an empty one where it is absent."""
    value = obj.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise RefusedError(f"{key} that is not an object")
    return value


def records(obj: Object, key: str) -> Iterator[tuple[int, Object]]:
    """Yield the objects of an array with their numbers."""
    for number, item in enumerate(array(obj, key)):
        if not isinstance(item, Mapping):
            raise RefusedError(f"{key} with an element that is not an object")
        yield number, item


def whole(value: Json, what: str) -> int:
    """Return a whole number; a truth value is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise RefusedError(f"{what} {value}")
    return value
