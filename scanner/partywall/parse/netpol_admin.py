"""Cluster-wide policies: AdminNetworkPolicy and its baseline, ClusterNetworkPolicy (upstream's and Amazon's), and what is only noted."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_network

from partywall.model.document import Gap, Origin
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact
from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_network import PROTOCOLS, Action, AdminPolicy, AdminRule, Block, ForeignPolicy, Peer, Ports, Tier
from partywall.parse.kubernetes_objects import Object, group_of, mapping, name_of, namespace_of, parts, strings, text
from partywall.parse.labels import RefusedError, selector
from partywall.parse.rbac import ObjectParser
from partywall.parse.strict import array, record, records, whole, word, words

# What each kind calls its actions; a baseline rule of v1alpha1 has nothing to pass to.
_ACTIONS: Mapping[str, Mapping[str, Action]] = {
    "AdminNetworkPolicy": {"Allow": Action.ACCEPT, "Deny": Action.DENY, "Pass": Action.PASS},
    "BaselineAdminNetworkPolicy": {"Allow": Action.ACCEPT, "Deny": Action.DENY},
    "ClusterNetworkPolicy": {"Accept": Action.ACCEPT, "Deny": Action.DENY, "Pass": Action.PASS},
}
_TIERS = {"AdminNetworkPolicy": Tier.ADMIN, "BaselineAdminNetworkPolicy": Tier.BASELINE}


def admin_policy(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a cluster-wide policy; one that is not understood to the last word is noted as not evaluated: it may do anything."""
    try:
        yield _policy(obj, at, origin.cluster)
    except RefusedError as flaw:
        why = f"which is not understood ({flaw})"
        yield ForeignPolicy(origin.cluster, text(obj, "kind"), "", name_of(obj), _subject_namespaces(obj), at, why=why)


def _policy(obj: Object, at: Evidence, cluster: str) -> AdminPolicy:
    spec, kind = record(obj, "spec"), text(obj, "kind")
    if unknown := sorted(set(spec) - {"tier", "priority", "subject", "ingress", "egress"}):
        raise RefusedError(f"the unknown field {unknown[0]} in its spec")
    tier = _TIERS.get(kind) or _tier(word(spec, "tier"))
    priority = whole(0 if kind == "BaselineAdminNetworkPolicy" else spec.get("priority"), "the priority")
    if not 0 <= priority <= 1000:
        raise RefusedError(f"the priority {priority}")
    if kind == "BaselineAdminNetworkPolicy" and name_of(obj) != "default":
        raise RefusedError("a baseline policy that is not named default")
    here = at.below("spec")
    sides = [
        tuple(_rule(rule, side, kind, here.below(way, number)) for number, rule in records(spec, way))
        for way, side in (("ingress", "from"), ("egress", "to"))
    ]
    return AdminPolicy(
        *(cluster, kind, name_of(obj), tier, priority, _pods_of(record(spec, "subject"), here.below("subject"))),
        *(sides[0], sides[1], at, group_of(obj)),
    )


def _tier(word: str) -> Tier:
    if word not in set(Tier):
        raise RefusedError(f"the tier {word or 'none'}")
    return Tier(word)


def _rule(rule: Object, side: str, kind: str, at: Evidence) -> AdminRule:
    action = _ACTIONS[kind].get(word(rule, "action"))
    if action is None or set(rule) - {"name", "action", "ports", "protocols", side}:
        raise RefusedError("a rule with an unknown action or field")
    if not array(rule, side):
        raise RefusedError("a rule that names nobody")
    peers = tuple(peer for number, item in enumerate(array(rule, side)) for peer in _peers(item, at.below(side, number)))
    ports = [port for key in ("ports", "protocols") for item in array(rule, key) for port in _ports(item)]
    return AdminRule(action, peers, tuple(ports) or None, word(rule, "name"), at)


