"""The meaning of reach once more, slow and obvious: one search for each walker, Python sets, no bits."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from hypothesis import strategies as st

from partywall.graph import NONE, PLANES, Columns
from partywall.graph.bits import packed

IDENTITY = 3
LANES = 6
Pair = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a plain world."""

    home: frozenset[int]
    owners: frozenset[int]
    starts: frozenset[int]
    person: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge of a plain world."""

    source: int
    target: int
    becomes: bool
    lane: int
    certainty: int
    light: bool
    lever: int


@dataclass(frozen=True, slots=True)
class Plain:
    """A world in Python objects."""

    tenants: int
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    approved: frozenset[tuple[int, int, int]] = field(default_factory=frozenset)

    @property
    def platform(self) -> int:
        """The last bit."""
        return self.tenants + 2

    @property
    def outside(self) -> int:
        """The one before it."""
        return self.tenants + 1


def columns_of(world: Plain) -> Columns:
    """The same as columns."""
    width = world.tenants + 3

    return Columns(
        bits=(*(f"t{i}" for i in range(world.tenants)), "nobody", "outside", "platform"),
        home=packed([sorted(n.home) for n in world.nodes], width),
        owners=packed([sorted(n.owners) for n in world.nodes], width),
        starts=packed([sorted(n.starts) for n in world.nodes], width),
        person=np.array([n.person for n in world.nodes], np.bool_),
        source=np.array([arrow.source for arrow in world.arrows], np.int32),
        target=np.array([arrow.target for arrow in world.arrows], np.int32),
        becomes=np.array([arrow.becomes for arrow in world.arrows], np.bool_),
        lane=np.array([arrow.lane for arrow in world.arrows], np.int8),
        certainty=np.array([arrow.certainty for arrow in world.arrows], np.int8),
        light=np.array([arrow.light for arrow in world.arrows], np.bool_),
        lever=np.array([arrow.lever for arrow in world.arrows], np.int32),
        condition=np.full(len(world.arrows), NONE, np.int32),
        identity_lane=IDENTITY,
        approved=world.approved,
    )


def surer(world: Plain, plane: int) -> Plain:
    """The world with the edges of a plane only; approvals move along."""
    kept = [e for e, arrow in enumerate(world.arrows) if arrow.certainty <= plane]
    approved = frozenset((a, b, kept.index(e)) for a, b, e in world.approved if e in kept)
    return replace(world, arrows=tuple(world.arrows[e] for e in kept), approved=approved)


@st.composite
def plain_worlds(draw: st.DrawFn) -> Plain:
    """Small worlds with everything in them: shared things, scopes, places, people, strangers, approvals, all certainties."""
    tenants = draw(st.integers(0, 3))
    nodes = tuple(draw(st.lists(_nodes(tenants), min_size=1, max_size=7)))
    ends = st.integers(0, len(nodes) - 1)
    arrows = st.builds(
        Arrow,
        ends,
        ends,
        st.sampled_from([True, True, False]),
        st.integers(0, LANES - 1),
        st.sampled_from([0, 0, 0, 1, 2]),
        st.booleans(),
        st.integers(0, 6),
    )
    edges = tuple(draw(st.lists(arrows, max_size=14)))
    possible = [(a, b, e) for e, arrow in enumerate(edges) for b in sorted(nodes[arrow.target].owners) for a in range(tenants) if a != b]
    approved = draw(st.frozensets(st.sampled_from(possible), max_size=8)) if possible else frozenset()
    return Plain(tenants, nodes, edges, approved)


def _nodes(tenants: int) -> st.SearchStrategy[Node]:
    everybody = frozenset(range(tenants + 3))
    nobody, outside, platform = tenants, tenants + 1, tenants + 2
    empty: frozenset[int] = frozenset()
    some = st.frozensets(st.integers(0, tenants - 1), min_size=1) if tenants else st.just(empty)
    also_platform = st.sampled_from([empty, frozenset([platform])])
    return st.one_of(
        st.builds(lambda who, acts: Node(who or everybody, who, who if acts else empty), some, st.booleans()),
        st.builds(lambda who, ops: Node(empty, who | ops, empty), some, also_platform),
        st.builds(lambda who, ops: Node(who | ops or everybody, who | ops, who or frozenset([nobody]), True), some, also_platform),
        st.sampled_from([Node(everybody, empty, s) for s in (empty, frozenset([nobody]), frozenset([outside]))]),
        st.just(Node(empty, frozenset([platform]), empty)),
    )


@dataclass(frozen=True, slots=True)
class Walker:
    """Somebody who walks: as whom, among whose things, from where, and how a guest came in."""

    bit: int
    hosts: frozenset[int]
    starts: frozenset[int]
    entry: int = NONE
    lane: int = NONE


def walk(world: Plain, starts: frozenset[int], edges: list[int], home: Callable[[int], bool]) -> frozenset[int]:
    """A search along the walked edges, into nodes that are home."""
    seen, todo = set(starts), list(starts)
    while todo:
        node = todo.pop()
        for e in edges:
            arrow = world.arrows[e]
            if arrow.becomes and arrow.source == node and arrow.target not in seen and home(arrow.target):
                seen.add(arrow.target)
                todo.append(arrow.target)
    return frozenset(seen)


def is_home(world: Plain, walker: Walker, number: int) -> bool:
    """Whether the walker may rightly be there."""
    node = world.nodes[number]
    if not walker.hosts:
        return walker.bit in node.home
    return node.owners <= walker.hosts and bool(node.owners or node.home)


def is_hatted(node: Node) -> bool:
    """Whether this is a person of several owners."""
    return node.person and len(node.owners) > 1


def residents(world: Plain) -> Iterator[Walker]:
    """Tenants, and people as each of their tenants."""
    for bit in range(world.tenants + 2):
        yield Walker(bit, frozenset(), frozenset(i for i, n in enumerate(world.nodes) if bit in n.starts and not is_hatted(n)))
    for i, node in enumerate(world.nodes):
        if is_hatted(node):
            for bit in sorted(node.owners - {world.platform}):
                yield Walker(bit, node.owners, frozenset([i]))


def guest(world: Plain, walker: Walker, e: int) -> Walker | None:
    """Who comes in by an edge that every owner of its target approved."""
    arrow, owners = world.arrows[e], world.nodes[world.arrows[e].target].owners
    named = any(tenant == walker.bit and edge == e for tenant, _, edge in world.approved)
    if not arrow.becomes or not named or not all(b == walker.bit or (walker.bit, b, e) in world.approved for b in owners):
        return None
    whole = arrow.lane == IDENTITY
    entry, lane = (walker.entry, NONE) if whole else (arrow.lever, arrow.lane)
    return Walker(walker.bit, owners | {walker.bit}, frozenset([arrow.target]), entry, lane)


def slow_crossings(world: Plain) -> dict[int, dict[Pair, int]]:
    """{lever: {(from, to, lane): plane}}."""
    found: dict[int, dict[Pair, int]] = {}
    for plane in PLANES:
        edges = [e for e, arrow in enumerate(world.arrows) if arrow.certainty <= plane]
        for lever, pair in _told(world, edges):
            found.setdefault(lever, {}).setdefault(pair, plane)
    return found


def _told(world: Plain, edges: list[int]) -> Iterator[tuple[int, Pair]]:
    todo = list(residents(world))
    been = set(todo)
    while todo:
        walker = todo.pop()
        here = walk(world, walker.starts, edges, partial(is_home, world, walker))
        for e in edges:
            arrow = world.arrows[e]
            if arrow.source not in here:
                continue
            yield from _by_edge(world, walker, e)
            new = guest(world, walker, e)
            if new is not None and new not in been:
                been.add(new)
                todo.append(new)


def _by_edge(world: Plain, walker: Walker, e: int) -> Iterator[tuple[int, Pair]]:
    arrow, a = world.arrows[e], walker.bit
    others = world.nodes[arrow.target].owners - {a}
    for b in sorted(others):
        if (a, b, e) in world.approved:
            continue
        if not is_home(world, walker, arrow.target):
            harmless = b == world.platform and arrow.light and a != world.outside
            if b not in walker.hosts and not harmless:
                yield arrow.lever, (a, b, arrow.lane)
        elif walker.entry != NONE and arrow.lane != walker.lane:
            yield walker.entry, (a, b, arrow.lane)


def slow_touches(world: Plain, with_approved: bool) -> set[tuple[int, int, int, int]]:
    """(from, to, lane, target), no wall stopping anybody."""
    out = set()
    for walker in residents(world):
        a = walker.bit
        mine = {e for tenant, _, e in world.approved if tenant == a and not with_approved}
        here = walk(world, walker.starts, [e for e in range(len(world.arrows)) if e not in mine], lambda _: True)
        for e, arrow in enumerate(world.arrows):
            if arrow.source not in here or is_home(world, walker, arrow.target):
                continue
            for b in world.nodes[arrow.target].owners - {a} - walker.hosts:
                harmless = b == world.platform and arrow.light and a != world.outside
                if not harmless and (with_approved or (a, b, e) not in world.approved):
                    out.add((a, b, arrow.lane, arrow.target))
    return out


def slow_blind(world: Plain, node: int, lane: int, outgoing: bool) -> set[tuple[int, int, int]]:
    """(from, to, lane) that a gap at a node blinds, -1 for anybody."""
    edges = list(range(len(world.arrows)))
    if outgoing:
        starts = {bit: frozenset(i for i, n in enumerate(world.nodes) if bit in n.starts) for bit in range(world.tenants + 2)}
        return {(bit, -1, lane) for bit, at in starts.items() if node in walk(world, at, edges, lambda _: True)}
    behind = walk(world, frozenset([node]), edges, lambda _: True)
    out = {(-1, b, lane) for b in world.nodes[node].owners}
    return out | {(-1, b, arrow.lane) for arrow in world.arrows if arrow.source in behind for b in world.nodes[arrow.target].owners}


def condition_of(arrow: Arrow) -> int:
    """Conditions for the law about contradictions: a less sure edge may carry number 1 or 2, which cannot hold together."""
    return arrow.lever % 3 if arrow.certainty and arrow.lever % 3 else NONE


def slow_consistent_crossings(world: Plain) -> dict[int, dict[Pair, int]]:
    """The crossings that some path makes whose conditions can hold together; for worlds without approvals."""
    found: dict[int, dict[Pair, int]] = {}
    for plane in PLANES:
        for walker in residents(world):
            for start in walker.starts:
                for path in _paths(world, walker, plane, start, (), (start,)):
                    if {condition_of(world.arrows[e]) for e in path} >= {1, 2}:
                        continue
                    for lever, pair in _by_edge(world, walker, path[-1]):
                        found.setdefault(lever, {}).setdefault(pair, plane)
    return found


def _paths(world: Plain, walker: Walker, plane: int, at: int, so_far: tuple[int, ...], been: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for e, arrow in enumerate(world.arrows):
        if arrow.source != at or arrow.certainty > plane:
            continue
        yield (*so_far, e)
        if arrow.becomes and arrow.target not in been and is_home(world, walker, arrow.target):
            yield from _paths(world, walker, plane, arrow.target, (*so_far, e), (*been, arrow.target))
