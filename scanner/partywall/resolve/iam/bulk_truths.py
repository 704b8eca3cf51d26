"""Comparisons of many principals with many resources: the kernel decides, once for all that a comparison cannot tell apart.

A comparison reads a few keys. Members of a side (principals, or resources) that have the same values of those keys come out alike; and
where texts are compared, so do all values that begin like none of them. What is left is asked of `comparing.compare`.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from partywall.model.facts_iam import Comparison
from partywall.model.residual import FALSE, TRUE
from partywall.resolve.iam.comparing import compare
from partywall.resolve.iam.context import Context, Value
from partywall.resolve.iam.globs import LITERAL_MARK, LITERAL_STAR
from partywall.resolve.iam.operators import compares_arns, compares_texts
from partywall.resolve.iam.variables import VARIABLE, expand, keys_in

NO, MAYBE, YES = 0, 1, 2
Truths: TypeAlias = NDArray[np.uint8]
Numbers: TypeAlias = NDArray[np.int32]
_LAST = "\U0010ffff"
_WILD = ("*", "?", LITERAL_STAR, LITERAL_MARK)


def beginning(pattern: str) -> str:
    """Return what stands before the first wildcard of a pattern."""
    return pattern[: min((place for sign in _WILD if (place := pattern.find(sign)) >= 0), default=len(pattern))]


class Beginnings:
    """Numbered texts, found by how they begin, whatever their case; ARNs also by how their last part begins."""

    def __init__(self, texts: Sequence[tuple[str, int]]) -> None:
        low = [(text.casefold(), number) for text, number in texts]
        self._whole = sorted(low)
        self._last = sorted((text.split(":", 5)[5], number) for text, number in low if text.count(":") >= _PARTS - 1)
        self._odd = [number for text, number in low if text.count(":") < _PARTS - 1]
        self._long = [(text.split(":", 5)[5], number) for text, number in low if text.count(":") >= _PARTS]

    def like(self, pattern: str, *, arns: bool) -> list[int]:
        """Return texts among which are all that fit a pattern; ARNs are compared part by part."""
        low = pattern.casefold()
        start = beginning(low)
        if start == low:
            return [number for _, number in self._whole[bisect_left(self._whole, (low, -1)) : bisect_left(self._whole, (low + "\0", -1))]]
        found = _between(self._whole, start)
        parts = low.split(":", _PARTS - 1)
        if not arns or len(parts) < _PARTS or len(found) < _FEW:
            return found
        last = beginning(parts[-1])
        by_last = _between(self._last, last)
        if len(found) <= len(by_last):
            return found
        # A star that ends a part runs on over colons, into a last part that has some.
        further = [number for text, number in self._long if f":{last}" in text]
        return list(dict.fromkeys((*by_last, *further, *self._odd)))


_PARTS = 6
_FEW = 8


def _between(listed: list[tuple[str, int]], start: str) -> list[int]:
    return [number for _, number in listed[bisect_left(listed, (start, -1)) : bisect_left(listed, (start + _LAST, -1))]]


class Column:
    """One condition key of one side: its distinct values (None: this side does not say), and the number of each member's value."""

    def __init__(self, values: Sequence[Value | None]) -> None:
        known: dict[Value | None, int] = {}
        self.of: Numbers = np.array([known.setdefault(value, len(known)) for value in values], np.int32)
        self.values: list[Value | None] = list(known)

    @cached_property
    def _texts(self) -> Beginnings:
        return Beginnings([(text, number) for number, value in enumerate(self.values) if (text := _text(value)) is not None])

    @cached_property
    def others(self) -> frozenset[int]:
        """Return the values that are no single text."""
        return frozenset(number for number, value in enumerate(self.values) if _text(value) is None)

    def near(self, patterns: Sequence[str], *, arns: bool) -> tuple[frozenset[int], int | None]:
        """Return the values that may fit one of some patterns, with those that are no single text; and one of all others."""
        found = self.others.union(*(self._texts.like(pattern, arns=arns) for pattern in patterns))
        other = next((number for number in range(len(self.values)) if number not in found), None)
        return found, other


