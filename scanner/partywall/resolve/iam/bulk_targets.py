"""What a bulk question asks about: resources in blocks, a bit for each action and resource, and which resources a pattern takes in.

Bits lie by block, then by action, then by resource; each action's row starts a new word.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from partywall.model.arn import account_of
from partywall.model.facts_iam import Statement
from partywall.resolve.iam.bulk_truths import MAYBE, NO, YES, Beginnings
from partywall.resolve.iam.context import Context, Value, is_resource_tag
from partywall.resolve.iam.globs import arn_covers, arn_meets, is_wild
from partywall.resolve.iam.rights import Guard, Rights
from partywall.resolve.iam.statements import Request, names_action, strange_action

Words: TypeAlias = NDArray[np.uint64]
Places: TypeAlias = NDArray[np.intp]
WORD = 64
ACCOUNT = "aws:resourceaccount"


@dataclass(frozen=True, eq=False, slots=True)
class Target:
    """A resource: its ARN, or a region of ARNs, the guard that its policy makes, and what is known of it.

    `keys` are the condition keys that it fills in, in lower case; `wildcard_only` stands for no resource at all, as `Request` says.
    """

    arn: str
    guard: Guard
    keys: Mapping[str, Value] = field(default_factory=dict)
    tags: Mapping[str, str] | None = None
    wildcard_only: bool = False

    @property
    def account(self) -> str:
        """Return whose it is, as far as its guard or its ARN say."""
        return self.guard.account or account_of(self.arn)

    def value(self, key: str) -> Value | None:
        """Return what it says of a key, in lower case; None where it says nothing."""
        if key in self.keys:
            return self.keys[key]
        if key == ACCOUNT:
            return (self.account,) if self.account else None
        return Context(resource_tags=self.tags).value(key) if is_resource_tag(key) else None

    def asked(self, action: str) -> Request:
        """Return the request of nobody known on it."""
        return Request(action, self.arn, wildcard_only=self.wildcard_only)

    def request(self, rights: Rights, action: str) -> Request:
        """Return the request of a principal on it. One of which nobody says whose it is, is taken for one of the asker's own account."""
        home: Mapping[str, Value] = {ACCOUNT: (self.account,)} if self.account else {}
        known = {**rights.context.known, **own_keys(rights), **home, **self.keys}
        return Request(action, self.arn, Context(known, rights.context.session, self.tags), self.wildcard_only)


