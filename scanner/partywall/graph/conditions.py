"""Conditions along a path are joined; a crossing all of whose paths contradict themselves is tried again with less sure edges."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from partywall.graph.bits import LITTLE, Numbers, members, row_of
from partywall.graph.columns import NONE, PLANES, SURE, UNKNOWN, Columns
from partywall.graph.paths import Path, all_paths
from partywall.graph.reach import Crossings
from partywall.graph.walks import Walk, at_home

Contradicts = Callable[[frozenset[int]], bool]
MOST_PATHS = 64
ROW = ("edge", "plane", "lever", "lane", "entry", "walk")


@dataclass(frozen=True, slots=True)
class _Held:
    """One pair group of a row as it stands after the second look."""

    edge: int
    plane: int
    lever: int
    lane: int
    entry: int
    walk: int
    walker: int
    tos: tuple[int, ...]


def conditions_on(columns: Columns, path: Path) -> frozenset[int]:
    """The numbers of the conditions that must all hold for the path."""
    return frozenset(int(c) for c in columns.condition[list(path)] if c != NONE)


def consistent(columns: Columns, path: Path, contradicts: Contradicts) -> bool:
    """Whether the conditions of a path can hold together."""
    return not contradicts(conditions_on(columns, path))


def certainty_of(
    columns: Columns,
    walks: tuple[Walk, ...],
    walk: Walk,
    walker: int,
    edge: int,
    plane: int,
    contradicts: Contradicts,
    limit: int = MOST_PATHS,
) -> int | None:
    """The surest plane, from this one on, in which a path of the walker to the edge does not contradict itself; None where there is none.

    Where more than `limit` paths had to be cut off and none of those looked at is consistent, the answer is unknown.
    """
    for later in PLANES[plane:]:
        same = [each for each in walks if each.plane == later and _is_like(each, walk)]
        found = [_verdict(columns, walks, each, walker, edge, contradicts, limit) for each in same]
        known = [verdict for verdict in found if verdict is not None]
        if known:
            return min(known)
    return None


def _is_like(one: Walk, other: Walk) -> bool:
    """Whether two walks are the same but for the plane, and for where they begin."""
    return (one.walkers, one.hosts, one.entry, one.lane) == (other.walkers, other.hosts, other.entry, other.lane)


def recheck(columns: Columns, crossings: Crossings, contradicts: Contradicts) -> Crossings:
    """The crossings without those that no consistent path makes.

    `contradicts` says whether a set of conditions can never hold; a set that holds a contradictory one is taken to be contradictory.
    At most 64 paths are looked at in each plane; if there are more and none of them is consistent, the crossing is unknown, never dropped.
    """
    everything = frozenset(int(c) for c in np.unique(columns.condition) if c != NONE)
    if not everything or not contradicts(everything):
        return crossings
    doubtful = np.flatnonzero(crossings.plane != SURE)
    settled = [held for row in doubtful.tolist() for held in _look_again(columns, crossings, row, contradicts)]
    return _woven(columns, crossings, np.flatnonzero(crossings.plane == SURE), _surest(settled))


def _look_again(columns: Columns, crossings: Crossings, row: int, contradicts: Contradicts) -> Iterator[_Held]:
    edge, plane, lever, lane, entry, walk = (int(getattr(crossings, n)[row]) for n in ROW)
    held = _Held(edge, plane, lever, lane, entry, walk, walker=NONE, tos=())
    for walker in members(crossings.froms[row]):
        tos = tuple(b for b in members(crossings.tos[row]) if b != walker)
        mine = replace(held, walker=walker, tos=tos)
        found = _verdict(columns, crossings.walks, crossings.walks[walk], walker, edge, contradicts)
        if found is not None:
            yield replace(mine, plane=found)
        elif held.entry != NONE:  # other edges among the host's things may give the same: nothing is said with certainty
            yield replace(mine, plane=UNKNOWN)
        else:
            yield from _elsewhere(columns, crossings, mine, contradicts)


def _verdict(
    columns: Columns, walks: tuple[Walk, ...], walk: Walk, walker: int, edge: int, contradicts: Contradicts, limit: int = MOST_PATHS
) -> int | None:
    """The plane of the walk where a path is consistent, unknown where paths were cut off, None where all contradict themselves."""
    for most in (1, limit):  # the shortest will do nearly always
        found = all_paths(columns, walks, walk, walker, edge, walk.plane, most)
        if any(consistent(columns, path, contradicts) for path in found.paths):
            return walk.plane
        if found.complete:
            return None
    return UNKNOWN


def _elsewhere(columns: Columns, crossings: Crossings, held: _Held, contradicts: Contradicts) -> Iterator[_Held]:
    """The same pairs by any edge of the cause and lane, in this plane and less sure ones: what a surer row kept silent is heard again."""
    left = set(held.tos)
    edges = np.flatnonzero((columns.lever == held.lever) & (columns.lane == held.lane)).tolist()
    for plane in PLANES[held.plane :]:
        for number, edge in _chances(columns, crossings.walks, held.walker, edges, plane):
            walk = crossings.walks[number]
            here = {b for b in columns.owners_of(int(columns.target[edge])) if b in left and b not in walk.hosts}
            here -= {b for b in here if (held.walker, b, edge) in columns.approved or _harmless(columns, held.walker, b, edge)}
            verdict = _verdict(columns, crossings.walks, walk, held.walker, edge, contradicts) if here else None
            if verdict is not None:
                yield replace(held, edge=edge, plane=verdict, walk=number, tos=tuple(sorted(here)))
                left -= here if verdict == plane else set()
        if not left:
            return


def _chances(columns: Columns, walks: tuple[Walk, ...], walker: int, edges: list[int], plane: int) -> Iterator[tuple[int, int]]:
    """(walk, edge) of one plane by which this walker may leave home."""
    for number, walk in enumerate(walks):
        if walk.plane != plane or (walk.hosts and walker not in walk.walkers):
            continue
        for edge in edges:
            target = np.array([columns.target[edge]], np.int32)
            if columns.certainty[edge] <= plane and not at_home(columns, walk, walker, target)[0]:
                yield number, edge


def _harmless(columns: Columns, walker: int, owner: int, edge: int) -> bool:
    return owner == columns.platform and bool(columns.light[edge]) and walker != columns.outside


def _surest(settled: list[_Held]) -> list[_Held]:
    """Each pair of a cause in its surest plane only; each edge, walk and pair once."""
    best: dict[tuple[int, int, int, int], int] = {}
    for held in settled:
        for b in held.tos:
            key = held.lever, held.lane, held.walker, b
            best[key] = min(held.plane, best.get(key, held.plane))
    told: dict[tuple[int, int, int, int], _Held] = {}
    for held in sorted(settled, key=lambda h: (h.lever, h.edge, h.plane, h.walk, h.walker, h.tos)):
        for b in held.tos:
            if best[held.lever, held.lane, held.walker, b] == held.plane:
                told.setdefault((held.edge, held.entry, held.walker, b), replace(held, tos=(b,)))
    return list(told.values())


def _woven(columns: Columns, crossings: Crossings, kept: Numbers, settled: list[_Held]) -> Crossings:
    """Rows that were sure, and the settled ones, in the old order."""

    def column(name: str) -> Numbers:
        old: Numbers = getattr(crossings, name)
        return np.concatenate((old[kept], np.array([getattr(h, name) for h in settled], old.dtype)))

    words = columns.words
    edge, plane, lever, lane, entry, walk = (column(name) for name in ROW)
    froms = np.array([row_of([h.walker], words) for h in settled], LITTLE).reshape(-1, words)
    tos = np.array([row_of(h.tos, words) for h in settled], LITTLE).reshape(-1, words)
    froms, tos = np.concatenate((crossings.froms[kept], froms)), np.concatenate((crossings.tos[kept], tos))
    order = np.lexsort((*tos.T, *froms.T, entry, walk, plane, edge, lever))
    return Crossings(
        edge=edge[order],
        plane=plane[order].astype(np.int8),
        lever=lever[order],
        lane=lane[order].astype(np.int8),
        entry=entry[order],
        walk=walk[order],
        froms=froms[order],
        tos=tos[order],
        walks=crossings.walks,
    )
