"""Random clusters as the objects people write, with network policies of every dialect."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any

Object = dict[str, Any]

SPACES = ("a", "b", "c")
KEYS, VALUES = ("app", "tier"), ("x", "y")
NAME = "kubernetes.io/metadata.name"
PORTS = (("TCP", 80), ("TCP", 8080), ("TCP", 9000), ("UDP", 53), ("SCTP", 7))
OUTSIDE = ("169.254.169.254", "169.254.170.23", "8.8.8.8", "10.0.1.9", "fd00:ec2::254", "2001:db8::1")
BLOCKS = ("0.0.0.0/0", "10.0.0.0/24", "10.0.0.0/16", "10.0.0.2/32", "169.254.169.254/32", "192.168.0.0/24", "::/0", "fd00:10::/64")
DOMAINS = ("models.example.com", "data.example.com")


@dataclass(slots=True)
class Cluster:
    """One random cluster. A namespace whose labels are None was not read."""

    namespaces: dict[str, dict[str, str] | None]
    nodes: dict[str, Object]
    pods: list[Object]
    policies: list[Object]
    outside: tuple[str, ...] = ()

    def cluster_wide(self, tier: str) -> list[Object]:
        """Return the cluster-wide policies of a tier, the first to speak first."""
        found = [policy for policy in self.policies if policy["kind"].endswith(("AdminNetworkPolicy", "ClusterNetworkPolicy"))]
        return sorted((policy for policy in found if tier_of(policy) == tier), key=lambda policy: int(policy["spec"].get("priority", 0)))


def tier_of(policy: Object) -> str:
    """Return when a cluster-wide policy speaks."""
    old = {"AdminNetworkPolicy": "Admin", "BaselineAdminNetworkPolicy": "Baseline"}
    return old.get(policy["kind"]) or str(policy["spec"]["tier"])


def cluster(seed: int, open_questions: bool = False) -> Cluster:
    """Make a cluster; with `open_questions` some namespaces' labels are not read and some rules name domains."""
    chance = random.Random(seed)
    spaces: dict[str, dict[str, str] | None] = {name: _labels(chance) for name in SPACES}
    if open_questions:
        spaces[chance.choice(SPACES)] = None
    nodes = {f"node{number}": _node(number, chance) for number in range(2)}
    pods = [_pod(number, chance) for number in range(chance.randint(2, 4))]
    made = Cluster(spaces, nodes, pods, [], tuple(chance.sample(OUTSIDE, 3)))
    made.policies += [_network_policy(number, chance, open_questions) for number in range(chance.randint(0, 4))]
    admin = chance.choice((None, "v1alpha1", "v1alpha2", "aws"))
    if admin == "v1alpha1":
        made.policies += [_admin("AdminNetworkPolicy", number, chance, False) for number in range(chance.randint(0, 2))]
        made.policies += [_admin("BaselineAdminNetworkPolicy", 0, chance, False) for _ in range(chance.randint(0, 1))]
    elif admin:
        made.policies += [_admin(admin, number, chance, open_questions) for number in range(chance.randint(1, 3))]
    chance.shuffle(made.policies)
    return made


def _labels(chance: random.Random) -> dict[str, str]:
    return {key: chance.choice(VALUES) for key in KEYS if chance.random() < 0.6}


def _node(number: int, chance: random.Random) -> Object:
    labels = {"eks.amazonaws.com/compute-type": "auto", "pool": chance.choice(VALUES)}
    status = {"addresses": [{"type": "InternalIP", "address": f"192.168.0.{number + 1}"}]}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"node{number}", "labels": labels}, "status": status}


def _pod(number: int, chance: random.Random) -> Object:
    host, node = chance.random() < 0.1, chance.randrange(2)
    address = f"192.168.0.{node + 1}" if host else f"10.0.{chance.randrange(2)}.{number + 1}"
    addresses = [{"ip": address}] + ([{"ip": f"fd00:10::{number + 1}"}] if not host and chance.random() < 0.3 else [])
    ports = chance.choice(([], [("web", 8080, "TCP")], [("web", 53, "UDP")], [("web", 80, "TCP"), ("dns", 53, "UDP")]))
    named = [{"name": name, "containerPort": port, "protocol": protocol} for name, port, protocol in ports]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"pod{number}", "namespace": chance.choice(SPACES), "labels": {**_labels(chance), "hash": str(number)}},
        "spec": {"hostNetwork": host, "nodeName": f"node{node}", "containers": [{"name": "main", "ports": named}]},
        "status": {"podIP": address, "podIPs": addresses, "phase": "Running"},
    }


def _selector(chance: random.Random, spaces: bool = False) -> Object:
    kind = chance.randrange(5)
    if kind == 0:
        return {}
    if spaces and kind == 1:
        return {"matchLabels": {NAME: chance.choice(SPACES)}}
    found: Object = {}
    if chance.random() < 0.6:
        found["matchLabels"] = {chance.choice(KEYS): chance.choice(VALUES)}
    if chance.random() < 0.6:
        found["matchExpressions"] = [_expression(chance, spaces) for _ in range(chance.randint(1, 2))]
    return found


def _expression(chance: random.Random, spaces: bool) -> Object:
    operator = chance.choice(("In", "NotIn", "Exists", "DoesNotExist"))
    key = NAME if spaces and chance.random() < 0.2 else chance.choice(KEYS)
    values = list(SPACES if key == NAME else VALUES)
    return {
        "key": key,
        "operator": operator,
        **({"values": chance.sample(values, chance.randint(1, 2))} if operator in ("In", "NotIn") else {}),
    }


