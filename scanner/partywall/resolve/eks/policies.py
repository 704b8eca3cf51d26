"""The rules of the EKS access policies, as AWS documents them; recorded 2026-11-30.

Sources: EKS user guide, "Review access policy permissions" (the policies of EKS); SageMaker developer guide, "Setting up an Amazon EKS
cluster in Studio" (those of HyperPod, in prose: full access is get, list, watch, create, update, patch, delete). The list grows: a name
that is not here is a grant of unknown content, never none.
"""

from collections.abc import Mapping

from partywall.model.facts_kubernetes import Rule

_READ = ("get", "list", "watch")
RECORDED = "2026-11-30"
_WRITE = ("create", "delete", "deletecollection", "patch", "update")
_FULL = ("get", "list", "watch", "create", "update", "patch", "delete")


def _rule(verbs: tuple[str, ...], group: str, *resources: str) -> Rule:
    return Rule(verbs, (group,), resources)


_APPS = ("daemonsets", "deployments", "deployments/scale", "replicasets", "replicasets/scale", "statefulsets", "statefulsets/scale")

_VIEW = (
    _rule(
        _READ, "apps", "controllerrevisions", *_APPS, "daemonsets/status", "deployments/status", "replicasets/status", "statefulsets/status"
    ),
    _rule(_READ, "autoscaling", "horizontalpodautoscalers", "horizontalpodautoscalers/status"),
    _rule(_READ, "batch", "cronjobs", "cronjobs/status", "jobs", "jobs/status"),
    _rule(_READ, "discovery.k8s.io", "endpointslices"),
    _rule(_READ, "extensions", "daemonsets", "deployments", "ingresses", "networkpolicies", "replicasets"),
    _rule(_READ, "networking.k8s.io", "ingresses", "ingresses/status", "networkpolicies"),
    _rule(_READ, "policy", "poddisruptionbudgets", "poddisruptionbudgets/status"),
    _rule(
        _READ,
        "",
        *("configmaps", "endpoints", "persistentvolumeclaims", "persistentvolumeclaims/status", "pods", "replicationcontrollers"),
        *(
            "replicationcontrollers/scale",
            "serviceaccounts",
            "services",
            "services/status",
            "bindings",
            "events",
            "limitranges",
            "namespaces",
        ),
        *("namespaces/status", "pods/log", "pods/status", "replicationcontrollers/status", "resourcequotas", "resourcequotas/status"),
    ),
)

_CONNECT = ("pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "secrets", "services/proxy")

_EDIT = (
    *_VIEW,
    _rule(_READ, "", *_CONNECT),
    _rule(
        _WRITE,
        "",
        *_CONNECT,
        *(
            "pods",
            "configmaps",
            "events",
            "persistentvolumeclaims",
            "replicationcontrollers",
            "replicationcontrollers/scale",
            "serviceaccounts",
            "services",
        ),
    ),
    _rule(("impersonate",), "", "serviceaccounts"),
    _rule(_WRITE, "apps", *_APPS, "deployments/rollback"),
    _rule(_WRITE, "batch", "cronjobs", "jobs"),
    _rule(_WRITE, "autoscaling", "horizontalpodautoscalers"),
    _rule(_WRITE, "policy", "poddisruptionbudgets"),
    _rule(_WRITE, "networking.k8s.io", "ingresses", "networkpolicies"),
    _rule(_WRITE, "extensions", "daemonsets", "deployments", "ingresses", "networkpolicies", "replicasets"),
)

_ADMIN = (
    *_EDIT,
    _rule((*_READ, *_WRITE), "rbac.authorization.k8s.io", "roles", "rolebindings"),
    _rule(("create",), "authorization.k8s.io", "localsubjectaccessreviews"),
)

_HYPERPOD_READ = ("pods/log", "configmaps", "events", "services", "serviceaccounts", "resourcequotas", "limitranges")
_HYPERPOD_APPS = ("deployments", "statefulsets", "replicasets")

POLICIES: Mapping[str, tuple[Rule, ...]] = {
    "AmazonEKSClusterAdminPolicy": (Rule(("*",), ("*",), ("*",)), Rule(("*",), urls=("*",))),
    "AmazonEKSAdminViewPolicy": (Rule(_READ, ("*",), ("*",)),),
    "AmazonEKSSecretReaderPolicy": (_rule(_READ, "", "secrets"),),
    "AmazonEKSViewPolicy": _VIEW,
    "AmazonEKSEditPolicy": _EDIT,
    "AmazonEKSAdminPolicy": _ADMIN,
    "AmazonEKSHybridPolicy": (_rule(("list",), "*", "nodes"),),
    "AmazonSagemakerHyperpodTrainingPolicy": (
        _rule(_FULL, "ray.io", "rayclusters", "rayjobs", "raycronjobs"),
        _rule(_FULL, "sagemaker.amazonaws.com", "hyperpodpytorchjobs"),
        _rule(_FULL, "kubeflow.org", "pytorchjobs", "mpijobs", "tfjobs"),
        _rule(_FULL, "batch", "jobs"),
        _rule(_FULL, "", "pods"),
        _rule(_READ, "", *_HYPERPOD_READ),
        _rule(_READ, "apps", *_HYPERPOD_APPS),
        _rule(_READ, "kueue.x-k8s.io", "localqueues", "workloads"),
    ),
    "AmazonSagemakerHyperpodInferencePolicy": (
        _rule(_FULL, "ray.io", "rayclusters", "rayservices"),
        _rule(_FULL, "inference.sagemaker.aws.amazon.com", "jumpstartmodels", "inferenceendpointconfigs", "sagemakerendpointregistrations"),
        _rule(_FULL, "", "pods"),
        _rule(_READ, "", *_HYPERPOD_READ),
        _rule(_READ, "apps", *_HYPERPOD_APPS),
        _rule(_READ, "kueue.x-k8s.io", "localqueues", "workloads"),
        _rule(_READ, "autoscaling", "horizontalpodautoscalers"),
        _rule(_READ, "networking.k8s.io", "ingresses"),
    ),
    "AmazonSagemakerHyperpodSpacePolicy": (
        _rule(_FULL, "workspace.jupyter.org", "workspaces"),
        _rule(_READ, "workspace.jupyter.org", "workspacetemplates", "workspaceaccessstrategies"),
        _rule(_READ, "", "pods", "services", "serviceaccounts", "persistentvolumeclaims", "events", "resourcequotas", "bindings"),
        _rule(_READ, "apps", "daemonsets", "deployments", "replicasets"),
    ),
    "AmazonSagemakerHyperpodSpaceTemplatePolicy": (
        _rule(_READ, "workspace.jupyter.org", "workspacetemplates", "workspaceaccessstrategies"),
    ),
    "AmazonSagemakerHyperpodUserClusterPolicy": (
        _rule(_READ, "", "namespaces", "nodes"),
        _rule(("get",), "apiextensions.k8s.io", "customresourcedefinitions"),
        _rule(_READ, "kueue.x-k8s.io", "clusterqueues", "resourceflavors", "workloadpriorityclasses"),
        _rule(("create",), "authorization.k8s.io", "selfsubjectaccessreviews"),
    ),
}

# What a policy of unknown content may hold: running workloads, looking at them, and reading secrets.
UNKNOWN_CONTENT: tuple[Rule, ...] = (_rule(("create", *_READ), "", "pods"), _rule(_READ, "", "secrets"))
