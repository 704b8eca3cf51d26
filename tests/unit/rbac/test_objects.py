"""Kubernetes documents taken apart: every kind is read, known to have no effect, or a gap."""

import pytest

from partywall.model.document import Gap, Reason
from partywall.model.evidence import Json
from partywall.model.facts import Listed
from partywall.model.facts_kubernetes import (
    Admission,
    Binding,
    Mount,
    Namespace,
    OtherObject,
    PersistentVolume,
    Role,
    ServiceAccount,
    Workload,
)
from partywall.model.verbs import Lane
from tests.unit.kube import CLUSTER, binding, document, facts, manifests, namespace, parsed, role


def pod(name: str, home: str = "vision") -> dict[str, Json]:
    return {"metadata": {"name": name, "namespace": home}, "spec": {"containers": [{"name": "a", "image": "train:1"}]}}


def test_the_items_of_a_typed_list_have_its_kind() -> None:
    listing = document("kubernetes", {"apiVersion": "v1", "kind": "PodList", "items": [pod("one")]})

    (work,) = facts(listing).of(Workload)

    assert (work.kind, work.name, work.at.pointer) == ("Pod", "one", "/items/0")


def test_a_list_says_that_it_is_all_there_is_of_the_kinds_in_it() -> None:
    item: Json = {"apiVersion": "v1", "kind": "Pod", **pod("one")}
    given = facts(document("kubernetes", {"apiVersion": "v1", "kind": "List", "items": [item]}))

    assert given.listed("Pod", CLUSTER)
    assert not given.listed("Namespace", CLUSTER)


@pytest.mark.parametrize("name", ["kubectl-get-networkpolicies.json", "lab/networkpolicies-all.json", "netpol.json"])
def test_the_name_of_a_file_says_of_what_an_empty_list_is_empty(name: str) -> None:
    empty: Json = {"apiVersion": "v1", "kind": "List", "items": []}

    assert facts(document("kubernetes", empty, name)).listed("NetworkPolicy", CLUSTER)


def test_loose_objects_are_no_complete_list() -> None:
    assert facts(namespace("vision")).of(Listed) == ()


def test_the_server_sets_the_name_label_of_a_namespace() -> None:
    (space,) = facts(namespace("vision")).of(Namespace)

    assert space.labels["kubernetes.io/metadata.name"] == "vision"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("metadata: {name: one}\nrules: []", "an object without a kind lacks kind"),
        ("apiVersion: v1\nkind: Pod\nspec: {}", "Pod lacks metadata.name"),
        ("apiVersion: v1\nkind: Pod\nmetadata: {namespace: vision}", "Pod lacks metadata.name"),
    ],
)
def test_an_object_that_lacks_what_every_object_has_is_a_gap(text: str, what: str) -> None:
    (gap,) = parsed(text)

    assert isinstance(gap, Gap)
    assert (gap.what, gap.reason) == (what, Reason.UNPARSABLE)


def test_a_generated_name_is_a_name() -> None:
    (work,) = facts("apiVersion: v1\nkind: Pod\nmetadata: {generateName: job-}\nspec: {containers: [{name: a}]}").of(Workload)

    assert (work.name, work.namespace) == ("job-*", "default")


@pytest.mark.parametrize(
    "text", ["kind: Kustomization\nresources: [a.yaml]", "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration", ""]
)
def test_what_tools_write_in_the_same_form_is_no_object(text: str) -> None:
    assert parsed(text) == []


