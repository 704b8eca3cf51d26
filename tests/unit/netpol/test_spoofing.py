"""Rules that trust labels which tenants may set."""

import pytest

from partywall.model.edge import Edge, Move
from partywall.model.node import Kind
from tests.unit.netpol.world import POD, SPACES, allow, deny, edges, facts_of, said

INGRESS = "apiVersion: v1\nkind: Namespace\nmetadata: {name: ingress, labels: {name: ingress}}\n---\n"
TRUSTING = (
    SPACES
    + INGRESS
    + POD
    + deny("nlp")
    + deny("ingress")
    + allow("vision", "[{from: [{namespaceSelector: {matchLabels: {name: ingress}}}]}]")
)
BOUND = """
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: space-admin}
rules: [{apiGroups: [''], resources: [namespaces], resourceNames: [NAME], verbs: [VERB]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: KIND
metadata: {name: space-admin, namespace: nlp}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: space-admin}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-nlp}]
---
"""


def bound(kind: str = "ClusterRoleBinding", name: str = "nlp", verb: str = "patch") -> str:
    return BOUND.replace("KIND", kind).replace("NAME", name).replace("VERB", verb)


def forged(text: str) -> list[Edge]:
    return [edge for edge in edges(text) if edge.source.kind is Kind.GROUP]


@pytest.mark.parametrize("kind", ["ClusterRoleBinding", "RoleBinding"])
def test_whoever_may_label_the_own_namespace_is_let_in(kind: str) -> None:
    (edge,) = forged(TRUSTING + bound(kind))

    assert (edge.source.name, edge.target.name) == ("team-nlp", "vision")
    assert edge.note == "after setting name=ingress on namespace/nlp, which role space-admin lets it do"
    assert edge.lever.move is Move.SET
    assert edge.lever.text == "select the namespaces of NetworkPolicy vision/allow by kubernetes.io/metadata.name instead of name=ingress"


def test_selecting_by_name_keeps_the_rightful_one_and_closes_the_way() -> None:
    facts = facts_of(TRUSTING + bound())
    (edge,) = (edge for edge in said(facts, Edge) if edge.source.kind is Kind.GROUP)
    assert edge.lever.change is not None
    after = said(facts.patched(edge.lever.change), Edge)

    assert [(one.source.name, one.target.name) for one in after] == [("ingress", "vision")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TRUSTING + bound(verb="get"), id="looking is not labelling"),
        pytest.param(TRUSTING + bound("RoleBinding", "vision"), id="the right over another name, in a place where that name is not"),
        pytest.param(
            TRUSTING.replace("{name: ingress}}}]}]", "{kubernetes.io/metadata.name: ingress}}}]}]") + bound(),
            id="the name cannot be forged",
        ),
        pytest.param(
            SPACES
            + POD
            + deny("nlp")
            + allow("vision", "[{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ingress, a: b}}}]}]")
            + bound(),
            id="a label beside the name of another",
        ),
    ],
)
def test_stays_quiet(text: str) -> None:
    assert forged(text) == []
