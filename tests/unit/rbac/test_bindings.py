"""What a binding gives, to whom, and where."""

import pytest

from partywall.resolve.rbac import RESOLVER
from tests.unit.kube import binding, document, edges, facts, manifests, namespace, role, said

NAMESPACES = namespace("vision") + namespace("speech")


def test_a_role_binding_gives_its_namespace_and_no_other() -> None:
    given = NAMESPACES + role("dev", "create pods", "vision") + binding("dev", "Role/dev", "Group:team", "vision")

    assert said(RESOLVER, given) == {"group:team create workloads namespace:vision"}


def test_a_cluster_role_binding_gives_all_namespaces() -> None:
    given = NAMESPACES + role("dev", "list pods") + binding("dev", "ClusterRole/dev", "Group:team")

    assert said(RESOLVER, given) == {"group:team list pods namespaces:*"}


def test_a_role_of_the_same_name_in_another_namespace_is_another_role() -> None:
    given = NAMESPACES + role("dev", "create pods", "speech") + binding("dev", "Role/dev", "Group:team", "vision")

    assert said(RESOLVER, given) == set()


def test_a_role_binding_to_a_cluster_role_gives_no_cluster_scoped_thing() -> None:
    given = NAMESPACES + role("all", "* nodes,clusterroles,persistentvolumes *") + binding("all", "ClusterRole/all", "Group:team", "vision")

    assert said(RESOLVER, given) == set()


def test_cluster_admin_inside_one_namespace_stays_there_and_may_change_the_namespace_itself() -> None:
    given = NAMESPACES + binding("admin", "ClusterRole/cluster-admin", "ServiceAccount:vision/deployer", "vision")

    found = said(RESOLVER, given)

    assert "service_account:vision/deployer create workloads namespace:vision" in found
    assert "service_account:vision/deployer change namespace:vision" in found
    assert not any("admin:" in text or "namespaces:" in text or "speech" in text for text in found)


def test_cluster_admin_in_the_whole_cluster_is_the_administrator() -> None:
    found = said(RESOLVER, NAMESPACES + binding("admin", "ClusterRole/cluster-admin", "User:ana"))

    assert "user:ana becomes administrator of cluster_admin:*" in found
    assert "user:ana read secrets namespaces:*" in found


@pytest.mark.parametrize(
    ("rights", "verb"),
    [
        ("create jobs batch", "create workloads"),
        ("create pytorchjobs kubeflow.org", "create workloads"),
        ("create rayjobs ray.io", "create workloads"),
        ("patch deployments apps", "patch workloads"),
        ("patch pods/ephemeralcontainers", "patch workloads"),
        ("create pods/exec", "create pods/exec"),
        ("get pods/exec", "create pods/exec"),
        ("get pods/attach", "create pods/exec"),
        ("create serviceaccounts/token", "requests tokens of"),
        ("impersonate serviceaccounts", "impersonates"),
        ("get pods/portforward", "connect to"),
        ("create services/proxy", "connect to"),
        ("list secrets", "read secrets"),
        ("get configmaps", "read configmaps"),
        ("get pods/log", "read pod logs"),
        ("watch pods", "list pods"),
        ("list jobs batch", "view tasks"),
        ("list hyperpodpytorchjobs sagemaker.amazonaws.com", "view tasks"),
        ("list deployments apps", "list workloads"),
        ("list events", "list events"),
        ("list services", "list objects"),
        ("delete pods", "delete workloads"),
        ("deletecollection jobs batch", "delete workloads"),
        ("update services", "change"),
        ("patch pods/status", "change"),
        ("patch workloads kueue.x-k8s.io", "change"),
        ("delete localqueues kueue.x-k8s.io", "delete"),
        ("update deployments/scale apps", "change"),
        ("create widgets example.com", "change"),
        ("delete widgets example.com", "delete"),
        ("get widgets example.com", "list objects"),
        ("delete persistentvolumeclaims", "delete data"),
    ],
)
def test_each_right_has_its_verb(rights: str, verb: str) -> None:
    given = NAMESPACES + role("one", rights, "vision") + binding("one", "Role/one", "Group:team", "vision")

    assert said(RESOLVER, given) == {f"group:team {verb} namespace:vision"}


