"""Which rules a role has, and what becomes of one that is not there."""

from partywall.model.document import Assumption, Direction, Reason
from partywall.model.evidence import Json
from partywall.model.facts_kubernetes import Role
from partywall.resolve.rbac import RESOLVER
from partywall.resolve.rbac.capabilities import capabilities
from partywall.resolve.rbac.roles import effective
from tests.unit.kube import binding, document, edges, facts, gaps, manifests, namespace, role, said

NAMESPACES = namespace("vision") + namespace("speech")


def test_a_role_that_is_not_there_gives_nothing_and_is_a_gap() -> None:
    given = NAMESPACES + binding("one", "ClusterRole/lost", "Group:team", "vision")

    (gap,) = gaps(RESOLVER, given)

    assert said(RESOLVER, given) == set()
    assert (gap.reason, gap.direction, [node.name for node in gap.nodes]) == (Reason.ABSENT, Direction.OUTGOING, ["team"])
    assert gap.what == "ClusterRole lost, which RoleBinding one refers to, is not among the files"


def test_a_role_that_a_complete_list_lacks_does_not_exist() -> None:
    roles = document("kubernetes", {"apiVersion": "v1", "kind": "List", "items": []}, "kubectl-get-clusterroles.json")
    given = manifests(NAMESPACES + binding("one", "ClusterRole/lost", "Group:team", "vision"))

    assert gaps(RESOLVER, given, roles) == []


def test_kubernetes_own_roles_need_no_file() -> None:
    found = said(RESOLVER, NAMESPACES + binding("one", "ClusterRole/view", "Group:team", "vision"))

    assert "group:team list pods namespace:vision" in found
    assert "group:team read secrets namespace:vision" not in found


def test_a_labelled_cluster_role_adds_to_edit_and_admin() -> None:
    more = role("queues", "create widgets example.com").replace(
        "  name: queues", '  name: queues\n  labels: {rbac.authorization.k8s.io/aggregate-to-edit: "true"}'
    )
    given = NAMESPACES + more + binding("one", "ClusterRole/admin", "Group:team", "vision")

    notes = [edge.note for edge in edges(RESOLVER, facts(given)) if edge.verb == "change"]

    assert notes == ["create services by admin"]
    assert "create widgets" in _rights(given)


def _rights(given: str) -> set[str]:
    rules = effective(facts(given).of(Role))["", "admin"]
    return {held.right for rule in rules for held in capabilities(rule)}


def test_an_aggregated_role_without_rules_in_a_file_has_those_that_its_selector_finds() -> None:
    gatherer = """---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: gathered}
rules: null
aggregationRule: {clusterRoleSelectors: [{matchExpressions: [{key: part-of, operator: In, values: [team]}]}]}
"""
    part = role("part", "create pods").replace("  name: part", "  name: part\n  labels: {part-of: team}")

    assert said(RESOLVER, NAMESPACES + gatherer + part + binding("one", "ClusterRole/gathered", "Group:team", "vision")) == {
        "group:team create workloads namespace:vision"
    }


def test_an_aggregated_role_that_stores_something_else_than_it_gathers_is_told_and_both_count() -> None:
    gatherer = role("gathered", "get secrets;list pods") + "aggregationRule: {clusterRoleSelectors: [{matchLabels: {part-of: team}}]}\n"
    part = role("part", "create pods;list pods").replace("  name: part", "  name: part\n  labels: {part-of: team}")
    text = NAMESPACES + gatherer + part + binding("one", "ClusterRole/gathered", "Group:team", "vision")

    assert [item.text for item in RESOLVER.resolve(facts(text)) if isinstance(item, Assumption)] == [
        "aggregated ClusterRole gathered stores 1 rule that its selectors do not find; all of them count",
        "aggregated ClusterRole gathered does not store 1 rule that its selectors find; all of them count",
    ]
    assert {"group:team read secrets namespace:vision", "group:team create workloads namespace:vision"} <= said(RESOLVER, text)


def test_an_aggregated_role_that_stores_what_it_gathers_is_not_mentioned() -> None:
    gatherer = role("gathered", "list pods") + "aggregationRule: {clusterRoleSelectors: [{matchLabels: {part-of: team}}]}\n"
    part = role("part", "list pods").replace("  name: part", "  name: part\n  labels: {part-of: team}")

    assert [item for item in RESOLVER.resolve(facts(NAMESPACES + gatherer + part)) if isinstance(item, Assumption)] == []


def test_a_list_of_another_namespaces_roles_says_nothing_of_this_one() -> None:
    item: Json = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "dev", "namespace": "speech"},
        "rules": [],
    }
    listing = document("kubernetes", {"apiVersion": "v1", "kind": "List", "items": [item]})

    assert len(gaps(RESOLVER, NAMESPACES + binding("one", "Role/lost", "Group:team", "vision"), listing)) == 1
    assert gaps(RESOLVER, NAMESPACES + binding("one", "Role/lost", "Group:team", "speech"), listing) == []


def test_equal_roles_of_two_namespaces_are_each_shown_at_their_own_place() -> None:
    text = NAMESPACES
    for home in ("vision", "speech"):
        text += role("dev", "list pods", home) + binding("dev", "Role/dev", "Group:team", home)

    found = {edge.target.name: [at.pointer for at in edge.because] for edge in edges(RESOLVER, facts(text))}

    assert found == {"vision": ["/3/subjects/0", "/2/rules/0", "/3/roleRef"], "speech": ["/5/subjects/0", "/4/rules/0", "/5/roleRef"]}