@pytest.mark.parametrize(
    ("kind", "template"),
    [
        ("apps/v1 Deployment", "{template: TEMPLATE}"),
        ("batch/v1 CronJob", "{jobTemplate: {spec: {template: TEMPLATE}}}"),
        ("kubeflow.org/v1 PyTorchJob", "{pytorchReplicaSpecs: {Master: {template: TEMPLATE}}}"),
        ("sagemaker.amazonaws.com/v1 HyperPodPyTorchJob", "{replicaSpecs: [{name: pods, template: TEMPLATE}]}"),
        ("ray.io/v1 RayJob", "{rayClusterSpec: {workerGroupSpecs: [{template: TEMPLATE}]}}"),
        ("jobset.x-k8s.io/v1alpha2 JobSet", "{replicatedJobs: [{template: {spec: {template: TEMPLATE}}}]}"),
        ("example.com/v1 Anything", "{deep: {down: {template: TEMPLATE}}}"),
    ],
)
def test_whatever_holds_a_pod_is_a_workload(kind: str, template: str) -> None:
    inner = "{metadata: {labels: {app: x}}, spec: {serviceAccountName: trainer, containers: [{name: a, image: 'train:1'}]}}"
    version, name = kind.split()
    spec = template.replace("TEMPLATE", inner)
    text = f"apiVersion: {version}\nkind: {name}\nmetadata: {{name: one, namespace: vision}}\nspec: {spec}\n"

    (work,) = facts(text).of(Workload)

    assert (work.kind, work.service_account, dict(work.labels), work.images) == (name, "trainer", {"app": "x"}, ("train:1",))


def test_a_space_names_its_service_account_without_a_pod() -> None:
    text = "apiVersion: workspace.jupyter.org/v1alpha1\nkind: Workspace\nmetadata: {name: one, namespace: vision}\n"
    text += "spec: {serviceAccountName: lab}\n"

    (work,) = facts(text).of(Workload)

    assert work.service_account == "lab"


def test_what_a_pod_says_of_itself() -> None:
    text = """apiVersion: v1
kind: Pod
metadata: {name: one, namespace: vision, labels: {app: x}, ownerReferences: [{kind: Job, name: j}]}
spec:
  hostNetwork: true
  nodeName: node-1
  tolerations: [{key: gpu, operator: Exists, effect: NoSchedule}]
  containers: [{name: a, image: "train:1", ports: [{name: web, containerPort: 80}], securityContext: {privileged: true}}]
  volumes: [{name: v, persistentVolumeClaim: {claimName: data}}, {name: h, hostPath: {path: /etc}}]
status: {phase: Succeeded, podIP: 10.0.0.1}
"""
    (work,) = facts(text).of(Workload)

    assert work.host_network
    assert work.owned
    assert not work.runs
    assert work.ports == (("web", 80, "TCP"),)
    assert work.privileged == ("hostNetwork", "hostPath /etc", "privileged")
    assert work.mounts[0] == Mount("persistentVolumeClaim", "data")
    assert work.tolerations == (("gpu", "Exists", "", "NoSchedule"),)
    assert work.ips == ("10.0.0.1",)


@pytest.mark.parametrize(
    ("version", "kind", "lanes"),
    [
        ("crd.projectcalico.org/v1", "GlobalNetworkSet", (Lane.NETWORK,)),
        ("hnc.x-k8s.io/v1alpha2", "HierarchyConfiguration", (Lane.ACT, Lane.VIEW, Lane.DATA, Lane.IDENTITY)),
        ("rbacmanager.reactiveops.io/v1beta1", "RBACDefinition", (Lane.ACT, Lane.VIEW, Lane.DATA, Lane.IDENTITY)),
    ],
)
def test_an_engine_that_we_do_not_evaluate_is_a_gap(version: str, kind: str, lanes: tuple[Lane, ...]) -> None:
    found = [item for item in parsed(f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: one}}") if isinstance(item, Gap)]

    assert [(gap.reason, gap.lanes) for gap in found] == [(Reason.UNEVALUABLE, lanes)]


@pytest.mark.parametrize(
    ("version", "kind"),
    [
        ("kyverno.io/v1", "ClusterPolicy"),
        ("constraints.gatekeeper.sh/v1beta1", "K8sRequired"),
        ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"),
    ],
)
def test_what_may_refuse_pods_is_noted(version: str, kind: str) -> None:
    (found,) = facts(f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: one}}").of(Admission)

    assert (found.kind, found.name) == (kind, "one")


