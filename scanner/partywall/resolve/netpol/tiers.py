"""Cluster-wide policies around NetworkPolicies: admin rules speak first, baseline rules where no NetworkPolicy isolates the pod.

Rules are asked in order of priority and place; the first that matches decides (network-policy-api, AdminNetworkPolicy v1alpha1 and
ClusterNetworkPolicy v1alpha2).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from partywall.model.facts_network import Action, AdminPolicy, AdminRule, Peer, Ports, Tier
from partywall.resolve.netpol.ends import End, Ground, Held, means
from partywall.resolve.netpol.ports import resolved, within


@dataclass(frozen=True, slots=True)
class Asked:
    """One rule as it stands for one target: the sources that it surely means, those that it may mean, and the ports, names resolved."""

    policy: AdminPolicy
    number: int
    action: Action
    sources: int
    maybe: int
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
_NOBODY = (0, 0)


@dataclass(slots=True)
class Tiers:
    """The cluster-wide policies of a cluster, in the order in which they speak."""

    ground: Ground
    sources: Sequence[End]
    policies: Sequence[AdminPolicy]
    _masks: dict[Peer, tuple[int, int]] = field(default_factory=dict)
    _ordered: dict[Tier, list[AdminPolicy]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for tier in Tier:
            self._ordered[tier] = sorted(
                (policy for policy in self.policies if policy.tier is tier), key=lambda policy: (policy.priority, policy.name)
            )

    def entering(self, tier: Tier, target: End) -> list[Asked]:
        """Return the ingress rules of the policies about a target, for the sources that each names."""
        found: list[Asked] = []
        for policy in self._ordered[tier]:
            about = means(policy.subject, "", target, self.ground) if policy.ingress else Held.NO
            if about is not Held.NO:
                for number, rule in enumerate(policy.ingress):
                    found += _asked(policy, number, rule, _as_far_as(about, self._any(rule.peers)), target)
        return found

    def leaving(self, tier: Tier, target: End) -> list[Asked]:
        """Return the egress rules that lead to a target, each for the sources that its policy is about."""
        found: list[Asked] = []
        for policy in self._ordered[tier]:
            sources = self._meant(policy.subject) if policy.egress else _NOBODY
            if any(sources):
                for number, rule in enumerate(policy.egress):
                    found += _asked(policy, number, rule, _as_far_as(self._leads(rule, target), sources), target)
        return found

    def _leads(self, rule: AdminRule, target: End) -> Held:
        held = {means(peer, "", target, self.ground) for peer in rule.peers}
        return Held.YES if Held.YES in held else Held.MAYBE if Held.MAYBE in held else Held.NO

    def _any(self, peers: Sequence[Peer]) -> tuple[int, int]:
        sure = maybe = 0
        for peer in peers:
            some, others = self._meant(peer)
            sure, maybe = sure | some, maybe | others
        return sure, maybe & ~sure

    def _meant(self, peer: Peer) -> tuple[int, int]:
        if peer not in self._masks:
            held = [means(peer, "", end, self.ground) for end in self.sources]
            sure = sum(1 << number for number, one in enumerate(held) if one is Held.YES)
            self._masks[peer] = sure, sum(1 << number for number, one in enumerate(held) if one is Held.MAYBE)
        return self._masks[peer]


def _as_far_as(held: Held, sources: tuple[int, int]) -> tuple[int, int]:
    """Return sources as surely as something else holds that must hold too."""
    match held:
        case Held.YES:
            return sources
        case Held.MAYBE:
            return 0, sources[0] | sources[1]
        case Held.NO:
            return _NOBODY


def _asked(policy: AdminPolicy, number: int, rule: AdminRule, sources: tuple[int, int], target: End) -> Iterator[Asked]:
    if any(sources):
        yield Asked(policy, number, rule.action, *sources, resolved(rule.ports, target))


def verdict(rules: Sequence[Asked], part: Ports, lenient: bool) -> Verdict:
    """Ask rules in order about one part of the port space: the first that means a source decides about it.

    Where it is not known whether a rule means a source, the answer is what surely gets through, or on a lenient ground what possibly does.
    """
    accepted: list[tuple[Asked, int]] = []
    denied = decided = passed = 0
    for rule in rules:
        if not within(part, rule.ports):
            continue
        if rule.action is Action.PASS:
            # One that may have passed before it is denied possibly gets through; one that may have passed is not surely accepted.
            passed |= rule.maybe & ~decided
            decided |= rule.sources
            continue
        means_it = (rule.sources | rule.maybe) if lenient is (rule.action is Action.ACCEPT) else rule.sources
        new = means_it & ~decided
        decided |= rule.sources | new
        if rule.action is Action.DENY:
            denied |= new & ~passed if lenient else new
        elif new := new if lenient else new & ~passed:
            accepted.append((rule, new))
    return Verdict(tuple(accepted), denied) if accepted or denied else SILENT