def _text(value: Value | None) -> str | None:
    """Return a value's only text; an empty one may stand for an empty set, so it is none."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 and value[0] else None


@dataclass(frozen=True, slots=True)
class Classes:
    """The members of a side by their values of some keys: the class of each member, and the values of each class."""

    of: Numbers
    values: tuple[Mapping[str, Value], ...]


class Side:
    """The principals, or the resources, of an estate as comparisons see them."""

    def __init__(self, count: int, value: Callable[[int, str], Value | None]) -> None:
        self.count = count
        self._value = value
        self._columns: dict[str, Column] = {}
        self._classes: dict[tuple[str, ...], Classes] = {}

    def column(self, key: str) -> Column:
        """Return the values of a key."""
        if key not in self._columns:
            self._columns[key] = Column([self._value(number, key) for number in range(self.count)])
        return self._columns[key]

    def classes(self, keys: tuple[str, ...]) -> Classes:
        """Return the members by their values of some keys; with one key, classes have the numbers of its column."""
        if keys not in self._classes:
            columns = [self.column(key) for key in keys]
            known: dict[tuple[int, ...], int] = {}
            if len(columns) == 1:
                known = {(number,): number for number in range(len(columns[0].values))}
                of = columns[0].of
            else:
                rows = zip(*(column.of.tolist() for column in columns), strict=True) if columns else iter([()] * self.count)
                of = np.array([known.setdefault(row, len(known)) for row in rows], np.int32)
            values = tuple(
                {key: found for key, column, number in zip(keys, columns, row, strict=True) if (found := column.values[number]) is not None}
                for row in known
            )
            self._classes[keys] = Classes(of, values)
        return self._classes[keys]


@dataclass(eq=False, slots=True)
class Question:
    """One comparison: the keys that it reads of principals and of resources, and what is the same for all."""

    comparison: Comparison
    variables: bool
    of_principals: tuple[str, ...]
    of_resources: tuple[str, ...]
    fixed: Mapping[str, Value]
    lines: dict[tuple[bool, int], Truths] = field(default_factory=dict)

    @property
    def main(self) -> str:
        """Return the key that is compared, in lower case."""
        return self.comparison.key.lower()

    def truth(self, *known: Mapping[str, Value]) -> int:
        """Ask the kernel."""
        context = Context({key: value for part in (self.fixed, *known) for key, value in part.items()})
        found = compare(self.comparison, context, variables=self.variables)
        return YES if found is TRUE else NO if found is FALSE else MAYBE


class Questions:
    """All comparisons of an estate, each with its answers so far."""

    def __init__(self, principals: Side, resources: Side, sides: Callable[[str], tuple[bool, bool]]) -> None:
        self.principals, self.resources, self.sides = principals, resources, sides
        self._known: dict[tuple[Comparison, bool], Question] = {}

    def keys(self, keys: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, Value]]:
        """Sort keys: those that principals have, those that resources have (some both), and the values of all others."""
        low = tuple(dict.fromkeys(key.lower() for key in keys))
        ours = tuple(key for key in low if self.sides(key)[0])
        theirs = tuple(key for key in low if self.sides(key)[1])
        return ours, theirs, {key: Context().value(key) for key in low if not any(self.sides(key))}

    def question(self, comparison: Comparison, *, variables: bool) -> Question:
        """Return a comparison's question; equal ones are the same."""
        found = self._known.get((comparison, variables))
        if found is None:
            asked = [key for value in comparison.values for key in keys_in(value)] if variables else []
            found = self._known[comparison, variables] = Question(comparison, variables, *self.keys((comparison.key, *asked)))
        return found

    def along_resources(self, question: Question, principal: int) -> Truths:
        """Return the truth for every resource, for principals of one class."""
        theirs = self.resources.classes(question.of_resources)
        if (True, principal) not in question.lines:
            ours = self.principals.classes(question.of_principals).values[principal] if question.of_principals else {}
            question.lines[True, principal] = self._line(question, self.resources, question.of_resources, ours, overriding=True)
        return question.lines[True, principal][theirs.of]

    def along_principals(self, question: Question, resource: int) -> Truths:
        """Return the truth for every principal, for resources of one class."""
        ours = self.principals.classes(question.of_principals)
        if (False, resource) not in question.lines:
            theirs = self.resources.classes(question.of_resources).values[resource] if question.of_resources else {}
            question.lines[False, resource] = self._line(question, self.principals, question.of_principals, theirs, overriding=False)
        return question.lines[False, resource][ours.of]

    def _line(self, question: Question, side: Side, keys: tuple[str, ...], given: Mapping[str, Value], *, overriding: bool) -> Truths:
        """Return the truth for every class of a side. What a resource says of a key overrides what is said of the principal."""
        classes = side.classes(keys)

        def ask(number: int) -> int:
            here = classes.values[number]
            return question.truth(given, here) if overriding else question.truth(here, given)

        near = _apart(question, side, keys, given)
        if near is None:
            return np.array([ask(number) for number in range(len(classes.values))], np.uint8)
        singly, other = near
        line: Truths = np.full(len(classes.values), NO if other is None else ask(other), np.uint8)
        for number in singly:
            line[number] = ask(number)
        return line


def _apart(question: Question, side: Side, keys: tuple[str, ...], given: Mapping[str, Value]) -> tuple[frozenset[int], int | None] | None:
    """Return which classes must be asked about one by one, and one that stands for the rest; None where all must."""
    if len(keys) != 1 or not compares_texts(question.comparison.operator) or keys[0] in given:
        return None
    column, arns = side.column(keys[0]), compares_arns(question.comparison.operator)
    context = Context({**question.fixed, **given})
    if keys[0] == question.main:
        if question.variables and any(keys[0] == key.lower() for value in question.comparison.values for key in keys_in(value)):
            return None
        texts = [expand(value, context, variables=question.variables) for value in question.comparison.values]
        return column.near([text.pattern for text in texts if not text.void], arns=arns)
    value = given.get(question.main, question.fixed.get(question.main))
    solved = [_solved(pattern, value) for pattern in question.comparison.values]
    return None if None in solved else column.near([text for found in solved if found is not None for text in found], arns=False)


def _solved(pattern: str, value: Value | None) -> tuple[str, ...] | None:
    """Return what a pattern's only variable must be for the pattern to be a value; None where that is not so simple."""
    parts, text = VARIABLE.split(pattern), _text(value)
    if len(parts) == 1:
        return ()
    if len(parts) != 4 or text is None or any(sign in part for part in (parts[0], parts[3]) for sign in (*_WILD, "${")):
        return None
    whole, start, end = text.casefold(), parts[0].casefold(), parts[3].casefold()
    fits = len(whole) >= len(start) + len(end) and whole.startswith(start) and whole.endswith(end)
    return (whole[len(start) : len(whole) - len(end)],) if fits else ()
