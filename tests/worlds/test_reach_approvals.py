"""What approvals silence, and what they do not."""

from partywall.graph import crossings, matrix, paths_to
from tests.worlds.small_reach import LANES, OPERATORS, acting, of, proved, reached, scope, small, told

RED, BLUE, GREEN = acting("red"), acting("blue"), acting("green")


def test_an_approved_last_hop_is_silent_for_that_edge_and_nothing_else() -> None:
    world = small(
        {"r": RED, "bucket": of("blue"), "pods": of("blue")},
        ("r", "looks", "bucket", "data", "granted"),
        ("r", "looks", "pods", "view", "not granted"),
        approved=[("red", "blue", "granted")],
    )

    assert told(world) == {"not granted": ["red > blue view"]}


def test_a_scope_needs_the_word_of_every_owner_in_it() -> None:
    world = small({"r": RED, "logs": scope("blue", "green")}, ("r", "looks", "logs", "view", "l"), approved=[("red", "blue", "l")])

    assert told(world) == {"l": ["red > green view"]}


def test_an_approval_for_one_tenant_does_not_help_another() -> None:
    world = small(
        {"r": RED, "g": GREEN, "all": of("blue"), "x": scope("blue")},
        ("r", "may", "x", "data", "x"),
        ("g", "may", "x", "data", "x"),
        approved=[("red", "blue", "x")],
    )

    assert told(world) == {"x": ["green > blue data"]}


def test_an_approved_entry_lets_the_guest_be_the_host_among_the_hosts_own_things_only() -> None:
    world = small(
        {"r": RED, "role": of("blue"), "bucket": of("blue"), "third": of("green"), "corpus": of("blue", "green")},
        ("r", "becomes", "role", "identity", "entry"),
        ("role", "may", "bucket", "data", "own"),
        ("role", "may", "third", "data", "on"),
        ("role", "looks", "corpus", "data", "shared use"),
        approved=[("red", "blue", "entry"), ("blue", "green", "on")],
    )

    assert told(world) == {"on": ["red > green data"], "shared use": ["red > green data"]}


def test_guests_of_guests_are_walked_too() -> None:
    world = small(
        {"r": RED, "b role": of("blue"), "g role": of("green"), "admin": OPERATORS},
        ("r", "becomes", "b role", "identity", "one"),
        ("b role", "becomes", "g role", "identity", "two"),
        ("g role", "becomes", "admin", "identity", "three"),
        approved=[("red", "blue", "one"), ("red", "green", "two"), ("blue", "green", "two")],
    )

    assert told(world) == {"three": ["red > platform identity"]}


def test_the_path_of_a_guest_goes_through_every_door() -> None:
    world = small(
        {"r": RED, "b role": of("blue"), "g role": of("green"), "admin": OPERATORS},
        ("r", "becomes", "b role", "identity", "one"),
        ("b role", "becomes", "g role", "identity", "two"),
        ("g role", "becomes", "admin", "identity", "three"),
        approved=[("red", "blue", "one"), ("red", "green", "two")],
    )
    found = crossings(world.columns)

    (row,) = found.by_lever()[2]

    assert paths_to(world.columns, found.walks, found.walks[found.walk[row]], 0, 2) == ((0, 1, 2),)


def test_an_approval_that_gives_more_than_it_says_is_one_finding_on_the_entry() -> None:
    world = small(
        {"r": RED, "ns": of("blue"), "account": of("blue"), "bucket": of("blue")},
        ("r", "becomes", "ns", "compute", "submit"),
        ("ns", "becomes", "account", "identity", "placement"),
        ("account", "may", "bucket", "data", "own"),
        approved=[("red", "blue", "submit")],
    )

    assert told(world) == {"submit": ["red > blue data", "red > blue identity"]}
    assert set(crossings(world.columns).entry.tolist()) == {0}


def test_what_the_approval_says_is_no_finding_on_the_entry() -> None:
    world = small(
        {"r": RED, "ns": of("blue"), "queue": of("blue")},
        ("r", "becomes", "ns", "compute", "submit"),
        ("ns", "may", "queue", "compute", "use"),
        approved=[("red", "blue", "submit")],
    )

    assert told(world) == {}


def test_a_guest_may_not_walk_into_a_scope_that_only_some_owners_opened() -> None:
    world = small(
        {"r": RED, "both": scope("blue", "green"), "admin": OPERATORS},
        ("r", "becomes", "both", "identity", "entry"),
        ("both", "becomes", "admin", "identity", "on"),
        approved=[("red", "blue", "entry")],
    )

    assert told(world) == {"entry": ["red > green identity"]}


def test_what_is_reached_by_approval_only_is_marked_so() -> None:
    world = small(
        {"r": RED, "role": of("blue"), "bucket": of("blue")},
        ("r", "becomes", "role", "identity", "entry"),
        ("role", "may", "bucket", "data", "own"),
        approved=[("red", "blue", "entry")],
    )

    assert reached(world) == set()
    assert reached(world, with_approved=True) == {"red > blue identity", "red > blue data"}
    assert matrix(world.columns).approved[0, 1, LANES.index("data")]


def test_a_proof_says_what_remains_by_approval() -> None:
    world = small(
        {"r": RED, "bucket": of("blue")},
        ("r", "may", "bucket", "data", "granted"),
        ("r", "may", "bucket", "data", "not granted"),
        approved=[("red", "blue", "granted")],
    )

    assert proved(world, "not granted") == {"approved": ["red > blue data"]}


def test_a_second_way_of_a_guest_stays() -> None:
    world = small(
        {"r": RED, "role": of("blue"), "third": of("green")},
        ("r", "becomes", "role", "identity", "entry"),
        ("role", "may", "third", "data", "one"),
        ("role", "may", "third", "data", "two"),
        approved=[("red", "blue", "entry")],
    )

    assert proved(world, "one") == {"stays": ["red > green data"]}
