"""The slow, obvious way to judge one pair of ends of a cluster by its network policies, on the objects that people write.

It shares nothing with the scanner. What a cluster leaves open (labels that were not read, what a domain name means) is closed by a
`Completion` before it is judged.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address, ip_network
from itertools import product
from typing import Any

from tests.properties.netpol_objects import KEYS, NAME, VALUES, Cluster, Object


@dataclass(frozen=True, slots=True)
class Completion:
    """One way in which what was not read could be."""

    namespaces: Mapping[str, Mapping[str, str]]
    resolves: frozenset[tuple[str, str]] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class End:
    """One pod, or an address outside."""

    name: str
    space: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    addresses: tuple[str, ...] = ()
    host: bool = False
    node: Mapping[str, str] | None = None
    ports: tuple[tuple[str, int, str], ...] = ()


def ends(made: Cluster) -> list[End]:
    """Return all pods of a cluster, and some addresses outside."""
    found = []
    for pod in made.pods:
        spec, meta = pod["spec"], pod["metadata"]
        ports = tuple((port["name"], port["containerPort"], port["protocol"]) for port in spec["containers"][0]["ports"])
        node = made.nodes[spec["nodeName"]]["metadata"]["labels"] if spec["hostNetwork"] else None
        addresses = tuple(one["ip"] for one in pod["status"]["podIPs"])
        found.append(End(meta["name"], meta["namespace"], meta["labels"], addresses, spec["hostNetwork"], node, ports))
    return [*found, *(End(address, addresses=(address,)) for address in made.outside)]


def completions(made: Cluster) -> Iterator[Completion]:
    """Yield every way in which what was not read could be, as far as these objects can tell it."""
    unread = [name for name, labels in made.namespaces.items() if labels is None]
    choices = [{key: value for key, value in zip(KEYS, values, strict=True) if value} for values in product(("", *VALUES, "z"), repeat=2)]
    domains = sorted({name for policy in made.policies for name in _domains(policy)})
    for chosen in product(choices, repeat=len(unread)):
        spaces = {name: labels or {} for name, labels in made.namespaces.items()} | dict(zip(unread, chosen, strict=True))
        for hits in product((None, "8.8.8.8", "2001:db8::1"), repeat=len(domains)):
            yield Completion(spaces, frozenset((name, hit) for name, hit in zip(domains, hits, strict=True) if hit))


def _domains(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value.get("domainNames", ())
        for inner in value.values():
            yield from _domains(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _domains(inner)


def connects(
    made: Cluster,
    known: Completion,
    source: End,
    target: End,
    protocol: str,
    port: int,
    tiers: Mapping[str, Sequence[Object]] | None = None,
) -> bool:
    """Tell whether a connection gets through: out of the source and into the target."""
    world = _World(made, known, target, protocol, port, tiers or {tier: made.cluster_wide(tier) for tier in ("Admin", "Baseline")})
    return world.passes(source, target, False) and world.passes(target, source, True)


@dataclass(frozen=True, slots=True)
class _World:
    made: Cluster
    known: Completion
    target: End
    protocol: str
    port: int
    tiers: Mapping[str, Sequence[Object]]

    def passes(self, me: End, other: End, inward: bool) -> bool:
        if not me.space or me.host:
            return True
        verdict = self.tier("Admin", me, other, inward)
        if verdict in ("Allow", "Accept"):
            return True
        if verdict == "Deny":
            return False
        isolated, allowed = self.plain(me, other, inward)
        if isolated:
            return allowed
        return self.tier("Baseline", me, other, inward) != "Deny"

    def plain(self, me: End, other: End, inward: bool) -> tuple[bool, bool]:
        way, side, type_name = ("ingress", "from", "Ingress") if inward else ("egress", "to", "Egress")
        isolated = allowed = False
        for policy in self.made.policies:
            spec = policy["spec"]
            if policy["kind"] not in ("NetworkPolicy", "ApplicationNetworkPolicy") or policy["metadata"]["namespace"] != me.space:
                continue
            types = spec.get("policyTypes") or (["Ingress", "Egress"] if spec.get("egress") else ["Ingress"])
            if type_name not in types or not fits(spec["podSelector"], me.labels):
                continue
            isolated = True
            for rule in spec.get(way) or []:
                peers = rule.get(side)
                met = not peers or any(self.met(peer, me.space, other) for peer in peers)
                allowed = allowed or (met and self.old_ports(rule.get("ports")))
        return isolated, allowed

    def met(self, peer: Object, home: str, other: End) -> bool:
        if "domainNames" in peer:
            return self.named(peer["domainNames"], other)
        if "ipBlock" in peer:
            block = peer["ipBlock"]
            return any(
                within(one, block["cidr"]) and not any(within(one, gap) for gap in block.get("except", ())) for one in other.addresses
            )
        if not other.space or other.host:
            return False
        if "namespaceSelector" in peer:
            if not fits(peer["namespaceSelector"], self.space(other)):
                return False
        elif other.space != home:
            return False
        return "podSelector" not in peer or fits(peer["podSelector"], other.labels)

    def space(self, end: End) -> Mapping[str, str]:
        return {**self.known.namespaces[end.space], NAME: end.space}

    def named(self, names: Sequence[str], other: End) -> bool:
        return not other.space and any((name, one) in self.known.resolves for name in names for one in other.addresses)

    def old_ports(self, ports: Sequence[Object] | None) -> bool:
        for port in ports or ():
            if port.get("protocol", "TCP") != self.protocol:
                continue
            if isinstance(port.get("port"), str):
                if (port["port"], self.port, self.protocol) in self.target.ports and not self.target.host:
                    return True
            elif "port" not in port or int(port["port"]) <= self.port <= int(port["endPort"] if "endPort" in port else port["port"]):
                return True
        return not ports

    def tier(self, tier: str, me: End, other: End, inward: bool) -> str | None:
        for policy in self.tiers[tier]:
            if not self.among(policy["spec"]["subject"], me):
                continue
            for rule in policy["spec"].get("ingress" if inward else "egress") or []:
                if any(self.means(peer, other) for peer in rule["from" if inward else "to"]) and self.new_ports(rule):
                    return str(rule["action"])
        return None

    def among(self, subject: Object, end: End) -> bool:
        if not end.space or end.host:
            return False
        if "namespaces" in subject:
            return fits(subject["namespaces"], self.space(end))
        pods = subject["pods"]
        return fits(pods["namespaceSelector"], self.space(end)) and fits(pods["podSelector"], end.labels)

    def means(self, peer: Object, end: End) -> bool:
        if "nodes" in peer:
            return end.node is not None and fits(peer["nodes"], end.node)
        if "networks" in peer:
            return any(within(one, cidr) for cidr in peer["networks"] for one in end.addresses)
        return self.named(peer["domainNames"], end) if "domainNames" in peer else self.among(peer, end)

    def new_ports(self, rule: Object) -> bool:
        asked = [*rule.get("ports", ()), *rule.get("protocols", ())]
        return not asked or any(self.new_port(one) for one in asked)

    def new_port(self, one: Object) -> bool:
        name = one.get("namedPort") or one.get("destinationNamedPort")
        if name:
            return (name, self.port, self.protocol) in self.target.ports and not self.target.host
        old = one.get("portNumber") or one.get("portRange")
        if old:
            first, last = (int(old["port"]),) * 2 if "port" in old else (int(old["start"]), int(old["end"]))
            return bool(old["protocol"] == self.protocol and first <= self.port <= last)
        ((key, what),) = one.items()
        if key.upper() != self.protocol:
            return False
        port = what.get("destinationPort")
        if port is None:
            return True
        reach = port.get("range", {"start": port.get("number"), "end": port.get("number")})
        return bool(reach["start"] <= self.port <= reach["end"])


@cache
def within(address: str, cidr: str) -> bool:
    """Tell whether an address lies in a block."""
    return ip_address(address) in ip_network(cidr)


def fits(selector: Object, labels: Mapping[str, str]) -> bool:
    """Compare labels with a selector the way the documentation words it."""
    for key, value in (selector.get("matchLabels") or {}).items():
        if labels.get(key) != value:
            return False
    for part in selector.get("matchExpressions") or []:
        present, value = part["key"] in labels, labels.get(part["key"])
        wrong = {
            "In": not present or value not in part.get("values", ()),
            "NotIn": present and value in part.get("values", ()),
            "Exists": not present,
            "DoesNotExist": present,
        }
        if wrong[part["operator"]]:
            return False
    return True
