"""What reach means: small worlds, each with what must come out."""

import pytest

from partywall.graph import CONDITIONAL, UNKNOWN, crossings
from tests.worlds.small_reach import (
    OPERATORS,
    PLACE,
    STRANGER,
    UNOWNED,
    UNOWNED_ACTOR,
    acting,
    of,
    person,
    proved,
    reached,
    scope,
    small,
    told,
)

RED, BLUE, GREEN = acting("red"), acting("blue"), acting("green")
WATCHED = small(
    {"red team": RED, "red ns": of("red"), "red account": of("red"), "blue role": of("blue"), "blue bucket": of("blue")},
    ("red team", "becomes", "red ns", "act", "binding"),
    ("red ns", "becomes", "red account", "identity", "placement"),
    ("red account", "becomes", "blue role", "identity", "association"),
    ("blue role", "may", "blue bucket", "data", "policy"),
)


def test_the_edge_that_leaves_home_is_the_cause() -> None:
    assert told(WATCHED) == {"association": ["red > blue identity"]}


def test_what_lies_behind_a_crossing_is_in_the_matrix_only() -> None:
    assert reached(WATCHED) == {"red > blue identity", "red > blue data"}


def test_closing_the_cause_closes_the_pair() -> None:
    assert proved(WATCHED, "association") == {"closes": ["red > blue identity"]}


def test_through_something_unowned_the_edge_that_touches_is_the_cause() -> None:
    world = small(
        {"red team": RED, "some role": UNOWNED, "blue bucket": of("blue")},
        ("red team", "becomes", "some role", "identity", "trust"),
        ("some role", "may", "blue bucket", "data", "policy"),
    )

    assert told(world) == {"policy": ["red > blue data"]}


def test_becoming_the_platform_is_one_crossing_and_not_one_for_each_tenant() -> None:
    world = small(
        {"red team": RED, "admin": OPERATORS, "blue ns": of("blue"), "green ns": of("green")},
        ("red team", "becomes", "admin", "identity", "entry"),
        ("admin", "becomes", "blue ns", "act", "rules"),
        ("admin", "becomes", "green ns", "act", "rules"),
    )

    assert told(world) == {"entry": ["red > platform identity"]}


def test_two_walls_in_a_row_are_two_crossings() -> None:
    world = small({"r": RED, "b": BLUE, "g": GREEN}, ("r", "becomes", "b", "act", "one"), ("b", "becomes", "g", "act", "two"))

    assert told(world) == {"one": ["red > blue act"], "two": ["blue > green act"]}
    assert "red > green act" in reached(world)


def test_one_wide_lever_has_all_its_pairs_and_spares_looking_at_the_platform() -> None:
    world = small(
        {"everybody": PLACE, "r": RED, "b": BLUE, "all namespaces": scope("red", "blue", "platform")},
        ("r", "becomes", "everybody", "identity", "login"),
        ("b", "becomes", "everybody", "identity", "login"),
        ("everybody", "looks", "all namespaces", "view", "cluster role"),
    )

    assert told(world) == {"cluster role": ["blue > red view", "red > blue view"]}


def test_a_scope_with_the_platform_inside_is_the_platforms_too_when_it_is_changed() -> None:
    world = small({"r": RED, "all": scope("red", "platform")}, ("r", "may", "all", "act", "grant"))

    assert told(world) == {"grant": ["red > platform act"]}


def test_being_in_a_place_is_free_and_controlling_it_is_the_platforms() -> None:
    world = small(
        {"r": RED, "b": BLUE, "login node": PLACE, "root": OPERATORS, "r-login": acting("red")},
        ("r", "becomes", "login node", "act", "session"),
        ("b", "becomes", "login node", "act", "session"),
        ("login node", "becomes", "root", "act", "sudo"),
        ("r", "becomes", "r-login", "act", "run as"),
    )

    assert told(world) == {"sudo": ["blue > platform act", "red > platform act"]}


def test_a_container_with_things_of_another_inside_is_theirs_too() -> None:
    world = small({"r": RED, "bucket": scope("red", "blue")}, ("r", "may", "bucket", "data", "policy"))

    assert told(world) == {"policy": ["red > blue data"]}


# platform, outside, nobody


@pytest.mark.parametrize(
    ("kind", "lane", "expected"),
    [
        pytest.param("looks", "view", {}, id="looking"),
        pytest.param("may", "data", {"x": ["red > platform data"]}, id="changing"),
        pytest.param("becomes", "identity", {"x": ["red > platform identity"]}, id="becoming"),
    ],
)
def test_only_looking_at_the_platform_is_harmless(kind: str, lane: str, expected: dict[str, list[str]]) -> None:
    assert told(small({"r": RED, "theirs": OPERATORS}, ("r", kind, "theirs", lane, "x"))) == expected


def test_outside_may_not_even_look_at_the_platform() -> None:
    world = small(
        {"internet": STRANGER, "blue bucket": of("blue"), "scripts": OPERATORS},
        ("internet", "looks", "blue bucket", "data", "public data"),
        ("internet", "looks", "scripts", "data", "public scripts"),
    )

    assert told(world) == {"public data": ["outside > blue data"], "public scripts": ["outside > platform data"]}
    assert reached(world) == {"outside > blue data", "outside > platform data"}


def test_an_unowned_holder_is_asked_about_in_one_finding() -> None:
    world = small({"old": UNOWNED_ACTOR, "all": scope("red", "blue")}, ("old", "may", "all", "data", "admin"))

    assert told(world) == {"admin": ["nobody > blue data", "nobody > red data"]}


