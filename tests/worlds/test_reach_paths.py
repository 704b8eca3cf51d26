"""Example paths, conditions along them, alternatives, consequences and cuts."""

from collections.abc import Callable

import pytest

from partywall.graph import (
    CONDITIONAL,
    UNKNOWN,
    Path,
    behind,
    certainty_of,
    common_levers,
    crossings,
    paths_to,
    recheck,
    smallest_cut,
    way_to,
    ways,
)
from tests.worlds.small_reach import LANES, OPERATORS, PLACE, UNOWNED, Arrow, Small, acting, of, person, small, told

RED, BLUE, GREEN = acting("red"), acting("blue"), acting("green")
ROUND = small(
    {"r": RED, "x": UNOWNED, "y": UNOWNED, "z": UNOWNED, "b": of("blue")},
    ("r", "becomes", "x", "identity", "long 1"),
    ("x", "becomes", "y", "identity", "long 2"),
    ("r", "becomes", "y", "identity", "short"),
    ("y", "becomes", "z", "identity", "neck"),
    ("z", "may", "b", "data", "policy"),
)


def every_path(world: Small, lever: str, limit: int) -> tuple[Path, ...]:
    found = crossings(world.columns)
    row = found.by_lever()[world.levers.index(lever)][0]
    a, _ = next(found.pairs(row))
    return paths_to(world.columns, found.walks, found.walks[found.walk[row]], a, int(found.edge[row]), limit)


def test_the_shortest_path_comes_first_and_no_more_than_asked_for() -> None:
    assert every_path(ROUND, "policy", 1) == ((2, 3, 4),)
    assert every_path(ROUND, "policy", 9) == ((2, 3, 4), (0, 1, 3, 4))


def test_a_path_does_not_go_through_the_wall() -> None:
    world = small(
        {"r": RED, "x": UNOWNED, "b": of("blue"), "g": of("green")},
        ("r", "becomes", "b", "act", "hole"),
        ("b", "becomes", "x", "act", "behind"),
        ("r", "becomes", "x", "act", "way"),
        ("x", "may", "g", "act", "out"),
    )

    assert every_path(world, "out", 9) == ((2, 3),)


def test_equal_paths_come_in_the_order_of_their_edges() -> None:
    world = small(
        {"r": RED, "x": UNOWNED, "b": of("blue")},
        ("r", "becomes", "x", "act", "second"),
        ("r", "becomes", "x", "act", "first"),
        ("x", "may", "b", "act", "out"),
    )

    assert every_path(world, "out", 9) == ((0, 2), (1, 2))


def test_a_lever_on_every_path_is_an_alternative_and_one_with_a_way_round_is_not() -> None:
    found = crossings(ROUND.columns)

    asked = [(found.walks[found.walk[0]], 0, int(found.edge[0]))]

    assert [ROUND.levers[n] for n in common_levers(ROUND.columns, found.walks, asked)] == ["neck", "policy"]


def test_consequences_are_counted_by_owner_and_lane_without_the_walkers_own() -> None:
    world = small(
        {"r": RED, "b": of("blue"), "b2": of("blue"), "g": of("green"), "ops": OPERATORS},
        ("r", "becomes", "b", "act", "hole"),
        ("b", "becomes", "b2", "act", "own"),
        ("b2", "may", "g", "data", "on"),
        ("b2", "may", "r", "data", "back"),
        ("b2", "looks", "ops", "view", "list"),
    )

    assert behind(world.columns, [1], [0]) == {(1, LANES.index("act")): (2,), (2, LANES.index("data")): (3,)}


def conditional(*steps: tuple[str, int], beside: tuple[Arrow, ...] = ()) -> Small:
    """A chain from red to blue's bucket whose steps carry conditions."""
    places = {f"p{i}": PLACE for i in range(len(steps))}
    names = ["r", *places]
    arrows: list[Arrow] = [(names[i], "becomes", names[i + 1], "identity", lever, CONDITIONAL) for i, (lever, _) in enumerate(steps)]
    return small(
        {"r": RED, **places, "bucket": of("blue")}, *arrows, (names[-1], "may", "bucket", "data", "policy"), *beside, conditions=dict(steps)
    )


CONTRADICTORY = frozenset({1, 2})


def both(conditions: frozenset[int]) -> bool:
    return conditions >= CONTRADICTORY


def test_a_path_whose_conditions_contradict_is_no_crossing() -> None:
    world = conditional(("prod only", 1), ("test only", 2))

    assert told(world) == {"policy": ["red > blue data conditional"]}
    assert told(world, recheck(world.columns, crossings(world.columns), both)) == {}


def test_conditions_that_can_hold_together_stay() -> None:
    world = conditional(("prod only", 1), ("of red", 3))

    assert told(world, recheck(world.columns, crossings(world.columns), both)) == {"policy": ["red > blue data conditional"]}


