"""Reach that no wall stops: the matrix, and what a proof is measured on."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partywall.graph.bits import (
    LITTLE,
    WORD,
    Flags,
    Numbers,
    Small,
    Words,
    any_bit,
    has,
    heads,
    ordered,
    packed_pairs,
    row_of,
    set_bits,
    spans,
    unpacked,
)
from partywall.graph.closure import Bars, approved_bars, close, first_rows, inside
from partywall.graph.columns import NONE, PLANES, Columns, Walked, granted
from partywall.graph.condense import Condensed, condensed

Touch = tuple[int, int, int, int]  # from, to, lane, target
NEVER = 255


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """What touches are counted by: every node for itself, or nodes with the same home and owners together."""

    of: Numbers
    node: Numbers  # one node of each label
    order: Numbers  # all edges by label of the target, lane and lightness, so that those that count as one stand together
    keys: Numbers  # the three in one number, in that order


@dataclass(frozen=True, slots=True, eq=False)
class Touched:
    """Who touches: for each (label, lane, owner), in that order, the set of those who get there."""

    label: Numbers
    lane: Small
    owner: Numbers
    froms: Words

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.label)


@dataclass(frozen=True, slots=True, eq=False)
class Walkers:
    """What the bits of a walk stand for: the tenants themselves, or people of several owners, each seen as one of their tenants."""

    tenant: tuple[int, ...]
    hats: tuple[tuple[int, ...], ...]  # empty for the tenants
    starts: Words


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Edges taken together: the node they lead to, lane, lightness, who is at their source; `edge` where the group is one approved edge."""

    node: Numbers
    label: Numbers
    lane: Small
    light: Flags
    edge: Numbers
    at: Words


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """[from, to, lane]: the surest plane of a touch (255 for none), and whether it is there only by approval."""

    plane: NDArray[np.uint8]
    approved: Flags


def matrix(columns: Columns) -> Matrix:
    """Whom everybody gets to at all, by pair and lane, in three nested planes."""
    label = by_kind(columns)
    shape = (len(columns.bits), len(columns.bits), columns.lanes)
    free, ever = np.full(shape, NEVER, np.uint8), np.full(shape, NEVER, np.uint8)
    whole = condensed(columns)
    for walkers in all_walkers(columns):
        freed = evered = np.zeros_like(walkers.starts)
        for plane, now, allowed in _stages(columns, whole, walkers):
            edges = _edges_to_see(columns, now, freed, plane)
            _lower(free, plane, _cells(columns, _touched(columns, label, edges, now, walkers, spare=True)))
            freed = now
            if len(columns.approvals.edge):
                edges = _only_by_approval(columns, _edges_to_see(columns, allowed, evered, plane), allowed, now)
                _lower(ever, plane, _cells(columns, _touched(columns, label, edges, allowed, walkers, spare=False)))
                evered = allowed
    return Matrix(free, (free == NEVER) & (ever != NEVER))


def touched(columns: Columns, with_approved: bool = False) -> Touched:
    """Whom everybody gets to and at which node, all planes together; what only approvals allow is left out unless asked for."""
    return both_touched(columns)[with_approved]


def both_touched(columns: Columns) -> tuple[Touched, Touched]:
    """The same without approvals and with them, in one go."""
    each = np.arange(columns.nodes, dtype=np.int32)
    label = _labelled(columns, each, each)
    free_parts: list[Touched] = []
    more: list[Touched] = []
    whole = condensed(columns)
    for walkers in all_walkers(columns):
        *_, (_, free, ever) = _stages(columns, whole, walkers)
        free_parts.append(_touched(columns, label, any_bit(free)[columns.source], free, walkers, spare=True))
        if len(columns.approvals.edge):
            edges = _only_by_approval(columns, any_bit(ever)[columns.source], ever, free)
            more.append(_touched(columns, label, edges, ever, walkers, spare=False))
    free_touched = _merged(columns, free_parts)
    return free_touched, _merged(columns, [free_touched, *more]) if more else free_touched


def touches(columns: Columns, with_approved: bool = False) -> set[Touch]:
    """The same as a set, for small worlds."""
    return set(each_touch(touched(columns, with_approved)))


def each_touch(rows: Touched) -> Iterator[Touch]:
    """(from, to, lane, target) one after another."""
    row, walker = set_bits(rows.froms)
    for a, at in zip(walker.tolist(), row.tolist(), strict=True):
        yield a, int(rows.owner[at]), int(rows.lane[at]), int(rows.label[at])


