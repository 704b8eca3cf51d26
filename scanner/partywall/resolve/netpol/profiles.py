"""What each network plug-in puts into force, for which pods, and where it does not reach: the blind spots of its verdicts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from partywall.model.facts_kubernetes import Workload
from partywall.model.facts_network import AdminPolicy
from partywall.resolve.netpol.atoms import METADATA, POD_IDENTITY, Atom

VPC_CNI, CILIUM, CALICO = "the VPC CNI", "Cilium", "Calico"
UPSTREAM, AMAZON = "policy.networking.k8s.io", "networking.k8s.aws"

STANDARD = "in standard mode a new pod is open until its policies arrive (NETWORK_POLICY_ENFORCING_MODE=strict starts it closed)"
EVERYWHERE = (
    "what comes from the node itself (probes, the API server's proxy and port-forward) is let in by most plug-ins whatever policies say",
    "behind a load balancer, a NodePort or a proxy it is the proxy's address that policies see",
)


@dataclass(frozen=True, slots=True)
class Profile:
    """One plug-in.

    `blocks_hold_pods` is false where an ipBlock never means pods; `admin` are the API groups of cluster-wide policies that it reads, None
    where that depends on its version. `uncovered` says for places outside the cluster, by IP version, why no verdict about them is sure;
    `alone` why pods that no controller owns may not be covered. `blind` holds for every verdict.
    """

    name: str
    blocks_hold_pods: bool = True
    admin: frozenset[str] | None = None
    uncovered: Mapping[tuple[str, int], str] = field(default_factory=dict)
    alone: str = ""
    blind: tuple[str, ...] = ()

    def doubts(self, atom: Atom) -> Iterator[str]:
        """Yield why a verdict about a place outside the cluster may not hold."""
        yield from (self.uncovered[name, atom.version] for name in atom.names if (name, atom.version) in self.uncovered)

    def doubts_alone(self, members: Sequence[Workload]) -> bool:
        """Tell whether any of these pods may not be covered, since no controller owns it."""
        return bool(self.alone) and any(is_alone(workload) for workload in members)

    def reads(self, policy: AdminPolicy) -> bool:
        """Tell whether the plug-in reads a cluster-wide policy at all."""
        return self.admin is None or policy.group in self.admin


def is_alone(workload: Workload) -> bool:
    """Tell whether a pod stands alone: nothing that makes pods owns it."""
    return workload.kind == "Pod" and not workload.group and not workload.owned and not workload.host_network


# EKS user guide, "Limit Pod traffic with Kubernetes network policies", considerations; aws/aws-network-policy-agent issue 327 (names);
# aws/containers-roadmap issue 2440 (metadata over IPv6); cilium/cilium issue 34387 (the link-local addresses are the `host` entity).
_VPC = Profile(
    VPC_CNI,
    admin=frozenset({AMAZON}),
    uncovered={
        (METADATA, 6): "on IPv6 clusters the VPC CNI leaves the metadata service open under a default deny (aws/containers-roadmap 2440)",
        (POD_IDENTITY, 6): "whether the VPC CNI covers the Pod Identity agent's IPv6 address is not documented",
    },
    alone="the VPC CNI does not cover pods that no controller owns",
    blind=(
        "EFA, Multus and other interfaces beside the pod's first bypass the VPC CNI's policies; there only security groups decide",
        STANDARD,
        "the VPC CNI takes at most 24 combinations of port and protocol for each selector, and does not cover Fargate and Windows pods",
    ),
)
_HOST = "Cilium takes this address for the host's, and no ipBlock means it (cilium/cilium 34387)"
_CILIUM = Profile(
    CILIUM,
    blocks_hold_pods=False,
    uncovered={(name, version): _HOST for name in (METADATA, POD_IDENTITY) for version in (4, 6)},
    blind=("interfaces beside the pod's first (EFA, Multus) are not covered",),
)
_OTHER = ("interfaces beside the pod's first (EFA, Multus) are not covered",)
_PROFILES: Mapping[str, Profile] = {VPC_CNI: _VPC, CILIUM: _CILIUM, CALICO: Profile(CALICO, blind=_OTHER)}


def profile(engine: str) -> Profile:
    """Return what is known of a plug-in; of one that we do not know, what holds for most."""
    return _PROFILES.get(engine) or Profile(engine or "no plug-in that was read", blind=_OTHER)
