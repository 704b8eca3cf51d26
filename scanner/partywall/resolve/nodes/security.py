"""Pod Security: which namespaces let a pod out to its node (Kubernetes, "Pod Security Admission")."""

from collections.abc import Mapping
from enum import StrEnum

from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_eks import NodeGroup
from partywall.model.facts_kubernetes import Admission, ClusterNode, Namespace
from partywall.model.facts_studio import HyperPodCluster
from partywall.model.tenancy import Orchestrator
from partywall.resolve.rbac.places import namespaces

LABEL = "pod-security.kubernetes.io/enforce"


class Level(StrEnum):
    """What the namespace's label enforces; without a label everything is let through."""

    PRIVILEGED = "privileged"
    BASELINE = "baseline"
    RESTRICTED = "restricted"


def level_of(namespace: Namespace | None) -> Level:
    """Return what a namespace enforces. The admission plugin takes a level that it does not know for the strictest one."""
    written = namespace.labels.get(LABEL) if namespace else None
    if written is None:
        return Level.PRIVILEGED
    return Level(written) if written in {level.value for level in Level} else Level.RESTRICTED


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
