"""What the API's resources are: which make pods, which are tasks, which belong to no namespace, which say nothing about anybody."""

from collections.abc import Mapping

RBAC_GROUP = "rbac.authorization.k8s.io"
ADMISSION_GROUP = "admissionregistration.k8s.io"

# Kinds that end in pods of a service account of the writer's choice (each operator's CRD; Kubernetes, "RBAC good practices").
WORKLOADS = (
    ("", "pods"),
    ("", "replicationcontrollers"),
    ("apps", "deployments"),
    ("apps", "statefulsets"),
    ("apps", "daemonsets"),
    ("apps", "replicasets"),
    ("batch", "jobs"),
    ("batch", "cronjobs"),
    ("kubeflow.org", "pytorchjobs"),
    ("kubeflow.org", "tfjobs"),
    ("kubeflow.org", "mpijobs"),
    ("kubeflow.org", "xgboostjobs"),
    ("kubeflow.org", "paddlejobs"),
    ("kubeflow.org", "jaxjobs"),
    ("kubeflow.org", "notebooks"),
    ("trainer.kubeflow.org", "trainjobs"),
    ("sagemaker.amazonaws.com", "hyperpodpytorchjobs"),
    ("inference.sagemaker.aws.amazon.com", "inferenceendpointconfigs"),
    ("inference.sagemaker.aws.amazon.com", "jumpstartmodels"),
    ("workspace.jupyter.org", "workspaces"),
    ("ray.io", "rayclusters"),
    ("ray.io", "rayjobs"),
    ("ray.io", "rayservices"),
    ("ray.io", "raycronjobs"),
    ("jobset.x-k8s.io", "jobsets"),
    ("leaderworkerset.x-k8s.io", "leaderworkersets"),
    ("workload.codeflare.dev", "appwrappers"),
    ("sparkoperator.k8s.io", "sparkapplications"),
    ("sparkoperator.k8s.io", "scheduledsparkapplications"),
    ("argoproj.io", "workflows"),
    ("argoproj.io", "cronworkflows"),
    ("tekton.dev", "taskruns"),
    ("tekton.dev", "pipelineruns"),
    ("serving.knative.dev", "services"),
    ("serving.kserve.io", "inferenceservices"),
    ("batch.volcano.sh", "jobs"),
)

# What Studio shows as a task (SageMaker developer guide, "HyperPod tabs in Studio").
_TASK_GROUPS = frozenset({"batch", "kubeflow.org", "trainer.kubeflow.org", "sagemaker.amazonaws.com", "ray.io"})
TASKS = (*(pair for pair in WORKLOADS if pair[0] in _TASK_GROUPS), ("kueue.x-k8s.io", "workloads"))

CLUSTER_SCOPED = frozenset(
    {
        ("", "nodes"),
        ("", "namespaces"),
        ("", "persistentvolumes"),
        ("", "componentstatuses"),
        (RBAC_GROUP, "clusterroles"),
        (RBAC_GROUP, "clusterrolebindings"),
        ("apiextensions.k8s.io", "customresourcedefinitions"),
        ("apiregistration.k8s.io", "apiservices"),
        (ADMISSION_GROUP, "mutatingwebhookconfigurations"),
        (ADMISSION_GROUP, "validatingwebhookconfigurations"),
        (ADMISSION_GROUP, "validatingadmissionpolicies"),
        (ADMISSION_GROUP, "validatingadmissionpolicybindings"),
        (ADMISSION_GROUP, "mutatingadmissionpolicies"),
        (ADMISSION_GROUP, "mutatingadmissionpolicybindings"),
        ("storage.k8s.io", "storageclasses"),
        ("storage.k8s.io", "csidrivers"),
        ("storage.k8s.io", "csinodes"),
        ("storage.k8s.io", "volumeattachments"),
        ("scheduling.k8s.io", "priorityclasses"),
        ("node.k8s.io", "runtimeclasses"),
        ("networking.k8s.io", "ingressclasses"),
        ("networking.k8s.io", "ipaddresses"),
        ("networking.k8s.io", "servicecidrs"),
        ("certificates.k8s.io", "certificatesigningrequests"),
        ("certificates.k8s.io", "signers"),
        ("certificates.k8s.io", "clustertrustbundles"),
        ("flowcontrol.apiserver.k8s.io", "flowschemas"),
        ("flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations"),
        ("resource.k8s.io", "deviceclasses"),
        ("resource.k8s.io", "resourceslices"),
        ("policy.networking.k8s.io", "adminnetworkpolicies"),
        ("policy.networking.k8s.io", "baselineadminnetworkpolicies"),
        ("policy.networking.k8s.io", "clusternetworkpolicies"),
        ("networking.k8s.aws", "clusternetworkpolicies"),
        ("kueue.x-k8s.io", "clusterqueues"),
        ("kueue.x-k8s.io", "resourceflavors"),
        ("kueue.x-k8s.io", "cohorts"),
        ("kueue.x-k8s.io", "workloadpriorityclasses"),
        ("kueue.x-k8s.io", "admissionchecks"),
        ("kueue.x-k8s.io", "topologies"),
        ("visibility.kueue.x-k8s.io", "clusterqueues"),
        ("metrics.k8s.io", "nodes"),
        ("cert-manager.io", "clusterissuers"),
        ("karpenter.sh", "nodepools"),
        ("karpenter.sh", "nodeclaims"),
        ("karpenter.sagemaker.amazonaws.com", "hyperpodnodeclasses"),
    }
)

# Asking the API about oneself, and reporting events or leases: nothing of others is read or changed.
HARMLESS_GROUPS = frozenset({"authorization.k8s.io", "authentication.k8s.io", "events.k8s.io", "coordination.k8s.io", "metrics.k8s.io"})
HARMLESS = frozenset({("", "events"), ("", "componentstatuses"), ("", "bindings"), ("apiextensions.k8s.io", "customresourcedefinitions")})

# Judged by the resolvers of networks and of queues.
ELSEWHERE = frozenset({"kueue.x-k8s.io", "visibility.kueue.x-k8s.io"})
NETWORK_POLICIES = (("networking.k8s.io", "networkpolicies"),)

# All that the groups of Kubernetes' own hold beside the workloads: a right on anything else there is a slip of the pen and gives nothing.
BUILT_IN: Mapping[str, frozenset[str]] = {
    "": frozenset(
        {
            *(
                "configmaps",
                "endpoints",
                "events",
                "limitranges",
                "persistentvolumeclaims",
                "persistentvolumes",
                "podtemplates",
                "resourcequotas",
            ),
            *("secrets", "serviceaccounts", "services", "namespaces", "nodes"),
        }
    ),
    "apps": frozenset({"controllerrevisions"}),
    "batch": frozenset(),
    # Kubernetes, "Deprecated API Migration Guide": nothing has been served there since 1.22, and rules about it give nothing on the groups
    # that took over.
    "extensions": frozenset(),
}
