"""Every way from one owner to another, no wall stopping anybody: what explaining a cell of the matrix needs."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from partywall.graph.bits import Flags, Numbers, has, row_of, spans
from partywall.graph.closure import inside
from partywall.graph.columns import NONE, Columns
from partywall.graph.paths import Path, Paths, steps_from


@dataclass(frozen=True, slots=True)
class Asked:
    """From whom to whom, in which lanes (none named: all), and whether approved edges count."""

    a: int
    b: int
    lanes: tuple[int, ...] = ()
    with_approved: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Seat:
    """Where a walker for `a` sets out and by which last edges it touches `b`: the tenant's own, or people of several owners."""

    starts: Flags
    last: Numbers


def ways(columns: Columns, a: int, b: int, limit: int = 10, lanes: tuple[int, ...] = (), with_approved: bool = False) -> tuple[Path, ...]:
    """A shortest path to each of the nearest edges by which `a` touches `b`, shortest first, ties by edge number."""
    return all_ways(columns, Asked(a, b, lanes, with_approved), limit).paths


def way_to(columns: Columns, a: int, node: int, lane: int) -> Path:
    """A shortest unstopped path to a node by a last edge in the lane, without approvals where that can be; empty if there is none."""
    last = np.flatnonzero((columns.target == node) & (columns.lane == lane)).astype(np.int32)
    for with_approved in (False, True):
        closed = closed_to(columns, Asked(a, columns.platform, with_approved=with_approved))
        found = []
        for starts in _starts(columns, a):
            steps = steps_from(columns, starts, ~closed[columns.walked.edge])
            nearest = reached_last(columns, Seat(starts, last), steps, None)
            found += [(*_back(columns, steps, closed, int(columns.source[edge])), int(edge)) for edge in nearest[:1].tolist()]
        if found:
            return min(found, key=lambda path: (len(path), path))
    return ()


def _starts(columns: Columns, a: int) -> Iterator[Flags]:
    """Where `a` sets out: as a tenant, and as people of several owners."""
    yield has(columns.alone, a)
    if a != columns.platform:
        starts = np.zeros(columns.nodes, np.bool_)
        for who, nodes in columns.hats:
            starts[nodes] |= a in who
        yield starts


def all_ways(columns: Columns, asked: Asked, limit: int, barred: Flags | None = None) -> Paths:
    """The same without the edges that are barred, and whether these are all."""
    closed = closed_to(columns, asked, barred)
    found: list[Path] = []
    complete = True
    for seat in seats(columns, asked):
        steps = steps_from(columns, seat.starts, ~closed[columns.walked.edge])
        last = reached_last(columns, seat, steps, barred)
        found += [(*_back(columns, steps, closed, int(columns.source[edge])), int(edge)) for edge in last[:limit].tolist()]
        complete &= len(last) <= limit
    found.sort(key=lambda path: (len(path), path))
    return Paths(tuple(found[:limit]), complete and len(found) <= limit)


def seats(columns: Columns, asked: Asked) -> Iterator[Seat]:
    """Who walks for `a` towards `b`."""
    last = _touching(columns, asked)
    if asked.a == asked.b:
        return
    yield Seat(has(columns.alone, asked.a), last[~has(columns.home, asked.a)[columns.target[last]]])
    for who, nodes in columns.hats:
        if asked.a in who and asked.b not in who and asked.a != columns.platform:
            starts = np.zeros(columns.nodes, np.bool_)
            starts[nodes] = True
            yield Seat(starts, last[~inside(columns, columns.target[last], row_of(who, columns.words))])


def closed_to(columns: Columns, asked: Asked, barred: Flags | None = None) -> Flags:
    """The edges that may not be walked: those taken away, and unless asked for those on which the tenant has an approval."""
    closed = np.zeros(columns.edges, np.bool_) if barred is None else barred.copy()
    if not asked.with_approved:
        closed[columns.approvals.edge[columns.approvals.tenant == asked.a]] = True
    return closed


def reached_last(columns: Columns, seat: Seat, steps: Numbers, barred: Flags | None) -> Numbers:
    """The last edges that the walker comes to, nearest first."""
    last = seat.last
    if barred is not None:
        last = last[~barred[last]]
    last = last[steps[columns.source[last]] != NONE]
    nearest: Numbers = last[np.lexsort((last, steps[columns.source[last]]))]
    return nearest


def edges_between(columns: Columns, seat: Seat, closed: Flags, barred: Flags | None = None) -> tuple[Numbers, Numbers]:
    """(walked edges that lie on some way, last edges that end one): the part of the world that matters for one seat."""
    walked = columns.walked
    may = ~closed[walked.edge]
    steps = steps_from(columns, seat.starts, may)
    last = reached_last(columns, seat, steps, barred)
    before = np.zeros(columns.nodes, np.bool_)
    front = np.unique(columns.source[last])
    while len(front):
        before[front] = True
        rows = spans(walked.into, front)
        front = np.unique(walked.source[rows[may[rows]]])
        front = front[~before[front] & (steps[front] != NONE)]
    between = may & before[walked.target] & before[walked.source]
    return walked.edge[between], last


def _touching(columns: Columns, asked: Asked) -> Numbers:
    """The edges into what `b` owns, in the lanes asked about, that are a touch at all."""
    last = has(columns.owners, asked.b)[columns.target]
    if asked.lanes:
        last &= np.isin(columns.lane, asked.lanes)
    if asked.b == columns.platform and asked.a != columns.outside:
        last &= ~columns.light
    if not asked.with_approved:
        last[[edge for tenant, granter, edge in columns.approved if (tenant, granter) == (asked.a, asked.b)]] = False
    return np.flatnonzero(last).astype(np.int32)


def _back(columns: Columns, steps: Numbers, closed: Flags, node: int) -> Path:
    """One shortest way back to a start, by the smallest edge numbers."""
    walked = columns.walked
    path: list[int] = []
    while steps[node] > 0:
        rows = np.arange(walked.into[node], walked.into[node + 1])
        rows = rows[~closed[walked.edge[rows]] & (steps[walked.source[rows]] == steps[node] - 1)]
        row = rows[np.argmin(walked.edge[rows])]
        path.append(int(walked.edge[row]))
        node = int(walked.source[row])
    return tuple(reversed(path))
