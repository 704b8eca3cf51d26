"""One question about the network: what gets through, what decides, and what the answer cannot see."""

import pytest

from partywall.errors import UsageError
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Listed
from partywall.model.facts_eks import Addon
from partywall.resolve.netpol.answer import Answer, Verdict, answer
from tests.unit.netpol.world import CLUSTER, POD, SPACES, allow, deny, facts_of

LISTED = Listed("NetworkPolicy", CLUSTER, Evidence("k8s.yaml", ""))
ON = Addon(CLUSTER, "vpc-cni", "v1.20.0", {"enableNetworkPolicy": "true"}, "", Evidence("addon.json", "/addon"))
OFF = Addon(CLUSTER, "vpc-cni", "v1.20.0", {}, "", Evidence("addon.json", "/addon"))
OWNED = POD.replace(
    "labels: {app: train}", "labels: {app: train}, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: train, uid: u}]"
)
SHUT = """
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: shut, namespace: vision}
spec: {podSelector: {}, policyTypes: [Egress], egress: EGRESS}
---
"""


def asked(text: str, source: str, target: str, *more: Fact) -> Answer:
    return answer(facts_of(text, *more), source, target)


def said(found: Answer) -> list[tuple[str, str]]:
    return [(str(row.ports), row.verdict.value) for row in found.rows]


def test_without_policies_everything_gets_through_and_the_place_says_why() -> None:
    found = asked(SPACES + POD, "nlp", "vision", LISTED)

    assert said(found) == [("all TCP", "allowed"), ("all UDP", "allowed"), ("all SCTP", "allowed")]
    assert [because.text for because in found.rows[0].because] == [
        "no policy isolates the pods of nlp for egress",
        "no policy isolates the pods of vision for ingress",
    ]


def test_a_rule_opens_one_port_and_is_named_with_its_place() -> None:
    rule = "[{from: [{namespaceSelector: {}}], ports: [{port: 443}]}]"
    found = asked(SPACES + OWNED + deny("vision") + allow("vision", rule), "nlp", "vision/train-0")

    assert said(found) == [
        ("TCP/1-442", "denied"),
        ("TCP/443", "allowed"),
        ("TCP/444-65535", "denied"),
        ("all UDP", "denied"),
        ("all SCTP", "denied"),
    ]
    open_, shut = found.rows[1].because[-1], found.rows[0].because[-1]
    assert (open_.text, str(open_.at)) == ("NetworkPolicy vision/allow admits it (ingress)", "k8s.yaml#/4/spec/ingress/0")
    assert shut.text == "NetworkPolicy vision/allow isolates for ingress, and no rule admits it"


def test_a_named_port_is_the_pods_own() -> None:
    found = asked(SPACES + OWNED + allow("vision", "[{ports: [{port: web}]}]"), "nlp", "vision")

    assert [ports for ports, verdict in said(found) if verdict == "allowed"] == ["TCP/8080"]


def test_policies_that_are_not_in_force_close_nothing() -> None:
    found = asked(SPACES + OWNED + deny("vision"), "nlp", "vision", OFF)

    assert {row.verdict for row in found.rows} == {Verdict.ALLOWED}
    assert found.rows[0].because[0].text == "policies are not in force"


def test_what_is_closed_is_unknown_where_nothing_shows_that_policies_are_in_force() -> None:
    unshown = Addon(CLUSTER, "vpc-cni", "", None, "", Evidence("list.json", "/addons/0"))
    found = asked(SPACES + OWNED + deny("vision"), "nlp", "vision", unshown)

    assert {row.verdict for row in found.rows} == {Verdict.UNKNOWN}
    assert found.doubts[0].text == "nothing that was read shows that anything puts policies into force"


def test_a_pod_that_no_controller_owns_is_not_surely_covered_by_the_vpc_cni() -> None:
    alone, owned = (asked(SPACES + pod + deny("vision"), "nlp", "vision", ON) for pod in (POD, OWNED))

    assert {row.verdict for row in alone.rows} == {Verdict.UNKNOWN}
    assert alone.doubts[0].text == "pod vision/train-0: the VPC CNI does not cover pods that no controller owns"
    assert {row.verdict for row in owned.rows} == {Verdict.DENIED}


@pytest.mark.parametrize(
    ("place", "verdict"),
    [("169.254.169.254", "denied"), ("instance metadata", "denied"), ("Pod Identity agent", "allowed"), ("8.8.8.8", "allowed")],
)
def test_places_on_the_link_are_atoms_of_their_own(place: str, verdict: str) -> None:
    text = SPACES + OWNED + SHUT.replace("EGRESS", "[{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [169.254.169.254/32]}}]}]")
    found = asked(text, "vision", place)

    if place == "instance metadata":
        # Its IPv6 address is in no block.
        assert {row.verdict.value for row in found.rows} == {"denied"}
    assert found.rows[0].verdict.value == verdict


