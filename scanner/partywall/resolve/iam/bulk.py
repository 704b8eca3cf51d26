"""Whole estates at once: every principal, action and resource as a bit, by the rules of `decide`.

Each distinct statement becomes rows of bits; policies are unions of rows, ceilings are intersections, a Deny takes bits away. Beside what
is surely allowed stands a plane of what may be: residual conditions, and what cannot be told. What is in neither is denied. A cell of the
second plane is for `decide` to look at: planes do not see that two conditions exclude each other, or leave nothing over.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from partywall.model.collector import paused
from partywall.model.facts_iam import Effect
from partywall.resolve.iam.bulk_guards import KINDS, Guards
from partywall.resolve.iam.bulk_names import CAPPED, DELEGATED, DENIED, PIERCING, Names
from partywall.resolve.iam.bulk_rows import Compiled, Compiler, Key, Rows
from partywall.resolve.iam.bulk_targets import WORD, Block, Layout, Target, Words, own_keys
from partywall.resolve.iam.bulk_truths import Numbers, Questions, Side
from partywall.resolve.iam.context import Context, is_resource_tag
from partywall.resolve.iam.controls import under_resource_control
from partywall.resolve.iam.decide import ALONE, NOBODY
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.naming import SERVICE_PATH
from partywall.resolve.iam.rights import Ceiling, Layer, Rights
from partywall.resolve.iam.services import ALWAYS_ALLOWED, forbidden, may_be_forbidden

__all__ = ["Block", "Planes", "Target", "WhoCan", "decide"]

_PRINCIPAL_TAG = "aws:principaltag/"
_PLAIN = 2  # a statement's number and whether it applies, and nothing else
_ALL = ~np.uint64(0)
# Above what a ceiling stands: everything, the resources of an account, or those of a place in `beside`, under resource control or not.
_Zone: TypeAlias = str | tuple[int, bool] | None
_Asked: TypeAlias = tuple[tuple[tuple[Key, int], ...], tuple[tuple[Key, ...], ...]]


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


class _Limit(NamedTuple):
    """What a ceiling says to a principal: the rows that it allows (None: everything; `absent`: nobody knows), and those that it denies."""

    allows: tuple[Key, ...] | None
    denies: tuple[Key, ...]
    absent: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class _Sorting:
    """A ceiling whose Allow statements tell principals apart: where it stands, what it allows everybody, and these statements."""

    zone: int
    everybody: Words
    asking: tuple[Compiled, ...]


@dataclass(frozen=True, eq=False, slots=True)
class _Stack:
    """The ceilings that nothing gets around: above a principal, and above some resources.

    What they leave and deny to everybody, the Deny statements that tell principals apart (each with its zone), and such ceilings.
    """

    left: Words
    denied: Words
    asking: tuple[tuple[Compiled, int], ...]
    sorting: tuple[_Sorting, ...]


class _Composer:
    """Puts rows, ceilings and guards together, principal by principal; what several principals share is made once."""

    def __init__(self, rights: tuple[Rights, ...], layout: Layout) -> None:
        self.rights, self.layout, self.width = rights, layout, layout.words
        self.compiler = Compiler(layout, _questions(rights, layout), Names(rights))
        self.guards = Guards(self.compiler, rights)
        self._unions: dict[tuple[Key, ...], Words] = {}
        self._caps: dict[tuple[_Limit, ...], tuple[Words, Words]] = {}
        self._stacks: dict[tuple[int, int, bool, str], _Stack] = {}
        self._zones: list[Words] = []
        self._zone_of: dict[object, int] = {}
        self._denied: dict[tuple[int, tuple[tuple[Key, int], ...]], Words] = {}
        self._cut: dict[tuple[Key, int], Rows] = {}
        self._homes: dict[str, tuple[Words, Words]] = {}
        targets = layout.targets
        self._not_sole = _twice(layout.columns([not target.guard.sole for target in targets]))
        self._homeless = layout.columns([not target.guard.account for target in targets])
        self._nowhere = any(not target.account for target in targets)
        self._shut = layout.columns([bool(target.guard.shut) for target in targets])
        self._possible: dict[str, Words] = {}
        self._always = layout.rows(ALWAYS_ALLOWED.__contains__)
        self._controlled = layout.rows(under_resource_control)
        beside = {target.guard.ceilings for target in targets if target.guard.ceilings}
        self._beside = [(found, layout.columns([target.guard.ceilings == found for target in targets])) for found in beside]

    def planes(self) -> Planes:
        """Return the two planes of every principal, one row for all that come out alike."""
        known: dict[object, int] = {}
        rows = np.empty((2, len(self.rights), self.width), np.uint64)
        of = np.zeros(len(self.rights), np.int32)
        for number, one in enumerate(self.rights):
            own = self._limit(number, one.grants, Layer.IDENTITY)
            caps = tuple(self._ceiling(number, ceiling) for ceiling in (one.ceiling, one.session) if ceiling is not None)
            stack = self._stack(one)
            asked = self._asked(number, stack)
            seen = (self.guards.crowd(number), tuple(map(id, self.guards.patches[number])))
            key = (own, caps, id(stack), asked, one.account, one.caller.kind in ALONE, seen)
            row = known.get(key)
            if row is None:
                row = known[key] = len(known)
                self._row(number, own, self._under(caps), self._over(stack, asked), rows[:, row])
            of[number] = row
        return Planes(self.rights, self.layout, of, rows[0, : len(known)], rows[1, : len(known)])

    def _limit(self, number: int, grants: Iterable[Grant], layer: Layer) -> _Limit:
        allows: list[Key] = []
        denies: list[Key] = []
        for grant in grants:
            statement = grant.statement
            key = self.compiler.compiled(statement, layer).key(number)
            if key is not None:
                if statement.effect is Effect.ALLOW or not statement.is_told:
                    allows.append(key)
                if statement.effect is Effect.DENY or not statement.is_told:
                    denies.append(key)
        return _Limit(tuple(allows), tuple(denies))

    def _ceiling(self, number: int, ceiling: Ceiling) -> _Limit:
        if ceiling.grants is None:
            return _Limit(None, (), absent=not ceiling.one_sided)
        limit = self._limit(number, ceiling.grants, ceiling.layer)
        return _Limit(None, limit.denies) if ceiling.one_sided else limit

    def _stack(self, one: Rights) -> _Stack:
        exempt = SERVICE_PATH in one.principal.arn
        key = (id(one.levels), id(one.over_resources), exempt, one.account)
        if key not in self._stacks:
            levels = [(self._zone(None, ""), ceiling) for ceiling in one.levels]
            accounts = {} if exempt else one.over_resources
            controls = [(self._zone(account, one.account), each) for account, found in accounts.items() for each in found]
            sides = ((place, ceiling) for place, (found, _) in enumerate(self._beside) for ceiling in found)
            paths = [(self._zone((place, ceiling.layer is Layer.RESOURCE_CONTROL), ""), ceiling) for place, ceiling in sides]
            self._stacks[key] = self._stacked([*levels, *controls, *paths], self._possibilities(one.account))
        return self._stacks[key]

    def _stacked(self, ceilings: Iterable[tuple[int, Ceiling]], possible: Words) -> _Stack:
        left, denied = possible.copy(), np.zeros(2 * self.width, np.uint64)
        asking: list[tuple[Compiled, int]] = []
        sorting: list[_Sorting] = []
        for zone, ceiling in ceilings:
            statements = [(grant.statement, self.compiler.compiled(grant.statement, ceiling.layer)) for grant in ceiling.grants or ()]
            denies = [compiled for statement, compiled in statements if statement.effect is Effect.DENY or not statement.is_told]
            allows = [compiled for statement, compiled in statements if statement.effect is Effect.ALLOW or not statement.is_told]
            for compiled in denies:
                if compiled.asks:
                    asking.append((compiled, zone))
                else:
                    denied |= self._of_everybody([compiled]) & self._zones[zone]
            if ceiling.one_sided:
                continue
            everybody = self._of_everybody([compiled for compiled in allows if not compiled.asks])
            if ceiling.grants is None:
                everybody[self.width :] = _ALL
            some = tuple(compiled for compiled in allows if compiled.asks)
            if some:
                sorting.append(_Sorting(zone, everybody, some))
            else:
                left &= everybody | ~self._zones[zone]
        return _Stack(left, denied, tuple(asking), tuple(sorting))

    def _of_everybody(self, compiled: Iterable[Compiled]) -> Words:
        return self._joined(key for each in compiled if (key := each.key(0)) is not None)

    def _asked(self, number: int, stack: _Stack) -> _Asked:
        """Return the rows of the stack's statements that tell principals apart, as far as they apply to one."""
        denies = [(key, zone) for compiled, zone in stack.asking if (key := compiled.key(number)) is not None]
        allows = [tuple(key for compiled in each.asking if (key := compiled.key(number)) is not None) for each in stack.sorting]
        return tuple(denies), tuple(allows)

    def _over(self, stack: _Stack, asked: _Asked) -> tuple[Words, Words]:
        """Return what a principal's stack leaves, without what services refuse anyway, and what it denies."""
        left = stack.left
        for each, keys in zip(stack.sorting, asked[1], strict=True):
            left = left & (self._joined(keys) | each.everybody | ~self._zones[each.zone])
        # Most statements only tell whether they apply: what those deny together is the same for many.
        plain = tuple(each for each in asked[0] if len(each[0]) == _PLAIN)
        denied = self._denied.get((id(stack), plain))
        if denied is None:
            denied = self._denied[id(stack), plain] = self._with(stack.denied, plain)
        return left, denied if len(plain) == len(asked[0]) else self._with(denied, [each for each in asked[0] if len(each[0]) > _PLAIN])

    def _with(self, planes: Words, rows: Iterable[tuple[Key, int]]) -> Words:
        found = planes.copy()
        for key, zone in rows:
            self._cut_rows(key, zone).on(found)
        return found

    def _cut_rows(self, key: Key, zone: int) -> Rows:
        """Return the rows of a statement as far as its zone goes."""
        if (key, zone) not in self._cut:
            rows = self.compiler.rows(key)
            self._cut[key, zone] = Rows(rows.places, rows.words & self._zones[zone][rows.places])
        return self._cut[key, zone]

    def _zone(self, zone: _Zone, own: str) -> int:
        """Return the number of the bits that a ceiling stands above; a resource of which nobody says whose it is, is the asker's own."""
        key = (zone, own if self._nowhere else "")
        if key not in self._zone_of:
            self._zone_of[key] = len(self._zones)
            self._zones.append(self._bits_of(zone, own))
        return self._zone_of[key]

    def _bits_of(self, zone: _Zone, own: str) -> Words:
        if zone is None:
            return np.full(2 * self.width, _ALL)
        if isinstance(zone, tuple):
            columns = self._beside[zone[0]][1]
            return _twice(columns & self._controlled if zone[1] else columns)
        return _twice(self.layout.columns([(target.account or own) == zone for target in self.layout.targets]) & self._controlled)

    def _possibilities(self, account: str) -> Words:
        """Return what no service refuses to principals of an account."""
        if account not in self._possible:
            refused = self.layout.cells(may_be_forbidden, lambda action, target: bool(forbidden(target.asked(action), account)))
            self._possible[account] = _twice(~refused)
        return self._possible[account]

    def _under(self, limits: tuple[_Limit, ...]) -> tuple[Words, Words]:
        """Return what several ceilings leave together, and what they deny."""
        if limits not in self._caps:
            left, denied = np.full(2 * self.width, _ALL), np.zeros(2 * self.width, np.uint64)
            for limit in limits:
                if limit.absent:
                    left[: self.width] = 0
                elif limit.allows is not None:
                    left &= self._joined(limit.allows)
                denied |= self._joined(limit.denies)
            self._caps[limits] = (left, denied)
        return self._caps[limits]

    def _joined(self, keys: Iterable[Key]) -> Words:
        planes = np.zeros(2 * self.width, np.uint64)
        for key in keys:
            self.compiler.rows(key).on(planes)
        return planes

    def _home(self, account: str) -> tuple[Words, Words]:
        """Return the bits of the resources of an account, or of nobody known, and those of all others."""
        if account not in self._homes:
            own = self.layout.columns([target.guard.account == account for target in self.layout.targets])
            same = _twice(own | self._homeless)
            self._homes[account] = (same, ~same)
        return self._homes[account]

    def _row(self, number: int, own: _Limit, caps: tuple[Words, Words], above: tuple[Words, Words], row: Words) -> None:
        """Write down what is surely allowed to a principal, and what may be besides: see `decide.decide`."""
        half = self.width
        one = self.rights[number]
        guards = self.guards.planes(number).reshape(KINDS, 2 * half)
        if one.caller.kind in ALONE:
            found = guards[PIERCING] | guards[CAPPED]
        else:
            mine = self._joined(own.allows or ())
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
