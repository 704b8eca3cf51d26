"""Where a JSON Pointer (RFC 6901) leads in a text: found when somebody asks, each container looked through once."""

import json
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import yaml

from partywall.files.decode import lines_of
from partywall.files.yaml_text import MERGE, compose
from partywall.model.document import Form

_SPACE = re.compile(r"[ \t\r\n]*")
_SKIP = json.JSONDecoder()
Steps = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """A value's place in a text, and where its key or its list item begins."""

    start: int
    end: int
    head: int


class _Text(Protocol):
    def find(self, steps: Steps) -> Span | None:
        """Return the span that the steps lead to, or None."""


def steps_of(pointer: str) -> Steps:
    """Return the steps of a pointer, with its escapes undone."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


@lru_cache(maxsize=4)
def positions(text: str, form: Form) -> "Positions":
    """Return the places of a text; the last few texts are kept."""
    return Positions(text, form)


def line_of(text: str, form: Form, pointer: str) -> int | None:
    """Return the line, counted from 1, where a pointer leads; a part that is absent stands where its nearest parent stands."""
    if form is Form.TEXT or pointer.startswith("L"):
        return _text_line(text, pointer)
    found = positions(text, form)
    steps = steps_of(pointer)
    for length in range(len(steps), -1, -1):
        span = found.find(steps[:length])
        if span is not None:
            return found.line(span.head)
    return None


def _text_line(text: str, pointer: str) -> int | None:
    number = pointer.removeprefix("L")
    if pointer in {"", "/"}:
        return 1
    if not number.isdecimal():
        return None
    return int(number) if 1 <= int(number) <= len(lines_of(text)) else None


class Positions:
    """The places of one text."""

    __slots__ = ("_breaks", "_text")

    def __init__(self, text: str, form: Form) -> None:
        self._text: _Text = _Json(text) if form is Form.JSON else _Yaml(compose(text))
        self._breaks: Sequence[int] = [match.start() for match in re.finditer("\n", text)]

    def find(self, steps: Steps) -> Span | None:
        """Return the span of the value that the steps lead to, or None."""
        return self._text.find(steps)

    def line(self, index: int) -> int:
        """Return the line of a place, counted from 1."""
        return bisect_right(self._breaks, index - 1) + 1 if index else 1


@dataclass(slots=True)
class _Json:
    """The containers of a JSON text, each with its children's spans once it was looked into; the C scanner skips the rest."""

    text: str
    known: dict[int, Mapping[str, Span]] = field(default_factory=dict)

    def find(self, steps: Steps) -> Span | None:
        roots = self._roots()
        if len(roots) == 1:
            span: Span | None = roots["0"]
        elif not steps:
            return Span(0, len(self.text), 0)
        else:
            span, steps = roots.get(steps[0]), steps[1:]
        for step in steps:
            if span is None:
                return None
            span = self._children(span).get(step)
        return span

    def _roots(self) -> Mapping[str, Span]:
        if -1 not in self.known:
            found: dict[str, Span] = {}
            index = self._space(0)
            while index < len(self.text):
                end = self._end(index)
                found[str(len(found))] = Span(index, end, index)
                index = self._space(end)
            self.known[-1] = found
        return self.known[-1]

    def _children(self, span: Span) -> Mapping[str, Span]:
        if span.start not in self.known:
            opener = self.text[span.start]
            self.known[span.start] = self._members(span.start) if opener == "{" else self._elements(span.start) if opener == "[" else {}
        return self.known[span.start]

    def _members(self, start: int) -> Mapping[str, Span]:
        found: dict[str, Span] = {}
        index = self._space(start + 1)
        while self.text[index] == '"':
            key, after = _SKIP.raw_decode(self.text, index)
            value = self._space(self._space(after) + 1)
            end = self._end(value)
            found[key] = Span(value, end, index)
            index = self._space(self._space(end) + 1) if self.text[self._space(end)] == "," else self._space(end)
        return found

    def _elements(self, start: int) -> Mapping[str, Span]:
        found: dict[str, Span] = {}
        index = self._space(start + 1)
        while self.text[index] != "]":
            end = self._end(index)
            found[str(len(found))] = Span(index, end, index)
            index = self._space(end)
            if self.text[index] == ",":
                index = self._space(index + 1)
        return found

    def _end(self, index: int) -> int:
        return _SKIP.raw_decode(self.text, index)[1]

    def _space(self, index: int) -> int:
        space = _SPACE.match(self.text, index)
        return space.end() if space else index


@dataclass(slots=True)
class _Yaml:
    """The composed nodes of a YAML text."""

    roots: list[yaml.Node]

    def find(self, steps: Steps) -> Span | None:
        if not self.roots:
            return Span(0, 0, 0)
        if len(self.roots) == 1:
            node: yaml.Node | None = self.roots[0]
        elif not steps:
            return _span(self.roots[0], self.roots[0])
        else:
            node, steps = _item(self.roots, steps[0]), steps[1:]
        head = node
        for step in steps:
            if node is None:
                return None
            head, node = _child(node, step)
        return _span(head or node, node) if node is not None else None


def _child(node: yaml.Node, step: str) -> tuple[yaml.Node | None, yaml.Node | None]:
    if isinstance(node, yaml.SequenceNode):
        item = _item(node.value, step)
        return item, item
    if not isinstance(node, yaml.MappingNode):
        return None, None
    for key, value in node.value:
        if key.tag != MERGE and key.value == step:
            return key, value
        # A short tag's value is below its long form's name, which stands nowhere in the text.
    for key, value in node.value:
        if key.tag == MERGE:
            for part in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                found = _child(part, step)
                if found[1] is not None:
                    return found
    return None, None


def _item(nodes: Sequence[yaml.Node], step: str) -> yaml.Node | None:
    return nodes[int(step)] if step.isdecimal() and int(step) < len(nodes) else None


def _span(head: yaml.Node, node: yaml.Node) -> Span:
    return Span(node.start_mark.index, node.end_mark.index, head.start_mark.index)
