"""Small readers of loaded JSON that never fail: what is not of the expected shape reads as empty."""

from collections.abc import Iterator, Mapping, Sequence

from partywall.model.evidence import Evidence, Json


def entries(value: Json) -> Mapping[str, Json]:
    """Return an object, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def rows(value: Json) -> Sequence[Json]:
    """Return an array, or an empty one."""
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def text(value: Json) -> str:
    """Return a text, or an empty one."""
    return value if isinstance(value, str) else ""


def scalar(value: Json) -> str:
    """Write a text, number or truth value the way policies compare it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else ""


def texts(value: Json) -> tuple[str, ...]:
    """Return one text or an array of texts as a tuple."""
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in rows(value) if isinstance(item, str))


def below(value: Json, at: Evidence, key: str) -> Iterator[tuple[Mapping[str, Json], Evidence]]:
    """Yield the objects of the array under `key`, each with its place."""
    for number, item in enumerate(rows(entries(value).get(key))):
        if isinstance(item, Mapping):
            yield item, at.below(key, number)


def tags(value: Json) -> Mapping[str, str]:
    """Read a tag list of `Key`/`Value` (or `key`/`value`) rows, or a plain object of tags, sorted by key."""
    if isinstance(value, Mapping):
        return dict(sorted((str(key), scalar(item)) for key, item in value.items()))
    pairs = (
        (entries(row).get("Key", entries(row).get("key")), entries(row).get("Value", entries(row).get("value"))) for row in rows(value)
    )
    return dict(sorted((text(key), scalar(item)) for key, item in pairs if isinstance(key, str)))