@pytest.mark.parametrize(
    "rights",
    [
        pytest.param("create pods/status", id="a status starts nothing"),
        pytest.param("create,get pods apps", id="another API group"),
        pytest.param("describe pods", id="no verb of Kubernetes"),
        pytest.param("LIST pods", id="verbs are lower case"),
        pytest.param("create pods/*", id="no wildcard of subresources"),
        pytest.param("create selfsubjectaccessreviews authorization.k8s.io", id="asking about oneself"),
        pytest.param("create events", id="reporting an event"),
        pytest.param("get leases coordination.k8s.io", id="a lease"),
    ],
)
def test_a_right_that_gives_nothing(rights: str) -> None:
    given = NAMESPACES + role("one", rights, "vision") + binding("one", "Role/one", "Group:team", "vision")

    assert {text for text in said(RESOLVER, given) if "list pods" not in text} == set()


@pytest.mark.parametrize(
    ("rights", "sentence"),
    [
        ("get nodes/proxy", "group:team create pods/exec namespaces:*"),
        ("list namespaces", "group:team list names namespaces:*"),
        ("impersonate users", "group:team impersonates cluster_admin:*"),
        ("impersonate groups", "group:team impersonates cluster_admin:*"),
        ("create mutatingwebhookconfigurations admissionregistration.k8s.io", "group:team becomes administrator of cluster_admin:*"),
        ("update validatingwebhookconfigurations admissionregistration.k8s.io", "group:team read secrets namespaces:*"),
        ("patch nodes", "group:team change nodes:*"),
        ("update storageclasses storage.k8s.io", "group:team change cluster_object:storageclasses"),
        ("patch namespaces", "group:team change namespaces:*"),
    ],
)
def test_rights_in_the_whole_cluster(rights: str, sentence: str) -> None:
    given = NAMESPACES + role("one", rights) + binding("one", "ClusterRole/one", "Group:team")

    assert said(RESOLVER, given) == {sentence}


def test_looking_at_nodes_and_resource_definitions_reaches_nobody() -> None:
    given = (
        NAMESPACES
        + role("one", "get,list,watch nodes;get customresourcedefinitions apiextensions.k8s.io")
        + binding("one", "ClusterRole/one", "Group:team")
    )

    assert said(RESOLVER, given) == set()


@pytest.mark.parametrize(
    ("subject", "source"),
    [
        ("User:system:serviceaccount:vision:trainer", "service_account:vision/trainer"),
        ("ServiceAccount:speech/trainer", "service_account:speech/trainer"),
        ("Group:system:serviceaccounts:speech", "namespace:speech"),
        ("Group:system:authenticated", "all_authenticated:*"),
        ("User:*", "user:*"),
    ],
)
def test_who_a_subject_is(subject: str, source: str) -> None:
    given = NAMESPACES + role("dev", "list pods", "vision") + binding("dev", "Role/dev", subject, "vision")

    assert said(RESOLVER, given) == {f"{source} list pods namespace:vision"}


def test_all_service_accounts_are_every_namespace() -> None:
    given = NAMESPACES + role("dev", "list pods", "vision") + binding("dev", "Role/dev", "Group:system:serviceaccounts", "vision")

    assert said(RESOLVER, given) == {"namespace:speech list pods namespace:vision"}


def test_anonymous_is_anyone_and_everybody_on_a_condition() -> None:
    given = NAMESPACES + role("dev", "list pods") + binding("dev", "ClusterRole/dev", "Group:system:unauthenticated")

    assert said(RESOLVER, given) == {
        "anyone:anyone list pods namespaces:* (conditional)",
        "all_authenticated:* list pods namespaces:* (conditional)",
    }


def test_a_private_endpoint_keeps_anyone_out() -> None:
    cluster = document(
        "aws:eks:describe-cluster", {"cluster": {"name": "lab", "version": "1.32", "resourcesVpcConfig": {"endpointPublicAccess": False}}}
    )
    given = NAMESPACES + role("dev", "list pods") + binding("dev", "ClusterRole/dev", "User:system:anonymous")

    assert said(RESOLVER, given, cluster) == {"all_authenticated:* list pods namespaces:* (conditional)"}


