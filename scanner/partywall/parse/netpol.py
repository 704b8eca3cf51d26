"""NetworkPolicies, and the policies of other dialects as far as we need to know of them."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_network

from partywall.model.document import Direction, Gap, Origin, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact
from partywall.model.facts_network import APPLICATION, PROTOCOLS, Allowance, Block, NetworkPolicy, Peer, PolicyEndpoint, Ports
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane
from partywall.parse import netpol_admin
from partywall.parse.kubernetes_objects import Object, name_of, namespace_of, text
from partywall.parse.labels import RefusedError, optional_selector, selector
from partywall.parse.rbac import ObjectParser
from partywall.parse.strict import array, whole, word, words


def network_policy(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a NetworkPolicy or Amazon's ApplicationNetworkPolicy; a refused one is a gap, since nobody knows what it would have closed."""
    namespace, kind = namespace_of(obj), text(obj, "kind") or "NetworkPolicy"
    try:
        yield _policy(obj, at, origin.cluster, namespace, kind)
    except RefusedError as flaw:
        what = f"{kind} {namespace}/{name_of(obj)}, which the API server refuses ({flaw})"
        nodes = (Node(Kind.NAMESPACE, origin.cluster, namespace),)
        remedy = "mend the policy, or give it as the cluster holds it: kubectl get networkpolicies -A -o json"
        yield Gap(at.document, what, Reason.UNPARSABLE, Direction.INCOMING, nodes, (Lane.NETWORK,), remedy, at)


def _policy(obj: Object, at: Evidence, cluster: str, namespace: str, kind: str) -> NetworkPolicy:
    spec = obj.get("spec")
    if spec is not None and not isinstance(spec, Mapping):
        raise RefusedError("a spec that is not an object")
    spec, here = spec or {}, at.below("spec")
    if not name_of(obj):
        raise RefusedError("no name")
    if unknown := sorted(set(spec) - {"podSelector", "policyTypes", "ingress", "egress"}):
        raise RefusedError(f"the unknown field {unknown[0]} in its spec")
    types = words(spec, "policyTypes")
    if unknown := sorted(set(types) - {"Ingress", "Egress"}):
        raise RefusedError(f"the unknown policyType {unknown[0]}")
    # Without policyTypes a policy is always one of ingress, and of egress only if it has egress rules (API reference, NetworkPolicySpec).
    ingress = "Ingress" in types if types else True
    egress = "Egress" in types if types else bool(array(spec, "egress"))
    return NetworkPolicy(
        cluster,
        namespace,
        name_of(obj),
        selector(spec.get("podSelector")),
        _allowances(spec, "ingress", "from", here, False) if ingress else None,
        _allowances(spec, "egress", "to", here, kind == APPLICATION) if egress else None,
        at,
        kind,
    )


def _allowances(spec: Object, direction: str, side: str, at: Evidence, names: bool) -> tuple[Allowance, ...]:
    return tuple(_allowance(rule, side, at.below(direction, number), names) for number, rule in enumerate(array(spec, direction)))


def _allowance(rule: Json, side: str, at: Evidence, names: bool) -> Allowance:
    if rule is None:
        return Allowance(None, None, at)
    if not isinstance(rule, Mapping):
        raise RefusedError("a rule that is not an object")
    if unknown := sorted(set(rule) - {side, "ports"}):
        raise RefusedError(f"the unknown field {unknown[0]} in a rule")
    # An empty array of peers or ports says the same as none at all: everyone, every port.
    peers = tuple(_peer(item, at.below(side, number), names) for number, item in enumerate(array(rule, side)))
    ports = tuple(_ports(item) for item in array(rule, "ports"))
    return Allowance(peers or None, ports or None, at)


def _peer(item: Json, at: Evidence, names: bool) -> Peer:
    if not isinstance(item, Mapping):
        raise RefusedError("a peer that is not an object")
    # EKS user guide, "Use Network Policies with EKS Auto Mode": a NetworkPolicy whose egress may name domains.
    if names and set(item) == {"domainNames"} and words(item, "domainNames"):
        return Peer(domains=words(item, "domainNames"), at=at)
    if unknown := sorted(set(item) - {"podSelector", "namespaceSelector", "ipBlock"}):
        raise RefusedError(f"a peer with the unknown field {unknown[0]}")
    namespaces, pods = optional_selector(item, "namespaceSelector"), optional_selector(item, "podSelector")
    block = item.get("ipBlock")
    if block is None:
        if namespaces is None and pods is None:
            raise RefusedError("a peer that names nobody")
        return Peer(namespaces, pods, None, at)
    if not isinstance(block, Mapping) or namespaces is not None or pods is not None:
        raise RefusedError("an ipBlock beside selectors")
    return Peer(None, None, _block(block), at)


def _block(block: Object) -> Block:
    cidr, without = word(block, "cidr"), words(block, "except")
    try:
        whole = ip_network(cidr, strict=False)
        inside = all(_contains(cidr, part) for part in without)
    except ValueError as error:
        raise RefusedError(f"an address block that is none: {error}") from error
    if not inside:
        raise RefusedError(f"an except that does not lie inside {whole}")
    return Block(cidr, without)


def _contains(cidr: str, part: str) -> bool:
    whole, inner = ip_network(cidr, strict=False), ip_network(part, strict=False)
    first, last = int(whole.network_address), int(whole.broadcast_address)
    return whole.version == inner.version and first <= int(inner.network_address) and int(inner.broadcast_address) <= last


def _ports(item: Json) -> Ports:
    if not isinstance(item, Mapping):
        raise RefusedError("a port that is not an object")
    if unknown := sorted(set(item) - {"protocol", "port", "endPort"}):
        raise RefusedError(f"a port with the unknown field {unknown[0]}")
    protocol, port, end = word(item, "protocol") or "TCP", item.get("port"), item.get("endPort")
    if protocol not in PROTOCOLS:
        raise RefusedError(f"the unknown protocol {protocol}")
    if port is None:
        if end is not None:
            raise RefusedError("an endPort without a port")
        return Ports(protocol)
    if isinstance(port, str):
        if end is not None or not port:
            raise RefusedError("an endPort beside a named port")
        return Ports(protocol, name=port)
    first = whole(port, "the port")
    last = first if end is None else whole(end, "the endPort")
    if not 1 <= first <= last <= 65535:
        raise RefusedError(f"the port {first} up to {last}")
    return Ports(protocol, first, last)


def policy_endpoint(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Note what the VPC CNI's controller made of a policy."""
    yield PolicyEndpoint(origin.cluster, namespace_of(obj), name_of(obj), at)


KINDS: Mapping[tuple[str, str], ObjectParser] = {
    ("networking.k8s.io", "NetworkPolicy"): network_policy,
    ("networking.k8s.aws", APPLICATION): network_policy,
    ("networking.k8s.aws", "PolicyEndpoint"): policy_endpoint,
    **netpol_admin.KINDS,
}
