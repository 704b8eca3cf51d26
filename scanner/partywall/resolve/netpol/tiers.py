"""Cluster-wide policies around NetworkPolicies: admin rules speak first, baseline rules where no NetworkPolicy isolates the pod.

Rules are asked in order of priority and place; the first that matches decides (network-policy-api, AdminNetworkPolicy v1alpha1 and
ClusterNetworkPolicy v1alpha2).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from partywall.model.facts_network import Action, AdminPolicy, AdminRule, Peer, Ports, Tier
from partywall.resolve.netpol.ends import End, Ground, meets
from partywall.resolve.netpol.ports import resolved, within


@dataclass(frozen=True, slots=True)
class Asked:
    """One rule as it stands for one target: the sources that it means, and the ports, names resolved."""

    policy: AdminPolicy
    number: int
    action: Action
    sources: int
    ports: tuple[Ports, ...] | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a tier says for one part of the port space: the sources accepted, by the rules that accept them, and the sources denied."""

    accepted: tuple[tuple[Asked, int], ...]
    denied: int

    @property
    def accepts(self) -> int:
        """Return all sources accepted."""
        bits = 0
        for _, sources in self.accepted:
            bits |= sources
        return bits


SILENT = Verdict((), 0)


@dataclass(slots=True)
class Tiers:
    """The cluster-wide policies of a cluster, in the order in which they speak."""

    ground: Ground
    sources: Sequence[End]
    policies: Sequence[AdminPolicy]
    _masks: dict[Peer, int] = field(default_factory=dict)
    _ordered: dict[Tier, list[AdminPolicy]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for tier in Tier:
            self._ordered[tier] = sorted(
                (policy for policy in self.policies if policy.tier is tier), key=lambda policy: (policy.priority, policy.name)
            )

    def entering(self, tier: Tier, target: End) -> list[Asked]:
        """Return the ingress rules of the policies about a target."""
        found: list[Asked] = []
        for policy in self._ordered[tier]:
            if policy.ingress and meets(policy.subject, "", target, self.ground):
                found += self._asked(policy, policy.ingress, lambda rule: self._any(rule.peers), target)
        return found

    def leaving(self, tier: Tier, target: End) -> list[Asked]:
        """Return the egress rules that lead to a target, each for the sources that its policy is about."""
        found: list[Asked] = []
        for policy in self._ordered[tier]:
            sources = self._met(policy.subject) if policy.egress else 0
            if sources:
                found += self._asked(policy, policy.egress, _leading(sources, target, self.ground), target)
        return found

    def _asked(
        self, policy: AdminPolicy, rules: Sequence[AdminRule], sources_of: Callable[[AdminRule], int], target: End
    ) -> Iterator[Asked]:
        for number, rule in enumerate(rules):
            sources = sources_of(rule)
            if sources:
                yield Asked(policy, number, rule.action, sources, resolved(rule.ports, target))

    def _any(self, peers: Sequence[Peer]) -> int:
        bits = 0
        for peer in peers:
            bits |= self._met(peer)
        return bits

    def _met(self, peer: Peer) -> int:
        if peer not in self._masks:
            self._masks[peer] = sum(1 << number for number, end in enumerate(self.sources) if meets(peer, "", end, self.ground))
        return self._masks[peer]


def _leading(sources: int, target: End, ground: Ground) -> Callable[[AdminRule], int]:
    """Return what gives a rule the sources that its policy is about, where it leads to the target at all."""
    return lambda rule: sources if any(meets(peer, "", target, ground) for peer in rule.peers) else 0


def verdict(rules: Sequence[Asked], part: Ports) -> Verdict:
    """Ask rules in order about one part of the port space: the first that means a source decides about it."""
    accepted: list[tuple[Asked, int]] = []
    denied = decided = 0
    for rule in rules:
        if not within(part, rule.ports):
            continue
        new = rule.sources & ~decided
        decided |= new
        if new and rule.action is Action.ACCEPT:
            accepted.append((rule, new))
        elif rule.action is Action.DENY:
            denied |= new
    return Verdict(tuple(accepted), denied) if accepted or denied else SILENT