def test_a_named_service_account_is_the_only_one() -> None:
    text = role("one", "impersonate serviceaccounts", "vision").replace("  verbs:", "  resourceNames: [trainer]\n  verbs:")

    assert said(RESOLVER, NAMESPACES + text + binding("one", "Role/one", "Group:team", "vision")) == {
        "group:team impersonates service_account:vision/trainer"
    }


def test_a_named_object_cannot_be_created() -> None:
    text = role("one", "create,delete pods", "vision").replace("  verbs:", "  resourceNames: [job]\n  verbs:")

    assert said(RESOLVER, NAMESPACES + text + binding("one", "Role/one", "Group:team", "vision")) == {
        "group:team delete workloads namespace:vision"
    }


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ("[vision]", {"group:team change namespace:vision"}),
        ("[vision, speech]", {"group:team change namespace:vision", "group:team change namespace:speech"}),
    ],
)
def test_named_namespaces_are_the_only_ones(names: str, found: set[str]) -> None:
    text = role("one", "patch namespaces").replace("  verbs:", f"  resourceNames: {names}\n  verbs:")

    assert said(RESOLVER, NAMESPACES + text + binding("one", "ClusterRole/one", "Group:team")) == found


def test_a_role_binding_covers_its_own_namespace_object_only() -> None:
    text = role("one", "patch namespaces").replace("  verbs:", "  resourceNames: [speech]\n  verbs:")

    assert said(RESOLVER, NAMESPACES + text + binding("one", "ClusterRole/one", "Group:team", "vision")) == set()


def test_impersonating_the_masters_group_is_the_administrator() -> None:
    text = role("one", "impersonate groups").replace("  verbs:", "  resourceNames: ['system:masters']\n  verbs:")

    assert said(RESOLVER, NAMESPACES + text + binding("one", "ClusterRole/one", "Group:team")) == {
        "group:team impersonates cluster_admin:*"
    }


def test_a_token_in_a_secret_is_the_service_account() -> None:
    secret = """---
apiVersion: v1
kind: Secret
type: kubernetes.io/service-account-token
metadata: {name: old-token, namespace: vision, annotations: {kubernetes.io/service-account.name: trainer}}
"""
    given = NAMESPACES + secret + role("one", "get secrets", "vision") + binding("one", "Role/one", "Group:team", "vision")

    assert said(RESOLVER, given) == {
        "group:team read secrets namespace:vision",
        "group:team reads credential of service_account:vision/trainer",
    }


def test_each_subject_is_a_lever_of_its_own_and_moving_it_closes_its_edges() -> None:
    text = role("dev", "list pods", "vision") + binding("dev", "Role/dev", "Group:one", "vision").replace(
        "subjects:", "subjects:\n- {kind: Group, name: two}"
    )
    given = facts(NAMESPACES + text)
    first, second = edges(RESOLVER, given)

    assert first.lever.identity != second.lever.identity
    assert first.lever.change is not None
    after = edges(RESOLVER, given.patched(first.lever.change))

    assert [edge.source.name for edge in after] == [second.source.name]
    assert after[0].because[0] == second.because[0]


def test_every_edge_says_which_subject_and_which_rule() -> None:
    given = facts(NAMESPACES + role("dev", "list pods", "vision") + binding("dev", "Role/dev", "Group:team", "vision"))

    (edge,) = edges(RESOLVER, given)

    assert [at.pointer for at in edge.because] == ["/3/subjects/0", "/2/rules/0", "/3/roleRef"]
    assert edge.lever.name == "vision/dev Group team"
    assert edge.lever.text == "remove group team from RoleBinding vision/dev, or bind a role with less"


def test_a_binding_that_is_given_twice_counts_once_and_its_lever_moves_both() -> None:
    text = role("dev", "list pods", "vision") + binding("dev", "Role/dev", "Group:team", "vision")
    given = facts(manifests(text, "one.yaml"), manifests(text, "two.yaml"))

    (edge,) = edges(RESOLVER, given)

    assert edge.lever.change is not None
    assert edges(RESOLVER, given.patched(edge.lever.change)) == []


def test_the_old_group_gives_nothing_on_what_took_over() -> None:
    given = NAMESPACES + role("old", "create,delete networkpolicies,ingresses,deployments extensions", "vision")

    assert said(RESOLVER, given + binding("old", "Role/old", "Group:team", "vision")) == set()
