"""A synthetic cluster as `kubectl get -o json` prints it: tenants' namespaces, pods of ten apps in each, and network policies. Seeded."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SEED = 20_261_130
Object = dict[str, Any]
APPS, UNITS = 10, 5
TIERS = ("front", "back", "train")


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything."""

    name: str
    namespaces: int
    pods: int
    policies: int


SIZES = (
    Size("5k_300", 50, 100, 300),
    Size("10k_600", 100, 100, 600),
    Size("10k_2000", 100, 100, 2000),
    Size("40k_8000", 400, 100, 8000),
)


def estate(size: Size) -> dict[str, list[Object]]:
    """Return the objects by the name of the file that holds them."""
    names = [f"tenant-{number:03}" for number in range(size.namespaces)]
    # The two of the cluster's DNS are among the count, since the peer takes 10,000 pods at most.
    pods = [_pod(size, number, name, one) for number, name in enumerate(names) for one in range(size.pods)][:-2]
    return {
        "namespaces": [_namespace(number, name) for number, name in enumerate(names)] + [_named("v1", "Namespace", "kube-system")],
        "pods": [*pods, *_dns()],
        "networkpolicies": list(_policies(size, names)),
    }


def write(size: Size, folder: Path) -> None:
    """Write the files: a JSON list for each kind."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, items in estate(size).items():
        (folder / f"{name}.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))


def _named(version: str, kind: str, name: str, namespace: str = "", **labels: str) -> Object:
    meta: Object = {"name": name, "labels": labels} if labels else {"name": name}
    if kind == "Namespace":
        meta["labels"] = {"kubernetes.io/metadata.name": name, **labels}
    if namespace:
        meta["namespace"] = namespace
    return {"apiVersion": version, "kind": kind, "metadata": meta}


def _namespace(number: int, name: str) -> Object:
    return _named("v1", "Namespace", name, tenant=name, unit=f"unit-{number % UNITS}", stage=("prod", "dev")[number % 2])


def _pod(size: Size, place: int, namespace: str, number: int) -> Object:
    app, address = number % APPS, place * size.pods + number + 2
    owner = f"{namespace}-app{app}-6f7d8c9b5"
    pod = _named("v1", "Pod", f"{owner}-{number:03}", namespace, app=f"app{app}", tier=TIERS[app % 3], job=f"job-{app}")
    pod["metadata"]["ownerReferences"] = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": owner, "uid": owner, "controller": True}]
    ports = [{"name": "http", "containerPort": 8080, "protocol": "TCP"}, {"name": "metrics", "containerPort": 9090, "protocol": "TCP"}]
    pod["spec"] = {"containers": [{"name": "main", "image": "registry.example.com/app", "ports": ports}]}
    pod["status"] = {"phase": "Running", "podIP": f"10.{address >> 16 & 255}.{address >> 8 & 255}.{address & 255}"}
    return pod


def _dns() -> Iterator[Object]:
    for number in range(2):
        pod = _named("v1", "Pod", f"coredns-{number}", "kube-system", **{"k8s-app": "kube-dns"})
        pod["metadata"]["ownerReferences"] = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "coredns-1", "uid": "c"}]
        yield pod | {"spec": {"containers": [{"name": "coredns", "image": "coredns"}]}, "status": {"podIP": f"10.200.0.{number + 2}"}}


def _policies(size: Size, names: list[str]) -> Iterator[Object]:
    chance = random.Random(SEED)
    each = size.policies // size.namespaces
    for name in names:
        fixed = list(_fixed(name))
        yield from fixed[:each]
        for number in range(each - len(fixed)):
            yield _random(name, number, names, chance)


def _fixed(name: str) -> Iterator[Object]:
    """What a careful tenant starts with."""
    dns = {
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "kube-system"}},
        "podSelector": {"matchLabels": {"k8s-app": "kube-dns"}},
    }
    open_web = {"ipBlock": {"cidr": "0.0.0.0/0", "except": ["169.254.169.254/32", "10.0.0.0/8"]}}
    yield _policy(name, "default-deny", {}, ["Ingress", "Egress"])
    yield _policy(name, "dns", {}, ["Egress"], egress=[{"to": [dns], "ports": [_port("UDP", 53), _port("TCP", 53)]}])
    yield _policy(
        name,
        "inside",
        {},
        ["Ingress", "Egress"],
        ingress=[{"from": [{"podSelector": {}}]}],
        egress=[{"to": [{"podSelector": {}}]}],
    )
    chosen = {"matchExpressions": [{"key": "tier", "operator": "In", "values": ["back", "train"]}]}
    yield _policy(name, "web", chosen, ["Egress"], egress=[{"to": [open_web], "ports": [_port("TCP", 443)]}])


def _random(name: str, number: int, names: list[str], chance: random.Random) -> Object:
    peer = chance.choice(
        (
            {
                "namespaceSelector": {"matchLabels": {"tenant": chance.choice(names)}},
                "podSelector": {"matchLabels": {"app": f"app{chance.randrange(APPS)}"}},
            },
            {"namespaceSelector": {"matchLabels": {"unit": f"unit-{chance.randrange(UNITS)}"}}},
            {
                "namespaceSelector": {"matchExpressions": [{"key": "stage", "operator": "NotIn", "values": ["dev"]}]},
                "podSelector": {"matchExpressions": [{"key": "tier", "operator": "In", "values": ["train"]}]},
            },
            {"ipBlock": {"cidr": f"10.{100 + chance.randrange(8)}.0.0/16"}},
        )
    )
    port = chance.choice(
        (
            {"protocol": "TCP", "port": "http"},
            _port("TCP", chance.randrange(1000, 9000)),
            {"protocol": "TCP", "port": 10_000, "endPort": 20_000},
            _port("UDP", chance.randrange(1000, 9000)),
        )
    )
    selector = {"matchLabels": {"app": f"app{chance.randrange(APPS)}"}}
    if chance.random() < 0.5:
        return _policy(name, f"in-{number}", selector, ["Ingress"], ingress=[{"from": [peer], "ports": [port]}])
    return _policy(name, f"out-{number}", selector, ["Egress"], egress=[{"to": [peer], "ports": [port]}])


def _port(protocol: str, number: int) -> Object:
    return {"protocol": protocol, "port": number}


def _policy(namespace: str, name: str, selector: Object, types: list[str], **sides: list[Object]) -> Object:
    spec = {"podSelector": selector, "policyTypes": types, **sides}
    return _named("networking.k8s.io/v1", "NetworkPolicy", name, namespace) | {"spec": spec}