def _peers(item: Json, at: Evidence) -> Iterator[Peer]:
    item = _only(item, "a peer")
    if "nodes" in item:
        yield Peer(nodes=selector(record(item, "nodes")), at=at)
        return
    if "domainNames" in item:
        yield Peer(domains=words(item, "domainNames"), at=at)
        return
    if "networks" in item and not words(item, "networks"):
        raise RefusedError("networks that are none")
    for cidr in words(item, "networks"):
        try:
            ip_network(cidr, strict=False)
        except ValueError as error:
            raise RefusedError(f"an address block that is none: {error}") from error
        # Unlike an ipBlock, such a block does mean pods too (network-policy-api, comments of the field `networks`).
        yield Peer(None, None, Block(cidr), at)
    if "networks" not in item:
        yield _pods_of(item, at)


def _only(item: Json, what: str) -> Object:
    """Return an object that says exactly one thing; what is null says nothing."""
    found = {key: value for key, value in item.items() if value is not None} if isinstance(item, Mapping) else {}
    if len(found) != 1:
        raise RefusedError(f"{what} that is not exactly one thing")
    return found


def _pods_of(item: Object, at: Evidence) -> Peer:
    item = _only(item, "a subject or peer")
    if set(item) == {"namespaces"}:
        return Peer(selector(item["namespaces"]), None, None, at)
    pods = item.get("pods")
    if set(item) != {"pods"} or not isinstance(pods, Mapping) or set(pods) - {"namespaceSelector", "podSelector"}:
        raise RefusedError("a subject or peer of an unknown kind")
    return Peer(selector(pods.get("namespaceSelector")), selector(pods.get("podSelector")), None, at)


def _ports(item: Json) -> Iterator[Ports]:
    ((key, value),) = _only(item, "a port").items()
    match key:
        case "portNumber" if isinstance(value, Mapping):
            yield _range(word(value, "protocol") or "TCP", value.get("port"), value.get("port"))
        case "portRange" if isinstance(value, Mapping):
            yield _range(word(value, "protocol") or "TCP", value.get("start"), value.get("end"))
        case "namedPort" | "destinationNamedPort" if isinstance(value, str):
            yield from (Ports(protocol, name=value) for protocol in PROTOCOLS)
        case "tcp" | "udp" | "sctp" if isinstance(value, Mapping):
            yield _destination(key.upper(), value)
        case _:
            raise RefusedError(f"a port of the unknown kind {key}")


def _destination(protocol: str, value: Object) -> Ports:
    port = value.get("destinationPort")
    if port is None and set(value) <= {"destinationPort"}:
        return Ports(protocol)
    if not isinstance(port, Mapping) or set(value) != {"destinationPort"}:
        raise RefusedError("a protocol with an unknown field")
    if "range" in port:
        return _range(protocol, mapping(port, "range").get("start"), mapping(port, "range").get("end"))
    return _range(protocol, port.get("number"), port.get("number"))


def _range(protocol: str, first: Json, last: Json) -> Ports:
    if protocol not in PROTOCOLS or not 1 <= whole(first, "the port") <= whole(last, "the port") <= 65535:
        raise RefusedError(f"the ports {protocol} {first} to {last}")
    return Ports(protocol, whole(first, "the port"), whole(last, "the port"))


