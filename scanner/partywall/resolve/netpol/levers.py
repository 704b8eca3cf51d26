"""What would close a connection: an isolation to add, a peer to take out, an enforcement to switch on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from partywall.model.edge import Change, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact
from partywall.model.facts_kubernetes import LabelSelector, Workload
from partywall.model.facts_network import Action, AdminPolicy, Allowance, NetworkPolicy, Peer, Ports
from partywall.resolve.labels import named, text_of
from partywall.resolve.netpol.enforcement import Enforcement, State

DENY = "default-deny-ingress"


@dataclass(frozen=True, slots=True)
class Levers:
    """Makes the levers of one cluster. Where policies are not in force, every lever switches that on too: else it would close nothing."""

    cluster: str
    enforcement: Enforcement

    def deny(self, namespace: str, at: Evidence) -> Lever:
        """Add an isolation of all pods of a namespace."""
        policy = NetworkPolicy(self.cluster, namespace, DENY, LabelSelector(), (), None, at)
        spec = "podSelector: {}, policyTypes: [Ingress]"
        text = f"add a NetworkPolicy to {namespace} that isolates its pods for ingress ({spec}), and admit by name"
        return self._lever(Move.ADD, f"{namespace}/{DENY}", (at,), text, "", (), (policy,))

    def peer(self, policy: NetworkPolicy, rule: int, place: int | None) -> Lever:
        """Take a peer out of a policy's rules; a rule that admits everybody is narrowed to the policy's own namespace.

        Rules that say the same are moved together: one of them alone would keep open what the other closes.
        """
        name = f"{policy.namespace}/{policy.name}"
        allowance = (policy.ingress or ())[rule]
        peer = None if place is None or allowance.peers is None else allowance.peers[place]
        changed = replace(policy, ingress=tuple(_without(policy.ingress or (), allowance, peer)))
        if peer is None:
            text = f"name in NetworkPolicy {name} the namespaces that may connect, by kubernetes.io/metadata.name, instead of everybody"
            return self._lever(Move.SET, name, (allowance.at,), text, _content(allowance, None), (policy,), (changed,))
        text = f"take the peer {peer_words(peer)} out of NetworkPolicy {name}"
        return self._lever(Move.REMOVE, name, (peer.at,), text, _content(allowance, peer), (policy,), (changed,))

    def passed(self, policy: AdminPolicy, number: int) -> Lever:
        """Let NetworkPolicies decide about what an admin rule accepts."""
        rule = policy.ingress[number]
        rules = (*policy.ingress[:number], replace(rule, action=Action.PASS), *policy.ingress[number + 1 :])
        text = f"let rule {rule.name or number} of {policy.kind} {policy.name} pass instead of accept, so that NetworkPolicies decide"
        content = f"ingress from {', '.join(map(peer_words, rule.peers))} on {_ports_words(rule.ports)}"
        change = Change((policy,), (replace(policy, ingress=rules),))
        return Lever(Move.SET, policy.kind, self.cluster, policy.name, (rule.at.below("action"),), text, content, change)

    def pinned(self, policy: NetworkPolicy, rule: int, peer: Peer, names: tuple[str, ...]) -> Lever:
        """Select namespaces by the label that nobody can forge instead of by one that tenants set."""
        allowance = (policy.ingress or ())[rule]
        name, forged = f"{policy.namespace}/{policy.name}", text_of(peer.namespaces or LabelSelector())
        fixed = replace(peer, namespaces=named(names))
        rules = tuple(
            replace(each, peers=tuple(fixed if one == peer else one for one in each.peers) if each.peers else None)
            for each in policy.ingress or ()
        )
        text = f"select the namespaces of NetworkPolicy {name} by kubernetes.io/metadata.name instead of {forged}"
        at = peer.at.below("namespaceSelector")
        return self._lever(Move.SET, name, (at,), text, _content(allowance, peer), (policy,), (replace(policy, ingress=rules),))

    def off_host(self, workload: Workload) -> Lever:
        """Take a workload off the host's network, which no policy covers."""
        name = f"{workload.namespace}/{workload.name}"
        change = Change((workload,), (replace(workload, host_network=False),))
        return Lever(
            Move.SET,
            workload.kind,
            self.cluster,
            name,
            (workload.at,),
            f"run {workload.kind} {name} without hostNetwork",
            "hostNetwork",
            change,
        )

    def enforce(self) -> Lever:
        """Put policies into force."""
        at = self.enforcement.at or Evidence("", "")
        text = 'switch NetworkPolicy enforcement on (enableNetworkPolicy: "true" in the configuration of the vpc-cni add-on)'
        return Lever(Move.SET, "NetworkPolicy enforcement", self.cluster, "vpc-cni", (at,), text, "", self.enforcement.change)

    def _lever(
        self, move: Move, name: str, places: tuple[Evidence, ...], text: str, content: str, gone: tuple[Fact, ...], come: tuple[Fact, ...]
    ) -> Lever:
        if self.enforcement.state is State.OFF:
            on = self.enforcement.change or Change()
            gone, come = (*gone, *on.gone), (*come, *on.come)
            text += ", and switch NetworkPolicy enforcement on"
        return Lever(move, "NetworkPolicy", self.cluster, name, places, text, content, Change(gone, come))


def _without(rules: Sequence[Allowance], said: Allowance, peer: Peer | None) -> Iterator[Allowance]:
    """Yield rules without a peer on the same ports. The policy itself stays: taking it away could open what it isolates."""
    for rule in rules:
        if rule.ports != said.ports:
            yield rule
        elif peer is None:
            yield replace(rule, peers=(Peer(pods=LabelSelector(), at=rule.at),)) if rule.peers is None else rule
        elif rule.peers is None:
            yield rule
        elif kept := tuple(other for other in rule.peers if other != peer):
            yield replace(rule, peers=kept)


def _content(allowance: Allowance, peer: Peer | None) -> str:
    """Say a rule's content for the fingerprint."""
    whom = "everybody" if peer is None else peer_words(peer)
    return f"ingress from {whom} on {_ports_words(allowance.ports)}"


def _ports_words(ports: tuple[Ports, ...] | None) -> str:
    return "every port" if ports is None else ", ".join(map(str, ports))


def peer_words(peer: Peer) -> str:
    """Print a peer."""
    if peer.block is not None:
        return peer.block.cidr + (f" except {', '.join(peer.block.without)}" if peer.block.without else "")
    parts = []
    if peer.namespaces is not None:
        parts.append(f"namespaces with {text_of(peer.namespaces)}" if peer.namespaces != LabelSelector() else "all namespaces")
    if peer.pods is not None:
        parts.append(f"pods with {text_of(peer.pods)}" if peer.pods != LabelSelector() else "all pods")
    return " and ".join(parts)
