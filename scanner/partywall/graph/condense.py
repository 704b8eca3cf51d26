"""Nodes that all reach each other as one node: they are reached by the same walkers, where no wall stops anybody.

Not every such set is looked for: one search from a hub, and one in each team from a hub of its own, find those large enough to matter.
"""

from dataclasses import dataclass

import numpy as np

from partywall.graph.bits import Flags, Numbers, Wide, heads, ordered, spans
from partywall.graph.columns import NONE, SURE, Columns, Walked, first_rows_by


@dataclass(frozen=True, slots=True, eq=False)
class Condensed:
    """The walked edges between what is left, and the node that stands for each node."""

    walked: Walked
    stands_for: Numbers


def condensed(columns: Columns) -> Condensed:
    """Condense along sure edges that no approval concerns; those are there in every plane and with or without approvals."""
    walked = columns.walked
    usable = (walked.certainty == SURE) & ~columns.approvals.covers[walked.edge]
    stands_for = np.arange(columns.nodes, dtype=np.int32)
    one = np.zeros(columns.nodes, np.int32)
    for team in (one, columns.kind):
        free = stands_for == np.arange(columns.nodes)
        within = usable & free[walked.source] & free[walked.target] & (team[walked.source] == team[walked.target])
        _join(walked, team, within, stands_for)
    return Condensed(_renamed(walked, stands_for), stands_for)


def _join(walked: Walked, team: Numbers, within: Flags, stands_for: Numbers) -> None:
    """For the hub of each team: who is behind it and before it is one with it."""
    nodes = len(team)
    busy = np.minimum(np.bincount(walked.source[within], minlength=nodes), np.bincount(walked.target[within], minlength=nodes))
    hubs = _busiest(team, busy)
    both = _spread(walked, hubs, within, nodes, forward=True) & _spread(walked, hubs, within, nodes, forward=False)
    hub_of = np.full(int(team.max(initial=0)) + 1, NONE, np.int32)
    hub_of[team[hubs]] = hubs
    stands_for[both] = hub_of[team[both]]


def _busiest(team: Numbers, busy: Wide) -> Numbers:
    """The busiest node of each team in which any is busy at all."""
    order = ordered(team)
    begin = heads(team[order])
    if not len(begin):
        return order
    most = np.maximum.reduceat(busy[order], begin)
    best = np.flatnonzero(busy[order] == np.repeat(most, np.diff(np.append(begin, len(order)))))
    hubs = order[best[heads(team[order[best]])]]
    return hubs[busy[hubs] > 0]


def _spread(walked: Walked, start: Numbers, within: Flags, nodes: int, forward: bool) -> Flags:
    seen = np.zeros(nodes, np.bool_)
    seen[start] = True
    while len(start):
        rows = walked.rows[spans(walked.out, start)] if forward else spans(walked.into, start)
        start = (walked.target if forward else walked.source)[rows[within[rows]]]
        fresh = np.zeros(nodes, np.bool_)
        fresh[start] = True
        fresh &= ~seen
        seen |= fresh
        start = np.flatnonzero(fresh).astype(np.int32)
    return seen


def _renamed(walked: Walked, stands_for: Numbers) -> Walked:
    """The edges between what is left, in the order of their new targets; edges within one set are gone."""
    source, target = stands_for[walked.source], stands_for[walked.target]
    keep = np.flatnonzero(source != target)
    keep = keep[ordered(target[keep])]
    source, target = source[keep], target[keep]
    rows = ordered(source)
    nodes = len(stands_for)
    return Walked(
        edge=walked.edge[keep],
        source=source,
        target=target,
        certainty=walked.certainty[keep],
        into=first_rows_by(target, nodes),
        out=first_rows_by(source[rows], nodes),
        rows=rows,
    )
