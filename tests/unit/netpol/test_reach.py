"""Who may connect to whom between namespaces."""

import pytest

from partywall.model.document import Assumption, Direction, Gap
from partywall.model.edge import Certainty, Edge, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Listed, Named
from partywall.model.facts_eks import Addon
from partywall.model.node import Kind, Node
from partywall.model.thing import Standing, Thing
from tests.unit.netpol.world import CLUSTER, POD, SPACES, allow, deny, edges, facts_of, pairs, read, said

HERE = Evidence("k8s.yaml", "")
LISTED = Listed("NetworkPolicy", CLUSTER, HERE)


def test_without_any_policy_given_or_listed_nothing_is_said() -> None:
    assert edges(SPACES + POD) == []


def test_an_empty_list_of_policies_means_that_everybody_is_open() -> None:
    assert pairs(SPACES + POD, LISTED) == {("nlp", "vision"), ("vision", "nlp")}


def test_an_open_namespace_is_closed_by_one_lever_for_all_sources() -> None:
    (edge,) = (edge for edge in edges(SPACES + POD, LISTED) if edge.target.name == "vision")

    assert edge.lever.move is Move.ADD
    assert edge.lever.name == "vision/default-deny-ingress"
    assert edge.certainty is Certainty.SURE
    assert edge.note == "every port, no policy isolates its pods for ingress"


def test_adding_the_isolation_closes_it() -> None:
    facts = facts_of(SPACES + POD, LISTED)
    (edge,) = (edge for edge in said(facts, Edge) if edge.target.name == "vision")
    assert edge.lever.change is not None

    assert [edge for edge in said(facts.patched(edge.lever.change), Edge) if edge.target.name == "vision"] == []


def test_a_namespace_that_only_the_tenancy_names_is_judged_too() -> None:
    named = Named(Node(Kind.NAMESPACE, CLUSTER, "speech"), HERE)

    assert ("nlp", "speech") in pairs(SPACES, LISTED, named)


def test_what_is_absent_from_a_complete_listing_does_not_exist() -> None:
    named = Named(Node(Kind.NAMESPACE, CLUSTER, "speech"), HERE)

    assert ("nlp", "speech") not in pairs(SPACES, LISTED, Listed("Namespace", CLUSTER, HERE), named)


@pytest.mark.parametrize(
    ("rule", "reached"),
    [
        pytest.param("[]", False, id="no rule admits nobody"),
        pytest.param("[{}]", True, id="an empty rule admits everybody"),
        pytest.param("[{from: []}]", True, id="an empty from is everybody"),
        pytest.param("[{from: [{podSelector: {}}]}]", False, id="pods alone are those of the own namespace"),
        pytest.param("[{from: [{namespaceSelector: {}}]}]", True, id="all namespaces"),
        pytest.param(
            "[{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: nlp}}}]}]",
            True,
            id="by the name that the server sets",
        ),
        pytest.param("[{from: [{namespaceSelector: {matchLabels: {team: nlp}}}]}]", False, id="a label that it does not have"),
        pytest.param("[{from: [{namespaceSelector: {}, podSelector: {matchLabels: {app: gate}}}]}]", True, id="pod labels are free"),
        pytest.param("[{from: [{ipBlock: {cidr: 0.0.0.0/0}}]}]", True, id="all addresses are pods' too"),
        pytest.param(
            "[{from: [{ipBlock: {cidr: 0.0.0.0/0, except: [169.254.169.254/32]}}]}]", True, id="no pod has the metadata's address"
        ),
        pytest.param("[{ports: [{port: web}]}]", True, id="a named port of the pod"),
        pytest.param("[{ports: [{port: metrics}]}]", False, id="a named port that the pod does not have"),
    ],
)
def test_what_a_rule_admits(rule: str, reached: bool) -> None:
    assert (("nlp", "vision") in pairs(SPACES + POD + deny("vision") + deny("nlp") + allow("vision", rule))) == reached


def test_both_ends_must_agree() -> None:
    closed = """
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: shut, namespace: nlp}
spec: {podSelector: {}, policyTypes: [Egress]}
"""
    assert pairs(SPACES + POD + closed) == {("vision", "nlp")}


def test_whoever_chooses_labels_goes_round_an_egress_policy_for_some_pods() -> None:
    some = """
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: shut, namespace: nlp}
spec: {podSelector: {matchLabels: {app: train}}, policyTypes: [Egress]}
"""
    assert ("nlp", "vision") in pairs(SPACES + POD + some)


def test_an_egress_policy_that_isolates_egress_only_leaves_ingress_open() -> None:
    text = """
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny-all, namespace: vision}
spec: {podSelector: {}, policyTypes: [Egress]}
"""

    assert ("nlp", "vision") in pairs(SPACES + POD + text)


def test_the_peer_is_the_lever_and_the_policy_stays() -> None:
    facts = facts_of(SPACES + POD + deny("nlp") + allow("vision", "[{from: [{namespaceSelector: {}}]}]"))
    (edge,) = said(facts, Edge)

    assert (edge.lever.move, edge.lever.name) == (Move.REMOVE, "vision/allow")
    assert edge.lever.text == "take the peer all namespaces out of NetworkPolicy vision/allow"
    assert str(edge.because[0]) == "k8s.yaml#/4/spec/ingress/0/from/0"
    assert edge.lever.change is not None
    assert said(facts.patched(edge.lever.change), Edge) == []


def test_a_policy_that_the_server_refuses_is_a_gap() -> None:
    (gap,) = (item for item in read(allow("vision", "[{from: [{}]}]")) if isinstance(item, Gap))

    assert gap.what == "NetworkPolicy vision/allow, which the API server refuses (a peer that names nobody)"
    assert gap.direction is Direction.INCOMING
    assert [node.name for node in gap.nodes] == ["vision"]