def test_an_object_of_no_consequence_shows_that_its_namespace_exists() -> None:
    (found,) = facts("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one, namespace: vision}").of(OtherObject)

    assert (found.kind, found.namespace) == ("Widget", "vision")


def test_the_schema_of_a_resource_definition_is_left_alone() -> None:
    assert parsed("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}") == []


def test_an_annotation_names_the_role_of_a_service_account() -> None:
    annotation = 'eks.amazonaws.com/role-arn: "arn:aws:iam::111122223333:role/work"'
    text = f"apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: a, namespace: vision, annotations: {{{annotation}}}}}"

    (account,) = facts(text).of(ServiceAccount)

    assert account.role_arn == "arn:aws:iam::111122223333:role/work"


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param("{verbs: [get], resources: [pods]}", id="no apiGroups"),
        pytest.param("{verbs: [], apiGroups: [''], resources: [pods]}", id="no verbs"),
        pytest.param("{verbs: [get], apiGroups: ['']}", id="no resources"),
        pytest.param("{verbs: [get], nonResourceURLs: [/x]}", id="a path in a namespace"),
        pytest.param("text", id="no object"),
    ],
)
def test_a_rule_that_the_server_refuses_is_a_gap_and_the_rest_counts(rule: str) -> None:
    kept = "{verbs: [list], apiGroups: [''], resources: [pods]}"
    text = f"apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {{name: a, namespace: vision}}\nrules: [{rule}, {kept}]"

    items = parsed(text)

    assert [type(item) for item in items] == [Gap, Role]
    assert [rule.verbs for item in items if isinstance(item, Role) for rule in item.rules] == [("list",)]


@pytest.mark.parametrize(
    "subject",
    [
        "{kind: Group}",
        "{kind: Robot, name: r}",
        "{kind: User, name: u, apiGroup: example.com}",
        "{kind: ServiceAccount, name: s, apiGroup: rbac.authorization.k8s.io}",
    ],
)
def test_a_subject_that_the_server_refuses_is_a_gap(subject: str) -> None:
    text = binding("b", "ClusterRole/view", "Group:team", "vision").replace("subjects:", f"subjects:\n- {subject}")

    items = parsed(text)

    assert [type(item) for item in items] == [Gap, Binding]
    assert [subject.name for item in items if isinstance(item, Binding) for subject in item.subjects] == ["team"]


def test_a_subject_without_namespace_is_of_the_bindings_own() -> None:
    text = binding("b", "ClusterRole/view", "Group:team", "vision").replace("kind: Group", "kind: ServiceAccount")

    (found,) = facts(text).of(Binding)

    assert str(found.subjects[0]) == "ServiceAccount vision/team"


@pytest.mark.parametrize("reference", ["Role/dev", "Secret/dev"])
def test_a_cluster_wide_binding_to_a_namespaced_role_is_a_gap(reference: str) -> None:
    assert [type(item) for item in parsed(binding("b", reference, "Group:team"))] == [Gap]


def test_rules_that_are_null_are_no_rules() -> None:
    (found,) = facts("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a}\nrules: null").of(Role)

    assert (found.rules, found.aggregates) == ((), None)


def test_a_volume_and_its_claim() -> None:
    text = """apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
spec: {claimRef: {namespace: vision, name: data}, mountOptions: [flock], nfs: {server: fs-1.example, path: /a}}
"""
    (found,) = facts(text).of(PersistentVolume)

    assert (found.driver, found.handle, found.claim) == ("nfs", "fs-1.example:/a", "vision/data")


def test_pointers_count_the_documents_of_a_file() -> None:
    (found,) = facts(manifests(namespace("vision") + role("a", "get pods", "vision"))).of(Role)

    assert found.rules[0].at.pointer == "/1/rules/0"
