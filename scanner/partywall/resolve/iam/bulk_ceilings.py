"""Ceilings as planes: what boundaries, session policies, control policies and endpoint policies leave and deny, for all principals."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from partywall.model.facts_iam import Effect
from partywall.resolve.iam.bulk_rows import Compiled, Compiler, Key, Rows
from partywall.resolve.iam.bulk_targets import Words, twice
from partywall.resolve.iam.controls import under_resource_control
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.naming import SERVICE_PATH
from partywall.resolve.iam.rights import Ceiling, Layer, Rights
from partywall.resolve.iam.services import forbidden, may_be_forbidden

_PLAIN = 2  # a statement's number and whether it applies, and nothing else
_ALL = ~np.uint64(0)
# Above what a ceiling stands: everything, the resources of an account, or those of a place in `beside`, under resource control or not.
_Zone: TypeAlias = str | tuple[int, bool] | None
Asked: TypeAlias = tuple[tuple[tuple[Key, int], ...], tuple[tuple[Key, ...], ...]]


class Limit(NamedTuple):
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
class Stack:
    """The ceilings that nothing gets around: above a principal, and above some resources.

    What they leave and deny to everybody, the Deny statements that tell principals apart (each with its zone), and such ceilings.
    """

    left: Words
    denied: Words
    asking: tuple[tuple[Compiled, int], ...]
    sorting: tuple[_Sorting, ...]


class Ceilings:
    """All ceilings of an estate; what several principals share is put together once."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler, self.layout, self.width = compiler, compiler.layout, compiler.layout.words
        self._caps: dict[tuple[Limit, ...], tuple[Words, Words]] = {}
        self._stacks: dict[tuple[int, int, bool, str], Stack] = {}
        self._zones: list[Words] = []
        self._zone_of: dict[object, int] = {}
        self._denied: dict[tuple[int, tuple[tuple[Key, int], ...]], Words] = {}
        self._cut: dict[tuple[Key, int], Rows] = {}
        self._possible: dict[str, Words] = {}
        targets = self.layout.targets
        self._nowhere = any(not target.account for target in targets)
        self._controlled = self.layout.rows(under_resource_control)
        paths = {id(target.guard.ceilings): target.guard.ceilings for target in targets if target.guard.ceilings}
        self._beside = [
            (found, self.layout.columns([id(target.guard.ceilings) == path for target in targets])) for path, found in paths.items()
        ]

    def limit(self, number: int, grants: Iterable[Grant], layer: Layer) -> Limit:
        """Return what the statements of a layer say to a principal."""
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
        return Limit(tuple(allows), tuple(denies))

    def ceiling(self, number: int, ceiling: Ceiling) -> Limit:
        """Return what a ceiling says to a principal."""
        if ceiling.grants is None:
            return Limit(None, (), absent=not ceiling.one_sided)
        limit = self.limit(number, ceiling.grants, ceiling.layer)
        return Limit(None, limit.denies) if ceiling.one_sided else limit

    def stack(self, one: Rights) -> Stack:
        """Return the ceilings that a principal does not get around."""
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

    def _stacked(self, ceilings: Iterable[tuple[int, Ceiling]], possible: Words) -> Stack:
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
        return Stack(left, denied, tuple(asking), tuple(sorting))

    def _of_everybody(self, compiled: Iterable[Compiled]) -> Words:
        return self.joined(key for each in compiled if (key := each.key(0)) is not None)

    def asked(self, number: int, stack: Stack) -> Asked:
        """Return the rows of the stack's statements that tell principals apart, as far as they apply to one."""
        denies = [(key, zone) for compiled, zone in stack.asking if (key := compiled.key(number)) is not None]
        allows = [tuple(key for compiled in each.asking if (key := compiled.key(number)) is not None) for each in stack.sorting]
        return tuple(denies), tuple(allows)

    def over(self, stack: Stack, asked: Asked) -> tuple[Words, Words]:
        """Return what a principal's stack leaves, without what services refuse anyway, and what it denies."""
        left = stack.left
        for each, keys in zip(stack.sorting, asked[1], strict=True):
            left = left & (self.joined(keys) | each.everybody | ~self._zones[each.zone])
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
            return twice(columns & self._controlled if zone[1] else columns)
        return twice(self.layout.columns([(target.account or own) == zone for target in self.layout.targets]) & self._controlled)

    def _possibilities(self, account: str) -> Words:
        """Return what no service refuses to principals of an account."""
        if account not in self._possible:
            refused = self.layout.cells(may_be_forbidden, lambda action, target: bool(forbidden(target.asked(action), account)))
            self._possible[account] = twice(~refused)
        return self._possible[account]

    def under(self, limits: tuple[Limit, ...]) -> tuple[Words, Words]:
        """Return what several ceilings leave together, and what they deny."""
        if limits not in self._caps:
            left, denied = np.full(2 * self.width, _ALL), np.zeros(2 * self.width, np.uint64)
            for limit in limits:
                if limit.absent:
                    left[: self.width] = 0
                elif limit.allows is not None:
                    left &= self.joined(limit.allows)
                denied |= self.joined(limit.denies)
            self._caps[limits] = (left, denied)
        return self._caps[limits]

    def joined(self, keys: Iterable[Key]) -> Words:
        """Return the planes that some rows make together."""
        planes = np.zeros(2 * self.width, np.uint64)
        for key in keys:
            self.compiler.rows(key).on(planes)
        return planes
