"""Pod Security: which namespaces let a pod out to its node (Kubernetes, "Pod Security Admission")."""

from collections.abc import Mapping
from functools import lru_cache

from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_eks import EksCluster, NodeGroup
from partywall.model.facts_kubernetes import Admission, ClusterNode, Namespace
from partywall.model.facts_studio import HyperPodCluster
from partywall.model.pod import Container, PodSettings, SecurityContext, Volume
from partywall.model.tenancy import Orchestrator
from partywall.resolve.pod_security import Standard, enforced, refusals
from partywall.resolve.rbac.places import namespaces

LABEL = "pod-security.kubernetes.io/enforce"

# Pods that are on their node once they run, each by one setting alone.
_HOSTILE: Mapping[str, PodSettings] = {
    "privileged": PodSettings((Container(security=SecurityContext(privileged=True)),)),
    "hostPID": PodSettings((Container(),), host_pid=True),
    "capability SYS_ADMIN": PodSettings((Container(security=SecurityContext(added=("SYS_ADMIN",))),)),
    "hostPath /": PodSettings((Container(),), volumes=(Volume("hostPath", "/"),)),
    "hostProcess": PodSettings((Container(security=SecurityContext(host_process=True)),), windows=True, host_network=True),
}


def standard_of(namespace: Namespace) -> Standard:
    """Return what a namespace enforces."""
    return enforced(namespace.labels)


@lru_cache(maxsize=256)
def way_out(standard: Standard, server: int | None = None) -> str:
    """Return a setting that puts a pod on its node and that a standard lets through, or an empty text."""
    return next((way for way, pod in _HOSTILE.items() if not refusals(pod, standard, server)), "")


def minor_of(facts: Facts, cluster: str) -> int | None:
    """Return the minor version of a cluster's API server, None where no answer says it."""
    versions = (one.version.partition(".")[2] for one in facts.of(EksCluster) if one.cluster == cluster)
    return next((int(minor) for minor in versions if minor.isdecimal()), None)


def clusters(facts: Facts) -> Mapping[str, Mapping[str, Evidence]]:
    """Return the clusters with their known namespaces."""
    return namespaces(facts)


def assessed(facts: Facts, cluster: str) -> bool:
    """Tell whether the input puts the nodes in question: it shows nodes, what makes them, or a pod-security label."""
    return (
        any(node.cluster == cluster for node in facts.of(ClusterNode))
        or any(group.cluster == cluster for group in facts.of(NodeGroup))
        or any(one.scope == cluster and one.orchestrator is Orchestrator.EKS and one.groups for one in facts.of(HyperPodCluster))
        or any(space.cluster == cluster and LABEL in space.labels for space in facts.of(Namespace))
    )


def engines(facts: Facts, cluster: str, namespace: str) -> tuple[Admission, ...]:
    """Return what else may refuse a pod in a namespace; its rules are not evaluated, so what it guards is unknown."""
    return tuple(
        one for one in facts.of(Admission) if one.cluster == cluster and one.namespace in ("", namespace) and one.kind not in _HARMLESS
    )


# A mutating webhook changes pods and refuses none; a policy without its binding does nothing, and the binding is listed on its own.
_HARMLESS = frozenset(
    {"MutatingWebhookConfiguration", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicy"}
)
