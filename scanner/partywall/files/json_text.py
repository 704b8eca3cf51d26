"""JSON as it really comes: one value, or several one after another."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from partywall.files.broken import BrokenFileError, line_and_column
from partywall.model.evidence import Json

_SPACE = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
DEEPEST = 200


class _DuplicateKeyError(ValueError):
    """An object holds a key twice."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


@dataclass(frozen=True, slots=True)
class JsonValue:
    """One value of a text and where it stands."""

    value: Json
    start: int
    end: int


def load_json(text: str) -> list[JsonValue]:
    """Return the values of a text that holds one JSON value or several in a row (JSON Lines, a shell loop's output)."""
    values = []
    index = _after_space(text, 0)
    while index < len(text):
        value, end = _value_at(text, index)
        values.append(JsonValue(value, index, end))
        index = _after_space(text, end)
    return values


def _after_space(text: str, index: int) -> int:
    space = _SPACE.match(text, index)
    return space.end() if space else index


def _value_at(text: str, index: int) -> tuple[Json, int]:
    try:
        value, end = _DECODER.raw_decode(text, index)
        return _checked(value, text, index), end
    except json.JSONDecodeError as error:
        cut = " (the file seems to be cut off)" if error.pos >= len(text.rstrip()) else ""
        raise BrokenFileError(
            f"not JSON: {error.msg}{cut}", error.lineno, error.colno, "write the file again with the command's --output json / -o json"
        ) from error
    except RecursionError as error:
        raise BrokenFileError(f"nested deeper than {DEEPEST} levels", *line_and_column(text, index)) from error
    except _DuplicateKeyError as error:
        place = line_and_column(text, second_place_of(text, error.key, index))
        raise BrokenFileError(f"the key {error.key!r} stands twice in one object", *place, "keep one of the two") from error
    except ValueError as error:
        raise BrokenFileError(f"not JSON: {error}", *line_and_column(text, index)) from error


def _checked(value: Json, text: str, index: int) -> Json:
    if text.count("[", index) + text.count("{", index) > DEEPEST and deeper_than(value, DEEPEST):
        raise BrokenFileError(f"nested deeper than {DEEPEST} levels", *line_and_column(text, index))
    # Looking for the two letters first is twenty times quicker, and nearly no file has them.
    found = _SURROGATE.search(text, index) if "\\ud" in text or "\\uD" in text else None
    if found:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise BrokenFileError(
                "half of a surrogate pair in a string", *line_and_column(text, found.start()), "write the character itself"
            ) from error
    return value


def deeper_than(value: Json, levels: int) -> bool:
    """Tell whether arrays and objects lie in one another deeper than so many levels."""
    layer: list[dict[str, Json] | list[Json]] = [value] if isinstance(value, (dict, list)) else []
    for _ in range(levels):
        inside: list[Json] = []
        for container in layer:
            inside.extend(container.values() if isinstance(container, dict) else container)
        layer = [child for child in inside if isinstance(child, (dict, list))]
        if not layer:
            return False
    return True


def second_place_of(text: str, key: str, index: int) -> int:
    """Return where the first object that holds a key twice holds it for the second time."""
    seen: list[set[str]] = []
    for token in _TOKEN.finditer(text, index):
        match token.group()[0]:
            case "{" | "[":
                seen.append(set())
            case "}" | "]" if seen:
                seen.pop()
            case '"' if token.group("colon") is not None and seen:
                name = json.loads(token.group("string"))
                if name == key and name in seen[-1]:
                    return token.start()
                seen[-1].add(name)
            case _:
                continue
    return index


_TOKEN = re.compile(r'(?P<string>"(?:[^"\\]++|\\.)*+")(?P<colon>[ \t\r\n]*:)?|[{}\[\]]')


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKeyError(key)
            seen.add(key)
    return found


def _number(digits: str) -> float | str:
    number = float(digits)
    return number if math.isfinite(number) else digits


# NaN and Infinity, which Slurm's tools print, stay words: no sum or comparison may ever meet them.
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=str, parse_float=_number)


def elements(text: str, start: int, end: int) -> Iterator[JsonValue]:
    """Yield the elements of the array that stands at `start` to `end`."""
    index = _after_space(text, start + 1)
    while index < end - 1:
        value, after = _DECODER.raw_decode(text, index)
        yield JsonValue(value, index, after)
        index = _after_space(text, _after_space(text, after) + 1)