def all_walkers(columns: Columns) -> list[Walkers]:
    """The tenants, and where there are any the people of several owners: those are no bridge between their own."""
    tenants = Walkers(tuple(range(len(columns.bits))), (), columns.alone)
    seats = [(tenant, who, nodes) for who, nodes in columns.hats for tenant in who if tenant != columns.platform]
    if not seats:
        return [tenants]
    node = np.concatenate([nodes for _, _, nodes in seats]).astype(np.int64)
    bit = np.repeat(np.arange(len(seats)), [len(nodes) for _, _, nodes in seats])
    starts = packed_pairs(node, bit, columns.nodes, len(seats))
    return [tenants, Walkers(tuple(t for t, _, _ in seats), tuple(who for _, who, _ in seats), starts)]


def _stages(columns: Columns, whole: Condensed, walkers: Walkers) -> Iterator[tuple[int, Words, Words]]:
    """(plane, reach without approvals, reach with them); each starts from what the plane before and the smaller reach found."""
    walked, stands_for = whole.walked, whole.stands_for
    bars = approved_bars(columns, walked, walkers.tenant)
    free = gathered(walkers.starts, stands_for)
    ever = free if bars is None else free.copy()
    for plane in PLANES:
        close(walked, free, plane, first_rows(walked, free, plane), bars=bars)
        if bars is not None:
            ever |= free
            close(walked, ever, plane, _and_barred(walked, first_rows(walked, ever, plane), bars, plane))
        everywhere = free[stands_for]
        yield plane, everywhere, everywhere if bars is None else ever[stands_for]


def gathered(starts: Words, stands_for: Numbers) -> Words:
    """The starts of nodes on the node that stands for them."""
    out = starts.copy()
    moved = np.flatnonzero((stands_for != np.arange(len(starts))) & any_bit(starts)).astype(np.int32)
    moved = moved[ordered(stands_for[moved])]
    begin = heads(stands_for[moved])
    if len(begin):
        out[stands_for[moved[begin]]] |= np.bitwise_or.reduceat(starts[moved], begin, axis=0)
    return out


def _and_barred(walked: Walked, rows: Numbers, bars: Bars, plane: int) -> Numbers:
    marked = np.zeros(len(walked.edge), np.bool_)
    marked[rows] = True
    marked[bars.row[walked.certainty[bars.row] <= plane]] = True
    return np.flatnonzero(marked).astype(np.int32)


def _edges_to_see(columns: Columns, reach: Words, earlier: Words, plane: int) -> Flags:
    """The edges that are new in this plane, and the surer ones whose source somebody new has come to."""
    new = (columns.certainty == plane) & any_bit(reach)[columns.source]
    moved = (columns.certainty < plane) & any_bit(reach ^ earlier)[columns.source]
    seen: Flags = new | moved
    return seen


def _only_by_approval(columns: Columns, edges: Flags, allowed: Words, free: Words) -> Flags:
    """The edges along which approvals can add a touch to what is free."""
    return edges & (any_bit(allowed ^ free)[columns.source] | columns.approvals.covers)


def _touched(columns: Columns, label: Label, edges: Flags, reach: Words, walkers: Walkers, spare: bool) -> Touched:
    """Along the edges, whom those at the sources touch; with `spare` without the pairs that an approval of the edge covers."""
    parts = []
    if spare and len(columns.approvals.edge):
        covered = np.flatnonzero(edges & columns.approvals.covers).astype(np.int32)
        parts.append(_spread(columns, _each(columns, label, covered, reach), walkers))
        edges = edges & ~columns.approvals.covers
    parts.append(_spread(columns, grouped(columns, label, edges, reach), walkers))
    return _merged(columns, parts)


def by_kind(columns: Columns) -> Label:
    """Nodes with the same home and owners count as one."""
    return _labelled(columns, columns.kind, columns.kinds)


def _labelled(columns: Columns, of: Numbers, node: Numbers) -> Label:
    keys = (of[columns.target].astype(np.int64) * columns.lanes + columns.lane) * 2 + columns.light
    order = ordered(keys)
    return Label(of, node, order, keys[order])


