"""Whole estates at once: every principal, action and resource as a bit, by the rules of `decide`.

Each distinct statement becomes rows of bits; policies are unions of rows, ceilings are intersections, a Deny takes bits away. Beside what
is surely allowed stands a plane of what may be: residual conditions, and what cannot be told. What is in neither is denied. A cell of the
second plane is for `decide` to look at: planes do not see that two conditions exclude each other, or leave nothing over.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from partywall.model.collector import paused
from partywall.model.facts_iam import Effect
from partywall.resolve.iam.bulk_guards import KINDS, Guards
from partywall.resolve.iam.bulk_names import CAPPED, DELEGATED, DENIED, PIERCING, Names
from partywall.resolve.iam.bulk_rows import Compiled, Compiler, Key
from partywall.resolve.iam.bulk_targets import WORD, Block, Layout, Target, Words, own_keys
from partywall.resolve.iam.bulk_truths import Numbers, Questions, Side
from partywall.resolve.iam.context import Context, is_resource_tag
from partywall.resolve.iam.controls import under_resource_control
from partywall.resolve.iam.decide import ALONE
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.naming import SERVICE_PATH
from partywall.resolve.iam.rights import Ceiling, Rights
from partywall.resolve.iam.services import ALWAYS_ALLOWED, forbidden
from partywall.resolve.iam.statements import Request

__all__ = ["Block", "Planes", "Target", "WhoCan", "decide"]

_PRINCIPAL_TAG = "aws:principaltag/"
_ALL = ~np.uint64(0)


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


@dataclass(frozen=True, slots=True)
class _Limit:
    """What a ceiling says to a principal: the rows that it allows (None: everything; `absent`: nobody knows), and those that it denies."""

    allows: tuple[Key, ...] | None
    denies: tuple[Key, ...]
    absent: bool = False


class _Composer:
    """Puts rows, ceilings and guards together, principal by principal; what several principals share is made once."""

    def __init__(self, rights: tuple[Rights, ...], layout: Layout) -> None:
        self.rights, self.layout, self.width = rights, layout, layout.words
        self.compiler = Compiler(layout, _questions(rights, layout), Names(rights))
        self.guards = Guards(self.compiler, rights)
        self._statements: dict[int, tuple[tuple[Grant, Compiled], ...]] = {}
        self._unions: dict[tuple[Key, ...], Words] = {}
        self._levels: dict[tuple[_Limit, ...], tuple[Words, Words]] = {}
        self._zoned: dict[object, tuple[Words, Words]] = {}
        self._homes: dict[str, Words] = {}
        targets = layout.targets
        self._sole = _twice(layout.columns([target.guard.sole for target in targets]))
        self._homeless = layout.columns([not target.guard.account for target in targets])
        self._nowhere = layout.columns([not target.account for target in targets])
        self._possible = _twice(~layout.cells(lambda action, target: bool(forbidden(Request(action, target.arn)))))
        self._always = layout.rows(ALWAYS_ALLOWED.__contains__)
        self._controlled = layout.rows(under_resource_control)
        beside = {target.guard.ceilings for target in targets if target.guard.ceilings}
        self._beside = [(found, _twice(layout.columns([target.guard.ceilings == found for target in targets]))) for found in beside]

    def planes(self) -> Planes:
        """Return the two planes of every principal, one row for all that come out alike."""
        known: dict[object, int] = {}
        rows = np.empty((2, len(self.rights), self.width), np.uint64)
        of = np.zeros(len(self.rights), np.int32)
        for number, one in enumerate(self.rights):
            own = self._limit(number, ((grant, self.compiler.compiled(grant.statement)) for grant in one.grants))
            caps = tuple(self._ceiling(number, ceiling) for ceiling in (one.ceiling, one.session) if ceiling is not None)
            levels = tuple(self._ceiling(number, ceiling) for ceiling in one.levels)
            zones = self._zones(number, one)
            key = (
                own,
                caps,
                levels,
                zones,
                one.account,
                one.caller.kind in ALONE,
                self.guards.crowd(number),
                tuple(map(id, self.guards.patches[number])),
            )
            row = known.get(key)
            if row is None:
                row = known[key] = len(known)
                rows[:, row] = self._row(number, own, caps, self._under(levels), self._within(zones, one.account))
            of[number] = row
        return Planes(self.rights, self.layout, of, rows[0, : len(known)], rows[1, : len(known)])

    def _limit(self, number: int, statements: Iterable[tuple[Grant, Compiled]]) -> _Limit:
        allows: list[Key] = []
        denies: list[Key] = []
        for grant, compiled in statements:
            key = compiled.key(number)
            if key is not None:
                if grant.statement.effect is Effect.ALLOW or grant.statement.broken:
                    allows.append(key)
                if grant.statement.effect is Effect.DENY or grant.statement.broken:
                    denies.append(key)
        return _Limit(tuple(allows), tuple(denies))

    def _ceiling(self, number: int, ceiling: Ceiling) -> _Limit:
        if ceiling.grants is None:
            return _Limit(None, (), absent=not ceiling.one_sided)
        found = self._statements.get(id(ceiling))
        if found is None:
            found = tuple((grant, self.compiler.compiled(grant.statement)) for grant in ceiling.grants)
            self._statements[id(ceiling)] = found
        limit = self._limit(number, found)
        return _Limit(None, limit.denies) if ceiling.one_sided else limit

    def _zones(self, number: int, one: Rights) -> tuple[tuple[object, tuple[_Limit, ...]], ...]:
        """Return what the ceilings say that stand above some resources only: those of an account, or those on the path to them."""
        exempt = SERVICE_PATH in one.principal.arn
        accounts = () if exempt else one.over_resources.items()
        return (
            *((account, tuple(self._ceiling(number, each) for each in found)) for account, found in accounts),
            *((place, tuple(self._ceiling(number, each) for each in found)) for place, (found, _) in enumerate(self._beside)),
        )

    def _union(self, keys: tuple[Key, ...]) -> Words:
        """Return the planes that some rows make together; kept, since many principals have the ceilings that ask for it."""
        if keys not in self._unions:
            self._unions[keys] = self._joined(keys)
        return self._unions[keys]

    def _joined(self, keys: Iterable[Key]) -> Words:
        planes = np.zeros(2 * self.width, np.uint64)
        for key in keys:
            self.compiler.rows(key).on(planes)
        return planes

    def _allowance(self, limit: _Limit) -> Words | None:
        """Return what a ceiling leaves; None where it leaves everything."""
        if limit.absent:
            return np.concatenate([np.zeros(self.width, np.uint64), np.full(self.width, _ALL)])
        return None if limit.allows is None else self._union(limit.allows)

    def _under(self, limits: tuple[_Limit, ...]) -> tuple[Words, Words]:
        """Return what several ceilings leave together, and what they deny."""
        if limits not in self._levels:
            left, denied = np.full(2 * self.width, _ALL), np.zeros(2 * self.width, np.uint64)
            for limit in limits:
                allowance = self._allowance(limit)
                left = left if allowance is None else left & allowance
                denied = denied | self._union(limit.denies)
            self._levels[limits] = (left, denied)
        return self._levels[limits]

    def _within(self, zones: tuple[tuple[object, tuple[_Limit, ...]], ...], own: str) -> tuple[Words, Words]:
        """Return what ceilings leave and deny that stand above some resources only."""
        key = (zones, own if self._nowhere.any() else "")
        if key not in self._zoned:
            left, denied = np.full(2 * self.width, _ALL), np.zeros(2 * self.width, np.uint64)
            for zone, limits in zones:
                here = self._beside[zone][1] if isinstance(zone, int) else self._under_control(str(zone), own)
                allowed, against = self._under(limits)
                left &= allowed | ~here
                denied |= against & here
            self._zoned[key] = (left, denied)
        return self._zoned[key]

    def _under_control(self, account: str, own: str) -> Words:
        """Return the bits that an account's resource control policies stand above; a resource of nobody known is the asker's own."""
        columns = self.layout.columns([(target.account or own) == account for target in self.layout.targets])
        return _twice(columns & self._controlled)

    def _same(self, account: str) -> Words:
        """Return the bits of the resources of an account, and of those of which nobody says whose they are."""
        if account not in self._homes:
            own = self.layout.columns([target.guard.account == account for target in self.layout.targets])
            self._homes[account] = _twice(own | self._homeless)
        return self._homes[account]

    def _row(
        self, number: int, own: _Limit, caps: tuple[_Limit, ...], levels: tuple[Words, Words], zones: tuple[Words, Words]
    ) -> tuple[Words, Words]:
        """Return what is surely allowed to a principal, and what may be besides: see `decide.decide`."""
        half = self.width
        one = self.rights[number]
        guards = self.guards.planes(number).reshape(KINDS, 2 * half)
        below, against = self._under(caps)
        if one.caller.kind in ALONE:
            found = guards[PIERCING] | guards[CAPPED]
        else:
            mine = self._joined(own.allows or ()) & below
            same = self._same(one.account)
            here = (mine & (~self._sole | guards[DELEGATED])) | guards[PIERCING] | (guards[CAPPED] & below)
            across = mine & (guards[PIERCING] | guards[CAPPED] | guards[DELEGATED])
            found = (here & same) | (across & ~same)
        found &= levels[0] & zones[0] & self._possible
        denied = self._joined(own.denies) | against | levels[1] | zones[1] | guards[DENIED]
        sure = (found[:half] & ~denied[half:]) | self._always
        return sure, found[half:] & ~denied[:half] & ~sure


def _twice(plane: Words) -> Words:
    return np.concatenate([plane, plane])


def _questions(rights: Sequence[Rights], layout: Layout) -> Questions:
    """Return the comparisons' view of both sides."""
    contexts = [Context({**one.context.known, **own_keys(one)}, one.context.session) for one in rights]
    ours = {key for context in contexts for key in context.known}
    theirs = {"aws:resourceaccount", *(key for target in layout.targets for key in target.keys)}

    def sides(key: str) -> tuple[bool, bool]:
        return key in ours or key.startswith(_PRINCIPAL_TAG), key in theirs or is_resource_tag(key)

    principals = Side(len(rights), lambda number, key: contexts[number].value(key))
    return Questions(principals, Side(len(layout.targets), lambda number, key: layout.targets[number].value(key)), sides)
