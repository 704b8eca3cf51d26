"""Who walks: all tenants at once, then people of several owners, then guests until nobody new comes in."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from partywall.graph.bits import Flags, Numbers, Words, has, row_of
from partywall.graph.closure import flood, inside
from partywall.graph.columns import NONE, Columns

Door = tuple[int, int]  # an approved edge, and the number of the walk that came to it


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """One walk in one plane. Without hosts it is that of all tenants, each among its own things."""

    plane: int
    walkers: tuple[int, ...] = ()
    hosts: tuple[int, ...] = ()  # whose things the walkers may be among
    starts: Numbers | None = None
    doors: tuple[Door, ...] = ()  # by which a guest came in
    entry: int = NONE  # the lever of the door, where the approval does not say "may be the host"
    lane: int = NONE  # and the lane that it does say

    @property
    def is_guest(self) -> bool:
        """Whether the walker came in by approval."""
        return bool(self.doors)


def hosts_row(columns: Columns, walk: Walk) -> Words:
    """The hosts as one row of words."""
    return row_of(walk.hosts, columns.words)


def at_home(columns: Columns, walk: Walk, walker: int, nodes: Numbers) -> Flags:
    """At which of the nodes this walker of the walk may rightly be."""
    if not walk.hosts:
        return has(columns.home[nodes], walker)
    return inside(columns, nodes, hosts_row(columns, walk))


def begins_at(columns: Columns, walk: Walk, walker: int, nodes: Numbers) -> Flags:
    """From which of the nodes this walker of the walk sets out."""
    if walk.starts is None:
        return has(columns.alone[nodes], walker)
    return np.isin(nodes, walk.starts)


def small_walks(columns: Columns, everybody: Words, plane: int, number: int) -> Iterator[tuple[Walk, Numbers]]:
    """The walks of people and guests with the nodes that each gets to; they are numbered on from `number`, the walk of all tenants."""
    been: set[tuple[int, tuple[int, ...], int, int, int]] = set()
    todo = [Walk(plane, tuple(b for b in who if b != columns.platform), who, nodes) for who, nodes in columns.hats]
    todo += _guests(columns, Walk(plane), _tenants_doors(columns, everybody, plane), number, been)
    while todo:
        later: list[Walk] = []
        for walk in todo:
            number += 1
            nodes = flood(columns, _starts(walk), plane, hosts_row(columns, walk))
            yield walk, nodes
            later += _guests(columns, walk, _walkers_doors(columns, walk, nodes), number, been)
        todo = later


def _starts(walk: Walk) -> Numbers:
    return np.zeros(0, np.int32) if walk.starts is None else walk.starts


def _tenants_doors(columns: Columns, everybody: Words, plane: int) -> Numbers:
    """The approvals whose edge its tenant comes to, in the walk of all tenants."""
    approvals = columns.approvals
    at = np.flatnonzero(approvals.entry & (columns.certainty[approvals.edge] <= plane))
    tenant = approvals.tenant[at]
    words = everybody[columns.source[approvals.edge[at]], tenant // 64]
    open_now: Flags = (words >> (tenant % 64).astype(np.uint64)) & np.uint64(1) != 0
    return at[open_now]


def _walkers_doors(columns: Columns, walk: Walk, nodes: Numbers) -> Numbers:
    """The same in a small walk."""
    approvals = columns.approvals
    if not len(approvals.edge):
        return np.zeros(0, np.int32)
    seen = np.zeros(columns.nodes, np.bool_)
    seen[nodes] = True
    open_now = approvals.entry & (columns.certainty[approvals.edge] <= walk.plane)
    return np.flatnonzero(open_now & seen[columns.source[approvals.edge]] & np.isin(approvals.tenant, walk.walkers)).astype(np.int32)


def _guests(columns: Columns, walk: Walk, doors: Numbers, number: int, been: set[tuple[int, tuple[int, ...], int, int, int]]) -> list[Walk]:
    """One new walk for the guests of the same tenant, hosts and entry: where they may be is the same, only where they begin differs."""
    groups: dict[tuple[int, tuple[int, ...], int, int], list[int]] = {}
    for at in doors.tolist():
        edge, tenant = int(columns.approvals.edge[at]), int(columns.approvals.tenant[at])
        target = int(columns.target[edge])
        whole = int(columns.lane[edge]) == columns.identity_lane
        entry = walk.entry if whole else int(columns.lever[edge])
        lane = NONE if whole else int(columns.lane[edge])
        hosts = tuple(sorted({*columns.owners_of(target), tenant}))
        if (tenant, hosts, entry, lane, target) not in been:
            groups.setdefault((tenant, hosts, entry, lane), []).append(edge)
    out = []
    for (tenant, hosts, entry, lane), edges in sorted(groups.items()):
        starts = np.unique(columns.target[edges])
        been.update((tenant, hosts, entry, lane, int(node)) for node in starts)
        out.append(Walk(walk.plane, (tenant,), hosts, starts, tuple((edge, number) for edge in edges), entry, lane))
    return out
