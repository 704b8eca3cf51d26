"""Where "clear" may not be said: what gaps could hide, in both directions and whether or not a wall stands there."""

from collections.abc import Sequence

import numpy as np

from partywall.graph.bits import Flags, Numbers, Words, any_bit, heads, members, ordered, packed_pairs, set_bits
from partywall.graph.closure import close, first_rows
from partywall.graph.columns import PLANES, Columns
from partywall.graph.condense import Condensed, condensed
from partywall.graph.touches import by_kind, gathered, grouped

Blind = tuple[int, int, int]  # node, lane, gap
Cell = tuple[int, int, int, int]  # from (-1 anybody), to (-1 anybody), lane, gap
ANYBODY = -1
TOGETHER = 512  # gaps walked at once, a bit each


def unknown_cells(columns: Columns, node: Numbers, lane: Numbers, gap: Numbers, outgoing: Flags) -> tuple[Cell, ...]:
    """The cells that each gap blinds, sorted.

    Edges out of the node of an outgoing gap may be missing: everybody who gets there could get further.
    Edges into the node of an incoming gap may be missing: anybody could get to its owners and to those of all that lies behind.
    """
    if not len(node):
        return ()
    whole = condensed(columns)
    out: set[Cell] = set()
    if outgoing.any():
        reach = _closed(columns, whole, columns.starts)
        for at in np.flatnonzero(outgoing).tolist():
            out.update((a, ANYBODY, int(lane[at]), int(gap[at])) for a in members(reach[node[at]]))
    coming = np.flatnonzero(~outgoing)
    for begin in range(0, len(coming), TOGETHER):
        out |= _towards(columns, whole, node, lane, gap, coming[begin : begin + TOGETHER])
    return tuple(sorted(out))


def blind_cells(columns: Columns, outgoing: Sequence[Blind], incoming: Sequence[Blind]) -> tuple[Cell, ...]:
    """The same from two lists of (node, lane, gap)."""
    rows = np.array([*outgoing, *incoming], np.int32).reshape(-1, 3)
    return unknown_cells(columns, rows[:, 0], rows[:, 1], rows[:, 2], np.arange(len(rows)) < len(outgoing))


def _towards(columns: Columns, whole: Condensed, node: Numbers, lane: Numbers, gap: Numbers, at: Numbers) -> set[Cell]:
    """The columns that some incoming gaps blind."""
    nodes, bit = np.unique(node[at], return_inverse=True)
    reach = _closed(columns, whole, packed_pairs(nodes.astype(np.int64), np.arange(len(nodes)), columns.nodes, len(nodes)))
    groups = grouped(columns, by_kind(columns), any_bit(reach)[columns.source], reach)
    to, lanes, from_node = _owners_behind(columns, groups.node, groups.lane, groups.at)
    behind: dict[int, set[tuple[int, int]]] = {}
    for b, which, start in zip(to.tolist(), lanes.tolist(), from_node.tolist(), strict=True):
        behind.setdefault(start, set()).add((b, which))
    out: set[Cell] = set()
    for i, start in zip(at.tolist(), bit.tolist(), strict=True):
        out.update((ANYBODY, b, int(lane[i]), int(gap[i])) for b in columns.owners_of(int(node[i])))
        out.update((ANYBODY, b, which, int(gap[i])) for b, which in behind.get(start, ()))
    return out


def _owners_behind(columns: Columns, node: Numbers, lane: Numbers, at: Words) -> tuple[Numbers, Numbers, Numbers]:
    """(owner, lane, bit of the gap's node), each once."""
    row, owner = set_bits(columns.owners[node])
    keys = lane[row].astype(np.int64) * len(columns.bits) + owner
    order = ordered(keys)
    begin = heads(keys[order])
    if not len(begin):
        return node[:0], node[:0], node[:0]
    union = np.bitwise_or.reduceat(at[row[order]], begin, axis=0)
    which, start = set_bits(union)
    cell = keys[order][begin][which]
    width = len(columns.bits)
    return (cell % width).astype(np.int32), (cell // width).astype(np.int32), start.astype(np.int32)


def _closed(columns: Columns, whole: Condensed, starts: Words) -> Words:
    """Everything reached, in all planes, approved or not."""
    reach = gathered(starts, whole.stands_for)
    for plane in PLANES:
        close(whole.walked, reach, plane, first_rows(whole.walked, reach, plane))
    return reach[whole.stands_for]
