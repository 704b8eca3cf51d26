"""Whole estates at once: every principal, action and resource as a bit, by the rules of `decide`.

Each distinct statement becomes rows of bits; policies are unions of rows, ceilings are intersections, a Deny takes bits away. Beside what
is surely allowed stands a plane of what may be: residual conditions, and what cannot be told. What is in neither is denied. A cell of the
second plane is for `decide` to look at: planes do not see that two conditions exclude each other, or leave nothing over.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from partywall.model.collector import paused
from partywall.resolve.iam.bulk_ceilings import Ceilings, Limit
from partywall.resolve.iam.bulk_guards import KINDS, Guards
from partywall.resolve.iam.bulk_names import CAPPED, DELEGATED, DENIED, PIERCING, Names
from partywall.resolve.iam.bulk_rows import Compiler
from partywall.resolve.iam.bulk_targets import WORD, Block, Layout, Target, Words, own_keys, twice
from partywall.resolve.iam.bulk_truths import Numbers, Questions, Side
from partywall.resolve.iam.context import Context, is_resource_tag
from partywall.resolve.iam.decide import ALONE, NOBODY
from partywall.resolve.iam.rights import Layer, Rights
from partywall.resolve.iam.services import ALWAYS_ALLOWED

__all__ = ["Block", "Planes", "Target", "WhoCan", "decide"]

_PRINCIPAL_TAG = "aws:principaltag/"


@dataclass(frozen=True, slots=True)
class WhoCan:
    """The principals that surely may do something, and those that may where something holds or that cannot be told."""

    surely: tuple[Rights, ...]
    perhaps: tuple[Rights, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Planes:
    """Two bits for each principal, action and resource: surely allowed, and perhaps. Principals that come out alike share a row."""

    principals: tuple[Rights, ...]
    layout: Layout
    row_of: Numbers
    allowed: Words
    maybe: Words

    def cell(self, principal: int, block: int, action: int, target: int) -> tuple[bool, bool]:
        """Tell whether one cell is surely allowed, and whether it may be; numbers count within the principals and the block."""
        word, bit = self._place(block, action, target)
        row = self.row_of[principal]
        return bool(self.allowed[row, word] & bit), bool(self.maybe[row, word] & bit)

    def who_can(self, block: int, action: str, arn: str) -> WhoCan:
        """Return who may do an action (in lower case) on a resource of a block. Raises ValueError where the block does not hold them."""
        here = self.layout.strips[block].block
        arns = [target.arn for target in here.targets]
        word, bit = self._place(block, here.actions.index(action), arns.index(arn))
        surely, perhaps = (((plane[:, word] & bit) != 0)[self.row_of] for plane in (self.allowed, self.maybe))
        return WhoCan(*(tuple(self.principals[number] for number in np.flatnonzero(found)) for found in (surely, perhaps)))

    def counts(self) -> tuple[int, int]:
        """Return how many cells are surely allowed, and how many may be."""
        shared = np.bincount(self.row_of, minlength=len(self.allowed))
        sums = [np.array([_ones(plane[row]) for row in range(len(plane))], np.int64) for plane in (self.allowed, self.maybe)]
        return int(sums[0] @ shared), int(sums[1] @ shared)

    def _place(self, block: int, action: int, target: int) -> tuple[int, np.uint64]:
        return self.layout.strips[block].row(action) + target // WORD, np.uint64(1) << np.uint64(target % WORD)


def _ones(words: Words) -> int:
    return int(np.unpackbits(words.view(np.uint8)).sum(dtype=np.int64))


def decide(principals: Iterable[Rights], blocks: Sequence[Block]) -> Planes:
    """Decide every action of each block on each of its targets, for every principal."""
    with paused():
        return _Composer(tuple(principals), Layout(blocks)).planes()


class _Composer:
    """Puts rows, ceilings and guards together, principal by principal; what several principals share is made once."""

    def __init__(self, rights: tuple[Rights, ...], layout: Layout) -> None:
        self.rights, self.layout, self.width = rights, layout, layout.words
        self.compiler = Compiler(layout, _questions(rights, layout), Names(rights))
        self.guards = Guards(self.compiler, rights)
        self.ceilings = Ceilings(self.compiler)
        self._homes: dict[str, tuple[Words, Words]] = {}
        targets = layout.targets
        self._not_sole = twice(layout.columns([not target.guard.sole for target in targets]))
        self._homeless = layout.columns([not target.guard.account for target in targets])
        self._shut = layout.columns([bool(target.guard.shut) for target in targets])
        self._always = layout.rows(ALWAYS_ALLOWED.__contains__)

    def planes(self) -> Planes:
        """Return the two planes of every principal, one row for all that come out alike."""
        known: dict[object, int] = {}
        rows = np.empty((2, len(self.rights), self.width), np.uint64)
        of = np.zeros(len(self.rights), np.int32)
        for number, one in enumerate(self.rights):
            own = self.ceilings.limit(number, one.grants, Layer.IDENTITY)
            caps = tuple(self.ceilings.ceiling(number, ceiling) for ceiling in (one.ceiling, one.session) if ceiling is not None)
            stack = self.ceilings.stack(one)
            asked = self.ceilings.asked(number, stack)
            seen = (self.guards.crowd(number), tuple(map(id, self.guards.patches[number])))
            key = (own, caps, id(stack), asked, one.account, one.caller.kind in ALONE, seen)
            row = known.get(key)
            if row is None:
                row = known[key] = len(known)
                self._row(number, own, self.ceilings.under(caps), self.ceilings.over(stack, asked), rows[:, row])
            of[number] = row
        return Planes(self.rights, self.layout, of, rows[0, : len(known)], rows[1, : len(known)])

    def _home(self, account: str) -> tuple[Words, Words]:
        """Return the bits of the resources of an account, or of nobody known, and those of all others."""
        if account not in self._homes:
            own = self.layout.columns([target.guard.account == account for target in self.layout.targets])
            same = twice(own | self._homeless)
            self._homes[account] = (same, ~same)
        return self._homes[account]

    def _row(self, number: int, own: Limit, caps: tuple[Words, Words], above: tuple[Words, Words], row: Words) -> None:
        """Write down what is surely allowed to a principal, and what may be besides: see `decide.decide`."""
        half = self.width
        one = self.rights[number]
        guards = self.guards.planes(number).reshape(KINDS, 2 * half)
        if one.caller.kind in ALONE:
            found = guards[PIERCING] | guards[CAPPED]
        else:
            mine = self.ceilings.joined(own.allows or ())
            mine &= caps[0]
            same, other = self._home(one.account)
            found = guards[DELEGATED] | self._not_sole
            found &= mine
            found |= guards[PIERCING]
            found |= guards[CAPPED] & caps[0]
            found &= same
            mine &= other
            mine &= guards[PIERCING] | guards[CAPPED] | guards[DELEGATED]
            found |= mine
        found &= above[0]
        denied = guards[DENIED] | caps[1]
        denied |= above[1]
        for key in own.denies:
            self.compiler.rows(key).on(denied)
        np.invert(denied, out=denied)
        np.bitwise_and(found[:half], denied[half:], out=row[0])
        np.bitwise_and(found[half:], denied[:half], out=row[1])
        row &= ~self._shut
        if one.caller.kind not in NOBODY:
            row[0] |= self._always
        row[1] &= ~row[0]


def _questions(rights: Sequence[Rights], layout: Layout) -> Questions:
    """Return the comparisons' view of both sides."""
    contexts = [Context({**one.context.known, **own_keys(one)}, one.context.session) for one in rights]
    ours = {key for context in contexts for key in context.known}
    theirs = {"aws:resourceaccount", *(key for target in layout.targets for key in target.keys)}

    def sides(key: str) -> tuple[bool, bool]:
        return key in ours or key.startswith(_PRINCIPAL_TAG), key in theirs or is_resource_tag(key)

    principals = Side(len(rights), lambda number, key: contexts[number].value(key))
    return Questions(principals, Side(len(layout.targets), lambda number, key: layout.targets[number].value(key)), sides)
