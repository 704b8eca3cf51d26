"""The tenant matrix: what stands between every two owners in every lane, and where `clear` may not be said."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from partywall.engine.world import LANE_NUMBER, LANES, World
from partywall.graph import NEVER, Matrix, blind_cells, matrix
from partywall.graph.bits import members
from partywall.model.document import Direction, Gap
from partywall.model.report import Cell, CellState, Finding
from partywall.model.severity import Verdict
from partywall.model.tenancy import NOBODY, OUTSIDE, PLATFORM
from partywall.model.verbs import VERBS, Family, Lane

Key = tuple[str, str, str]  # from, to, lane
# The lanes in which a way in that was not read could be one to walk on: what lies behind is in question too.
WALKED = frozenset(LANE_NUMBER[verb.lane] for verb in VERBS.values() if verb.family is Family.BECOMES)


@dataclass(frozen=True, slots=True)
class Blindness:
    """Which cells each gap blinds; `any` stands for everybody."""

    cells: Mapping[Key, tuple[int, ...]]
    by_gap: Mapping[int, tuple[Key, ...]] = field(default_factory=dict)


def blindness(world: World, gaps: Sequence[Gap], covered: frozenset[Lane]) -> Blindness:
    """Push the gaps along the unstopped reach: whose rows and columns cannot be called clear (DESIGN section 3, certainty and gaps)."""
    found: dict[Key, set[int]] = {}
    bits = world.columns.bits
    sides: dict[bool, list[tuple[int, int, int]]] = {True: [], False: []}
    for number, gap in enumerate(gaps):
        nodes = [world.index[node] for node in gap.nodes if node in world.index]
        if gap.direction is Direction.EVERYWHERE or not gap.nodes:
            for each in gap.lanes:
                found.setdefault(("any", "any", each.value), set()).add(number)
            continue
        outgoing = gap.direction is Direction.OUTGOING
        for node, lane in product(nodes, (LANE_NUMBER[each] for each in gap.lanes)):
            if outgoing or lane in WALKED:
                sides[outgoing].append((node, lane, number))
            else:
                for owner in members(world.columns.owners[node]):
                    found.setdefault(("any", bits[owner], LANES[lane].value), set()).add(number)
    for a, b, which, number in blind_cells(world.columns, sides[True], sides[False]):
        key = ("any" if a < 0 else bits[a], "any" if b < 0 else bits[b], LANES[which].value)
        found.setdefault(key, set()).add(number)
    kept = {key: tuple(sorted(numbers)) for key, numbers in sorted(found.items()) if Lane(key[2]) in covered}
    by_gap: dict[int, list[Key]] = {}
    for key, numbers in kept.items():
        for gap_number in numbers:
            by_gap.setdefault(gap_number, []).append(key)
    return Blindness(kept, {gap_number: tuple(keys) for gap_number, keys in by_gap.items()})


def is_blind(blind: Blindness, source: str, target: str, lane: str) -> bool:
    """Tell whether a cell cannot be called clear."""
    return any((a, b, lane) in blind.cells for a in (source, "any") for b in (target, "any"))


def cells(world: World, findings: Iterable[Finding], blind: Blindness, covered: frozenset[Lane]) -> tuple[Cell, ...]:
    """Return every cell of tenants to tenants and the platform, and those of nobody and outside in which something stands."""
    by_cell: dict[Key, list[Finding]] = {}
    for finding in findings:
        if finding.lane in LANE_NUMBER:
            for pair in finding.pairs:
                by_cell.setdefault((pair.source, pair.target, finding.lane), []).append(finding)
    touched = matrix(world.columns)
    targets = (*world.tenants, PLATFORM)
    out = []
    for source in (*world.tenants, NOBODY, OUTSIDE):
        for target in targets:
            if source == target:
                continue
            for lane in LANES:
                cell = _cell(world, (source, target, lane.value), by_cell, touched, blind, covered)
                if source in world.tenants or cell.findings:
                    out.append(cell)
    return tuple(out)


def _cell(
    world: World,
    key: Key,
    by_cell: Mapping[Key, Sequence[Finding]],
    touched: Matrix,
    blind: Blindness,
    covered: frozenset[Lane],
) -> Cell:
    source, target, lane = key
    found = by_cell.get(key, ())
    if found:
        certainties = {finding.certainty for finding in found if finding.verdict is Verdict.BREACH}
        surest = CellState.BREACH if "sure" in certainties else CellState.CONDITIONAL if certainties else CellState.UNKNOWN
        return Cell(*key, surest, tuple(finding.id for finding in found))
    if Lane(lane) not in covered:
        return Cell(*key, CellState.NOT_ASSESSED)
    if is_blind(blind, source, target, lane):
        return Cell(*key, CellState.UNKNOWN)
    at = (world.bit(source), world.bit(target), LANE_NUMBER[Lane(lane)])
    if touched.approved[at]:
        return Cell(*key, CellState.APPROVED)
    if touched.plane[at] != NEVER:
        return Cell(*key, CellState.BY_WAY_OF, by_way_of=_between(source, target, by_cell))
    return Cell(*key, CellState.CLEAR)


def _between(source: str, target: str, by_cell: Mapping[Key, Sequence[Finding]]) -> str:
    """Return into whom the source crosses on its way: the target itself where it does so in another lane, else somebody who gets on to it.

    The platform is named only where no tenant is.
    """
    crossed = sorted({b for a, b, _ in by_cell if a == source})
    if target in crossed:
        return target
    onward = {a for a, b, _ in by_cell if b == target}
    return next((owner for owner in crossed if owner in onward), PLATFORM if PLATFORM in crossed else next(iter(crossed), ""))
