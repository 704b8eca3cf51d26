"""`network.allow` of a contract: ways into its tenant that it approves, as far as the policies let in no more than it says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from partywall.contracts.records import Record, items, part, record_of, text
from partywall.contracts.things import selectors
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import LabelSelector, Namespace
from partywall.model.facts_network import Allowance, NetworkPolicy, Peer, Ports
from partywall.model.node import Kind, Node
from partywall.model.tenancy import PLATFORM, Approval, Contract, Tenancy
from partywall.model.verbs import Lane

# Kubernetes, "Labels and Selectors": the API server puts it on every namespace.
_NAME_LABEL = "kubernetes.io/metadata.name"


def with_peers(facts: Facts, tenancy: Tenancy) -> Tenancy:
    """Return the tenancy with an approval for each way into a tenant that its contract allows."""
    contracts = tuple(
        replace(contract, approvals=(*contract.approvals, *approved_peers(contract, facts, tenancy))) for contract in tenancy.contracts
    )
    return replace(tenancy, contracts=contracts)


def approved_peers(contract: Contract, facts: Facts, tenancy: Tenancy) -> Iterator[Approval]:
    """Yield the approvals that are in `network.allow`.

    Whoever is let in is the owner of the namespace that is named. Where an entry names ports or pods, it approves nothing unless the
    policies of the namespace let in no more than that.
    """
    for number, entry in enumerate(cast("Sequence[Record]", items(part(record_of(contract), "network"), "allow"))):
        source, target = part(entry, "from"), part(entry, "to")
        guest = _owner(text(source, "namespace"), contract, tenancy)
        into = text(target, "namespace")
        if not guest or not into or not _is_kept(entry, contract.cluster, facts):
            continue
        things = tuple(selectors("namespaces", into, tenancy.clusters, contract.cluster))
        yield Approval(contract.tenant, guest, Lane.NETWORK, things, None, "", contract.place(f"network.allow.{number}"))


def _owner(namespace: str, contract: Contract, tenancy: Tenancy) -> str:
    node = Node(Kind.NAMESPACE, contract.cluster, namespace.rpartition("/")[2])
    claims = [claim for claim in tenancy.claims if namespace and claim.selector.matches(node)]
    owners = max(claims, key=lambda claim: claim.selector.weight).owners if claims else ()
    return owners[0] if len(owners) == 1 and owners[0] not in (contract.tenant, PLATFORM) else ""


def _is_kept(entry: Record, cluster: str, facts: Facts) -> bool:
    """Tell whether what policies admit from the one namespace into the other is within an entry's ports and labels."""
    source, target = part(entry, "from"), part(entry, "to")
    ports = [str(each) for each in items(entry, "ports")]
    if not ports and not part(source, "labels") and not part(target, "labels"):
        return True
    labels = _labels(text(source, "namespace"), cluster, facts)
    policies = [
        policy
        for policy in facts.of(NetworkPolicy)
        if policy.cluster == cluster and policy.namespace == text(target, "namespace") and policy.ingress is not None
    ]
    # A namespace of which no policy isolates all pods is open beside what its policies say.
    if not any(policy.pods == LabelSelector() for policy in policies):
        return False
    for policy in policies:
        for rule in policy.ingress or ():
            admitting = [peer for peer in rule.peers or (Peer(LabelSelector()),) if _admits(peer, labels)]
            kept = _within(rule, ports) and _has(policy.pods, target) and all(_has(peer.pods, source) for peer in admitting)
            if admitting and not kept:
                return False
    return True


def _labels(namespace: str, cluster: str, facts: Facts) -> Mapping[str, str]:
    known = next((each for each in facts.of(Namespace) if each.cluster == cluster and each.name == namespace), None)
    return {**(known.labels if known else {}), _NAME_LABEL: namespace}


def _admits(peer: Peer, labels: Mapping[str, str]) -> bool:
    """Tell whether a peer may mean pods of a namespace with these labels; what cannot be told by labels alone does."""
    if peer.block is not None:
        return True
    chosen = peer.namespaces
    return chosen is not None and all(labels.get(key) == value for key, value in chosen.labels)


def _has(chosen: LabelSelector | None, end: Record) -> bool:
    wanted = {(key, str(value)) for key, value in part(end, "labels").items()}
    return wanted <= set(chosen.labels if chosen else ())


def _within(rule: Allowance, ports: Sequence[str]) -> bool:
    return not ports or (bool(rule.ports) and all(_is_named(port, ports) for port in rule.ports or ()))


def _is_named(port: Ports, ports: Sequence[str]) -> bool:
    said = {each.upper().removeprefix(f"{port.protocol}/") for each in ports}
    return port.name.upper() in said if port.name else port.first == port.last and str(port.first) in said