def test_pods_on_the_hosts_network_are_covered_by_no_policy() -> None:
    host = POD.replace("spec:\n", "spec:\n  hostNetwork: true\n")
    (edge,) = (edge for edge in edges(SPACES + host + deny("vision") + deny("nlp")) if edge.target.name == "vision")

    assert edge.lever.text == "run Pod vision/train-0 without hostNetwork"


def test_labels_of_a_namespace_that_was_not_read_make_an_edge_unknown() -> None:
    text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: vision}\n---\n" + POD + deny("nlp")
    text += allow("vision", "[{from: [{namespaceSelector: {matchLabels: {team: nlp}}}]}]")
    (edge,) = edges(text)

    assert (edge.source.name, edge.target.name, edge.certainty) == ("nlp", "vision", Certainty.UNKNOWN)


def test_an_admin_policy_denies_before_any_networkpolicy() -> None:
    text = """
apiVersion: policy.networking.k8s.io/v1alpha2
kind: ClusterNetworkPolicy
metadata: {name: walls}
spec:
  tier: Admin
  priority: 10
  subject: {namespaces: {matchLabels: {kubernetes.io/metadata.name: vision}}}
  ingress: [{action: Deny, from: [{namespaces: {}}]}]
"""
    assert pairs(SPACES + POD + text) == {("vision", "nlp")}


def test_an_admin_policy_accepts_what_networkpolicies_close() -> None:
    text = """
apiVersion: policy.networking.k8s.io/v1alpha1
kind: AdminNetworkPolicy
metadata: {name: open}
spec:
  priority: 10
  subject: {namespaces: {}}
  ingress: [{name: all, action: Allow, from: [{namespaces: {}}]}]
"""
    (edge,) = (edge for edge in edges(SPACES + POD + deny("vision") + deny("nlp") + text) if edge.target.name == "vision")

    assert edge.lever.text == "let rule all of AdminNetworkPolicy open pass instead of accept, so that NetworkPolicies decide"


def test_a_policy_of_another_engine_makes_what_it_is_about_unknown() -> None:
    text = "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: l7, namespace: vision}\nspec: {}\n"
    (edge,) = (edge for edge in edges(SPACES + POD + deny("nlp") + text) if edge.target.name == "vision")

    assert edge.certainty is Certainty.UNKNOWN


def test_where_there_are_very_many_pairs_namespaces_stand_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("partywall.resolve.netpol.doors.MANY", 1)
    facts = facts_of(SPACES + POD, LISTED)
    (place,) = said(facts, Thing)
    found = [(edge.source.name, edge.verb, edge.target.name) for edge in said(facts, Edge)]

    assert place.standing is Standing.PLACE
    assert found == [
        ("vision", "is member of", place.node.name),
        ("nlp", "is member of", place.node.name),
        (place.node.name, "connect to", "vision"),
        (place.node.name, "connect to", "nlp"),
    ]


WALL = """
apiVersion: policy.networking.k8s.io/v1alpha2
kind: ClusterNetworkPolicy
metadata: {name: NAME}
spec:
  tier: Admin
  priority: 10
  subject: {namespaces: {matchLabels: {kubernetes.io/metadata.name: SUBJECT}}}
  ingress: [{action: ACTION, from: [{namespaces: {}}]}]
---
"""


def wall(name: str, subject: str, action: str) -> str:
    return WALL.replace("NAME", name).replace("SUBJECT", subject).replace("ACTION", action)


@pytest.mark.parametrize(
    ("other", "asked"),
    [
        pytest.param(("nlp", "Accept"), 0, id="about other namespaces"),
        pytest.param(("vision", "Deny"), 0, id="the same is said twice"),
        pytest.param(("vision", "Accept"), 1, id="they contradict each other"),
    ],
)
def test_equal_priorities_matter_where_policies_contradict_each_other(other: tuple[str, str], asked: int) -> None:
    facts = facts_of(SPACES + POD + wall("one", "vision", "Deny") + wall("two", *other))

    assert sum("speaks first" in gap.what for gap in said(facts, Gap)) == asked


WAY_IN = """
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: board, namespace: vision}
spec: {rules: []}
---
"""


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        pytest.param(SPACES + POD + WAY_IN + deny("nlp"), ["vision"], id="a proxy may stand wherever somebody outside is let in from"),
        pytest.param(SPACES + POD + WAY_IN + deny("vision"), [], id="where nobody outside is let in no proxy is"),
    ],
)
def test_a_way_in_through_a_proxy_is_an_open_question(text: str, asked: list[str]) -> None:
    gaps = [gap for gap in said(facts_of(text), Gap) if "through a proxy" in gap.what]

    assert [node.name for gap in gaps for node in gap.nodes] == asked
    assert {gap.direction for gap in gaps} <= {Direction.INCOMING}


def test_a_policy_of_another_dialect_is_an_open_question_of_the_directions_that_it_speaks_about() -> None:
    text = "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: l7, namespace: vision}\nspec: {egress: []}\n---\n"
    gaps = [gap for gap in said(facts_of(SPACES + POD + text), Gap) if "CiliumNetworkPolicy" in gap.what]

    assert [(gap.direction, [node.name for node in gap.nodes]) for gap in gaps] == [(Direction.OUTGOING, ["vision"])]


def test_a_pod_without_a_controller_is_taken_for_covered_by_the_vpc_cni_and_that_is_said() -> None:
    on = Addon(CLUSTER, "vpc-cni", "", {"enableNetworkPolicy": "true"}, "", HERE)
    (taken,) = said(facts_of(SPACES + POD + deny("vision"), on), Assumption)

    assert taken.text == "policies cover the pods vision/train-0, though the VPC CNI does not cover pods that no controller owns"
