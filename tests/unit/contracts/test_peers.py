"""Ways into a tenant that its contract allows."""

import pytest

from partywall.contracts.peers import approved_peers, with_peers
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_network import Allowance, NetworkPolicy, Peer, Ports
from partywall.model.verbs import Lane
from tests.unit.contracts.written import CLUSTER, tenants

AT = Evidence("k8s.yaml", "/0")
OWN = "tenants:\n  - {name: a, namespaces: [train]}\n  - {name: b, namespaces: [serve]}\nplatform: {namespaces: [kube-system]}\n"
NEIGHBOUR = LabelSelector((("kubernetes.io/metadata.name", "train"),))
BY_APP = LabelSelector((("app", "client"),))
WEB = (Ports("TCP", 8443, 8443),)


def policy(*rules: Allowance, pods: LabelSelector | None = None) -> NetworkPolicy:
    return NetworkPolicy(CLUSTER, "serve", "in", pods or LabelSelector(), rules, None, AT)


def approved(allow: str, *policies: NetworkPolicy) -> list[tuple[str, str]]:
    tenancy = tenants(f"{OWN}contracts:\n  - {{tenant: b, network: {{allow: [{allow}]}}}}\n")
    return [(each.guest, each.things[0].name) for each in approved_peers(tenancy.contracts[0], Facts(policies), tenancy)]


def test_whoever_owns_the_namespace_may_come_in() -> None:
    assert approved("{from: {namespace: train}, to: {namespace: serve}}") == [("a", "serve")]


@pytest.mark.parametrize("source", ["kube-system", "nobodys", "serve"])
def test_the_platform_nobody_and_oneself_are_no_guests(source: str) -> None:
    assert approved(f"{{from: {{namespace: {source}}}, to: {{namespace: serve}}}}") == []


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param([Allowance((Peer(NEIGHBOUR),), WEB)], True, id="the port that is named"),
        pytest.param([Allowance((Peer(NEIGHBOUR),), (Ports("TCP", 8443, 8444),))], False, id="a port more"),
        pytest.param([Allowance((Peer(NEIGHBOUR),), None)], False, id="every port"),
        pytest.param([Allowance(None, None)], False, id="everybody on every port"),
        pytest.param([Allowance((Peer(),), None)], True, id="every port for the own namespace only"),
        pytest.param([Allowance((Peer(LabelSelector((("zone", "edge"),))),), None)], True, id="every port for somebody else"),
    ],
)
def test_ports_are_kept_by_the_policies_or_nothing_is_approved(rules: list[Allowance], expected: bool) -> None:
    allow = "{from: {namespace: train}, to: {namespace: serve}, ports: [8443]}"

    assert bool(approved(allow, policy(*rules))) is expected


def test_where_no_policy_isolates_the_namespace_ports_are_kept_by_nothing() -> None:
    allow = "{from: {namespace: train}, to: {namespace: serve}, ports: [8443]}"

    assert approved(allow) == []
    assert approved(allow, policy(Allowance((Peer(NEIGHBOUR),), WEB), pods=BY_APP)) == []


def test_labels_are_kept_by_the_policies_too() -> None:
    allow = "{from: {namespace: train, labels: {app: client}}, to: {namespace: serve}}"

    assert approved(allow, policy(Allowance((Peer(NEIGHBOUR, BY_APP),), None))) == [("a", "serve")]
    assert approved(allow, policy(Allowance((Peer(NEIGHBOUR),), None))) == []


def test_the_tenancy_carries_them_as_approvals_of_their_lane() -> None:
    allow = "{from: {namespace: train}, to: {namespace: serve}}"
    tenancy = tenants(f"{OWN}contracts:\n  - {{tenant: b, network: {{allow: [{allow}]}}}}\n")
    (approval,) = with_peers(Facts(()), tenancy).approvals

    assert (approval.grantor, approval.guest, approval.lane) == ("b", "a", Lane.NETWORK)
    assert approval.at == Evidence("tenants.yaml", "/contracts/0/network/allow/0")