def own_keys(rights: Rights) -> Mapping[str, Value]:
    """Return the keys that every request of a principal fills in beside what is known of it."""
    return {ACCOUNT: (rights.account,), "kms:calleraccount": (rights.account,)}


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Actions, in lower case, each of which is asked about each of the targets."""

    actions: tuple[str, ...]
    targets: tuple[Target, ...]


@dataclass(eq=False)
class Strip:
    """Where a block lies among the words, and the numbers of its targets."""

    block: Block
    start: int
    words: int
    numbers: Places

    @cached_property
    def seats(self) -> Mapping[int, tuple[int, ...]]:
        """Return the places of each target in the block, by its number."""
        found: dict[int, tuple[int, ...]] = {}
        for seat, number in enumerate(self.numbers.tolist()):
            found[number] = (*found.get(number, ()), seat)
        return found

    def row(self, action: int) -> int:
        """Return the first word of an action."""
        return self.start + action * self.words

    def packed(self, flags: NDArray[np.bool_]) -> Words:
        """Return a row of words from a flag for each target of the block."""
        wide = np.zeros(self.words * WORD, np.bool_)
        wide[: len(flags)] = flags
        return np.packbits(wide, bitorder="little").view("<u8")


class Layout:
    """All targets with a number each, all blocks as strips, and what patterns take in."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        numbers: dict[int, int] = {}
        self.targets: list[Target] = []
        self.strips: list[Strip] = []
        start = 0
        for block in blocks:
            for target in block.targets:
                if numbers.setdefault(id(target), len(self.targets)) == len(self.targets):
                    self.targets.append(target)
            words = (len(block.targets) + WORD - 1) // WORD
            self.strips.append(Strip(block, start, words, np.array([numbers[id(target)] for target in block.targets], np.intp)))
            start += words * len(block.actions)
        self.words = start
        self._found: dict[tuple[str, bool], NDArray[np.bool_]] = {}
        self._actions: dict[tuple[object, ...], tuple[tuple[Strip, Places, int], ...]] = {}
        self._numbers = [number for number, target in enumerate(self.targets) if not (is_wild(target.arn) or target.wildcard_only)]
        self._beginnings = Beginnings([(self.targets[number].arn, number) for number in self._numbers])
        self.wild = [number for number, target in enumerate(self.targets) if is_wild(target.arn) or target.wildcard_only]

    def named(self, statement: Statement) -> tuple[tuple[Strip, Places, int], ...]:
        """Return the strips that hold actions of a statement, with the numbers of these actions, surely or perhaps named."""
        key = (statement.actions, statement.not_actions, bool(statement.broken))
        if key not in self._actions:
            self._actions[key] = tuple(
                (strip, np.array(numbers, np.intp), truth)
                for strip in self.strips
                for truth in (YES, MAYBE)
                if (numbers := [number for number, action in enumerate(strip.block.actions) if _named(statement, action) == truth])
            )
        return self._actions[key]

    def rows(self, chosen: Callable[[str], bool]) -> Words:
        """Return a plane with all bits of the actions that are chosen."""
        plane = np.zeros(self.words, np.uint64)
        for strip in self.strips:
            full = strip.packed(np.ones(len(strip.numbers), np.bool_))
            for number, action in enumerate(strip.block.actions):
                if chosen(action):
                    plane[strip.row(number) : strip.row(number) + strip.words] = full
        return plane

    def columns(self, chosen: Sequence[bool]) -> Words:
        """Return a plane with all bits of the targets that are chosen."""
        flags = np.array(chosen, np.bool_)
        rows = [np.tile(strip.packed(flags[strip.numbers]), len(strip.block.actions)) for strip in self.strips]
        return np.concatenate(rows) if rows else np.zeros(0, np.uint64)

    def cells(self, actions: Callable[[str], bool], chosen: Callable[[str, Target], bool]) -> Words:
        """Return a plane with the bits of the chosen ones among some actions on their targets."""
        plane = np.zeros(self.words, np.uint64)
        for strip in self.strips:
            for number, action in enumerate(strip.block.actions):
                if actions(action):
                    row = strip.packed(np.array([chosen(action, target) for target in strip.block.targets], np.bool_))
                    plane[strip.row(number) : strip.row(number) + strip.words] = row
        return plane

    def taken(self, pattern: str, *, wholly: bool) -> NDArray[np.bool_]:
        """Return which targets a resource pattern takes in: all of a region of ARNs (`wholly`), or something of it."""
        key = (pattern, wholly)
        if key not in self._found:
            found = np.zeros(len(self.targets), np.bool_)
            found[self._plain(pattern)] = True
            for number in self.wild:
                target = self.targets[number]
                test = arn_covers if wholly else arn_meets
                found[number] = not pattern.strip("*") if target.wildcard_only else test(pattern, target.arn)
            self._found[key] = found
        return self._found[key]

    def _plain(self, pattern: str) -> list[int]:
        if not pattern.strip("*"):
            return self._numbers
        return [number for number in self._beginnings.like(pattern, arns=True) if arn_meets(pattern, self.targets[number].arn)]


def _named(statement: Statement, action: str) -> int:
    """Tell whether a statement names an action; one that is broken may, unless a list that was read says no."""
    listed = statement.actions or statement.not_actions
    if statement.broken and bool(statement.actions) == bool(statement.not_actions):
        return MAYBE
    if strange_action(listed, action):
        return MAYBE
    named = names_action(statement, action)
    return NO if not named else MAYBE if statement.broken else YES


def twice(plane: Words) -> Words:
    """Return a pair of planes that are the same."""
    return np.concatenate([plane, plane])


def places_of(strip: Strip, actions: Places, words: Places) -> Places:
    """Return the numbers of some words in the rows of some actions."""
    return (strip.start + actions[:, None] * strip.words + words[None, :]).ravel()
