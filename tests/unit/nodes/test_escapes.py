"""Getting out of a pod onto its node."""

import pytest

from partywall.model.edge import Hold
from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import Namespace
from partywall.model.node import Kind
from partywall.model.tenancy import Claim, ClaimSource, Selector
from partywall.resolve.nodes import RESOLVER
from partywall.resolve.nodes.security import standard_of
from partywall.resolve.pod_security import Level
from tests.unit.kube import binding, edges, facts, gaps, namespace, role, said

NODE = "---\napiVersion: v1\nkind: Node\nmetadata: {name: one}\n"


def lived_in(name: str, **marks: str) -> str:
    """A namespace in which a group may make pods."""
    return namespace(name, **marks) + binding("edit", "ClusterRole/edit", "Group:someone", name)


def pod(spec: str, name: str = "one", home: str = "vision") -> str:
    return f"---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: {home}}}\nspec: {spec}\n"


def test_without_nodes_or_labels_future_pods_are_not_asked_about() -> None:
    assert said(RESOLVER, lived_in("vision")) == set()


def test_with_nodes_a_namespace_without_label_gets_out() -> None:
    assert said(RESOLVER, NODE, lived_in("vision")) == {"namespace:vision breaks out to nodes:*"}


def test_one_label_puts_all_namespaces_in_question() -> None:
    found = said(RESOLVER, lived_in("vision", enforce="restricted"), lived_in("speech"))

    assert found == {"namespace:speech breaks out to nodes:*"}


@pytest.mark.parametrize("level", ["baseline", "restricted"])
def test_a_level_closes_it(level: str) -> None:
    assert said(RESOLVER, NODE, lived_in("vision", enforce=level)) == set()


@pytest.mark.parametrize("marks", [{"warn": "restricted"}, {"audit": "restricted"}, {"enforce": "privileged"}])
def test_what_does_not_enforce_does_not_close(marks: dict[str, str]) -> None:
    assert said(RESOLVER, NODE, lived_in("vision", **marks)) == {"namespace:vision breaks out to nodes:*"}


def test_a_level_that_is_only_warned_of_is_named() -> None:
    (edge,) = edges(RESOLVER, facts(NODE, lived_in("vision", warn="restricted")))

    assert edge.note == "nothing forbids privileged pods (restricted:latest is only warned of or audited)"


def test_an_old_version_of_a_level_closes_it_too() -> None:
    given = facts(NODE, lived_in("vision", **{"enforce": "baseline", "enforce-version": "v1.24"}))

    assert [item.text for item in RESOLVER.resolve(given) if isinstance(item, Hold)] == [
        "namespace/vision enforces the Pod Security level baseline:v1.24, so its pods stay inside their containers"
    ]


def test_an_admission_policy_leaves_it_unknown() -> None:
    guard = "---\napiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: no-privileged}\n"

    assert said(RESOLVER, NODE, lived_in("vision"), guard) == {"namespace:vision breaks out to nodes:* (unknown)"}


def test_adding_the_label_closes_it() -> None:
    given = facts(NODE, lived_in("vision"))
    (edge,) = edges(RESOLVER, given)

    assert edge.lever.change is not None
    assert edge.lever.text == "label namespace vision with pod-security.kubernetes.io/enforce=baseline"
    assert edges(RESOLVER, given.patched(edge.lever.change)) == []


def test_who_may_take_the_label_off_gets_out() -> None:
    guarded = lived_in("vision", enforce="baseline")
    bound = binding("admin", "ClusterRole/cluster-admin", "ServiceAccount:vision/deployer", "vision")

    assert said(RESOLVER, guarded, bound) == {"service_account:vision/deployer breaks out to nodes:*"}


def test_admin_of_a_namespace_may_not_take_the_label_off() -> None:
    assert said(RESOLVER, lived_in("vision", enforce="baseline"), binding("admin", "ClusterRole/admin", "Group:team", "vision")) == set()


def test_making_volumes_of_a_nodes_disk_gets_past_the_label() -> None:
    rights = role("volumes", "create persistentvolumes,pods") + binding("volumes", "ClusterRole/volumes", "Group:team")

    assert said(RESOLVER, lived_in("vision", enforce="restricted"), rights) == {"group:team breaks out to nodes:*"}


@pytest.mark.parametrize(
    "spec",
    [
        "{containers: [{name: a, securityContext: {privileged: true}}]}",
        "{hostPID: true, containers: [{name: a}]}",
        "{containers: [{name: a, securityContext: {capabilities: {add: [SYS_ADMIN]}}}]}",
        "{containers: [{name: a}], volumes: [{name: root, hostPath: {path: /}}]}",
        "{containers: [{name: a}], volumes: [{name: kubelet, hostPath: {path: /var/lib/kubelet}}]}",
        "{hostNetwork: true, containers: [{name: a, securityContext: {windowsOptions: {hostProcess: true}}}]}",
    ],
)
def test_a_pod_that_already_is_on_its_node(spec: str) -> None:
    assert said(RESOLVER, pod(spec)) == {"namespace:vision breaks out to nodes:*"}


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param("{containers: [{name: a}]}", id="a plain pod"),
        pytest.param("{hostNetwork: true, containers: [{name: a}]}", id="the host's network alone"),
        pytest.param("{containers: [{name: a}], volumes: [{name: shm, hostPath: {path: /dev/shm}}]}", id="shared memory"),
        pytest.param(
            "{containers: [{name: a}], volumes: [{name: nvme, hostPath: {path: /opt/dlami/nvme}}]}", id="the local disk of the instance"
        ),
    ],
)
def test_a_pod_that_stays_inside(spec: str) -> None:
    assert said(RESOLVER, pod(spec)) == set()


def test_a_level_that_nobody_knows_is_the_strictest(  # as the admission plugin parses it
) -> None:
    (space,) = facts(lived_in("vision", enforce="tight")).of(Namespace)

    assert standard_of(space).level is Level.RESTRICTED


def test_a_namespace_that_is_known_by_name_only_is_a_gap() -> None:
    bound = binding("edit", "ClusterRole/edit", "Group:team", "speech")

    (gap,) = gaps(RESOLVER, NODE, lived_in("vision"), bound)

    assert gap.what == "the pod-security labels of speech"
    assert gaps(RESOLVER, lived_in("vision"), bound) == []


def test_an_empty_namespace_that_nobody_claims_and_nobody_may_use_is_no_way_out() -> None:
    claim = Claim(("vision",), Selector((Kind.NAMESPACE,), "vis*"), Evidence("tenants.yaml", ""), ClaimSource.TENANTS)

    assert said(RESOLVER, NODE, namespace("vision")) == set()
    assert said(RESOLVER, NODE, namespace("vision"), pod("{containers: [{name: a}]}")) == {"namespace:vision breaks out to nodes:*"}
    assert said(RESOLVER, NODE, namespace("vision"), more=(claim,)) == {"namespace:vision breaks out to nodes:*"}
