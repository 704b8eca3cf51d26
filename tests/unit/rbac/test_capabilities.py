"""The table of rights says something of every write, delete and read that it knows a resource for, or somebody else does."""

import pytest

from partywall.resolve.rbac import RESOLVER
from partywall.resolve.rbac.capabilities import READ, TABLE, WRITE
from partywall.resolve.rbac.resources import ADMISSION_GROUP, WORKLOADS
from tests.unit.kube import binding, namespace, role, said

DELETE = ("delete", "deletecollection")
# What is known to say nothing: reading what everybody may know or what the control plane alone holds, and calls that can only be made.
QUIET = {
    "read": {
        *("pods/eviction", "bindings"),
        *("pods/ephemeralcontainers", "pods/binding", "pods/resize", "services/status", "serviceaccounts/token", "users", "groups"),
        *("nodes", "nodes/status", "clusterroles", "clusterrolebindings", "apiservices"),
        *("deployments/scale", "statefulsets/scale", "replicasets/scale", "replicationcontrollers/scale"),
        *("mutatingwebhookconfigurations", "validatingwebhookconfigurations", "mutatingadmissionpolicies"),
    },
    "write": {"pods/log", "nodes/log", "nodes/pods", "events", "users", "groups", "clusterqueues/pendingworkloads"},
    "delete": {"events", "users", "groups", "bindings"},
}
PAIRS = sorted({pair for capability in TABLE for pair in capability.resources} - {("authentication.k8s.io", "nodes")})
# No verb deletes a part of an object; the parts themselves are written.
SUBRESOURCES = {resource for _, resource in PAIRS if "/" in resource}


@pytest.mark.parametrize(("kind", "verbs"), [("read", READ), ("write", WRITE), ("delete", DELETE)])
def test_every_right_on_a_known_resource_says_something(kind: str, verbs: tuple[str, ...]) -> None:
    silent = {
        resource
        for group, resource in PAIRS
        if group != "authentication.k8s.io"
        and not (kind == "delete" and resource in SUBRESOURCES)
        and not said(RESOLVER, role("held", f"{','.join(verbs)} {resource} {group}") + binding("held", "ClusterRole/held", "Group:team"))
    }

    assert silent == QUIET[kind]


@pytest.mark.parametrize(("group", "kind"), WORKLOADS)
def test_who_makes_any_kind_of_work_makes_pods(group: str, kind: str) -> None:
    text = namespace("vision") + role("held", f"create {kind} {group}", "vision") + binding("held", "Role/held", "Group:team", "vision")

    assert said(RESOLVER, text) == {"group:team create workloads namespace:vision"}


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("update * karpenter.sh", "change cluster_object:nodepools"),
        ("update * widgets.example", "change namespaces:*"),
        ("update widgets *", "change namespaces:*"),
        ("create pods/binding", "change namespaces:*"),
        ("delete mutatingwebhookconfigurations admissionregistration.k8s.io", "delete cluster_object:mutatingwebhookconfigurations"),
        (
            "delete validatingadmissionpolicybindings admissionregistration.k8s.io",
            "delete cluster_object:validatingadmissionpolicybindings",
        ),
        ("patch persistentvolumes", "change cluster_object:persistentvolumes"),
        ("get nodes/log", "read pod logs namespaces:*"),
        ("impersonate:serviceaccount serviceaccounts authentication.k8s.io", "impersonates namespaces:*"),
        ("impersonate:user-info users authentication.k8s.io", "impersonates cluster_admin:*"),
        ("impersonate:arbitrary-node nodes authentication.k8s.io", "impersonates nodes:*"),
    ],
)
def test_rights_on_the_whole_cluster(rules: str, sentence: str) -> None:
    text = namespace("vision") + role("held", rules) + binding("held", "ClusterRole/held", "Group:team")

    assert f"group:team {sentence}" in said(RESOLVER, text)


@pytest.mark.parametrize("rules", ["get nodes/proxy", f"delete mutatingwebhookconfigurations {ADMISSION_GROUP}", "impersonate users"])
def test_what_belongs_to_the_cluster_is_not_given_in_a_namespace(rules: str) -> None:
    text = namespace("vision") + role("held", rules) + binding("held", "ClusterRole/held", "Group:team", "vision")

    assert said(RESOLVER, text) == set()
