"""What moving a lever does: measured on a world evaluated again, by target and not only by pair."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from partywall.graph.bits import Flags, Wide, any_bit
from partywall.graph.columns import Columns
from partywall.graph.reach import Crossings, crossings
from partywall.graph.touches import Touch, Touched, both_touched, each_touch


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A world with all that a proof compares."""

    columns: Columns
    crossings: Crossings
    free: Touched  # without approvals
    allowed: Touched  # with them


@dataclass(frozen=True, slots=True)
class Proof:
    """Touches as (from, to, lane, target), sorted."""

    closes: tuple[Touch, ...]
    stays: tuple[Touch, ...]
    approved: tuple[Touch, ...]  # ways that remain by approval
    opens: tuple[Touch, ...]


def survey(columns: Columns, found: Crossings | None = None) -> Survey:
    """Evaluate a world for proofs; `found` are its crossings where they are known already."""
    free, allowed = both_touched(columns)
    return Survey(columns, crossings(columns) if found is None else found, free, allowed)


def proof(before: Survey | Columns, after: Survey | Columns, mine: set[Touch]) -> Proof:
    """What becomes of the touches of a finding, and what opens that was closed.

    The two worlds share the numbers of the nodes they have in common; the later one may have more of them. Who asks about many findings of
    one world hands over its survey, so that it is evaluated once. A way that stays is one that no wall stops, approvals aside, or one that
    is still a crossing of a guest.
    """
    before = before if isinstance(before, Survey) else survey(before)
    after = after if isinstance(after, Survey) else survey(after)
    if before.columns.bits != after.columns.bits:
        raise ValueError("the two worlds have different tenants")
    stays = _among(after.columns, after.free, mine) | (mine & set(_crossed(after, mine)))
    approved = _among(after.columns, after.allowed, mine) - stays
    return Proof(
        closes=tuple(sorted(mine - stays - approved)),
        stays=tuple(sorted(stays)),
        approved=tuple(sorted(approved)),
        opens=tuple(sorted(_opened(before, after))),
    )


def touches_of(world: Survey, rows: Iterable[int]) -> Iterator[Touch]:
    """The pairs of some rows with the target of their edge."""
    for row in rows:
        target, lane = int(world.columns.target[world.crossings.edge[row]]), int(world.crossings.lane[row])
        yield from ((a, b, lane, target) for a, b in world.crossings.pairs(row))


def _crossed(world: Survey, wanted: set[Touch]) -> Iterator[Touch]:
    targets = np.array(sorted({touch[3] for touch in wanted}), np.int32)
    rows = np.flatnonzero(np.isin(world.columns.target[world.crossings.edge], targets))
    return touches_of(world, rows.tolist())


def _keys(columns: Columns, rows: Touched) -> Wide:
    return (rows.label.astype(np.int64) * columns.lanes + rows.lane) * len(columns.bits) + rows.owner


def _among(columns: Columns, rows: Touched, wanted: set[Touch]) -> set[Touch]:
    """Those of some touches that are there."""
    keys = _keys(columns, rows)
    out: set[Touch] = set()
    for a, b, lane, target in wanted:
        key = (target * columns.lanes + lane) * len(columns.bits) + b
        at = int(np.searchsorted(keys, key))
        if at < len(keys) and keys[at] == key and int(rows.froms[at, a // 64]) >> (a % 64) & 1:
            out.add((a, b, lane, target))
    return out


def _opened(before: Survey, after: Survey) -> set[Touch]:
    """Touches and guests' crossings that were not there before."""
    keys, old = _keys(after.columns, after.free), _keys(before.columns, before.free)
    froms = after.free.froms.copy()
    at = np.searchsorted(old, keys)
    known: Flags = np.zeros(len(keys), np.bool_)
    inside = at < len(old)
    known[inside] = old[at[inside]] == keys[inside]
    froms[known] &= ~before.free.froms[at[known]]
    new = np.flatnonzero(any_bit(froms))
    rows = Touched(after.free.label[new], after.free.lane[new], after.free.owner[new], froms[new])
    guests = set(_guests_crossings(after)) - set(_guests_crossings(before))
    return set(each_touch(rows)) | {touch for touch in guests if touch not in _among(before.columns, before.free, {touch})}


def _guests_crossings(world: Survey) -> Iterator[Touch]:
    """The crossings of guests, who come by approval and so are not among the free touches."""
    guest = np.array([walk.is_guest for walk in world.crossings.walks], np.bool_)
    return touches_of(world, np.flatnonzero(guest[world.crossings.walk]).tolist())
