"""Crossings: every edge that leaves home, into each owner of its target, in the surest plane in which it exists."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from partywall.graph.bits import Numbers, Small, Wide, Words, any_bit, members, row_of
from partywall.graph.closure import close, edges_out, first_rows, inside
from partywall.graph.columns import NONE, PLANES, SURE, Columns
from partywall.graph.rows import (
    Rows,
    examples,
    first_told,
    joined,
    lever_of,
    once_an_edge,
    rows_of,
    spare_approved,
    spare_platform,
    telling,
)
from partywall.graph.walks import Walk, hosts_row, small_walks

Pair = tuple[int, int, int]  # from, to, lane
CHUNK = 1 << 17  # edges looked at together, to keep the two gathered sets small


@dataclass(frozen=True, slots=True, eq=False)
class Crossings:
    """One row for each edge, plane, walk and product of froms x tos (minus the diagonal), ordered by lever and edge."""

    edge: Numbers
    plane: Small
    lever: Numbers  # the cause
    lane: Small
    entry: Numbers  # the lever by which a guest came in where the approval gives more than it says, else -1
    walk: Numbers  # which of `walks` told it
    froms: Words
    tos: Words
    walks: tuple[Walk, ...]

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.edge)

    def pairs(self, row: int) -> Iterator[tuple[int, int]]:
        """(from, to) of one row."""
        tos = members(self.tos[row])
        for a in members(self.froms[row]):
            yield from ((a, b) for b in tos if a != b)

    def by_lever(self) -> dict[int, list[int]]:
        """The rows of each cause."""
        out: dict[int, list[int]] = {}
        for row, lever in enumerate(self.lever.tolist()):
            out.setdefault(lever, []).append(row)
        return out

    def pairs_of(self, lever: int) -> dict[Pair, int]:
        """{(from, to, lane): plane} of one cause."""
        begin, end = np.searchsorted(self.lever, [lever, lever + 1])
        out: dict[Pair, int] = {}
        for row in range(begin, end):
            plane, lane = int(self.plane[row]), int(self.lane[row])
            for a, b in self.pairs(row):
                out[a, b, lane] = min(plane, out.get((a, b, lane), plane))
        return out


def crossings(columns: Columns) -> Crossings:
    """All crossings of all tenants, people and guests, in three nested planes.

    A pair of a cause appears in the surest plane in which it exists, and in no other.
    """
    reach = columns.alone.copy()
    told: list[tuple[int, Rows]] = []
    walks: list[Walk] = []
    for plane in PLANES:
        if plane != SURE and not (columns.certainty == plane).any():
            continue
        earlier = reach.copy() if plane != SURE else np.zeros_like(reach)
        close(columns.walked, reach, plane, first_rows(columns.walked, reach, plane), home=columns.home)
        found = _look(columns, reach, earlier, plane, walks)
        found = _unheard(columns, found, [rows for _, rows in told])
        told.append((plane, found))
    return _frozen(columns, told, tuple(walks))


def _look(columns: Columns, reach: Words, earlier: Words, plane: int, walks: list[Walk]) -> Rows:
    """The rows of all walks in one plane; the walks are added to the list."""
    number = len(walks)
    walks.append(Walk(plane))
    parts = [_leaving(columns, reach, earlier, plane, number)]
    for walk, nodes in small_walks(columns, reach, plane, number):
        parts += _told_by(columns, walk, nodes, len(walks))
        walks.append(walk)
    rows = telling(joined(parts, columns.words))
    if len(parts) == 1:
        return rows
    return telling(once_an_edge(rows, rows.edge.astype(np.int64) << 32 | (rows.entry.astype(np.int64) + 1)))


def _leaving(columns: Columns, reach: Words, earlier: Words, plane: int, number: int) -> Rows:
    """The walk of all tenants: who stands at the source and is not at home at the target, and was not told in an earlier plane."""
    reached = any_bit(reach)
    moved = any_bit(reach ^ earlier)
    edges = np.flatnonzero((columns.certainty == plane) & reached[columns.source])
    again = np.flatnonzero((columns.certainty < plane) & moved[columns.source]) if plane != SURE else edges[:0]
    parts = []
    for edge, new in ((edges, reach), (again, reach & ~earlier)):
        for begin in range(0, len(edge), CHUNK):
            some = edge[begin : begin + CHUNK]
            froms = np.take(new, columns.source[some], axis=0)
            froms &= ~np.take(columns.home, columns.target[some], axis=0)
            out = np.flatnonzero(any_bit(froms))
            parts.append(rows_of(some[out].astype(np.int32), number, froms[out], columns.owners[columns.target[some[out]]]))
    return _spared(columns, joined(parts, columns.words))


def _told_by(columns: Columns, walk: Walk, nodes: Numbers, number: int) -> list[Rows]:
    """The rows of a small walk: what leaves the hosts' things, and what a half-said approval gives among them."""
    edges = edges_out(columns, nodes, walk.plane)
    stays = inside(columns, columns.target[edges], hosts_row(columns, walk))
    leaving = _products(columns, walk, edges[~stays], number, NONE)
    leaving = Rows(leaving.edge, leaving.walk, leaving.entry, leaving.froms, leaving.tos & ~hosts_row(columns, walk))
    parts = [_spared(columns, leaving)]
    if walk.entry != NONE:
        within = edges[stays]
        within = np.sort(within[columns.lane[within] != walk.lane])
        parts.append(examples(columns, spare_approved(columns, telling(_products(columns, walk, within, number, walk.entry)))))
    return parts


def _products(columns: Columns, walk: Walk, edges: Numbers, number: int, entry: int) -> Rows:
    froms = np.repeat(row_of(walk.walkers, columns.words)[None, :], len(edges), axis=0)
    return rows_of(edges, number, froms, columns.owners[columns.target[edges]], entry)


def _spared(columns: Columns, rows: Rows) -> Rows:
    return spare_approved(columns, telling(spare_platform(columns, rows)))


def _unheard(columns: Columns, rows: Rows, told: list[Rows]) -> Rows:
    """Without the pairs that the same cause tells in a surer plane."""
    before = joined(told, columns.words)
    return telling(first_told(rows, _cause_and_lane(columns, rows), before, _cause_and_lane(columns, before)))


def _cause_and_lane(columns: Columns, rows: Rows) -> Wide:
    return lever_of(columns, rows).astype(np.int64) * columns.lanes + columns.lane[rows.edge]


def _frozen(columns: Columns, told: list[tuple[int, Rows]], walks: tuple[Walk, ...]) -> Crossings:
    rows = joined([rows for _, rows in told], columns.words)
    plane = np.concatenate([np.full(len(rows), plane, np.int8) for plane, rows in told])
    lever = lever_of(columns, rows)
    order = np.lexsort((*rows.tos.T, *rows.froms.T, rows.entry, rows.walk, plane, rows.edge, lever))
    rows = rows.take(order)
    return Crossings(
        edge=rows.edge,
        plane=plane[order],
        lever=lever[order],
        lane=columns.lane[rows.edge].astype(np.int8),
        entry=rows.entry,
        walk=rows.walk,
        froms=rows.froms,
        tos=rows.tos,
        walks=walks,
    )
