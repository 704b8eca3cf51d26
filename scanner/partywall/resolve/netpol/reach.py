"""Which namespaces' pods may connect to which namespace's, and what lets them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import LabelSelector, Workload
from partywall.model.facts_network import Action, NetworkPolicy, Peer, Ports
from partywall.resolve.labels import selects
from partywall.resolve.netpol.ends import End, Ground, meets
from partywall.resolve.netpol.estate import Estate, pods_of, sight
from partywall.resolve.netpol.judge import Cause, Judge, by_namespace
from partywall.resolve.netpol.sources import chosen_ends


@dataclass(slots=True)
class Opening:
    """One cause of one target namespace: the sources that it lets in, by the part of the port space and by the pods that they get to."""

    target: str
    cause: Cause
    ports: dict[Ports, int] = field(default_factory=dict)
    ends: list[tuple[End, int]] = field(default_factory=list)
    workloads: list[Workload] = field(default_factory=list)

    @property
    def sources(self) -> int:
        """Return the sources that get in on any port."""
        bits = 0
        for _, some in self.ends:
            bits |= some
        return bits

    def ports_for(self, mask: int) -> tuple[Ports, ...]:
        """Return the ports that some sources get in by."""
        return tuple(part for part, bits in self.ports.items() if bits & mask)


@dataclass(frozen=True, slots=True)
class Reach:
    """What is open between the namespaces of a cluster, and the sources that the bits stand for."""

    estate: Estate
    ground: Ground
    sources: Sequence[End]
    masks: Mapping[str, int]
    egress: Mapping[str, Sequence[NetworkPolicy]]
    openings: Sequence[Opening]

    def pairs(self) -> Iterator[tuple[Opening, tuple[str, ...]]]:
        """Yield the openings with the namespaces that they let in, which may be the target itself among others."""
        spoken: dict[int, tuple[str, ...]] = {}
        for opening in self.openings:
            bits = opening.sources
            if bits not in spoken:
                spoken[bits] = tuple(namespace for namespace, mask in self.masks.items() if bits & mask)
            if any(namespace != opening.target for namespace in spoken[bits]):
                yield opening, spoken[bits]

    def leaving(self, namespace: str, opening: Opening) -> Evidence:
        """Return what lets a namespace's pods out: an egress rule, or the place where nothing isolates them."""
        mask = self.masks[namespace]
        for target, bits in opening.ends:
            if bits & mask:
                bit = bits & mask
                source = self.sources[(bit & -bit).bit_length() - 1]
                return _leaving(source, target, self.egress.get(namespace, ()), self.ground) or self.estate.places[namespace]
        return self.estate.places[namespace]


def cluster_sources(estate: Estate, ground: Ground) -> list[End]:
    """Return the pods that any namespace's people could start, and those that stand on the host's network."""
    egress = by_namespace(policy for policy in estate.policies if policy.egress is not None)
    peers = list(dict.fromkeys(asking_peers(estate)))
    denied = list(dict.fromkeys(_denied(estate)))
    found: list[End] = []
    for namespace in estate.places:
        found += chosen_ends(namespace, ground, egress.get(namespace, ()), peers, denied)
        if any(workload.host_network for workload in estate.workloads.get(namespace, ())):
            found.append(End(namespace, {}, on_host=True))
    return found


def asking_peers(estate: Estate) -> Iterator[Peer]:
    """Yield the peers of rules that let in and ask something of pods of other namespaces, and the pods that an admin rule lets out."""
    for policy in estate.policies:
        for rule in policy.ingress or ():
            yield from (peer for peer in rule.peers or () if peer.namespaces is not None)
    for admin in estate.admin:
        if any(rule.action is not Action.DENY for rule in admin.egress):
            yield admin.subject
        for each in admin.ingress:
            if each.action is not Action.DENY:
                yield from (peer for peer in each.peers if peer.namespaces is not None)


def _denied(estate: Estate) -> Iterator[LabelSelector]:
    """Yield the pod labels by which cluster-wide policies deny: whoever chooses labels leaves these out."""
    for admin in estate.admin:
        if admin.subject.pods is not None and any(rule.action is Action.DENY for rule in admin.egress):
            yield admin.subject.pods
        for rule in admin.ingress:
            if rule.action is Action.DENY:
                yield from (peer.pods for peer in rule.peers if peer.pods is not None)


def reach(estate: Estate, ground: Ground, sources: Sequence[End]) -> Reach:
    """Judge every namespace as a target: one opening for each cause."""
    judge = Judge(ground, sources, estate.policies, estate.admin, between=True)
    seen = sight(estate)
    inward = by_namespace(policy for policy in estate.policies if policy.ingress is not None)
    found: list[Opening] = []
    for namespace in estate.places:
        causes: dict[tuple[object, ...], Opening] = {}
        for end, workloads in pods_of(namespace, estate.workloads.get(namespace, ()), seen, inward.get(namespace, ())):
            for way in judge.ways(end):
                opening = causes.setdefault(way.cause.key, Opening(namespace, way.cause))
                opening.ends.append((end, way.sources))
                opening.workloads += workloads
                for part, bits in way.parts:
                    opening.ports[part] = opening.ports.get(part, 0) | bits
        found += causes.values()
    egress = by_namespace(policy for policy in estate.policies if policy.egress is not None)
    return Reach(estate, ground, sources, _namespace_masks(sources), egress, found)


def _namespace_masks(sources: Sequence[End]) -> dict[str, int]:
    masks: dict[str, int] = {}
    for number, end in enumerate(sources):
        masks[end.namespace] = masks.get(end.namespace, 0) | 1 << number
    return masks


def _leaving(source: End, target: End, policies: Sequence[NetworkPolicy], ground: Ground) -> Evidence | None:
    """Return the egress rule that lets a source out to a target; None where no policy isolates it."""
    for policy in policies:
        if source.on_host or not selects(policy.pods, source.labels):
            continue
        for rule in policy.egress or ():
            if rule.peers is None or any(meets(peer, policy.namespace, target, ground) for peer in rule.peers):
                return rule.at
    return None