def foreign_policy(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Note a policy of another dialect and, where it says so, the namespaces that it is about."""
    key = (group_of(obj), text(obj, "kind"))
    namespace = namespace_of(obj) if key in NAMESPACED or key in OTHER_WAYS else ""
    why, opens = OTHER_WAYS.get(key, ("whose rules are not evaluated", False))
    about = None if namespace else _subject_namespaces(obj)
    yield ForeignPolicy(origin.cluster, text(obj, "kind"), namespace, name_of(obj), about, at, opens, why, *_directions(obj))


def _directions(obj: Object) -> tuple[bool, bool]:
    """Tell whether a policy of another dialect speaks about ingress and about egress; one that does not say so may do both."""
    if (group_of(obj), text(obj, "kind")) in INWARD:
        return True, False
    specs = [mapping(obj, "spec"), *(part for _, part in parts(obj, "specs"))]
    said = " ".join(word.lower() for spec in specs for word in (*spec, *strings(spec, "types"), *strings(spec, "policyTypes")))
    ingress, egress = "ingress" in said, "egress" in said
    return (ingress, egress) if ingress or egress else (True, True)


def _subject_namespaces(obj: Object) -> LabelSelector | None:
    spec = mapping(obj, "spec")
    subject = mapping(spec, "subject")
    namespaces = subject.get("namespaces", mapping(subject, "pods").get("namespaceSelector", spec.get("namespaceSelector")))
    try:
        return None if namespaces is None else selector(namespaces)
    except RefusedError:
        return None


# Policies of these kinds may open or close more than NetworkPolicies say (the vendors' references).
NAMESPACED = frozenset(
    {
        ("cilium.io", "CiliumNetworkPolicy"),
        ("crd.projectcalico.org", "NetworkPolicy"),
        ("projectcalico.org", "NetworkPolicy"),
        ("crd.antrea.io", "NetworkPolicy"),
        ("k8s.cni.cncf.io", "MultiNetworkPolicy"),
        ("security.istio.io", "AuthorizationPolicy"),
    }
)
CLUSTER_WIDE = frozenset(
    {
        ("cilium.io", "CiliumClusterwideNetworkPolicy"),
        ("crd.projectcalico.org", "GlobalNetworkPolicy"),
        ("projectcalico.org", "GlobalNetworkPolicy"),
        ("crd.antrea.io", "ClusterNetworkPolicy"),
        ("k8s.ovn.org", "ClusterUserDefinedNetwork"),
    }
)
# These say only who is let in.
INWARD = frozenset(
    {
        ("security.istio.io", "AuthorizationPolicy"),
        ("networking.k8s.io", "Ingress"),
        ("extensions", "Ingress"),
        ("route.openshift.io", "Route"),
        *(("gateway.networking.k8s.io", kind) for kind in ("HTTPRoute", "GRPCRoute", "TCPRoute", "TLSRoute")),
    }
)
# What is no policy and yet decides who reaches whom: what is not evaluated of it, and whether it can only open.
_BESIDE = "which puts pods on a network beside the cluster's own, that its policies do not see"
_PROXY = "which lets in through a proxy: whoever reaches the proxy reaches what it serves"
_MACHINE = "whose pod is made by its operator and is not judged"
OTHER_WAYS: Mapping[tuple[str, str], tuple[str, bool]] = {
    ("k8s.ovn.org", "UserDefinedNetwork"): (_BESIDE, False),
    ("k8s.cni.cncf.io", "NetworkAttachmentDefinition"): (_BESIDE, True),
    ("networking.k8s.io", "Ingress"): (_PROXY, True),
    ("extensions", "Ingress"): (_PROXY, True),
    ("route.openshift.io", "Route"): (_PROXY, True),
    ("gateway.networking.k8s.io", "HTTPRoute"): (_PROXY, True),
    ("gateway.networking.k8s.io", "GRPCRoute"): (_PROXY, True),
    ("gateway.networking.k8s.io", "TCPRoute"): (_PROXY, True),
    ("gateway.networking.k8s.io", "TLSRoute"): (_PROXY, True),
    ("kubevirt.io", "VirtualMachine"): (_MACHINE, True),
    ("kubevirt.io", "VirtualMachineInstance"): (_MACHINE, True),
}

KINDS: Mapping[tuple[str, str], ObjectParser] = {
    ("policy.networking.k8s.io", "AdminNetworkPolicy"): admin_policy,
    ("policy.networking.k8s.io", "BaselineAdminNetworkPolicy"): admin_policy,
    ("policy.networking.k8s.io", "ClusterNetworkPolicy"): admin_policy,
    ("networking.k8s.aws", "ClusterNetworkPolicy"): admin_policy,
    **dict.fromkeys(sorted(NAMESPACED | CLUSTER_WIDE | OTHER_WAYS.keys()), foreign_policy),
}
