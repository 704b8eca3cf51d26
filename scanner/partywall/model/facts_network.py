"""What network policies say. `cluster` is the canonical scope `account/region/name`."""

from dataclasses import dataclass, field
from enum import StrEnum

from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import LabelSelector

NOWHERE = Evidence("", "")
PROTOCOLS = ("TCP", "UDP", "SCTP")
APPLICATION = "ApplicationNetworkPolicy"


@dataclass(frozen=True, slots=True)
class Ports:
    """A protocol and a range of its ports, or the name of a port of the pod that is connected to."""

    protocol: str
    first: int = 1
    last: int = 65535
    name: str = ""

    def __str__(self) -> str:
        if self.name:
            return f"{self.protocol}/{self.name}"
        if (self.first, self.last) == (1, 65535):
            return f"all {self.protocol}"
        return f"{self.protocol}/{self.first}" if self.first == self.last else f"{self.protocol}/{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Block:
    """Addresses: a CIDR without some parts of it."""

    cidr: str
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Peer:
    """One element of `from` or `to`: pods by selectors (both hold), addresses, nodes, or names outside the cluster.

    `namespaces` None means the policy's own namespace; `pods` None means all pods. Equality is that of its content.
    """

    namespaces: LabelSelector | None = None
    pods: LabelSelector | None = None
    block: Block | None = None
    at: Evidence = field(default=NOWHERE, compare=False)
    nodes: LabelSelector | None = None
    domains: tuple[str, ...] = ()

    @property
    def is_at_home(self) -> bool:
        """Tell whether it means pods of the policy's own namespace."""
        return self.namespaces is None and self.block is None and self.nodes is None and not self.domains


@dataclass(frozen=True, slots=True)
class Allowance:
    """One rule of a policy. `peers` None is everyone, `ports` None every port; an empty `peers` is nobody."""

    peers: tuple[Peer, ...] | None
    ports: tuple[Ports, ...] | None
    at: Evidence = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class NetworkPolicy:
    """A NetworkPolicy, or Amazon's ApplicationNetworkPolicy, which says the same and may name domains.

    A direction that it does not isolate is None; one that it isolates and opens to nobody is empty.
    """

    cluster: str
    namespace: str
    name: str
    pods: LabelSelector
    ingress: tuple[Allowance, ...] | None
    egress: tuple[Allowance, ...] | None
    at: Evidence
    kind: str = "NetworkPolicy"


class Tier(StrEnum):
    """When a cluster-wide policy speaks: before NetworkPolicies, or only where none isolates the pod."""

    ADMIN = "Admin"
    BASELINE = "Baseline"


class Action(StrEnum):
    """What a cluster-wide policy's rule does; `Accept` is called `Allow` in older versions. Pass leaves it to NetworkPolicies."""

    ACCEPT = "Accept"
    DENY = "Deny"
    PASS = "Pass"


@dataclass(frozen=True, slots=True)
class AdminRule:
    """One rule of a cluster-wide policy."""

    action: Action
    peers: tuple[Peer, ...]
    ports: tuple[Ports, ...] | None
    name: str = ""
    at: Evidence = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AdminPolicy:
    """A cluster-wide policy: AdminNetworkPolicy, its baseline, ClusterNetworkPolicy (upstream's, Amazon's). The lowest priority first."""

    cluster: str
    kind: str
    name: str
    tier: Tier
    priority: int
    subject: Peer
    ingress: tuple[AdminRule, ...]
    egress: tuple[AdminRule, ...]
    at: Evidence
    group: str = "policy.networking.k8s.io"


@dataclass(frozen=True, slots=True)
class ForeignPolicy:
    """A policy of another dialect (Calico, Cilium, a service mesh), another network, or a policy that we cannot read: it is not evaluated.

    `namespace` is empty for one of the whole cluster; then `namespaces` says which it is about (None: that was not understood, or all
    of them are meant). One that `opens` only adds ways: what is open without it stays so. `why` says what is not evaluated, in words;
    `ingress` and `egress`, about which directions it speaks.
    """

    cluster: str
    kind: str
    namespace: str
    name: str
    namespaces: LabelSelector | None
    at: Evidence
    opens: bool = False
    why: str = "whose rules are not evaluated"
    ingress: bool = True
    egress: bool = True


@dataclass(frozen=True, slots=True)
class PolicyEndpoint:
    """What the VPC CNI's controller made of a policy: evidence that policies are put into force."""

    cluster: str
    namespace: str
    name: str
    at: Evidence
