"""Push bits along the walked edges to a fixed point."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from partywall.graph.bits import Flags, Numbers, Words, any_bit, heads, packed_pairs, spans
from partywall.graph.columns import Columns, Walked

FEW = 32  # below one row in so many, sorting the rows is cheaper than marking and collecting them


@dataclass(frozen=True, slots=True, eq=False)
class Bars:
    """Edges that some walkers may not take: for each such row of the walked edges the bits that pass."""

    barred: Flags
    row: Numbers
    passes: Words


def first_rows(walked: Walked, reach: Words, plane: int) -> Numbers:
    """The rows that are new in this plane and whose source is reached."""
    return np.flatnonzero((walked.certainty == plane) & any_bit(reach)[walked.source]).astype(np.int32)


def close(walked: Walked, reach: Words, plane: int, rows: Numbers, home: Words | None = None, bars: Bars | None = None) -> Words:
    """Fill `reach` (in place) from the given rows on; with `home`, bits enter only nodes that are home to them.

    `reach` must be closed but for the given rows. Only edges out of nodes that changed are looked at again.
    """
    while len(rows):
        target = walked.target[rows]
        begin = heads(target)
        got = np.take(reach, walked.source[rows], axis=0)
        if bars is not None:
            hold_back(got, rows, bars)
        got = np.bitwise_or.reduceat(got, begin, axis=0)
        into = target[begin]
        if home is not None:
            got &= home[into]
        old = reach[into]
        got |= old
        changed = np.flatnonzero(any_bit(got ^ old))
        reach[into[changed]] = got[changed]
        rows = rows_out(walked, into[changed], plane)
    return reach


def rows_out(walked: Walked, nodes: Numbers, plane: int) -> Numbers:
    """The rows out of some nodes, in order, so that rows of one target stand together."""
    rows = walked.rows[spans(walked.out, nodes)]
    rows = rows[walked.certainty[rows] <= plane]
    if len(rows) * FEW < len(walked.rows):
        return np.sort(rows)
    marked = np.zeros(len(walked.rows), np.bool_)
    marked[rows] = True
    return np.flatnonzero(marked).astype(np.int32)


def hold_back(got: Words, rows: Numbers, bars: Bars) -> None:
    """Take away the bits that may not pass a barred edge."""
    at = np.flatnonzero(bars.barred[rows])
    got[at] &= bars.passes[np.searchsorted(bars.row, rows[at])]


def approved_bars(columns: Columns, walked: Walked, walkers: Sequence[int]) -> Bars | None:
    """Bars on approved edges, to see what everybody reaches without approvals; bit i of the walk stands for tenant `walkers[i]`."""
    approvals = columns.approvals
    barred = approvals.covers[walked.edge]
    row = np.flatnonzero(barred)
    if not len(row):
        return None
    by_edge = row[np.argsort(walked.edge[row])]
    at = np.flatnonzero(np.isin(approvals.edge, walked.edge[row]))
    number = np.searchsorted(row, by_edge[np.searchsorted(walked.edge[by_edge], approvals.edge[at])])
    approved, walker = np.nonzero(approvals.tenant[at][:, None] == np.array(walkers, np.int32)[None, :])
    stopped = packed_pairs(number[approved], walker, len(row), len(walkers))
    return Bars(barred, row.astype(np.int32), ~stopped)


def flood(columns: Columns, start: Numbers, plane: int, hosts: Words | None = None) -> Numbers:
    """The nodes that one walker gets to, ascending; with `hosts`, only among things wholly theirs, and places.

    For a walk from few nodes this looks at what is reached and at nothing else.
    """
    seen = np.zeros(columns.nodes, np.bool_)
    seen[start] = True
    front = np.flatnonzero(seen).astype(np.int32)
    welcome = welcoming(columns, hosts) if hosts is not None else seen
    while len(front):
        front = columns.walked.target[rows_out(columns.walked, front, plane)]
        front = front[~seen[front]]
        if hosts is not None:
            front = front[welcome[columns.kind[front]]]
        seen[front] = True
        front = np.unique(front)
    return np.flatnonzero(seen).astype(np.int32)


def inside(columns: Columns, nodes: Numbers, hosts: Words) -> Flags:
    """Whether the nodes are wholly the hosts', or places: where a guest of theirs may rightly be."""
    return welcoming(columns, hosts)[columns.kind[nodes]]


def welcoming(columns: Columns, hosts: Words) -> Flags:
    """The same for each kind of node."""
    owners = columns.owners[columns.kinds]
    return ~any_bit(owners & ~hosts) & (any_bit(owners) | any_bit(columns.home[columns.kinds]))


def edges_out(columns: Columns, nodes: Numbers, plane: int) -> Numbers:
    """All edges out of some nodes, walked or not."""
    edges = columns.fan[spans(columns.out, nodes)]
    return edges[columns.certainty[edges] <= plane]
