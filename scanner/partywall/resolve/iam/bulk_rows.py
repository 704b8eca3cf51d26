"""Statements as rows of bits: each distinct statement is compiled once, and once more for each kind of principal that it tells apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from partywall.model.facts_iam import Effect, Statement
from partywall.resolve.iam.bulk_names import Names
from partywall.resolve.iam.bulk_targets import WORD, Layout, Places, Strip, Words, places_of
from partywall.resolve.iam.bulk_truths import MAYBE, NO, YES, Question, Questions, Truths
from partywall.resolve.iam.context import Context, Value
from partywall.resolve.iam.decide import PERSONAL, is_malformed
from partywall.resolve.iam.rights import Layer
from partywall.resolve.iam.statements import strange_resources
from partywall.resolve.iam.variables import Text, expand, keys_in

Key: TypeAlias = tuple[int, ...]
_FEW = 12


@dataclass(frozen=True, eq=False, slots=True)
class Rows:
    """Bits of a statement in a pair of planes (sure, open or sure), laid end to end: the places of the words, and the words."""

    places: Places
    words: Words

    def on(self, planes: Words) -> None:
        """Set the bits."""
        planes[self.places] |= self.words


_NOTHING = Rows(np.zeros(0, np.intp), np.zeros(0, np.uint64))


@dataclass(eq=False, slots=True)
class Compiled:
    """One statement: where it applies for everybody, and what it asks of each principal."""

    number: int
    statement: Statement
    named: tuple[tuple[Strip, Places, int], ...]
    where: Truths
    limits: Truths | None
    patterns: tuple[str, ...]
    asked: tuple[str, ...]
    joins: tuple[Question, ...]
    whether: Sequence[int]
    classes: tuple[Sequence[int], ...]
    asks: bool = False

    def key(self, principal: int) -> Key | None:
        """Return what tells this statement's rows apart for a principal; None where it does not apply to it."""
        whether = self.whether[principal]
        return (self.number, whether, *[of[principal] for of in self.classes]) if whether else None