def test_nothing_touches_nobody_or_outside() -> None:
    world = small({"r": RED, "thing": UNOWNED, "peer": STRANGER}, ("r", "may", "thing", "data", "x"), ("r", "may", "peer", "data", "y"))

    assert told(world) == {}
    assert reached(world) == set()


def test_a_store_of_the_platform_discloses_the_tenants_in_it() -> None:
    world = small({"r": RED, "log": scope("red", "blue", "platform")}, ("r", "looks", "log", "data", "read"))

    assert told(world) == {"read": ["red > blue data"]}


# people


def test_membership_in_two_teams_is_no_bridge() -> None:
    world = small({"eve": person("red", "blue"), "b": BLUE, "bucket": of("blue")}, ("b", "may", "bucket", "data", "own"))

    assert told(world) == {}


def test_a_direct_grant_to_a_person_starts_from_the_persons_tenant() -> None:
    world = small({"bob": person("red"), "blue ns": of("blue")}, ("bob", "becomes", "blue ns", "act", "binding"))

    assert told(world) == {"binding": ["red > blue act"]}


def test_a_person_of_two_crosses_into_neither_over_any_number_of_hops_and_for_both_into_a_third() -> None:
    world = small(
        {"eve": person("red", "blue"), "set": UNOWNED, "blue ns": of("blue"), "green ns": of("green")},
        ("eve", "becomes", "set", "identity", "assignment"),
        ("set", "becomes", "blue ns", "act", "home entry"),
        ("set", "becomes", "green ns", "act", "entry"),
    )

    assert told(world) == {"entry": ["blue > green act", "red > green act"]}
    assert reached(world) == {"blue > green act", "red > green act"}


def test_a_second_way_of_a_person_of_two_stays() -> None:
    world = small(
        {"eve": person("red", "blue"), "green ns": of("green")},
        ("eve", "becomes", "green ns", "act", "one"),
        ("eve", "becomes", "green ns", "act", "two"),
    )

    assert proved(world, "one") == {"stays": ["blue > green act", "red > green act"]}


def test_membership_in_an_unowned_group_is_a_way() -> None:
    world = small(
        {"bob": person("red"), "list": UNOWNED, "blue ns": of("blue")},
        ("bob", "becomes", "list", "identity", "membership"),
        ("list", "becomes", "blue ns", "act", "binding"),
    )

    assert told(world) == {"binding": ["red > blue act"]}


def test_who_can_become_an_administrator_has_become_the_platform() -> None:
    world = small(
        {"adm": person("red", "platform"), "admin role": OPERATORS, "g": GREEN},
        ("adm", "becomes", "admin role", "identity", "assignment"),
        ("g", "becomes", "adm", "identity", "new password"),
    )

    assert told(world) == {"new password": ["green > platform identity", "green > red identity"]}


def test_a_person_of_no_team_is_nobodys() -> None:
    world = small({"x": person(), "blue ns": of("blue")}, ("x", "becomes", "blue ns", "act", "binding"))

    assert told(world) == {"binding": ["nobody > blue act"]}


# shared things


def test_a_shared_thing_is_home_for_those_who_share_it() -> None:
    world = small({"r": RED, "g": GREEN, "fs": of("red", "blue")}, ("r", "may", "fs", "data", "own"), ("g", "may", "fs", "data", "foreign"))

    assert told(world) == {"foreign": ["green > blue data", "green > red data"]}


def test_a_shared_role_carries_one_sharer_into_what_is_only_the_others() -> None:
    world = small(
        {"r": RED, "b": BLUE, "role": of("red", "blue"), "blue bucket": of("blue")},
        ("r", "becomes", "role", "identity", "red's"),
        ("b", "becomes", "role", "identity", "blue's"),
        ("role", "may", "blue bucket", "data", "policy"),
    )

    assert told(world) == {"policy": ["red > blue data"]}


def test_who_writes_what_others_run_crosses_to_all_who_run_it() -> None:
    world = small({"r": RED, "runs": scope("red", "blue", "green")}, ("r", "becomes", "runs", "act", "push", CONDITIONAL))

    assert told(world) == {"push": ["red > blue act conditional", "red > green act conditional"]}


# certainty


def test_a_condition_anywhere_makes_the_crossing_conditional() -> None:
    world = small(
        {"r": RED, "x": PLACE, "bucket": of("blue")},
        ("r", "becomes", "x", "identity", "trust", CONDITIONAL),
        ("x", "may", "bucket", "data", "p"),
    )

    assert told(world) == {"p": ["red > blue data conditional"]}


def test_a_sure_way_beside_a_conditional_one_is_sure() -> None:
    world = small(
        {"r": RED, "x": PLACE, "bucket": of("blue")},
        ("r", "becomes", "x", "identity", "maybe", CONDITIONAL),
        ("r", "becomes", "x", "identity", "certainly"),
        ("x", "may", "bucket", "data", "p"),
    )

    assert told(world) == {"p": ["red > blue data"]}


def test_an_edge_that_could_not_be_evaluated_is_an_unknown_crossing() -> None:
    assert told(small({"r": RED, "b": of("blue")}, ("r", "becomes", "b", "act", "odd", UNKNOWN))) == {"odd": ["red > blue act unknown"]}


def test_a_pair_of_a_cause_is_told_in_its_surest_plane_only() -> None:
    world = small(
        {"r": RED, "g": GREEN, "b": of("blue")},
        ("r", "may", "b", "data", "wide"),
        ("r", "may", "b", "data", "wide", CONDITIONAL),
        ("g", "may", "b", "data", "wide", UNKNOWN),
    )

    assert told(world) == {"wide": ["green > blue data unknown", "red > blue data"]}
    assert crossings(world.columns).edge.tolist() == [0, 2]
