"""Which pods may connect to which: NetworkPolicies over classes of pods, sets of sources as the bits of an integer.

The semantics are those of the API reference for networking.k8s.io/v1: a pod that no policy selects for a direction is open in it; one
that is selected admits what some policy's rule admits; a connection needs the source's egress and the target's ingress.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from partywall.model.evidence import Evidence
from partywall.model.facts_network import Action, AdminPolicy, NetworkPolicy, Peer, Ports, Tier
from partywall.resolve.labels import selects
from partywall.resolve.netpol.ends import End, Ground, meets
from partywall.resolve.netpol.ports import Cut, cut, resolved
from partywall.resolve.netpol.tiers import Asked, Tiers, verdict


@dataclass(frozen=True, slots=True)
class Cause:
    """What lets a connection in: a rule's peer (`peer` None: the rule names nobody, so everybody), or that no policy isolates the pod."""

    policy: NetworkPolicy | None = None
    rule: int = 0
    peer: int | None = None
    on_host: bool = False
    admin: AdminPolicy | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """Return what tells causes of one namespace apart, cheaper than the whole policy."""
        policy = self.policy or self.admin
        return (policy.name if policy else "", policy.at if policy else None, self.rule, self.peer, self.on_host)


Entry: TypeAlias = tuple[Cause, tuple[Ports, ...] | None, int]
Rules: TypeAlias = tuple[list[Asked], ...]
NO_RULES: Rules = ()
OPEN = Cause()
ON_HOST = Cause(on_host=True)


@dataclass(frozen=True, slots=True)
class Way:
    """Sources that a cause lets in, for each part of the port space."""

    cause: Cause
    parts: tuple[tuple[Ports, int], ...]

    @property
    def sources(self) -> int:
        """Return the sources of all ports."""
        bits = 0
        for _, sources in self.parts:
            bits |= sources
        return bits


@dataclass(frozen=True, slots=True)
class _Exit:
    """Sources of one namespace that some policies let out to a peer."""

    peer: Peer | None
    home: str
    ports: tuple[Ports, ...] | None
    sources: int
    at: Evidence


