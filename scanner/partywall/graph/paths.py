"""Example ways: the shortest paths from where somebody starts to an edge, respecting the wall of the walk."""

import heapq
from dataclasses import dataclass

import numpy as np

from partywall.graph.bits import Flags, Numbers, spans
from partywall.graph.columns import NONE, Columns
from partywall.graph.walks import Door, Walk, at_home, begins_at

Path = tuple[int, ...]  # edges, from a start to the edge in question
MOST_STEPS = 5_000  # looked at for one edge before the list is given up as incomplete


@dataclass(frozen=True, slots=True)
class Paths:
    """Paths, shortest first, ties by edge number; `complete` is False where there may be more."""

    paths: tuple[Path, ...]
    complete: bool


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """What lies between the starts and one node: steps from the nearest start (-1 where there is no way), and the starts."""

    steps: Numbers
    starts: Flags
    rows: Flags  # the rows of the walked edges that may be taken


def paths_to(columns: Columns, walks: tuple[Walk, ...], walk: Walk, walker: int, edge: int, limit: int = 1) -> tuple[Path, ...]:
    """Shortest paths of one walker of a walk to an edge, in the plane of the walk.

    A guest's path begins where the guest sets out as a tenant, and goes through the door.
    """
    return all_paths(columns, walks, walk, walker, edge, walk.plane, limit).paths


def all_paths(
    columns: Columns, walks: tuple[Walk, ...], walk: Walk, walker: int, edge: int, plane: int, limit: int, barred: Flags | None = None
) -> Paths:
    """The same over edges at least as sure as any plane, without those that are barred, and whether these are all there are."""
    if barred is not None and barred[edge]:
        return Paths((), True)
    node = int(columns.source[edge])
    inner = _between(columns, region(columns, walk, walker, node, plane, barred), node, limit)
    found: list[Path] = []
    complete = inner.complete
    for path in inner.paths:
        for door, origin in _doors(columns, walk, int(columns.source[path[0]]) if path else node):
            before = all_paths(columns, walks, walks[origin], walker, door, plane, limit, barred)
            complete &= before.complete
            found += [(*way, *path, edge) for way in before.paths]
        if not walk.doors:
            found.append((*path, edge))
    found.sort(key=lambda each: (len(each), each))
    return Paths(tuple(found[:limit]), complete and len(found) <= limit)


def _doors(columns: Columns, walk: Walk, node: int) -> list[Door]:
    return [door for door in walk.doors if int(columns.target[door[0]]) == node]


def region(columns: Columns, walk: Walk, walker: int, node: int, plane: int, barred: Flags | None = None) -> Region:
    """What lies between the starts of the walker and the node, each step at home."""
    walked = columns.walked
    may = np.zeros(len(walked.edge), np.bool_)
    before = np.zeros(columns.nodes, np.bool_)
    starts = np.zeros(columns.nodes, np.bool_)
    front = np.array([node], np.int32)
    while len(front):
        before[front] = True
        begins = begins_at(columns, walk, walker, front)
        starts[front[begins]] = True
        front = front[~begins]  # a longer way over an earlier start says nothing more than the way from here
        rows = spans(walked.into, front[at_home(columns, walk, walker, front)])
        rows = rows[walked.certainty[rows] <= plane]
        if barred is not None:
            rows = rows[~barred[walked.edge[rows]]]
        may[rows] = True
        front = np.unique(walked.source[rows])
        front = front[~before[front]]
    return Region(steps_from(columns, starts, may), starts, may)


def steps_from(columns: Columns, starts: Flags, may: Flags) -> Numbers:
    """How many edges each node is from the nearest start."""
    walked = columns.walked
    steps = np.full(columns.nodes, NONE, np.int32)
    front, step = np.flatnonzero(starts).astype(np.int32), 0
    while len(front):
        steps[front] = step
        rows = walked.rows[spans(walked.out, front)]
        front = np.unique(walked.target[rows[may[rows]]])
        front = front[steps[front] == NONE]
        step += 1
    return steps


def _between(columns: Columns, between: Region, node: int, limit: int) -> Paths:
    """The shortest simple paths of a region to its node: a best-first search backwards, guided by the true distance."""
    if between.steps[node] == NONE:
        return Paths((), True)
    todo: list[tuple[int, Path, int, tuple[int, ...]]] = [(int(between.steps[node]), (), node, (node,))]
    found: list[Path] = []
    complete = True
    for _ in range(MOST_STEPS):
        if not todo:
            return Paths(tuple(found), complete)
        _, path, at, been = heapq.heappop(todo)
        if between.starts[at]:
            if len(found) == limit:
                return Paths(tuple(found), False)
            found.append(path)
            continue
        rows = _best_rows(columns, between, at, limit + 1)
        complete &= len(rows) <= limit
        for edge, source in zip(columns.walked.edge[rows].tolist(), columns.walked.source[rows].tolist(), strict=True):
            if source not in been:
                ahead = int(between.steps[source]) + len(path) + 1
                heapq.heappush(todo, (ahead, (edge, *path), source, (*been, source)))
    return Paths(tuple(found), False)


def _best_rows(columns: Columns, between: Region, node: int, most: int) -> Numbers:
    """The edges into a node from the nearest of its sources; more than are asked for can never be among the shortest."""
    walked = columns.walked
    rows: Numbers = np.arange(walked.into[node], walked.into[node + 1], dtype=np.int32)
    rows = rows[between.rows[rows] & (between.steps[walked.source[rows]] != NONE)]
    if len(rows) <= most:
        return rows
    order = np.lexsort((walked.edge[rows], between.steps[walked.source[rows]]))
    nearest: Numbers = rows[order[:most]]
    return nearest
