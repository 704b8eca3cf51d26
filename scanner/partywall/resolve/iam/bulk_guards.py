"""Resources' own policies as bits: what each lets in and keeps out, for most of an account, and for those for whom it differs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from partywall.model.facts_iam import Effect, Statement
from partywall.resolve.iam.bulk_names import DELEGATED, PIERCING, UNNAMED
from partywall.resolve.iam.bulk_rows import Compiler
from partywall.resolve.iam.bulk_targets import WORD, Places, Strip, Words
from partywall.resolve.iam.bulk_truths import MAYBE, NO, YES, Question, Truths
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.rights import Guard, Rights

KINDS = UNNAMED
_MANY = 1 << 40
_CROWDS = 64


@dataclass(frozen=True, eq=False, slots=True)
class Patch:
    """What a guard's bits are for some principals: places in a principal's planes, which bits are the guard's, and their values."""

    places: Places
    mask: Words
    words: Words

    def on(self, planes: Words) -> None:
        """Put the values in their places."""
        planes[self.places] = (planes[self.places] & ~self.mask) | self.words


@dataclass(eq=False, slots=True)
class _Line:
    """One statement of a guard before all principals: how it takes each, whether it asks what holds, on which seats."""

    actions: Places
    where: Truths
    kind: Truths
    whether: Truths
    gates: tuple[tuple[NDArray[np.bool_], Truths], ...]
    filled: tuple[NDArray[np.int64], Sequence[Truths]] | None

    def signs(self) -> NDArray[np.int64]:
        """Return a number for each principal: equal ones are taken alike."""
        found = self.kind.astype(np.int64) * 3 + self.whether
        for _, truth in self.gates:
            found = found * 3 + truth
        if self.filled is not None:
            found = found * len(self.filled[1]) + self.filled[0]
        found[(self.kind == UNNAMED) | (self.whether == NO)] = 0
        return found

    def truth(self, principal: int) -> Truths:
        """Return whether it applies to each seat, for one principal."""
        found = self.where
        if self.filled is not None:
            found = self.filled[1][self.filled[0][principal]]
        found = np.minimum(found, np.uint8(self.whether[principal]))
        for seats, truth in self.gates:
            found = np.where(seats, np.minimum(found, truth[principal]), found)
        return found


