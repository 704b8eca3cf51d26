"""Rules that trust a namespace's labels, and those who may set such labels: they choose whom the rule admits.

Only `kubernetes.io/metadata.name` is set by the server and safe (Kubernetes, "Namespaces"; projectcapsule/capsule issue 200).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from partywall.model.edge import Certainty, Edge
from partywall.model.facts_kubernetes import LabelSelector, Rule
from partywall.model.facts_network import NetworkPolicy, Peer
from partywall.model.node import Kind, Node
from partywall.resolve.labels import NAME_LABEL, chosen, text_of
from partywall.resolve.netpol.doors import CONNECT
from partywall.resolve.netpol.ends import End, Ground
from partywall.resolve.netpol.estate import Estate
from partywall.resolve.netpol.judge import by_namespace
from partywall.resolve.netpol.levers import Levers
from partywall.resolve.netpol.reach import Opening, Reach, asking_peers, reach
from partywall.resolve.netpol.sources import relabelled_ends
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.matching import allows
from partywall.resolve.rights import places_of, tenants_grants

_RELABEL = ("patch", "update")


@dataclass(frozen=True, slots=True)
class Labeller:
    """Somebody who may change the labels of a namespace, and the rule that says so."""

    grant: Grant
    rule: Rule
    namespace: str


def labellers(held: Iterable[Grant], cluster: str, names: Sequence[str]) -> Iterator[Labeller]:
    """Yield who may change which namespace's labels. Cluster administrators may do anything and are left to RBAC."""
    for grant in tenants_grants(held, cluster):
        for rule in grant.rules:
            if not any(allows(rule, verb, "", "namespaces", rule.names[0] if rule.names else "") for verb in _RELABEL):
                continue
            # A request for a namespace object has that namespace, so a RoleBinding there gives the right too (measured).
            yield from (Labeller(grant, rule, name) for name in places_of(grant, names) if not rule.names or name in rule.names)


def spoofs(held: Iterable[Grant], estate: Estate, ground: Ground, levers: Levers, doubtful: frozenset[str]) -> Iterator[Edge]:
    """Yield an edge from each labeller to each namespace that its pods get to once the labels are set."""
    peers = list(dict.fromkeys(asking_peers(estate)))
    if not any(map(_is_open_to_labels, peers)):
        return
    found: dict[str, list[Labeller]] = {}
    for labeller in labellers(held, estate.cluster, list(estate.places)):
        found.setdefault(labeller.namespace, []).append(labeller)
    if not found:
        return
    opened = reach(estate, ground, _relabelled(estate, ground, peers, list(found)))
    said: set[tuple[Node, str, tuple[object, ...]]] = set()
    for opening, names in opened.pairs():
        for name in (name for name in names if name != opening.target):
            forged = _forged(opening, name, ground)
            for labeller in found[name] if forged else ():
                key = (labeller.grant.source, opening.target, opening.cause.key)
                if forged and key not in said:
                    said.add(key)
                    yield _edge(opening, forged, labeller, opened, levers, doubtful)


def _is_open_to_labels(peer: Peer) -> bool:
    """Tell whether a selector asks for any label that can be set by hand."""
    selector = peer.namespaces
    return selector is not None and (
        any(key != NAME_LABEL for key, _ in selector.labels) or any(key != NAME_LABEL for key, _, _ in selector.expressions)
    )


def _relabelled(estate: Estate, ground: Ground, peers: Sequence[Peer], names: Sequence[str]) -> list[End]:
    egress = by_namespace(policy for policy in estate.policies if policy.egress is not None)
    ends: list[End] = []
    for name in names:
        forged = [peer for peer in peers if peer.namespaces is not None and not ground.selects(peer.namespaces, name)]
        ends += relabelled_ends(name, egress.get(name, ()), forged)
    return ends


@dataclass(frozen=True, slots=True)
class _Forged:
    """A peer that lets in by labels which a namespace does not have as it stands."""

    policy: NetworkPolicy
    rule: int
    place: int
    peer: Peer
    selector: LabelSelector


def _forged(opening: Opening, name: str, ground: Ground) -> _Forged | None:
    policy, rule, place = opening.cause.policy, opening.cause.rule, opening.cause.peer
    peers = None if policy is None or place is None else (policy.ingress or ())[rule].peers
    if policy is None or place is None or peers is None:
        return None
    selector = peers[place].namespaces
    return None if selector is None or ground.selects(selector, name) else _Forged(policy, rule, place, peers[place], selector)


def _edge(opening: Opening, forged: _Forged, labeller: Labeller, opened: Reach, levers: Levers, doubtful: frozenset[str]) -> Edge:
    grant, name, estate = labeller.grant, labeller.namespace, opened.estate
    rightful = tuple(other for other in estate.places if opened.ground.selects(forged.selector, other))
    if rightful:
        lever = levers.pinned(forged.policy, forged.rule, forged.peer, rightful)
    else:
        lever = levers.peer(forged.policy, forged.rule, forged.place)
    labels = chosen((forged.selector,), (), {NAME_LABEL: name}) or {}
    wanted = (
        ", ".join(f"{key}={value}" for key, value in labels.items() if key != NAME_LABEL) or f"labels that fit {text_of(forged.selector)}"
    )
    because = (*grant.shown(labeller.rule), forged.peer.at, opened.leaving(name, opening))
    certainty = max(grant.certainty, Certainty.UNKNOWN if doubtful.intersection((name, opening.target)) else Certainty.SURE)
    note = f"after setting {wanted} on namespace/{name}, which role {grant.role} lets it do"
    target = Node(Kind.NAMESPACE, estate.cluster, opening.target)
    return Edge(grant.source, CONNECT, target, tuple(dict.fromkeys(because)), lever, certainty, grant.condition, note)
