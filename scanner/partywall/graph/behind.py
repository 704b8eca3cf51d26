"""What lies behind a crossing: counted and shown, never a second finding."""

from collections.abc import Sequence

import numpy as np

from partywall.graph.bits import Words, set_bits
from partywall.graph.closure import close, edges_out, first_rows, flood
from partywall.graph.columns import PLANES, UNKNOWN, Columns


def behind(columns: Columns, nodes: Sequence[int], walkers: Sequence[int], plane: int = UNKNOWN) -> dict[tuple[int, int], tuple[int, ...]]:
    """{(owner, lane): the nodes touched} from some nodes on, no wall stopping anybody; in order.

    The walkers' own things, and looks at the platform, do not count. Approved edges do: who came through a hole in the wall walks on by
    whatever is open to the owner of the place.
    """
    reached = flood(columns, np.unique(np.asarray(nodes, np.int32)), plane)
    edges = edges_out(columns, reached, plane)
    harmless = columns.light[edges] & (columns.outside not in walkers)
    triples = np.unique((columns.target[edges].astype(np.int64) * columns.lanes + columns.lane[edges]) * 2 + harmless)
    node, lane, light = triples // (2 * columns.lanes), triples // 2 % columns.lanes, triples % 2 == 1
    row, owner = set_bits(columns.owners[node])
    counts = ~np.isin(owner, walkers) & ~(light[row] & (owner == columns.platform))
    out: dict[tuple[int, int], dict[int, None]] = {}
    for b, at in zip(owner[counts].tolist(), row[counts].tolist(), strict=True):
        out.setdefault((b, int(lane[at])), {})[int(node[at])] = None
    return {key: tuple(found) for key, found in sorted(out.items())}


def unstopped(columns: Columns) -> Words:
    """Who gets to each node at all: no wall, all planes, with what is approved, people too."""
    reach = columns.starts.copy()
    for plane in PLANES:
        close(columns.walked, reach, plane, first_rows(columns.walked, reach, plane))
    return reach
