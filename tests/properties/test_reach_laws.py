"""Laws of reach: it agrees with a search per walker, and approving, removing and renaming do what they should."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from partywall.graph import (
    LANES,
    NEVER,
    PLANES,
    Columns,
    blind_cells,
    crossings,
    matrix,
    paths_to,
    proof,
    recheck,
    smallest_cut,
    survey,
    touches,
    touches_of,
    ways,
)
from tests.properties.slow_reach import (
    Node,
    Pair,
    Plain,
    columns_of,
    condition_of,
    plain_worlds,
    slow_blind,
    slow_consistent_crossings,
    slow_crossings,
    slow_touches,
    surer,
)
from tests.worlds.small_reach import renumbered


def told(columns: Columns) -> dict[int, dict[Pair, int]]:
    found = crossings(columns)
    return {lever: found.pairs_of(lever) for lever in found.by_lever()}


@given(plain_worlds())
def test_crossings_agree_with_a_search_per_walker(world: Plain) -> None:
    assert told(columns_of(world)) == slow_crossings(world)


@pytest.mark.parametrize("with_approved", [False, True])
@given(world=plain_worlds())
def test_touches_agree_with_a_search_per_walker(world: Plain, with_approved: bool) -> None:
    assert touches(columns_of(world), with_approved) == slow_touches(world, with_approved)


@given(plain_worlds())
def test_the_matrix_has_the_surest_plane_of_every_touch(world: Plain) -> None:
    expected: dict[Pair, int] = {}
    for plane in reversed(PLANES):
        expected.update({touch[:3]: plane for touch in slow_touches(surer(world, plane), False)})
    allowed = {touch[:3] for touch in slow_touches(world, True)} - set(expected)

    found = matrix(columns_of(world))

    assert {
        (int(a), int(b), int(c)): int(found.plane[a, b, c]) for a, b, c in zip(*np.nonzero(found.plane != NEVER), strict=True)
    } == expected
    assert {(int(a), int(b), int(c)) for a, b, c in zip(*np.nonzero(found.approved), strict=True)} == allowed


@given(plain_worlds())
def test_every_pair_of_an_edge_is_told_once(world: Plain) -> None:
    found = crossings(columns_of(world))

    each = [(int(found.edge[row]), int(found.entry[row]), pair) for row in range(len(found)) for pair in found.pairs(row)]

    assert len(each) == len(set(each))


@given(plain_worlds())
def test_every_crossing_has_a_path_that_ends_with_its_edge_and_begins_where_the_walker_starts(world: Plain) -> None:
    columns = columns_of(world)
    found = crossings(columns)
    for row in range(len(found)):
        for a in sorted({a for a, _ in found.pairs(row)}):
            (path,) = paths_to(columns, found.walks, found.walks[found.walk[row]], a, int(found.edge[row]), 1)

            assert path[-1] == found.edge[row]
            assert a in world.nodes[world.arrows[path[0]].source].starts
            assert all(world.arrows[e].target == world.arrows[f].source for e, f in pairwise(path))
            assert all(world.arrows[e].becomes and world.arrows[e].certainty <= found.plane[row] for e in path[:-1])


@given(plain_worlds(), st.data())
def test_approving_an_edge_adds_no_crossing_but_through_that_edge(world: Plain, data: st.DataObject) -> None:
    possible = [
        (a, b, e)
        for e, arrow in enumerate(world.arrows)
        for b in sorted(world.nodes[arrow.target].owners)
        for a in range(world.tenants)
        if a != b
    ]
    if not possible:
        return
    one = data.draw(st.sampled_from(possible))
    before = slow_crossings(world)
    columns = columns_of(replace(world, approved=world.approved | {one}))
    found = crossings(columns)
    for row in range(len(found)):
        for a, b in found.pairs(row):
            if (a, b, int(found.lane[row])) not in before.get(int(found.lever[row]), {}):
                paths = paths_to(columns, found.walks, found.walks[found.walk[row]], a, int(found.edge[row]), 64)
                assert any(one[2] in path for path in paths)


@given(plain_worlds(), st.data())
def test_removing_an_edge_adds_no_crossing(world: Plain, data: st.DataObject) -> None:
    if not world.arrows:
        return
    gone = data.draw(st.integers(0, len(world.arrows) - 1))
    columns = columns_of(world)
    before = told(columns)

    after = told(columns.with_edges(np.arange(columns.edges) != gone))

    for lever, pairs in after.items():
        for pair, plane in pairs.items():
            assert before[lever][pair] <= plane


@given(plain_worlds(), st.data())
def test_the_order_of_the_nodes_does_not_matter(world: Plain, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(world.nodes))))
    columns = columns_of(world)

    assert told(renumbered(columns, order)) == told(columns)
    assert (matrix(renumbered(columns, order)).plane == matrix(columns).plane).all()


def _among(bits: frozenset[int], shuffled: list[int]) -> frozenset[int]:
    return frozenset(shuffled[bit] for bit in bits)


@given(plain_worlds(), st.data())
def test_the_names_of_the_tenants_do_not_matter(world: Plain, data: st.DataObject) -> None:
    shuffled = [*data.draw(st.permutations(range(world.tenants))), *range(world.tenants, world.tenants + 3)]
    nodes = tuple(Node(_among(n.home, shuffled), _among(n.owners, shuffled), _among(n.starts, shuffled), n.person) for n in world.nodes)
    approved = frozenset((shuffled[a], shuffled[b], e) for a, b, e in world.approved)
    renamed = told(columns_of(replace(world, nodes=nodes, approved=approved)))

    for lever, pairs in told(columns_of(world)).items():
        assert renamed.pop(lever) == {(shuffled[a], shuffled[b], lane): plane for (a, b, lane), plane in pairs.items()}
    assert renamed == {}


@given(plain_worlds())
def test_what_a_proof_says_of_a_removed_lever_is_the_whole_finding(world: Plain) -> None:
    columns = columns_of(world)
    before = survey(columns)
    for lever, rows in before.crossings.by_lever().items():
        mine = set(touches_of(before, rows))

        found = proof(before, columns.without_levers(frozenset([lever])), mine)

        assert {*found.closes, *found.stays, *found.approved} == mine
        assert len(found.closes) + len(found.stays) + len(found.approved) == len(mine)
        assert found.opens == ()


@given(plain_worlds(), st.data())
def test_a_cut_closes_every_way_and_no_smaller_one_does(world: Plain, data: st.DataObject) -> None:
    columns = columns_of(world)
    a = data.draw(st.integers(0, world.tenants + 1))
    b = data.draw(st.sampled_from([*range(world.tenants), world.platform]))

    found = smallest_cut(columns, a, b)

    assert ways(columns.without_levers(frozenset(found.levers)), a, b) == ()
    levers = {arrow.lever for arrow in world.arrows}
    smaller = (columns.without_levers(frozenset(some)) for some in combinations(sorted(levers), max(0, len(found.levers) - 1)))
    assert not found.levers or all(ways(less, a, b) for less in smaller)


@pytest.mark.parametrize("outgoing", [False, True])
@given(world=plain_worlds(), data=st.data())
def test_gaps_blind_what_a_search_from_each_says(world: Plain, data: st.DataObject, outgoing: bool) -> None:
    places = st.tuples(st.integers(0, len(world.nodes) - 1), st.integers(0, LANES - 1))
    gaps = [(node, lane, number) for number, (node, lane) in enumerate(data.draw(st.lists(places, max_size=4)))]

    found = blind_cells(columns_of(world), gaps if outgoing else [], [] if outgoing else gaps)

    assert set(found) == {(*cell, gap) for node, lane, gap in gaps for cell in slow_blind(world, node, lane, outgoing)}


@given(plain_worlds())
def test_what_remains_after_the_second_look_has_a_consistent_path(world: Plain) -> None:
    plain = replace(world, approved=frozenset())
    conditions = np.array([condition_of(arrow) for arrow in plain.arrows], np.int32)
    columns = replace(columns_of(plain), condition=conditions)

    found = recheck(columns, crossings(columns), lambda some: some >= {1, 2})

    assert {lever: found.pairs_of(lever) for lever in found.by_lever()} == slow_consistent_crossings(plain)
