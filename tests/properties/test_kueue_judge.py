"""The quota arithmetic and the forecasts of queues beside a slow, obvious Kueue."""

import random
from collections.abc import Mapping
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_kueue import ClusterQueue, Cohort, LocalQueue, Preemption, Quota
from partywall.resolve.kueue.forecast import Batch, field, forecast
from partywall.resolve.kueue.queues import queues
from partywall.resolve.kueue.shares import tree_of
from tests.judges.kueue import Cluster, Node, Rules, World

CLUSTER = "111122223333/us-east-2/lab"
HERE = Evidence("queues.yaml", "")
ITEM = ("p5", "gpu")
COHORTS = ("x", "y", "root", "top")


LIMITS = st.one_of(st.none(), st.none(), st.none(), st.integers(0, 3))


@st.composite
def worlds(draw: st.DrawFn, most: int = 4) -> World:
    """Draw queues below cohorts that hang below later ones only; most are joined, so that much is lent and taken back."""

    def node(above: str, nominal: int) -> Node:
        if not above:
            return Node("", nominal)
        lending = draw(LIMITS)
        return Node(above, nominal, draw(LIMITS), lending)

    cohorts = {}
    for number, name in enumerate(COHORTS):
        above = draw(st.sampled_from(("", *COHORTS[number + 1 :], *("root",) * (3 if number < 2 else 0))))
        cohorts[name] = node(above, draw(st.sampled_from((0, 0, 0, 1, 2, 4))))
    queues = {}
    for number in range(draw(st.integers(1, most))):
        found = node(draw(st.sampled_from(("", "x", "x", "x", "y", "y", "y", "root"))), draw(st.integers(0, 4)))
        queues[f"q{number}"] = replace(found, lending=None if found.lending is None else min(found.lending, found.nominal))
    return World(queues, cohorts)


def quota(node: Node) -> tuple[Quota, ...]:
    def number(value: int | None) -> float | None:
        return None if value is None else float(value)

    return (Quota(*ITEM, float(node.nominal), number(node.borrowing), number(node.lending), HERE),)


def objects(world: World, rules: Mapping[str, Rules]) -> list[ClusterQueue | Cohort | LocalQueue]:
    """Write a world as the facts that a reader would make."""
    found: list[ClusterQueue | Cohort | LocalQueue] = []
    for name, node in world.queues.items():
        rule = rules.get(name, Rules())
        preemption = Preemption(rule.within, rule.reclaim, rule.borrow, rule.threshold)
        found.append(ClusterQueue(CLUSTER, name, LabelSelector(), node.above, quota(node), preemption, False, HERE))
    found += [Cohort(CLUSTER, name, node.above, quota(node), HERE) for name, node in world.cohorts.items()]
    return found


@given(worlds(), st.data())
def test_what_is_free_is_what_counting_unit_by_unit_finds(world: World, data: st.DataObject) -> None:
    everything = objects(world, {})
    tree = tree_of(
        ITEM,
        [each for each in everything if isinstance(each, ClusterQueue)],
        [each for each in everything if isinstance(each, Cohort)],
    )
    usage = {name: data.draw(st.integers(0, 4), label=name) for name in world.queues}
    while not world.is_possible(usage):
        usage = {name: used - 1 if used else 0 for name, used in usage.items()}

    for name in world.queues:
        assert tree.most(name) == world.free(name, {}), name
        assert tree.free(name, {each: float(used) for each, used in usage.items()}) == world.free(name, usage), name


RULES = st.builds(
    lambda within, reclaim, borrow, threshold: Rules(within, reclaim, borrow if reclaim != "Never" else "Never", threshold),
    st.sampled_from(("Never", "LowerPriority", "LowerOrNewerEqualPriority")),
    st.sampled_from(("Never", "LowerPriority", "Any", "Any")),
    st.sampled_from(("Never", "LowerPriority")),
    st.none() | st.sampled_from((0, 5, 50)),
)


@given(worlds(), st.data())
def test_what_happens_lies_within_the_bounds_and_nobody_loses_where_we_say_never(world: World, data: st.DataObject) -> None:
    rules = {name: data.draw(RULES, label=name) for name in world.queues}
    teams = ("a", "b", "c", "d")[: data.draw(st.integers(2, 4))]
    names = sorted(world.queues)
    doors = {team: data.draw(st.sampled_from((names[number % len(names)], *names)), label=team) for number, team in enumerate(teams)}
    facts = Facts([*objects(world, rules), *(LocalQueue(CLUSTER, team, "lq", queue, HERE) for team, queue in doors.items())])
    batches = [Batch(team, team, "lq", data.draw(st.integers(1, 9)), data.draw(st.sampled_from((1, 10, 100))), ITEM[1]) for team in teams]

    afters = forecast(field(queues(facts, CLUSTER), facts), batches)

    for seed in range(3):
        cluster = Cluster(world, rules, random.Random(seed))
        before: dict[str, int] = {}
        for batch, after in zip(batches, afters, strict=True):
            assume(cluster.submit(batch.team, doors[batch.team], batch.priority, batch.jobs))
            now = {each.team: cluster.admitted(each.team) for each in after.batches}
            for each, bounds in zip(after.batches, after.bounds, strict=True):
                assert bounds.low <= now[each.team] <= bounds.high, (each, bounds, now)
                if now[each.team] < before.get(each.team, 0):
                    assert any(loss.victim == each and loss.taker != each for loss in after.losses), each
            before = now


@given(worlds(most=2))
def test_what_one_queue_lends_the_other_is_what_the_other_gets_beyond_its_own(world: World) -> None:
    assume(len(world.queues) == 2)
    bare = World(world.queues, {name: replace(node, nominal=0) for name, node in world.cohorts.items()})
    everything = objects(bare, {})
    tree = tree_of(
        ITEM,
        [each for each in everything if isinstance(each, ClusterQueue)],
        [each for each in everything if isinstance(each, Cohort)],
    )

    for one, other in (("q0", "q1"), ("q1", "q0")):
        assert tree.lent(one, other) == bare.free(one, {}) - bare.queues[one].nominal