def test_a_range_of_the_callers_own_has_a_name() -> None:
    text = SPACES + OWNED + SHUT.replace("EGRESS", "[{to: [{ipBlock: {cidr: 10.9.0.0/16}}], ports: [{port: 443}]}]")
    found = answer(facts_of(text), "vision", "endpoint s3", places={"endpoint s3": ["10.9.1.7/32"]})

    assert [ports for ports, verdict in said(found) if verdict == "allowed"] == ["TCP/443"]


@pytest.mark.parametrize(
    "policy",
    [
        pytest.param("apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: l7, namespace: vision}\nspec: {}", id="cilium"),
        pytest.param(
            "apiVersion: projectcalico.org/v3\nkind: GlobalNetworkPolicy\nmetadata: {name: l7}\nspec: {types: [Ingress]}", id="calico"
        ),
        pytest.param(
            "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nmetadata: {name: l7, namespace: vision}\nspec: {rules: []}",
            id="istio",
        ),
    ],
)
def test_another_dialect_makes_both_answers_unknown(policy: str) -> None:
    for text in (SPACES + OWNED, SPACES + OWNED + deny("vision")):
        found = asked(text + policy + "\n---\n", "nlp", "vision", LISTED)

        assert {row.verdict for row in found.rows} == {Verdict.UNKNOWN}
        assert found.doubts[0].text.endswith("l7, whose rules are not evaluated")


def test_an_upstream_cluster_policy_is_not_read_by_the_vpc_cni() -> None:
    wall = """
apiVersion: GROUP
kind: ClusterNetworkPolicy
metadata: {name: walls}
spec:
  tier: Admin
  priority: 10
  subject: {namespaces: {}}
  ingress: [{action: Deny, from: [{namespaces: {}}]}]
---
"""
    upstream, amazon = (
        asked(SPACES + OWNED + wall.replace("GROUP", group), "nlp", "vision", ON)
        for group in ("policy.networking.k8s.io/v1alpha2", "networking.k8s.aws/v1alpha1")
    )

    assert {row.verdict for row in upstream.rows} == {Verdict.UNKNOWN}
    assert {row.verdict for row in amazon.rows} == {Verdict.DENIED}
    assert amazon.rows[0].because[-1].text == "ClusterNetworkPolicy walls denies it (ingress)"


def test_blind_spots_are_named() -> None:
    host = OWNED.replace("spec:\n", "spec:\n  hostNetwork: true\n")
    extra = OWNED.replace("metadata: {", "metadata: {annotations: {k8s.v1.cni.cncf.io/networks: efa}, ").replace("train-0", "train-1")
    blind = asked(SPACES + host + extra + deny("vision"), "nlp", "vision", ON).blind

    assert "no policy covers pods on the host's network, and others see the node in their place: vision/train-0" in blind
    assert "these pods have interfaces beside their first, which policies do not cover: vision/train-1" in blind
    assert any("EFA" in text for text in blind)
    assert any("standard mode" in text for text in blind)


def test_in_strict_mode_a_pods_first_seconds_are_no_blind_spot() -> None:
    strict = Addon(CLUSTER, "vpc-cni", "", {"enableNetworkPolicy": "true", "env": {"NETWORK_POLICY_ENFORCING_MODE": "strict"}}, "", ON.at)

    assert not any("standard mode" in text for text in asked(SPACES + OWNED + deny("vision"), "nlp", "vision", strict).blind)


@pytest.mark.parametrize("pair", [("nowhere", "vision"), ("nlp", "vision/ghost"), ("8.8.8.8", "1.1.1.1")])
def test_a_selector_that_means_nothing_is_an_error(pair: tuple[str, str]) -> None:
    with pytest.raises(UsageError):
        asked(SPACES + POD, *pair, LISTED)


AUTO = "apiVersion: v1\nkind: Node\nmetadata: {name: n, labels: {eks.amazonaws.com/compute-type: auto}}\n---\n"
APPLIED = """
apiVersion: networking.k8s.aws/v1alpha1
kind: ApplicationNetworkPolicy
metadata: {name: names, namespace: vision}
spec: {podSelector: {}, policyTypes: [Egress], egress: [{to: [{domainNames: [models.example.com]}], ports: [{port: 443}]}]}
---
"""


def test_a_domain_may_be_any_address_outside_and_no_pod() -> None:
    text = SPACES + OWNED + APPLIED + AUTO
    outside, inside = asked(text, "vision", "8.8.8.8"), asked(text, "vision", "nlp")

    assert [ports for ports, verdict in said(outside) if verdict == "unknown"] == ["TCP/443"]
    assert {row.verdict for row in inside.rows} == {Verdict.DENIED}
    assert {row.verdict for row in asked(text, "vision", "169.254.169.254").rows} == {Verdict.DENIED}


def test_an_application_policy_decides_nothing_surely_without_auto_mode() -> None:
    found = asked(SPACES + OWNED + APPLIED, "vision", "nlp")

    assert {row.verdict for row in found.rows} == {Verdict.UNKNOWN}
    assert "only EKS Auto Mode" in found.doubts[0].text
