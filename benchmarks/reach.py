"""A world of a million edges: all crossings and the whole matrix, against a search per tenant in networkx.

    python benchmarks/reach.py [--edges N] [--tenants N] [--check]

Prints one figure a line: name value unit goal ok|short. With --check, exits 1 when a goal is missed.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from partywall.graph import PLANES, SURE, Columns, Crossings, crossings, matrix
from partywall.graph.bits import Flags, any_bit, has

if TYPE_CHECKING:
    import networkx as nx

SEED = 7
CHAIN = 24  # nodes in a row, as in image -> build -> role -> pod -> service account -> role -> ...
SAMPLE = 3


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number and its goal."""

    name: str
    value: float
    unit: str
    goal: str
    reached: bool

    def line(self) -> str:
        """The figure as it is printed."""
        return f"{self.name} {self.value:.2f} {self.unit} {self.goal} {'ok' if self.reached else 'short'}"


def big_world(edges: int, tenants: int) -> Columns:
    """Mostly edges at home, with hubs and long chains; one edge in two thousand goes astray; some approvals and people of two tenants."""
    rng = np.random.default_rng(SEED)
    nodes, width = edges // 4, tenants + 3
    owner = np.sort((tenants * rng.random(nodes) ** 1.5).astype(np.int64))
    first = np.searchsorted(owner, np.arange(tenants + 1))
    source = _skewed(rng, nodes, edges)
    room = first[owner[source] + 1] - first[owner[source]]
    target = first[owner[source]] + (_skewed(rng, nodes, edges) % room)
    becomes = rng.random(edges) < 0.7
    chained = rng.random(edges) < 0.25
    chained &= (source + 1 < nodes) & (source % CHAIN != CHAIN - 1)
    target[chained] = source[chained] + 1
    becomes |= chained
    wild = rng.random(edges) < 0.0005
    target[wild] = rng.integers(0, nodes, int(wild.sum()))
    own = _words(np.arange(nodes), owner, nodes, width)
    place, scope = rng.random(nodes) < 0.02, rng.random(nodes) < 0.001
    own[scope] |= _words(np.arange(int(scope.sum())), rng.integers(0, tenants, int(scope.sum())), int(scope.sum()), width)
    own[place] = 0
    home = np.where(place[:, None], ~np.uint64(0), np.where(scope[:, None], np.uint64(0), own))
    acts = (rng.random(nodes) < 0.2) & ~place & ~scope
    people = np.flatnonzero(acts)[:: max(1, int(acts.sum()) // 20)]
    own[people] |= _words(np.arange(len(people)), (owner[people] + 1) % tenants, len(people), width)
    home[people] = own[people]
    person = np.zeros(nodes, np.bool_)
    person[people] = True
    approved = {(int(owner[source[e]]), int(owner[target[e]]), int(e)) for e in np.flatnonzero(wild)[:60]}
    return Columns(
        bits=(*(f"t{i}" for i in range(tenants)), "nobody", "outside", "platform"),
        home=home,
        owners=own,
        starts=np.where(acts[:, None], own, np.uint64(0)),
        person=person,
        source=source.astype(np.int32),
        target=target.astype(np.int32),
        becomes=becomes,
        lane=rng.integers(0, 6, edges).astype(np.int8),
        certainty=rng.choice(np.array([0, 1, 2], np.int8), edges, p=[0.85, 0.1, 0.05]),
        light=rng.random(edges) < 0.3,
        lever=rng.integers(0, edges // 10, edges).astype(np.int32),
        condition=np.full(edges, -1, np.int32),
        identity_lane=3,
        approved=frozenset(a for a in approved if a[0] != a[1]),
    )


def _skewed(rng: np.random.Generator, nodes: int, count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Most edges of most nodes are few, some nodes are hubs."""
    return np.where(
        rng.random(count) < 0.9, rng.integers(0, nodes, count), (nodes * rng.random(count) ** 6).astype(np.int64) * 7919 % nodes
    )


def _words(
    rows: np.ndarray[tuple[int], np.dtype[np.int64]], bits: np.ndarray[tuple[int], np.dtype[np.int64]], count: int, width: int
) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    out = np.zeros((count, (width + 63) // 64), np.uint64)
    out[rows, bits // 64] = np.uint64(1) << (bits % 64).astype(np.uint64)
    return out


def measured(edges: int, tenants: int) -> list[Figure]:
    """Ask both questions in this process, and the slow way in another, so that its memory does not count."""
    world = big_world(edges, tenants)
    begin = time.process_time()
    world = world.with_edges(np.ones(world.edges, np.bool_))
    indexed = time.process_time()
    found = crossings(world)
    crossed = time.process_time()
    matrix(world)
    done = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    total = done - begin
    slow, agrees = slow_way(world, found, edges, tenants)
    return [
        Figure("reach_edges", edges, "edges", "-", True),
        Figure("reach_index", indexed - begin, "s", "-", True),
        Figure("reach_crossings", crossed - indexed, "s", "-", True),
        Figure("reach_matrix", done - crossed, "s", "-", True),
        Figure("reach_total", total, "s", "<3", total < 3),
        Figure("reach_memory", memory, "MB", "<500", memory < 500),
        Figure("reach_equal_to_networkx", float(agrees), "of 1", "=1", agrees),
        Figure("reach_times_faster_than_networkx", slow / total, "times", ">10", slow / total > 10),
    ]


def slow_way(world: Columns, found: Crossings, edges: int, tenants: int) -> tuple[float, bool]:
    """Seconds that networkx takes for all tenants (from a sample), and whether it finds the same crossings for the sample."""
    said = subprocess.run(
        [sys.executable, str(Path(__file__)), "--slow", "--edges", str(edges), "--tenants", str(tenants)],
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(said.stdout)
    ours: dict[str, set[int]] = {tenant: set() for tenant in answer["edges"]}
    for row in np.flatnonzero((found.plane == SURE) & np.array([not walk.hosts for walk in found.walks])[found.walk]):
        for a in {a for a, _ in found.pairs(int(row))} & {int(t) for t in ours}:
            ours[str(a)].add(int(found.edge[row]))
    sure = {tenant: set(numbers) for tenant, numbers in answer["edges"].items()}
    # Three planes, with the wall and without it; those without it would be longer than the ones measured.
    return answer["seconds"] * tenants * len(PLANES) * 2, all(ours[t] == sure[t] for t in sure)


def search_by_tenant(edges: int, tenants: int) -> dict[str, object]:
    """Crossing edges of some tenants by a search each in networkx, over the sure edges; building its graph does not count."""
    import networkx as nx

    world = big_world(edges, tenants)
    sure = world.certainty == SURE
    walked = np.flatnonzero(sure & world.becomes)
    graph = nx.DiGraph(zip(world.source[walked].tolist(), world.target[walked].tolist(), strict=True))
    approved = {(a, e) for a, _, e in world.approved}
    out: dict[str, list[int]] = {}
    begin = time.process_time()
    for tenant in np.linspace(tenants // 2, tenants - 1, SAMPLE).astype(int).tolist():
        home = has(world.home, tenant)
        inside = set(np.flatnonzero(home).tolist())
        starts = np.flatnonzero(has(world.alone, tenant)).tolist()
        among = graph.subgraph(inside | set(starts))
        reached = set(starts)
        for start in starts:
            if start in among:
                reached |= _from(among, start, reached)
        here = np.zeros(world.nodes, np.bool_)
        here[sorted(reached)] = True
        leaving = np.flatnonzero(sure & here[world.source] & ~home[world.target] & _touches(world, tenant))
        out[str(tenant)] = [e for e in leaving.tolist() if (tenant, e) not in approved]
    return {"seconds": (time.process_time() - begin) / SAMPLE, "edges": out}


def _from(graph: "nx.DiGraph[int]", start: int, reached: set[int]) -> set[int]:
    """A breadth-first search that does not go over what is reached already."""
    import networkx as nx

    fresh = {start}
    for _, node in nx.generic_bfs_edges(graph, start, lambda at: (n for n in graph.successors(at) if n not in reached)):
        fresh.add(node)
    return fresh


def _touches(world: Columns, tenant: int) -> Flags:
    owners = world.owners[world.target]
    own = np.zeros(world.words, np.uint64)
    own[tenant // 64] = np.uint64(1) << np.uint64(tenant % 64)
    return any_bit(owners & ~own)


def main() -> int:
    """Print the figures."""
    ask = argparse.ArgumentParser(description="All crossings and the whole matrix of a large world.")
    ask.add_argument("--edges", type=int, default=1_000_000)
    ask.add_argument("--tenants", type=int, default=200)
    ask.add_argument("--check", action="store_true", help="exit 1 when a goal is missed")
    ask.add_argument("--slow", action="store_true", help="print what networkx finds, as JSON")
    given = ask.parse_args()
    if given.slow:
        print(json.dumps(search_by_tenant(given.edges, given.tenants)))
        return 0
    figures = measured(given.edges, given.tenants)
    for figure in figures:
        print(figure.line())
    return 1 if given.check and not all(figure.reached for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
