"""YAML as people and tools write it, turned into plain JSON values.

PyYAML's C parser makes the nodes; we turn them into values ourselves, since its constructors take the last of two equal keys, turn dates
into objects, and let aliases and merge keys grow without bound. Keys are their own text (`on:` is "on", `80:` is "80"), as in Kubernetes,
where YAML becomes JSON first. CloudFormation's short tags become their long forms (AWS CloudFormation User Guide, "Intrinsic function
reference").
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from partywall.files.broken import BrokenFileError
from partywall.model.evidence import Json

DEEPEST = 200
# A document may not grow beyond this when its aliases are written out.
MOST_VALUES = 2_000_000
MERGE = "tag:yaml.org,2002:merge"
_STANDARD = "tag:yaml.org,2002:"
_RESOLVERS: tuple[tuple[str, str, str], ...] = (
    ("bool", r"^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$", "yYnNtTfFoO"),
    ("int", r"^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+)$", "-+0123456789"),
    (
        "float",
        r"^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+)$",
        "-+0123456789.",
    ),
    ("merge", r"^<<$", "<"),
    ("null", r"^(?:~|null|Null|NULL|)$", "~nN\0"),
)
_ACCOUNT = re.compile(r"0\d{11}")


class _Loader(yaml.CSafeLoader):
    """The C parser with YAML 1.1's words, without dates and base 60, which nobody means."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - PyYAML's own attribute, filled below


for _tag, _pattern, _first in _RESOLVERS:
    _Loader.add_implicit_resolver(_STANDARD + _tag, re.compile(_pattern), ["" if letter == "\0" else letter for letter in _first])


def compose(text: str) -> list[yaml.Node]:
    """Return the root nodes of a text's documents, empty documents left out."""
    try:
        return [node for node in yaml.compose_all(text, Loader=_Loader) if not _is_empty(node)]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        raise BrokenFileError(f"not YAML: {error.problem or error.context or 'unknown'}", line, column, _advice(error)) from error
    except yaml.reader.ReaderError as error:
        raise BrokenFileError(f"not YAML: {error.reason} (position {error.position})", remedy="take the control character out") from error
    except RecursionError as error:
        raise BrokenFileError(f"nested deeper than {DEEPEST} levels") from error


def _advice(error: yaml.MarkedYAMLError) -> str:
    if "cannot start any token" in str(error.problem):
        return "indent with spaces instead of tabs, or put the value in quotes"
    return "mend the line, or write the file again with -o json"


def _is_empty(node: yaml.Node | None) -> bool:
    return node is None or (isinstance(node, yaml.ScalarNode) and node.tag == _STANDARD + "null")


def load_yaml(nodes: list[yaml.Node]) -> list[Json]:
    """Return the values of composed documents."""
    return [_Builder().build(node, 0) for node in nodes]


@dataclass(slots=True)
class _Builder:
    """Turns the nodes of one document into a value, once each, and counts what it would be when written out."""

    done: dict[int, tuple[Json, int]] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    size: int = 0

    def build(self, node: yaml.Node, depth: int) -> Json:
        known = self.done.get(id(node))
        if known is not None:
            self._grow(known[1], node)
            return known[0]
        if depth > DEEPEST:
            raise _at(node, f"nested deeper than {DEEPEST} levels")
        self._grow(1, node)
        if isinstance(node, yaml.ScalarNode):
            return _tagged(node, _scalar(node))
        if id(node) in self.open:
            raise _at(node, "an alias leads back to the value that holds it")
        self.open.add(id(node))
        before = self.size
        value: Json = (
            self._mapping(node, depth) if isinstance(node, yaml.MappingNode) else [self.build(item, depth + 1) for item in node.value]
        )
        value = _tagged(node, value)
        self.open.discard(id(node))
        self.done[id(node)] = (value, self.size - before + 1)
        return value

    def _grow(self, by: int, node: yaml.Node) -> None:
        self.size += by
        if self.size > MOST_VALUES:
            raise _at(node, f"its aliases write out to more than {MOST_VALUES} values")

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Json]:
        own: dict[str, Json] = {}
        merged: dict[str, Json] = {}
        for key, value in node.value:
            if key.tag == MERGE:
                for part in self._merged(value, depth):
                    self._grow(len(part), value)
                    merged = {**part, **merged}
                continue
            name = _key(key)
            if name in own:
                raise _at(key, f"the key {name!r} stands twice in one mapping", "keep one of the two")
            own[name] = self.build(value, depth + 1)
        return {**merged, **own} if merged else own

    def _merged(self, node: yaml.Node, depth: int) -> Iterator[dict[str, Json]]:
        """Yield the mappings behind a merge key, the strongest first (YAML merge key type, yaml.org/type/merge.html)."""
        for part in node.value if isinstance(node, yaml.SequenceNode) else [node]:
            value = self.build(part, depth + 1)
            if not isinstance(value, dict):
                raise _at(part, "a merge key (<<) takes mappings only")
            yield value


def _key(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise _at(node, "a key that is a list or a mapping", "write the key as a word")
    return str(node.value)


def _at(node: yaml.Node, why: str, remedy: str = "mend the line, or write the file again with -o json") -> BrokenFileError:
    return BrokenFileError(why, node.start_mark.line + 1, node.start_mark.column + 1, remedy)


def _tagged(node: yaml.Node, value: Json) -> Json:
    tag = node.tag
    if tag.startswith(_STANDARD):
        if tag.startswith(_STANDARD + "python/"):
            raise _at(node, f"the tag !!{tag.removeprefix(_STANDARD)} would make an object", "take the tag out")
        return value
    name = tag.removeprefix("!")
    if name == "GetAtt" and isinstance(value, str):
        value = list(value.split(".", 1))
    return {name if name in {"Ref", "Condition"} else f"Fn::{name}": value} if tag.startswith("!") and name else value


def _scalar(node: yaml.ScalarNode) -> Json:
    text = str(node.value)
    match node.tag.removeprefix(_STANDARD):
        case "null":
            return None
        case "bool":
            return text.lower() in {"yes", "true", "on"}
        case "int":
            return _integer(text)
        case "float":
            return _float(text)
        case _:
            return text


def _integer(text: str) -> int | str:
    # An account id that lost its quotes and starts with 0 would be read in base 8.
    if _ACCOUNT.fullmatch(text) or len(text) > 400:
        return text
    digits = text.replace("_", "").lower()
    sign = -1 if digits.startswith("-") else 1
    digits = digits.lstrip("+-")
    base = 2 if digits.startswith("0b") else 16 if digits.startswith("0x") else 8 if digits.startswith("0") and len(digits) > 1 else 10
    try:
        return sign * int(digits, base)
    except ValueError:
        return text


def _float(text: str) -> float | str:
    try:
        number = float(text.replace("_", ""))
    except ValueError:
        return text
    return number if math.isfinite(number) else text
