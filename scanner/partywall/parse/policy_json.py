"""Small readers of loaded JSON that never fail: what is not of the expected shape reads as empty."""

from collections.abc import Iterator, Mapping, Sequence

from partywall.model.evidence import Evidence, Json


def entries(value: Json) -> Mapping[str, Json]:
    """Return an object, or an empty one."""
    if isinstance(value, dict):
        return value
    return value if isinstance(value, Mapping) else {}


def rows(value: Json) -> Sequence[Json]:
    """Return an array, or an empty one."""
    if isinstance(value, list):
        return value
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
    return tuple([item for item in rows(value) if isinstance(item, str)]) if value else ()


def below(value: Json, at: Evidence, key: str) -> Iterator[tuple[Mapping[str, Json], Evidence]]:
    """Yield the objects of the array under `key`, each with its place."""
    listed = rows(entries(value).get(key))
    pointer = f"{at.below(key).pointer}/" if listed else ""
    for number, item in enumerate(listed):
        if isinstance(item, (dict, Mapping)):
            yield item, Evidence(at.document, f"{pointer}{number}")


def tags(value: Json) -> Mapping[str, str]:
    """Read a tag list of `Key`/`Value` (or `key`/`value`) rows, or a plain object of tags, sorted by key."""
    if isinstance(value, Mapping):
        return dict(sorted((str(key), scalar(item)) for key, item in value.items()))
    listed = [entries(row) for row in rows(value)]
    pairs = [(row.get("Key", row.get("key")), row.get("Value", row.get("value"))) for row in listed]
    return dict(sorted([(key, scalar(item)) for key, item in pairs if isinstance(key, str)]))