class Compiler:
    """All statements of an estate that count for principals; equal ones are one."""

    def __init__(self, layout: Layout, questions: Questions, names: Names) -> None:
        self.layout, self.questions, self.names = layout, questions, names
        self._known: dict[tuple[object, ...], Compiled] = {}
        self._list: list[Compiled] = []
        self._rows: dict[Key, Rows] = {}
        self._everybody = [YES] * questions.principals.count
        # What a resource that IAM does not take stands for: nobody knows, but it is no star.
        self._untold = np.array([NO if target.wildcard_only else MAYBE for target in layout.targets], np.uint8)
        self._nothing = np.array([NO if target.wildcard_only else YES for target in layout.targets], np.uint8)

    def compiled(self, statement: Statement, layer: Layer = Layer.RESOURCE) -> Compiled:
        """Return a statement's compiled form in a layer."""
        # Its content is the whole statement, and the same object where it was read once: comparing that is quick.
        personal, malformed = layer in PERSONAL, is_malformed(layer, statement, names=_names(statement)) and layer is not Layer.RESOURCE
        key: tuple[object, ...] = (statement.content, statement.variables, statement.broken, personal, malformed)
        if not statement.content:
            key = (*_parts(statement), personal, malformed)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._compile(statement, len(self._list), personal=personal, malformed=malformed)
            self._list.append(found)
        return found

    def _compile(self, statement: Statement, number: int, *, personal: bool, malformed: bool) -> Compiled:
        where, patterns = self.where(statement)
        whether = self.names.of(statement)[1] if _names(statement) and not personal else None
        limits: Truths | None = None
        joins: list[Question] = []
        for question in (self.questions.question(each, variables=statement.variables) for each in statement.comparisons):
            if question.of_principals and question.of_resources:
                joins.append(question)
            elif question.of_principals:
                whether = _least(whether, self.questions.along_principals(question, 0))
            else:
                limits = _least(limits, self.questions.along_resources(question, 0))
        if malformed:
            limits = _least(limits, np.full(len(self.layout.targets), MAYBE, np.uint8))
        asked = self.asked(patterns)
        sides = [*([asked] if asked else []), *(question.of_principals for question in joins)]
        classes = tuple(self.questions.principals.classes(keys).of.tolist() for keys in sides)
        everybody = self._everybody if whether is None else whether.tolist()
        named = self.layout.named(statement)
        asks = whether is not None or bool(classes)
        return Compiled(number, statement, named, where, limits, patterns, asked, tuple(joins), everybody, classes, asks)

    def asked(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Return the keys of principals that the variables of patterns speak of."""
        return self.questions.keys([key for pattern in patterns for key in keys_in(pattern)])[0]

    def where(self, statement: Statement) -> tuple[Truths, tuple[str, ...]]:
        """Return which targets the plain patterns of a statement take in, and the patterns whose variables differ between requests."""
        patterns = statement.not_resources or statement.resources
        if not patterns or (statement.resources and statement.not_resources):
            return np.full(len(self.layout.targets), YES if not patterns or not statement.not_resources else NO, np.uint8), ()
        free = tuple(pattern for pattern in patterns if statement.variables and any(True for _ in keys_in(pattern)))
        texts = (expand(pattern, Context(), variables=statement.variables) for pattern in patterns if pattern not in free)
        found = [self._taken(statement, text) for text in texts if not text.void]
        if strange_resources(patterns, variables=statement.variables):
            found.append(self._untold)
        return _most(found, len(self.layout.targets)), free

    def _taken(self, statement: Statement, text: Text) -> Truths:
        """Return what a filled-in pattern takes in: an Allow needs something of a region, a Deny all of it, and exceptions the reverse."""
        denies, excepts = statement.effect is Effect.DENY, bool(statement.not_resources)
        found = self.layout.taken(text.pattern, wholly=denies != excepts).astype(np.uint8)
        return found * np.uint8(MAYBE if text.unknown else YES)

    def rows(self, key: Key) -> Rows:
        """Return the rows that a key stands for."""
        if key not in self._rows:
            compiled = self._list[key[0]]
            self._rows[key] = self._packed(compiled, self._truth(compiled, key))
        return self._rows[key]

    def _truth(self, compiled: Compiled, key: Key) -> Truths:
        """Return whether the statement applies to each target, for principals of the key."""
        classes = list(key[2:])
        truth = compiled.where
        if compiled.patterns:
            principal = classes.pop(0) if compiled.asked else 0
            truth = np.maximum(self.filled(compiled.statement, compiled.patterns, compiled.asked, principal), truth)
        if compiled.statement.not_resources:
            truth = YES - truth
        if compiled.limits is not None:
            truth = np.minimum(truth, compiled.limits)
        for question, which in zip(compiled.joins, classes, strict=True):
            truth = np.minimum(truth, self.questions.along_resources(question, which))
        return truth if key[1] == YES else np.minimum(truth, np.uint8(key[1]))

    def filled(self, statement: Statement, patterns: Sequence[str], asked: tuple[str, ...], principal: int) -> Truths:
        """Return which targets patterns with variables take in, for principals of one class."""
        ours = self.questions.principals.classes(asked).values[principal] if asked else {}
        found: list[Truths] = []
        for pattern in patterns:
            _, theirs, fixed = self.questions.keys(list(keys_in(pattern)))
            if theirs:
                found.append(self._one_by_one(statement, pattern, {**fixed, **ours}, theirs))
                continue
            text = expand(pattern, Context({**fixed, **ours}), variables=True)
            if not text.void:
                found.append(self._taken(statement, text))
        return np.minimum(_most(found, len(self.layout.targets)), self._nothing)

    def _one_by_one(self, statement: Statement, pattern: str, ours: Mapping[str, Value], theirs: tuple[str, ...]) -> Truths:
        """Fill a pattern in for each kind of resource, where its variables speak of the resource itself."""
        classes = self.questions.resources.classes(theirs)
        found = np.zeros(len(self.layout.targets), np.uint8)
        for which, values in enumerate(classes.values):
            text = expand(pattern, Context({**ours, **values}), variables=True)
            if not text.void:
                here = classes.of == which
                found[here] = self._taken(statement, text)[here]
        return found

    def _packed(self, compiled: Compiled, truth: Truths) -> Rows:
        hits = np.flatnonzero(truth)
        if len(hits) <= _FEW:
            return self._few(compiled, {number: truth[number] == YES for number in hits.tolist()})
        found = [_all(strip, np.minimum(truth, np.uint8(most))) for strip, _, most in compiled.named]
        strips = [(strip, actions, *words) for (strip, actions, _), words in zip(compiled.named, found, strict=True) if len(words[0])]
        if not strips:
            return _NOTHING
        places = np.concatenate([places_of(strip, actions, which) for strip, actions, which, _, _ in strips])
        sure = [np.tile(words, len(actions)) for _, actions, _, words, _ in strips]
        opened = [np.tile(words, len(actions)) for _, actions, _, _, words in strips]
        return Rows(np.concatenate([places, places + self.layout.words]), np.concatenate([*sure, *opened]))

    def _few(self, compiled: Compiled, hits: Mapping[int, bool]) -> Rows:
        """Return the rows of a statement that applies to a few targets, surely or perhaps."""
        places: list[int] = []
        sure: list[int] = []
        opened: list[int] = []
        for strip, actions, most in compiled.named:
            words: dict[int, tuple[int, int]] = {}
            for number, known in hits.items():
                for seat in strip.seats.get(number, ()):
                    bit = 1 << seat % WORD
                    before = words.get(seat // WORD, (0, 0))
                    words[seat // WORD] = (before[0] | (bit if known and most == YES else 0), before[1] | bit)
            if words:
                places += [strip.row(action) + word for action in actions.tolist() for word in words]
                sure += [word for word, _ in words.values()] * len(actions)
                opened += [word for _, word in words.values()] * len(actions)
        at = np.array(places, np.intp)
        return Rows(np.concatenate([at, at + self.layout.words]), np.array(sure + opened, np.uint64))


def _all(strip: Strip, truth: Truths) -> tuple[Places, Words, Words]:
    here = truth[strip.numbers]
    opened = strip.packed(here != NO)
    which = np.flatnonzero(opened)
    return which, strip.packed(here == YES)[which], opened[which]


def _names(statement: Statement) -> bool:
    return bool(statement.principals or statement.not_principals)


def _parts(statement: Statement) -> tuple[object, ...]:
    return (
        *(statement.effect, statement.actions, statement.not_actions, statement.resources, statement.not_resources, statement.comparisons),
        *(statement.variables, statement.principals, statement.not_principals, statement.broken, statement.is_told),
    )


def _least(one: Truths | None, other: Truths) -> Truths:
    return other if one is None else np.minimum(one, other)


def _most(found: Sequence[Truths], count: int) -> Truths:
    if not found:
        return np.zeros(count, np.uint8)
    return found[0] if len(found) == 1 else np.maximum.reduce(found)