@dataclass(slots=True)
class Judge:
    """Policies, sources and where they stand. `ways` answers for one target at a time.

    `between` leaves out what connects pods of one namespace only.
    """

    ground: Ground
    sources: Sequence[End]
    policies: Sequence[NetworkPolicy]
    admin: Sequence[AdminPolicy] = ()
    between: bool = False
    free: int = 0
    _tiers: Tiers | None = None
    _exits: dict[str, list[_Exit]] = field(default_factory=dict)
    _anywhere: dict[Peer | None, list[_Exit]] = field(default_factory=dict)
    _places: dict[str, list[int]] = field(default_factory=dict)
    _relabelled: list[int] = field(default_factory=list)
    _entries: dict[str, list[NetworkPolicy]] = field(default_factory=dict)
    _masks: dict[tuple[Peer, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._entries = by_namespace(policy for policy in self.policies if policy.ingress is not None)
        exits, self.free = _exits(self.sources, by_namespace(policy for policy in self.policies if policy.egress is not None))
        if self.admin:
            self._tiers = Tiers(self.ground, self.sources, self.admin)
        for leave in exits:
            self._file(leave)
        for number, end in enumerate(self.sources):
            self._places.setdefault(end.namespace, []).append(number)
            if end.relabelled is not None:
                self._relabelled.append(number)

    def _file(self, leave: _Exit) -> None:
        """Put an egress rule where its targets will look for it: under each namespace that it leads to, or apart if it may lead to any."""
        if leave.peer is None or (leave.peer.namespaces is None and not leave.peer.is_at_home):
            self._anywhere.setdefault(leave.peer, []).append(leave)
        elif leave.peer.namespaces is not None:
            for namespace in self.ground.selected(leave.peer.namespaces):
                self._exits.setdefault(namespace, []).append(leave)
        elif not self.between:
            self._exits.setdefault(leave.home, []).append(leave)

    def ways(self, target: End) -> Iterator[Way]:
        """Yield what lets sources in to a target, and which."""
        entries = [(cause, resolved(ports, target), sources) for cause, ports, sources in self._entries_of(target)]
        rules = self._rules_about(target)
        if not entries and rules is NO_RULES:
            return
        asked = _asked(entries, rules)
        exits = [(resolved(leave.ports, target), leave.sources) for leave in self.exits_to(target, asked)]
        bounds = [*(some for some, _ in exits), *(some for _, some, _ in entries), *(rule.ports for side in rules for rule in side)]
        space = cut(frozenset(some for some in bounds if some is not None))
        leaving = self._leaving(space, exits, rules)
        if rules is NO_RULES:
            yield from _ways(entries, space, leaving)
        else:
            yield from _ways_between(entries, space, leaving, rules, self.ground.lenient)

    def _rules_about(self, target: End) -> Rules:
        """Return the cluster-wide rules about a target: admin and baseline ones of egress, then of ingress.

        On the host's network only egress rules that name nodes or addresses lead to it.
        """
        if self._tiers is None:
            return NO_RULES
        tiers = self._tiers
        if target.on_host:
            leaving = tuple(tiers.leaving(tier, target) for tier in Tier)
            return (*leaving, [], []) if any(leaving) else NO_RULES
        return (*(tiers.leaving(tier, target) for tier in Tier), *(tiers.entering(tier, target) for tier in Tier))

    def exits_to(self, target: End, asked: int = -1) -> Iterator[_Exit]:
        """Yield the egress rules that lead to a target, for any of the sources asked about."""
        for peer, leaves in self._anywhere.items():
            if peer is None or meets(peer, "", target, self.ground):
                yield from (leave for leave in leaves if leave.sources & asked)
        for leave in self._exits.get(target.namespace, ()) if not target.on_host else ():
            # The cheap question first: in a large cluster most rules that lead here are for sources that nothing here lets in.
            if leave.sources & asked and leave.peer is not None and (leave.peer.pods is None or selects(leave.peer.pods, target.labels)):
                yield leave

    def _leaving(self, space: Cut, exits: Sequence[tuple[tuple[Ports, ...] | None, int]], rules: Rules) -> list[int]:
        """Return, for each part, the sources that may leave: accepted by an admin rule, or not denied there and let out or free."""
        let_out = [0] * len(space.parts)
        for ports, sources in exits:
            for number in space.covered(ports):
                let_out[number] |= sources
        if rules is NO_RULES:
            return [bits | self.free for bits in let_out]
        leaving: list[int] = []
        for part, bits in zip(space.parts, let_out, strict=True):
            admin, baseline = (verdict(side, part, self.ground.lenient) for side in rules[:2])
            leaving.append(admin.accepts | (~admin.denied & (bits | self.free & ~baseline.denied)))
        return leaving

    def _entries_of(self, target: End) -> Iterator[Entry]:
        everyone = (1 << len(self.sources)) - 1
        if target.on_host:
            yield ON_HOST, None, everyone
            return
        isolating = [policy for policy in self._entries.get(target.namespace, ()) if selects(policy.pods, target.labels)]
        if not isolating:
            yield OPEN, None, everyone
        for policy in isolating:
            for number, rule in enumerate(policy.ingress or ()):
                if rule.peers is None:
                    yield Cause(policy, number), rule.ports, everyone
                for place, peer in enumerate(rule.peers or ()):
                    if self.between and peer.is_at_home:
                        continue
                    sources = self._met(peer, policy.namespace)
                    if sources:
                        yield Cause(policy, number, place), rule.ports, sources

    def _met(self, peer: Peer, home: str) -> int:
        key = (peer, home if peer.is_at_home else "")
        if key not in self._masks:
            near = self._near(peer, home)
            self._masks[key] = sum(1 << number for number in near if meets(peer, home, self.sources[number], self.ground))
        return self._masks[key]

    def _near(self, peer: Peer, home: str) -> Iterable[int]:
        """Return the sources that can come into question for a peer."""
        if peer.is_at_home:
            return self._places.get(home, ())
        if peer.namespaces is None:
            return range(len(self.sources))
        spaces = self.ground.selected(peer.namespaces)
        plain = (number for namespace in spaces for number in self._places.get(namespace, ()) if self.sources[number].relabelled is None)
        return (*plain, *self._relabelled)


def _ways(entries: Sequence[Entry], space: Cut, leaving: Sequence[int]) -> Iterator[Way]:
    for cause, ports, sources in entries:
        inside = tuple((space.parts[number], bits) for number in space.covered(ports) if (bits := sources & leaving[number]))
        if inside:
            yield Way(cause, inside)


def _asked(entries: Sequence[Entry], rules: Rules) -> int:
    """Return the sources that anything may let in: how the others leave is not worth asking."""
    bits = 0
    for _, _, sources in entries:
        bits |= sources
    for side in rules[2:]:
        for rule in side:
            bits |= (rule.sources | rule.maybe) if rule.action is Action.ACCEPT else 0
    return bits


def _ways_between(entries: Sequence[Entry], space: Cut, leaving: Sequence[int], rules: Rules, lenient: bool) -> Iterator[Way]:
    """Put cluster-wide rules around what NetworkPolicies say; what an admin rule accepts comes in whatever they say."""
    accepted: dict[tuple[object, ...], tuple[Cause, list[tuple[Ports, int]]]] = {}
    allowed: list[int] = []
    free: list[int] = []
    for part, bits in zip(space.parts, leaving, strict=True):
        admin, baseline = (verdict(side, part, lenient) for side in rules[2:])
        for rule, sources in admin.accepted:
            cause = Cause(rule=rule.number, admin=rule.policy)
            if sources & bits:
                accepted.setdefault(cause.key, (cause, []))[1].append((part, sources & bits))
        allowed.append(bits & ~admin.denied)
        free.append(bits & ~admin.denied & ~baseline.denied)
    for cause, parts in accepted.values():
        yield Way(cause, tuple(parts))
    yield from _ways([entry for entry in entries if entry[0].policy is None], space, free)
    yield from _ways([entry for entry in entries if entry[0].policy is not None], space, allowed)


def by_namespace(policies: Iterator[NetworkPolicy]) -> dict[str, list[NetworkPolicy]]:
    """Group policies by the namespace they live in."""
    found: dict[str, list[NetworkPolicy]] = {}
    for policy in policies:
        found.setdefault(policy.namespace, []).append(policy)
    return found


def _exits(sources: Sequence[End], policies: Mapping[str, Sequence[NetworkPolicy]]) -> tuple[list[_Exit], int]:
    """Return the egress rules with the sources they hold for, merged where they say the same, and the sources that no policy isolates."""
    found: dict[tuple[Peer | None, str, tuple[Ports, ...] | None], tuple[int, Evidence]] = {}
    free = 0
    for number, end in enumerate(sources):
        bit = 1 << number
        isolating = () if end.on_host else [policy for policy in policies.get(end.namespace, ()) if selects(policy.pods, end.labels)]
        free |= 0 if isolating else bit
        for policy in isolating:
            for rule in policy.egress or ():
                for peer in (None,) if rule.peers is None else rule.peers:
                    # Only a peer without namespaces depends on where its policy lives.
                    home = end.namespace if peer is not None and peer.is_at_home else ""
                    bits, at = found.get((peer, home, rule.ports), (0, rule.at))
                    found[(peer, home, rule.ports)] = (bits | bit, at)
    return [_Exit(peer, home, ports, bits, at) for (peer, home, ports), (bits, at) in found.items()], free
