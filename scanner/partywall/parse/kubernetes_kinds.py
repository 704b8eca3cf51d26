"""Which Kubernetes kinds are read elsewhere, matter without being evaluated, or have no effect on reach."""

from collections.abc import Mapping

# ConfigMaps whose data decides something; their names, in whatever namespace.
DECIDING = frozenset({"aws-auth", "amazon-vpc-cni", "kueue-manager-config", "coredns"})

# (group, kind) of what may refuse or rewrite objects.
_ADMISSION_KINDS = (
    *("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"),
    *("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"),
)
ADMISSION = tuple(("admissionregistration.k8s.io", kind) for kind in _ADMISSION_KINDS)

# Groups of engines whose objects do the same.
ADMISSION_ENGINES = frozenset({"kyverno.io", "gatekeeper.sh", "kubewarden.io", "jspolicy.com", "openpolicyagent.org"})

# Groups whose objects allow or deny traffic beside NetworkPolicy.
NETWORK_ENGINES = frozenset(
    {
        "projectcalico.org",
        "cilium.io",
        "policy.networking.k8s.io",
        "networking.k8s.aws",
        "antrea.io",
        "security.istio.io",
        "linkerd.io",
        "vpcresources.k8s.aws",
    }
)

# How the kinds end that decide about traffic in whatever group.
NETWORK_KINDS = ("NetworkPolicy", "UserDefinedNetwork", "NetworkAttachmentDefinition")

# Groups whose controllers make bindings out of their objects.
RIGHTS_ENGINES = frozenset(
    {
        "rbacmanager.reactiveops.io",
        "hnc.x-k8s.io",
        "capsule.clastix.io",
        "management.cattle.io",
        "authorization.openshift.io",
        "rbac.appuio.io",
        "tenancy.x-k8s.io",
    }
)

# Objects that neither grant nor limit anything that is asked about, and are not worth a fact. CRD schemas are half a megabyte each.
SKIPPED = frozenset(
    {
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("", "Event"),
        ("events.k8s.io", "Event"),
        ("coordination.k8s.io", "Lease"),
        ("apps", "ControllerRevision"),
        ("", "ComponentStatus"),
        ("", "PodTemplate"),
        ("metrics.k8s.io", "PodMetrics"),
        ("metrics.k8s.io", "NodeMetrics"),
        ("storage.k8s.io", "CSINode"),
        ("storage.k8s.io", "VolumeAttachment"),
    }
)

# What tools write in the same form: it is no object of a cluster, and has no name.
TOOLS = frozenset(
    {
        *("kustomize.config.k8s.io", "kubeadm.k8s.io", "kubelet.config.k8s.io", "kubeproxy.config.k8s.io", "apiserver.config.k8s.io"),
        *("eksctl.io", "kind.x-k8s.io", "config.k8s.io", "config.kueue.x-k8s.io"),
    }
)
TOOL_KINDS = frozenset({"Kustomization", "Config", "Status"})

# The kind that an empty `List` answers for, by a word of the file's name.
PLURALS: Mapping[str, str] = {
    "namespaces": "Namespace",
    "serviceaccounts": "ServiceAccount",
    "roles": "Role",
    "rolebindings": "RoleBinding",
    "clusterroles": "ClusterRole",
    "clusterrolebindings": "ClusterRoleBinding",
    "pods": "Pod",
    "nodes": "Node",
    "deployments": "Deployment",
    "statefulsets": "StatefulSet",
    "daemonsets": "DaemonSet",
    "replicasets": "ReplicaSet",
    "jobs": "Job",
    "cronjobs": "CronJob",
    "networkpolicies": "NetworkPolicy",
    "networkpolicy": "NetworkPolicy",
    "netpol": "NetworkPolicy",
    "clusterqueues": "ClusterQueue",
    "localqueues": "LocalQueue",
    "resourceflavors": "ResourceFlavor",
    "workloads": "Workload",
    "workloadpriorityclasses": "WorkloadPriorityClass",
    "persistentvolumes": "PersistentVolume",
    "persistentvolumeclaims": "PersistentVolumeClaim",
    "configmaps": "ConfigMap",
    "secrets": "Secret",
}