def test_a_consistent_path_beside_a_contradictory_one_keeps_the_crossing() -> None:
    world = conditional(("prod only", 1), ("test only", 2), beside=(("r", "becomes", "p1", "identity", "beside", CONDITIONAL),))

    assert told(world, recheck(world.columns, crossings(world.columns), both)) == {"policy": ["red > blue data conditional"]}


def test_where_all_contradict_the_less_sure_edges_are_tried() -> None:
    world = conditional(("prod only", 1), ("test only", 2), beside=(("r", "becomes", "p1", "identity", "odd", UNKNOWN),))

    assert told(world, recheck(world.columns, crossings(world.columns), both)) == {"policy": ["red > blue data unknown"]}


def test_another_edge_of_the_cause_that_was_kept_silent_is_heard_again() -> None:
    world = conditional(("prod only", 1), ("test only", 2), beside=(("r", "may", "bucket", "data", "policy", UNKNOWN),))

    assert told(world) == {"policy": ["red > blue data conditional"]}
    assert told(world, recheck(world.columns, crossings(world.columns), both)) == {"policy": ["red > blue data unknown"]}


def test_with_too_many_paths_to_look_at_the_answer_is_unknown() -> None:
    steps = 7  # two edges a step make 128 paths
    places = {f"p{i}": PLACE for i in range(steps + 1)}
    names = ["r", *places]
    twice: list[Arrow] = [
        (names[i], "becomes", names[i + 1], "identity", lever, CONDITIONAL)
        for i in range(steps)
        for lever in ("prod only", "also prod only")
    ]
    world = small(
        {"r": RED, **places, "bucket": of("blue")},
        *twice,
        (names[steps], "becomes", names[steps + 1], "identity", "test only", CONDITIONAL),
        (names[steps + 1], "may", "bucket", "data", "policy"),
        conditions={"prod only": 1, "also prod only": 1, "test only": 2},
    )

    assert told(world, recheck(world.columns, crossings(world.columns), both)) == {"policy": ["red > blue data unknown"]}


@pytest.mark.parametrize(
    ("contradicts", "expected"), [pytest.param(both, None, id="contradictory"), pytest.param(lambda _: False, CONDITIONAL, id="consistent")]
)
def test_one_crossing_can_be_asked_about_alone(contradicts: Callable[[frozenset[int]], bool], expected: int | None) -> None:
    world = conditional(("prod only", 1), ("test only", 2))
    found = crossings(world.columns)

    answer = certainty_of(world.columns, found.walks, found.walks[found.walk[0]], 0, int(found.edge[0]), int(found.plane[0]), contradicts)

    assert answer == expected


# between two owners


def test_ways_go_through_walls_and_end_at_each_edge_that_touches() -> None:
    world = small(
        {"r": RED, "g": GREEN, "b": of("blue")},
        ("r", "becomes", "g", "act", "one"),
        ("g", "may", "b", "data", "two"),
        ("r", "may", "b", "view", "three"),
    )

    assert ways(world.columns, 0, 1) == ((2,), (0, 1))
    assert ways(world.columns, 0, 1, lanes=(LANES.index("data"),)) == ((0, 1),)
    assert way_to(world.columns, 0, 2, LANES.index("data")) == (0, 1)


def test_there_is_no_way_to_oneself_or_where_nothing_leads() -> None:
    assert ways(ROUND.columns, 0, 0) == ()
    assert ways(ROUND.columns, 1, 0) == ()
    assert way_to(ROUND.columns, 1, 4, LANES.index("data")) == ()


def test_a_way_of_a_person_of_two_teams_counts() -> None:
    world = small({"eve": person("red", "blue"), "g": of("green")}, ("eve", "may", "g", "act", "x"))

    assert ways(world.columns, 0, 2) == ((0,),)
    assert smallest_cut(world.columns, 0, 2).levers == (0,)


def test_the_neck_is_the_smallest_cut() -> None:
    found = smallest_cut(ROUND.columns, 0, 1)

    assert len(found.levers) == 1
    assert found.smallest
    assert ways(ROUND.columns.without_levers(frozenset(found.levers)), 0, 1) == ()


def test_two_edges_between_the_same_things_need_two_levers() -> None:
    world = small({"r": RED, "b": of("blue")}, ("r", "may", "b", "data", "one"), ("r", "may", "b", "data", "two"))

    assert smallest_cut(world.columns, 0, 1).levers == (0, 1)


def test_a_lever_that_closes_several_edges_is_preferred() -> None:
    world = small(
        {"r": RED, "x": UNOWNED, "y": UNOWNED, "b": of("blue")},
        ("r", "becomes", "x", "act", "a"),
        ("r", "becomes", "y", "act", "b"),
        ("x", "may", "b", "data", "both"),
        ("y", "may", "b", "data", "both"),
    )

    found = smallest_cut(world.columns, 0, 1)

    assert [world.levers[n] for n in found.levers] == ["both"]
    assert found.smallest


def test_nothing_to_close_needs_no_lever() -> None:
    assert smallest_cut(ROUND.columns, 1, 2).levers == ()