@dataclass(eq=False)
class _Guarded:
    """The targets of one guard in one strip: their seats, and the places and bits of their words in a principal's planes."""

    strip: Strip
    guard: Guard
    seats: Places
    lines: list[_Line] = field(default_factory=list)
    known: dict[int, Patch] = field(default_factory=dict)
    places: Places | None = None

    def patch(self, sign: int, principal: int, words: int) -> Patch:
        """Return the bits for principals of a sign."""
        if sign not in self.known:
            self.known[sign] = self._patch(principal, words)
        return self.known[sign]

    def _patch(self, principal: int, words: int) -> Patch:
        codes = np.zeros((KINDS, len(self.strip.block.actions), len(self.seats)), np.uint8)
        for line in self.lines:
            kind = int(line.kind[principal])
            if kind != UNNAMED and line.whether[principal] != NO:
                here = codes[kind]
                here[line.actions] = np.maximum(here[line.actions], line.truth(principal))
        own, at, bits, mask = self._bits
        values = np.zeros((KINDS, 2, codes.shape[1], len(own)), np.uint64)
        for seat, (word, bit) in enumerate(zip(at, bits, strict=True)):
            values[:, 0, :, word] |= (codes[:, :, seat] == YES) * bit
            values[:, 1, :, word] |= (codes[:, :, seat] != NO) * bit
        return Patch(self._places(words), mask, values.ravel())

    @cached_property
    def _bits(self) -> tuple[Places, list[int], Words, Words]:
        """Return the words of a row that hold the seats, the word and the bit of each seat, and the bits of all in all rows."""
        own, at = np.unique(self.seats // WORD, return_inverse=True)
        bits = np.uint64(1) << (self.seats % WORD).astype(np.uint64)
        mask = np.zeros(len(own), np.uint64)
        np.bitwise_or.at(mask, at, bits)
        return own, at.tolist(), bits, np.tile(mask, KINDS * 2 * len(self.strip.block.actions))

    def _places(self, words: int) -> Places:
        if self.places is None:
            rows = self.strip.start + np.arange(len(self.strip.block.actions))[:, None] * self.strip.words + self._bits[0][None, :]
            self.places = (np.arange(KINDS * 2)[:, None] * words + rows.ravel()[None, :]).ravel()
        return self.places


class Guards:
    """All guards of a layout before all principals: planes of most of each account, and patches for the others."""

    def __init__(self, compiler: Compiler, rights: Sequence[Rights]) -> None:
        self.compiler, self.rights = compiler, rights
        self.layout, self.questions = compiler.layout, compiler.questions
        self.patches: list[list[Patch]] = [[] for _ in rights]
        guarded = list(self._guarded())
        self._crowds = self._crowded(guarded)
        self._crowd_of = np.zeros(len(rights), np.int32)
        for number, members in enumerate(self._crowds):
            self._crowd_of[members] = number
        self.base = [np.zeros(KINDS * 2 * self.layout.words, np.uint64) for _ in self._crowds]
        for each in guarded:
            self._spread(each)

    def crowd(self, principal: int) -> int:
        """Return the number of the crowd that a principal is in: those of which most come out alike."""
        return int(self._crowd_of[principal])

    def _crowded(self, guarded: Iterable[_Guarded]) -> list[NDArray[np.intp]]:
        """Group principals by account, and by what they have in the place of a text in the keys that guards read."""
        statements = [grant.statement for each in guarded for grant in each.guard.grants or ()]
        comparisons = dict.fromkeys((each, statement.variables) for statement in statements for each in statement.comparisons)
        questions = [self.questions.question(each, variables=variables) for each, variables in comparisons]
        keys = dict.fromkeys(key for question in questions for key in question.of_principals)
        columns = [column for column in map(self.questions.principals.column, keys) if column.others]
        special = [[number if number in column.others else -1 for number in column.of.tolist()] for column in columns]
        groups: dict[tuple[object, ...], list[int]] = {}
        for number, one in enumerate(self.rights):
            groups.setdefault((one.account, *(found[number] for found in special)), []).append(number)
        if len(groups) > _CROWDS:
            groups = {}
            for number, one in enumerate(self.rights):
                groups.setdefault((one.account,), []).append(number)
        return [np.array(found, np.intp) for found in groups.values()]

    def planes(self, principal: int) -> Words:
        """Return the four pairs of planes of a principal, laid end to end."""
        patches = self.patches[principal]
        base = self.base[self.crowd(principal)]
        if not patches:
            return base
        planes = base.copy()
        for patch in patches:
            patch.on(planes)
        return planes

    def _guarded(self) -> Iterator[_Guarded]:
        for strip in self.layout.strips:
            seats: dict[int, list[int]] = {}
            guards: dict[int, Guard] = {}
            for seat, target in enumerate(strip.block.targets):
                if target.guard.grants or target.guard.grants is None:
                    seats.setdefault(id(target.guard), []).append(seat)
                    guards[id(target.guard)] = target.guard
            for key, guard in guards.items():
                guarded = _Guarded(strip, guard, np.array(seats[key], np.intp))
                guarded.lines = self._unread(guarded) if guard.grants is None else list(self._lines(guarded, guard.grants))
                yield guarded

    def _spread(self, guarded: _Guarded) -> None:
        """Put a guard into the planes of each account, as most of it sees the guard, and note the others."""
        signs = np.zeros(len(self.rights), np.int64)
        width = 1
        for line in guarded.lines:
            found = line.signs()
            most = int(found.max()) + 1
            if width * most > _MANY:
                _, signs = np.unique(signs, return_inverse=True)
                _, found = np.unique(found, return_inverse=True)
                width, most = int(signs.max()) + 1, int(found.max()) + 1
            signs, width = signs * most + found, width * most
        for number, members in enumerate(self._crowds):
            here = signs[members]
            usual = _usual(here)
            of_usual = members[int(np.argmax(here == usual))]
            guarded.patch(usual, int(of_usual), self.layout.words).on(self.base[number])
            for one in members[here != usual].tolist():
                self.patches[one].append(guarded.patch(int(signs[one]), one, self.layout.words))

    def _lines(self, guarded: _Guarded, grants: Iterable[Grant]) -> Iterator[_Line]:
        for statement in (grant.statement for grant in grants):
            for strip, actions, most in self.layout.named(statement):
                if strip is guarded.strip:
                    # Of a statement whose effect was not read both are possible.
                    for effect in (statement.effect,) if statement.is_told else tuple(Effect):
                        yield self._line(guarded, statement, effect, actions, most)

    def _unread(self, guarded: _Guarded) -> list[_Line]:
        """Return lines that may let in anybody: the policy is not in the input."""
        everybody: Truths = np.full(len(self.rights), YES, np.uint8)
        return [self._open(guarded, np.full(len(self.rights), kind, np.uint8), everybody) for kind in (PIERCING, DELEGATED)]

    def _open(self, guarded: _Guarded, kind: Truths, named: Truths) -> _Line:
        where: Truths = np.full(len(guarded.seats), MAYBE, np.uint8)
        return _Line(np.arange(len(guarded.strip.block.actions)), where, kind, named, (), None)

    def _line(self, guarded: _Guarded, statement: Statement, effect: Effect, actions: Places, most: int) -> _Line:
        kind, whether = self.compiler.names.of(statement, effect)
        seats = guarded.strip.numbers[guarded.seats]
        limits: Truths = np.full(len(seats), most, np.uint8)
        gates: list[tuple[NDArray[np.bool_], Truths]] = []
        for question in (self.questions.question(each, variables=statement.variables) for each in statement.comparisons):
            if question.of_principals and question.of_resources:
                gates += self._gates(question, seats)
            elif question.of_principals:
                whether = np.minimum(whether, self.questions.along_principals(question, 0))
            else:
                limits = np.minimum(limits, self.questions.along_resources(question, 0)[seats])
        where, filled = self._where(statement, seats)
        if filled is not None:
            filled = (filled[0], [np.minimum(vector, limits) for vector in filled[1]])
        return _Line(actions, np.minimum(where, limits), kind, whether, tuple(gates), filled)

    def _gates(self, question: Question, seats: Places) -> Iterator[tuple[NDArray[np.bool_], Truths]]:
        of = self.questions.resources.classes(question.of_resources).of[seats]
        for which in np.unique(of).tolist():
            yield of == which, self.questions.along_principals(question, which)

    def _where(self, statement: Statement, seats: Places) -> tuple[Truths, tuple[NDArray[np.int64], list[Truths]] | None]:
        """Return where a statement applies; where that differs between principals, a number for each and what it stands for."""
        where, patterns = self.compiler.where(statement)
        here = where[seats]
        if not patterns:
            return (YES - here if statement.not_resources else here), None
        asked = self.compiler.asked(patterns)
        classes = self.questions.principals.classes(asked)
        known: dict[bytes, int] = {}
        vectors: list[Truths] = []
        numbers: list[int] = []
        for principal in range(len(classes.values)):
            found = np.maximum(self.compiler.filled(statement, patterns, asked, principal)[seats], here)
            vector = YES - found if statement.not_resources else found
            number = known.setdefault(vector.tobytes(), len(vectors))
            if number == len(vectors):
                vectors.append(vector)
            numbers.append(number)
        return here, (np.array(numbers, np.int64)[classes.of], vectors)


def _usual(signs: NDArray[np.int64]) -> int:
    """Return the sign that most have, or one that many have where none is shared by half of them."""
    first = int(signs[len(signs) // 2])
    if np.count_nonzero(signs == first) * 2 > len(signs):
        return first
    values, counts = np.unique(signs, return_counts=True)
    return int(values[np.argmax(counts)])
