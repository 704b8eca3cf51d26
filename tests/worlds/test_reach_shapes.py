"""Gaps, proofs, and worlds of odd sizes and shapes."""

import numpy as np
import pytest

from partywall.graph import Columns, crossings, matrix
from tests.worlds.small_reach import LANES, OPERATORS, PLACE, UNOWNED, UNOWNED_ACTOR, acting, blinded, of, proved, scope, small, told

RED, BLUE, GREEN = acting("red"), acting("blue"), acting("green")


def test_a_holder_with_unread_policies_blinds_the_row_of_those_who_get_there() -> None:
    world = small({"r": RED, "b": BLUE, "role": of("red")}, ("r", "becomes", "role", "identity", "own"))

    assert blinded(world, outgoing=[("role", "data")]) == ["red > * data"]


def test_a_thing_with_an_unread_policy_blinds_everybody_towards_its_owner() -> None:
    assert blinded(small({"r": RED, "bucket": of("blue")}), incoming=[("bucket", "data")]) == ["* > blue data"]


def test_an_unread_way_in_blinds_towards_all_that_lies_behind() -> None:
    world = small(
        {"admin": OPERATORS, "red ns": of("red"), "blue ns": of("blue")},
        ("admin", "becomes", "red ns", "act", "rules"),
        ("admin", "becomes", "blue ns", "act", "rules"),
    )

    assert blinded(world, incoming=[("admin", "identity")]) == ["* > blue act", "* > platform identity", "* > red act"]


def test_an_unread_trust_of_something_unowned_blinds_towards_what_it_reaches() -> None:
    world = small({"role": UNOWNED, "bucket": of("blue")}, ("role", "may", "bucket", "data", "policy"))

    assert blinded(world, incoming=[("role", "identity")]) == ["* > blue data"]


def test_no_gaps_blind_nothing() -> None:
    assert blinded(small({"r": RED, "b": BLUE}, ("r", "becomes", "b", "act", "hole"))) == []


# proofs


def test_two_levers_for_one_thing_are_two_findings_and_either_leaves_the_other() -> None:
    world = small({"r": RED, "b": of("blue")}, ("r", "may", "b", "data", "one"), ("r", "may", "b", "data", "two"))

    assert told(world) == {"one": ["red > blue data"], "two": ["red > blue data"]}
    assert proved(world, "one") == {"stays": ["red > blue data"]}


def test_a_proof_knows_the_way_round() -> None:
    world = small(
        {"r": RED, "b": BLUE, "g": GREEN},
        ("r", "becomes", "b", "act", "one"),
        ("r", "becomes", "g", "act", "two"),
        ("g", "becomes", "b", "act", "three"),
    )

    assert proved(world, "one") == {"stays": ["red > blue act"]}


def test_a_proof_is_not_confused_by_other_targets_or_shared_things() -> None:
    world = small(
        {"r": RED, "b": of("blue"), "other": of("blue"), "fs": of("red", "blue")},
        ("r", "may", "b", "data", "one"),
        ("r", "may", "other", "data", "two"),
        ("r", "may", "fs", "data", "three"),
    )

    assert proved(world, "one") == {"closes": ["red > blue data"]}


def test_a_setting_that_opens_something_else_says_so() -> None:
    things = {"r pods": RED, "b pods": BLUE, "g pods": GREEN}
    before = small(things, ("r pods", "may", "b pods", "network", "policy allows red"))
    after = small(things, ("r pods", "may", "b pods", "network", "none"), ("g pods", "may", "b pods", "network", "none"))

    assert proved(before, "policy allows red", after) == {"stays": ["red > blue network"], "opens": ["green > blue network"]}


# sizes and shapes


def test_bits_beyond_the_first_word_count_like_others() -> None:
    tenants = [f"t{i:03}" for i in range(150)]
    teams = {f"{t} team": acting(t) for t in tenants}
    world = small(
        {**teams, "all": PLACE, "store": scope(*tenants)},
        *((f"{t} team", "becomes", "all", "identity", "login") for t in tenants),
        ("all", "may", "store", "data", "wide"),
        tenants=tenants,
    )

    found = crossings(world.columns)

    assert len(found) == 1
    assert len(set(found.pairs(0))) == 150 * 149
    assert (matrix(world.columns).plane[:150, :150, LANES.index("data")] == 0).sum() == 150 * 149


def test_a_circle_and_an_edge_to_itself_end() -> None:
    world = small(
        {"r": RED, "s": of("red"), "b": of("blue")},
        ("r", "becomes", "s", "act", "there"),
        ("s", "becomes", "r", "act", "back"),
        ("s", "becomes", "s", "act", "itself"),
        ("s", "may", "b", "data", "out"),
    )

    assert told(world) == {"out": ["red > blue data"]}


@pytest.mark.parametrize("tenants", [(), ("red",), ("red", "blue", "green")])
def test_a_world_without_edges_has_no_crossings(tenants: tuple[str, ...]) -> None:
    world = small({"x": UNOWNED_ACTOR, "y": OPERATORS}, tenants=tenants)

    assert told(world) == {}
    assert (matrix(world.columns).plane == 255).all()


def test_a_world_without_tenants_still_asks_about_nobody() -> None:
    world = small({"x": UNOWNED_ACTOR, "y": OPERATORS}, ("x", "may", "y", "act", "grant"), tenants=())

    assert told(world) == {"grant": ["nobody > platform act"]}


def test_a_world_without_nodes_is_a_world() -> None:
    assert told(small({})) == {}


def test_columns_that_do_not_belong_together_are_refused() -> None:
    columns = small({"r": RED}).columns

    with pytest.raises(ValueError, match="person has not 1 nodes"):
        columns.with_nodes(columns.home[:0], columns.owners[:0], columns.starts[:0], np.zeros(1, np.bool_))


def test_edges_to_nodes_that_are_not_there_are_refused() -> None:
    columns = small({"r": RED, "b": of("blue")}, ("r", "may", "b", "data", "x")).columns
    named = {name: getattr(columns, name) for name in Columns.__dataclass_fields__ if Columns.__dataclass_fields__[name].init}

    with pytest.raises(ValueError, match="target must lie in"):
        Columns(**{**named, "target": np.array([2], np.int32)})
