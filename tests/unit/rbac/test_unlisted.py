"""Kinds that were left out between their companions."""

from partywall.model.evidence import Json
from partywall.model.facts import Listed
from partywall.parse.unlisted import unlisted
from tests.unit.kube import document, facts, parsed

ROLE: Json = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "dev", "namespace": "vision"}, "rules": []}
SPACE: Json = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "vision"}}


def left_out(*items: Json) -> list[str]:
    listing = document("kubernetes", {"apiVersion": "v1", "kind": "List", "items": list(items)})
    return [gap.source for gap in unlisted(facts(listing))]


def test_a_list_of_roles_alone_leaves_their_bindings_out() -> None:
    assert left_out(ROLE) == ["kubernetes:RoleBinding", "kubernetes:ClusterRoleBinding"]


def test_a_list_of_several_kinds_answers_for_all_that_it_was_asked() -> None:
    assert left_out(SPACE, ROLE) == []


def test_single_objects_call_for_nothing() -> None:
    assert [item for item in parsed("apiVersion: v1\nkind: Namespace\nmetadata: {name: vision}\n") if isinstance(item, Listed)] == []
