"""The judge of network policies against brute force."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from partywall.model.edge import Certainty, Edge, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Listed
from partywall.model.facts_kubernetes import LabelSelector, Namespace, Workload
from partywall.model.facts_network import Ports
from partywall.resolve.labels import chosen
from partywall.resolve.netpol import resolve
from partywall.resolve.netpol.ends import End, Ground
from partywall.resolve.netpol.judge import Judge
from partywall.resolve.netpol.ports import within
from tests.properties.netpol_worlds import (
    CLUSTER,
    HERE,
    KEYS,
    NAMESPACES,
    PROBES,
    VALUES,
    Small,
    connects,
    labels,
    matches,
    selectors,
    small_worlds,
)


def judged(world: Small, protocol: str, port: int, between: bool = False) -> set[tuple[int, int]]:
    judge = Judge(Ground(world.namespaces), world.pods, world.policies, world.admin, between)
    found: set[tuple[int, int]] = set()
    for target, end in enumerate(world.pods):
        for way in judge.ways(end):
            for part, bits in way.parts:
                if within(Ports(protocol, port, port), (part,)):
                    found |= {(source, target) for source in range(len(world.pods)) if bits >> source & 1}
    return found


@given(small_worlds())
def test_the_judge_agrees_with_brute_force(world: Small) -> None:
    for protocol, port in PROBES:
        expected = {
            (source, target)
            for source, target in product(range(len(world.pods)), repeat=2)
            if connects(world, world.pods[source], world.pods[target], protocol, port)
        }

        assert judged(world, protocol, port) == expected


@given(small_worlds())
def test_leaving_out_the_own_namespace_changes_nothing_between_namespaces(world: Small) -> None:
    def between(found: set[tuple[int, int]]) -> set[tuple[int, int]]:
        return {(source, target) for source, target in found if world.pods[source].namespace != world.pods[target].namespace}

    for protocol, port in PROBES:
        assert between(judged(world, protocol, port, between=True)) == between(judged(world, protocol, port))


@given(st.lists(selectors, max_size=2), st.lists(selectors, max_size=3))
def test_labels_are_chosen_exactly_where_somebody_could_choose_them(wanted: list[LabelSelector], avoided: list[LabelSelector]) -> None:
    candidates = [
        {key: value for key, value in zip(KEYS, values, strict=True) if value is not None}
        for values in product((None, *VALUES, "another"), repeat=len(KEYS))
    ]

    def fits(found: object) -> bool:
        return isinstance(found, dict) and all(matches(one, found) for one in wanted) and not any(matches(one, found) for one in avoided)

    found = chosen(wanted, avoided)

    assert (found is not None) == any(map(fits, candidates))
    assert found is None or fits(found)


def facts_of(world: Small) -> Facts:
    spaces = [Namespace(CLUSTER, name, found, HERE) for name, found in world.namespaces.items()]
    pods = [
        Workload(
            CLUSTER,
            end.namespace,
            "Pod",
            f"pod{number}",
            end.labels,
            "default",
            False,
            end.ports,
            Evidence("pods", f"/{number}"),
            ips=end.addresses,
        )
        for number, end in enumerate(world.pods)
    ]
    return Facts([Listed("NetworkPolicy", CLUSTER, HERE), *spaces, *pods, *world.policies, *world.admin])


@given(small_worlds(with_admin=False), labels)
def test_no_pod_that_could_be_started_gets_further_than_we_say(world: Small, found: dict[str, str]) -> None:
    world = Small(
        world.namespaces, tuple(End(pod.namespace, pod.labels, pod.ports, pod.addresses) for pod in world.pods), world.policies, ()
    )
    said = {(edge.source.name, edge.target.name) for edge in resolve(facts_of(world)) if isinstance(edge, Edge)}

    for namespace in NAMESPACES:
        started = End(namespace, found, addresses=("10.0.0.1",))
        for target in world.pods:
            if target.namespace != namespace and any(connects(world, started, target, *probe) for probe in PROBES):
                assert (namespace, target.namespace) in said


@given(small_worlds())
def test_moving_a_lever_closes_its_edges_and_opens_nothing(world: Small) -> None:
    facts = facts_of(world)
    before = [edge for edge in resolve(facts) if isinstance(edge, Edge)]
    for lever in {edge.lever.identity: edge.lever for edge in before}.values():
        assert lever.change is not None
        after = [edge for edge in resolve(facts.patched(lever.change)) if isinstance(edge, Edge)]

        assert lever.identity not in {edge.lever.identity for edge in after}
        assert {(edge.source, edge.target) for edge in after} <= {(edge.source, edge.target) for edge in before}
        assert lever.move in (Move.ADD, Move.SET, Move.REMOVE)


@given(small_worlds())
def test_what_we_are_sure_of_somebody_could_do(world: Small) -> None:
    pods = tuple(End(pod.namespace, pod.labels, pod.ports, pod.addresses) for pod in world.pods)
    world = Small(world.namespaces, pods, world.policies, world.admin)
    candidates = [
        {key: value for key, value in zip(KEYS, values, strict=True) if value is not None}
        for values in product((None, *VALUES, "any-other"), repeat=len(KEYS))
    ]
    addresses = [pod.addresses for pod in pods]
    for edge in resolve(facts_of(world)):
        if not isinstance(edge, Edge) or edge.certainty is not Certainty.SURE or not any(pod.namespace == edge.target.name for pod in pods):
            continue
        started = [End(edge.source.name, found, addresses=address) for found in candidates for address in addresses]
        targets = [pod for pod in pods if pod.namespace == edge.target.name]

        assert any(connects(world, one, target, *probe) for one in started for target in targets for probe in PROBES)
