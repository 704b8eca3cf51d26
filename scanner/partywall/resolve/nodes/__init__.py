"""Getting out of a pod onto its node, and from there to every pod beside it.

Nodes of HyperPod are shared under Kueue, and whoever makes pods may name any node (`nodeName` goes past the scheduler, tolerations are
free), so a taint is no wall against a pod that may be privileged.
"""

from collections.abc import Iterator

from partywall.model.facts import Facts, Listed, Named
from partywall.model.facts_eks import AccessEntry, AccessEntryName, AccessPolicy, EksCluster, NodeGroup, PodIdentity
from partywall.model.facts_iam import Principal
from partywall.model.facts_kubernetes import (
    Admission,
    Binding,
    ClusterNode,
    Namespace,
    OtherObject,
    Role,
    ServiceAccount,
    VolumeClaim,
    Workload,
)
from partywall.model.facts_studio import HyperPodCluster
from partywall.model.tenancy import Claim
from partywall.resolve import Resolved, Resolver
from partywall.resolve.nodes.escapes import escapes, future_escapes
from partywall.resolve.nodes.inhabited import inhabited
from partywall.resolve.nodes.inside import inside
from partywall.resolve.nodes.security import assessed, clusters
from partywall.resolve.nodes.unlock import unlocks
from partywall.resolve.rights import rights


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield who gets onto the nodes of each cluster, and what is on them."""
    held = None
    for cluster, names in clusters(facts).items():
        yield from inside(facts, cluster)
        yield from escapes(facts, cluster)
        if assessed(facts, cluster):
            held = rights(facts) if held is None else held
            yield from future_escapes(facts, cluster, inhabited(facts, cluster, names, held))
            yield from unlocks(facts, cluster, held)


READS: tuple[type, ...] = (
    AccessEntry,
    AccessEntryName,
    AccessPolicy,
    Admission,
    Binding,
    Claim,
    ClusterNode,
    EksCluster,
    HyperPodCluster,
    Listed,
    Named,
    Namespace,
    NodeGroup,
    OtherObject,
    PodIdentity,
    Principal,
    Role,
    ServiceAccount,
    VolumeClaim,
    Workload,
)
RESOLVER = Resolver("nodes", READS, resolve)