def _network_policy(number: int, chance: random.Random, domains: bool) -> Object:
    applied = chance.random() < 0.15
    spec: Object = {"podSelector": _selector(chance)}
    types = chance.choice((None, ["Ingress"], ["Egress"], ["Ingress", "Egress"]))
    if types is not None:
        spec["policyTypes"] = types
    for way, side in (("ingress", "from"), ("egress", "to")):
        if chance.random() < 0.7:
            named = domains and applied and way == "egress"
            spec[way] = chance.choice((None, [], *([[_rule(side, chance, named) for _ in range(chance.randint(1, 2))]] * 6)))
    return {
        "apiVersion": "networking.k8s.aws/v1alpha1" if applied else "networking.k8s.io/v1",
        "kind": "ApplicationNetworkPolicy" if applied else "NetworkPolicy",
        "metadata": {"name": f"p{number}", "namespace": chance.choice(SPACES)},
        "spec": spec,
    }


def _rule(side: str, chance: random.Random, domains: bool) -> Object:
    rule: Object = {}
    if chance.random() < 0.85:
        rule[side] = chance.choice(([], None, *([[_peer(chance, domains) for _ in range(chance.randint(1, 2))]] * 8)))
    if chance.random() < 0.7:
        rule["ports"] = chance.choice(([], None, *([[_port(chance) for _ in range(chance.randint(1, 2))]] * 6)))
    return rule


def _peer(chance: random.Random, domains: bool) -> Object:
    if domains and chance.random() < 0.4:
        return {"domainNames": [chance.choice(DOMAINS)]}
    kind = chance.randrange(4)
    if kind == 3:
        block: Object = {"cidr": chance.choice(BLOCKS)}
        inner = [one for one in BLOCKS if one != block["cidr"] and _inside(one, block["cidr"])]
        if inner and chance.random() < 0.5:
            block["except"] = [chance.choice(inner)]
        return {"ipBlock": block}
    peer: Object = {}
    if kind in (0, 2):
        peer["podSelector"] = _selector(chance)
    if kind in (1, 2):
        peer["namespaceSelector"] = _selector(chance, spaces=True)
    return peer


def _inside(inner: str, outer: str) -> bool:
    one, other = ip_network(inner), ip_network(outer)
    return one.version == other.version and int(other[0]) <= int(one[0]) and int(one[-1]) <= int(other[-1])


def _port(chance: random.Random) -> Object:
    protocol, number = chance.choice(PORTS)
    return chance.choice(
        (
            {"port": "web"},
            {"port": "dns", "protocol": "UDP"},
            {"protocol": protocol},
            {"protocol": protocol, "port": number},
            {"protocol": protocol, "port": max(1, number - 10), "endPort": number + chance.choice((0, 900))},
        )
    )


def _admin(kind: str, number: int, chance: random.Random, domains: bool) -> Object:
    old = kind in ("AdminNetworkPolicy", "BaselineAdminNetworkPolicy")
    baseline = kind == "BaselineAdminNetworkPolicy"
    spec: Object = {"subject": _pods(chance)}
    if not baseline:
        spec["priority"] = number * 10 + chance.randrange(10)
    if not old:
        spec["tier"] = chance.choice(("Admin", "Admin", "Baseline"))
    actions = ("Allow", "Deny") if baseline else ("Allow", "Deny", "Pass") if old else ("Accept", "Deny", "Pass")
    for way, side in (("ingress", "from"), ("egress", "to")):
        if chance.random() < 0.8:
            spec[way] = [_admin_rule(side, actions, old, chance, domains) for _ in range(chance.randint(1, 3))]
    group = "networking.k8s.aws/v1alpha1" if kind == "aws" else f"policy.networking.k8s.io/{'v1alpha1' if old else 'v1alpha2'}"
    name = "default" if baseline else f"admin{number}"
    return {"apiVersion": group, "kind": kind if old else "ClusterNetworkPolicy", "metadata": {"name": name}, "spec": spec}


def _pods(chance: random.Random) -> Object:
    if chance.random() < 0.5:
        return {"namespaces": _selector(chance, spaces=True)}
    return {"pods": {"namespaceSelector": _selector(chance, spaces=True), "podSelector": _selector(chance)}}


def _admin_rule(side: str, actions: Sequence[str], old: bool, chance: random.Random, domains: bool) -> Object:
    peers: list[Object] = []
    for _ in range(chance.randint(1, 2)):
        kind = chance.random() if side == "to" else 1.0
        if kind < 0.15:
            selector: Object = chance.choice(({}, {"matchLabels": {"pool": chance.choice(VALUES)}}))
            peers.append({"nodes": selector})
        elif kind < 0.35:
            peers.append({"networks": chance.sample(BLOCKS, chance.randint(1, 2))})
        elif domains and kind < 0.5:
            peers.append({"domainNames": [chance.choice(DOMAINS)]})
        else:
            peers.append(_pods(chance))
    rule: Object = {"action": chance.choice(actions), side: peers}
    if chance.random() < 0.6:
        protocol, port = chance.choice(PORTS)
        rule.update(_old_ports(protocol, port, chance) if old else _new_ports(protocol, port, chance))
    return rule


def _old_ports(protocol: str, port: int, chance: random.Random) -> Object:
    whole = {"portNumber": {"protocol": protocol, "port": port}}
    return {
        "ports": [chance.choice((whole, {"portRange": {"protocol": protocol, "start": port, "end": port + 900}}, {"namedPort": "web"}))]
    }


def _new_ports(protocol: str, port: int, chance: random.Random) -> Object:
    key = protocol.lower()
    number: Object = {key: {"destinationPort": {"number": port}}}
    reach: Object = {key: {"destinationPort": {"range": {"start": port, "end": port + 900}}}}
    name: Object = {"destinationNamedPort": "web"}
    return {"protocols": [chance.choice((number, reach, {key: {}}, name))]}
