"""Which other levers lie on every path of a finding: the alternatives to moving its own."""

from collections.abc import Sequence

from partywall.graph.columns import UNKNOWN, Columns
from partywall.graph.paths import all_paths
from partywall.graph.walks import Walk

Asked = tuple[Walk, int, int]  # a walk, one of its walkers, the edge by which that walker crosses
MOST = 64  # beyond so many nothing is claimed


def common_levers(columns: Columns, walks: tuple[Walk, ...], asked: Sequence[Asked]) -> tuple[int, ...]:
    """The levers that lie on every path of every crossing asked about, ascending; an empty answer claims nothing.

    Paths of all planes count: an alternative that leaves a less sure way is none. It is a candidate for a proof, not a proof:
    what moving it opens elsewhere is evaluated there.
    """
    if not asked or len(asked) > MOST:
        return ()
    levers = _on_one_path(columns, walks, asked[0])
    for each in asked[1:]:
        levers &= _on_one_path(columns, walks, each)
        if not levers:
            return ()
    return tuple(lever for lever in sorted(levers) if not _any_way_round(columns, walks, asked, lever))


def _on_one_path(columns: Columns, walks: tuple[Walk, ...], asked: Asked) -> set[int]:
    """The levers on a shortest path: one that is on every path is on this one."""
    walk, walker, edge = asked
    found = all_paths(columns, walks, walk, walker, edge, UNKNOWN, limit=1)
    return {int(columns.lever[edge]) for path in found.paths for edge in path}


def _any_way_round(columns: Columns, walks: tuple[Walk, ...], asked: Sequence[Asked], lever: int) -> bool:
    barred = columns.lever == lever
    ways = (all_paths(columns, walks, walk, walker, edge, UNKNOWN, 1, barred) for walk, walker, edge in asked)
    return any(way.paths for way in ways)
