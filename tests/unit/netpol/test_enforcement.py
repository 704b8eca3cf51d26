"""Whether policies are in force, and what that makes of the pairs that they close."""

from partywall.model.document import Assumption, Direction, Gap
from partywall.model.edge import Edge, Hold, Move
from partywall.model.evidence import Evidence
from partywall.model.facts_eks import Addon
from partywall.model.tenancy import Contract, Status
from tests.unit.netpol.world import CLUSTER, ENDPOINT, POD, SPACES, allow, deny, facts_of, said

CLOSED = SPACES + POD + deny("vision") + deny("nlp")


def addon(**values: str) -> Addon:
    return Addon(CLUSTER, "vpc-cni", "v1.20.0", values, "", Evidence("aws-eks-describe-addon--vpc-cni.json", "/addon"))


def test_where_they_are_in_force_a_hold_says_which_policy_closes() -> None:
    holds = said(facts_of(CLOSED, addon(enableNetworkPolicy="true")), Hold)

    assert [hold.target.name for hold in holds] == ["vision", "nlp"]
    assert holds[0].text.startswith(
        "NetworkPolicy deny isolates vision for ingress; no other namespace may connect, and the VPC CNI puts policies"
    )


def test_where_they_are_off_everything_is_open_and_one_switch_closes_it() -> None:
    facts = facts_of(CLOSED, addon())
    found = said(facts, Edge)

    assert {(edge.source.name, edge.target.name) for edge in found} == {("nlp", "vision"), ("vision", "nlp")}
    assert {(edge.lever.move, edge.lever.kind) for edge in found} == {(Move.SET, "NetworkPolicy enforcement")}
    assert found[0].lever.change is not None
    assert said(facts.patched(found[0].lever.change), Edge) == []


def test_where_they_are_off_every_other_lever_switches_them_on_too() -> None:
    facts = facts_of(SPACES + POD + deny("nlp") + allow("vision", "[{}]"), addon())
    (edge,) = (edge for edge in said(facts, Edge) if edge.lever.kind == "NetworkPolicy")

    assert edge.lever.text.endswith(", and switch NetworkPolicy enforcement on")
    assert edge.lever.change is not None
    assert said(facts.patched(edge.lever.change), Edge) == []


UNSHOWN = Addon(CLUSTER, "vpc-cni", "", None, "", Evidence("aws-eks-list-addons.json", "/addons/0"))


def test_where_nothing_shows_it_what_is_closed_is_in_question() -> None:
    facts = facts_of(CLOSED, UNSHOWN)
    (gap,) = said(facts, Gap)

    assert said(facts, Edge) == []
    assert gap.direction is Direction.INCOMING
    assert [node.name for node in gap.nodes] == ["vision", "nlp"]
    assert gap.remedy == "aws eks describe-addon --cluster-name capacity --addon-name vpc-cni"


def test_where_nothing_was_given_that_could_show_it_it_is_assumed_and_said() -> None:
    facts = facts_of(CLOSED)

    assert [*said(facts, Gap), *said(facts, Edge)] == []
    assert [each.text for each in said(facts, Assumption)] == [
        "something in capacity puts NetworkPolicies into force: no add-on and no DaemonSet of it was given"
    ]


def test_what_is_open_anyway_waits_for_nothing() -> None:
    facts = facts_of(SPACES + POD + deny("nlp"), UNSHOWN)

    assert [(edge.source.name, edge.certainty.word) for edge in said(facts, Edge)] == [("nlp", "sure")]
    assert [[node.name for node in gap.nodes] for gap in said(facts, Gap)] == [["nlp"]]


def test_the_controllers_own_objects_are_evidence() -> None:
    assert said(facts_of(CLOSED + ENDPOINT), Gap) == []


def test_another_engine_beside_an_agent_that_is_off_is_in_force() -> None:
    calico = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: calico-node, namespace: calico-system}
spec: {template: {spec: {containers: [{name: c}]}}}
---
"""

    assert said(facts_of(calico + CLOSED, addon()), Hold)[0].text.endswith("Calico puts policies into force")


def test_an_agent_that_runs_without_the_flag_is_off() -> None:
    agent = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: aws-node, namespace: kube-system}
spec: {template: {spec: {hostNetwork: true, containers: [{name: agent, args: [--enable-network-policy=false]}]}}}
---
"""
    assert {edge.lever.kind for edge in said(facts_of(agent + CLOSED), Edge) if edge.target.name == "vision"} == {
        "NetworkPolicy enforcement"
    }


def test_a_contract_that_speaks_of_the_network_puts_enforcement_in_question() -> None:
    at = Evidence("contracts/vision.yaml", "")
    signed = Contract("vision", Status.APPROVED, at, at.document, "", {"network": {"egress": ["none"]}}, {})

    assert [gap.direction for gap in said(facts_of(CLOSED, signed), Gap)] == [Direction.INCOMING]