def grouped(columns: Columns, label: Label, edges: Flags, reach: Words) -> Groups:
    """Edges of one label, lane and lightness as one."""
    at = np.flatnonzero(edges[label.order])
    keys = label.keys[at]
    begin = heads(keys)
    who = np.take(reach, columns.source[label.order[at]], axis=0)
    who = np.bitwise_or.reduceat(who, begin, axis=0) if len(begin) else who
    keys = keys[begin]
    number = (keys // (2 * columns.lanes)).astype(np.int32)
    no_edge = np.full(len(keys), NONE, np.int32)
    return Groups(label.node[number], number, (keys // 2 % columns.lanes).astype(np.int8), keys % 2 == 1, no_edge, who)


def owners_of_each(columns: Columns, nodes: Numbers) -> tuple[Numbers, Numbers]:
    """(position, owner) for each owner of each node, read off the kinds: to unpack the sets of a million nodes takes too much room."""
    kind, owner = set_bits(columns.owners[columns.kinds])
    first = np.searchsorted(kind, np.arange(len(columns.kinds) + 1)).astype(np.int32)
    kinds = columns.kind[nodes]
    return np.repeat(np.arange(len(nodes)), np.diff(first)[kinds]), owner[spans(first, kinds)]


def _each(columns: Columns, label: Label, edges: Numbers, reach: Words) -> Groups:
    """Every edge a group of its own."""
    target = columns.target[edges]
    return Groups(target, label.of[target], columns.lane[edges], columns.light[edges], edges, reach[columns.source[edges]])


def _spread(columns: Columns, groups: Groups, walkers: Walkers) -> Touched:
    """One row for each owner of each group, with the tenants to whom the touch is one."""
    at = groups.at if walkers.hats else groups.at & ~columns.home[groups.node]
    some = np.flatnonzero(any_bit(at))
    number, owner = owners_of_each(columns, groups.node[some])
    row = some[number]
    froms = _seen_as_tenants(columns, walkers, at[row], groups.node[row], owner) if walkers.hats else at[row]
    froms[np.arange(len(owner)), owner // WORD] &= ~np.left_shift(np.uint64(1), (owner % WORD).astype(np.uint64))
    harmless = groups.light[row] & (owner == columns.platform)
    froms[harmless] &= row_of([columns.outside], columns.words)
    single = np.flatnonzero(groups.edge[row] != NONE)
    froms[single] &= ~granted(columns, groups.edge[row[single]], owner[single])
    return Touched(groups.label[row], groups.lane[row], owner.astype(np.int32), froms)


def _seen_as_tenants(columns: Columns, walkers: Walkers, at: Words, nodes: Numbers, owner: NDArray[np.int64]) -> Words:
    """People of several owners touch what is not wholly theirs, as each of their tenants."""
    out = np.zeros((len(at), columns.words), LITTLE)
    for seat, (tenant, who) in enumerate(zip(walkers.tenant, walkers.hats, strict=True)):
        here = has(at, seat) & ~np.isin(owner, who) & ~inside(columns, nodes, row_of(who, columns.words))
        out[here] |= row_of([tenant], columns.words)
    return out


def _merged(columns: Columns, parts: list[Touched]) -> Touched:
    """Rows of the same label, lane and owner as one."""
    label, lane, owner, froms = (np.concatenate([getattr(p, name) for p in parts]) for name in ("label", "lane", "owner", "froms"))
    told = any_bit(froms)
    label, lane, owner, froms = label[told], lane[told], owner[told], froms[told]
    keys = (label.astype(np.int64) * columns.lanes + lane) * len(columns.bits) + owner
    order = ordered(keys)
    begin = heads(keys[order])
    if not len(begin):
        return Touched(label, lane, owner, froms)
    first = order[begin]
    return Touched(label[first], lane[first], owner[first], np.bitwise_or.reduceat(froms[order], begin, axis=0))


def _cells(columns: Columns, rows: Touched) -> Flags:
    """[from, to, lane]: whether there is such a touch."""
    width = len(columns.bits)
    cells = np.zeros((columns.lanes, width, width), np.bool_)
    key = rows.lane.astype(np.int64) * width + rows.owner
    order = ordered(key)
    begin = heads(key[order])
    if len(begin):
        froms = np.bitwise_or.reduceat(rows.froms[order], begin, axis=0)
        first = order[begin]
        cells[rows.lane[first], rows.owner[first]] = unpacked(froms)[:, :width] != 0
    return cells.transpose(2, 1, 0)


def _lower(grid: NDArray[np.uint8], plane: int, cells: Flags) -> None:
    np.minimum(grid, np.where(cells, plane, NEVER).astype(np.uint8), out=grid)
