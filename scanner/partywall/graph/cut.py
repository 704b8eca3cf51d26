"""The smallest set of levers that closes every way from one owner to another."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from partywall.graph.bits import Flags
from partywall.graph.columns import Columns
from partywall.graph.ways import Asked, Seat, all_ways, closed_to, edges_between, seats

MOST_ROUNDS = 200
MOST_BRANCHES = 20_000
WHOLE = 10**9  # a capacity that no cut of levers comes near

Levers = frozenset[int]
Place = tuple[int, str, int]  # seat, what it is, its number
FROM, TO = (-1, "from", -1), (-1, "to", -1)


@dataclass(frozen=True, slots=True)
class Cut:
    """Levers, ascending; `smallest` is False where a smaller set may exist. Moving them was evaluated: no way is left."""

    levers: tuple[int, ...]
    smallest: bool


def smallest_cut(columns: Columns, a: int, b: int, lanes: tuple[int, ...] = (), with_approved: bool = False) -> Cut:
    """Which levers to move so that `a` no longer gets to `b`.

    Where every lever closes one edge it is a minimum cut. Where levers close several, ways are collected until the smallest set of
    levers that hits all of them leaves no way; if that takes too long, levers are chosen greedily and those that can be spared left out.
    """
    asked = Asked(a, b, lanes, with_approved)
    closed = closed_to(columns, asked)
    parts = [(seat, *edges_between(columns, seat, closed)) for seat in seats(columns, asked)]
    edges = np.concatenate([np.zeros(0, np.int32), *(np.union1d(walked, last) for _, walked, last in parts)])
    if len(edges) == 0:
        return Cut((), True)
    if len(np.unique(columns.lever[edges])) == len(edges):
        return Cut(_minimum_cut(columns, [(seat, w.tolist(), e.tolist()) for seat, w, e in parts]), True)
    return _hitting(lambda levers: _way_round(columns, asked, levers))


def _way_round(columns: Columns, asked: Asked, levers: Levers) -> Levers | None:
    """The levers on a way that is left once some are moved."""
    found = all_ways(columns, asked, limit=1, barred=_moved(columns, levers))
    return frozenset(int(columns.lever[edge]) for edge in found.paths[0]) if found.paths else None


def _moved(columns: Columns, levers: Levers) -> Flags:
    return np.isin(columns.lever, sorted(levers))


def _minimum_cut(columns: Columns, parts: Iterable[tuple[Seat, list[int], list[int]]]) -> tuple[int, ...]:
    """Every edge is a node with one way in, so that two edges between the same nodes are two."""
    import networkx as nx

    graph: nx.DiGraph[Place] = nx.DiGraph()
    for number, (seat, walked, last) in enumerate(parts):
        among = set(walked)
        for edge in sorted({*walked, *last}):
            source, target = int(columns.source[edge]), int(columns.target[edge])
            graph.add_edge((number, "node", source), (number, "edge", edge), capacity=1)
            if edge in among:
                graph.add_edge((number, "edge", edge), (number, "node", target), capacity=WHOLE)
            if seat.starts[source]:
                graph.add_edge(FROM, (number, "node", source), capacity=WHOLE)
        for edge in last:
            graph.add_edge((number, "edge", edge), TO, capacity=WHOLE)
    _, (near, _) = nx.minimum_cut(graph, FROM, TO)
    cut_edges = {v[2] for u in near for v in graph.successors(u) if v not in near}
    return tuple(sorted(int(columns.lever[edge]) for edge in cut_edges))


def _hitting(way_round: Callable[[Levers], Levers | None]) -> Cut:
    """Collect ways that the best set so far leaves open, until it leaves none."""
    collected: list[Levers] = []
    chosen: Levers = frozenset()
    smallest = True
    for _ in range(MOST_ROUNDS):
        way = way_round(chosen)
        if way is None:
            return Cut(tuple(sorted(chosen)), True) if smallest else Cut(_without_spare(chosen, way_round), False)
        collected.append(way)
        best = _smallest_hitting(collected) if smallest else None
        smallest = best is not None
        chosen = best if best is not None else chosen | {_commonest(collected, way)}
    while (way := way_round(chosen)) is not None:
        collected.append(way)
        chosen |= {_commonest(collected, way)}
    return Cut(_without_spare(chosen, way_round), False)


def _commonest(collected: list[Levers], way: Levers) -> int:
    return min(way, key=lambda lever: (-sum(lever in other for other in collected), lever))


def _without_spare(chosen: Levers, way_round: Callable[[Levers], Levers | None]) -> tuple[int, ...]:
    """Leave out every lever without which no way opens."""
    for lever in sorted(chosen):
        if way_round(chosen - {lever}) is None:
            chosen -= {lever}
    return tuple(sorted(chosen))


def _smallest_hitting(collected: list[Levers]) -> Levers | None:
    """The smallest set that holds a lever of every way, the first in order among equals; None where the search grows too large."""
    branches = 0
    for size in range(1, len(collected) + 1):
        todo: list[Levers] = [frozenset()]
        seen: set[Levers] = set()
        while todo:
            branches += 1
            if branches > MOST_BRANCHES:
                return None
            chosen = todo.pop()
            open_way = next((way for way in collected if not way & chosen), None)
            if open_way is None:
                return chosen
            if len(chosen) < size:
                fresh = [chosen | {lever} for lever in sorted(open_way, reverse=True)]
                todo += [more for more in fresh if more not in seen]
                seen.update(fresh)
    return None
