"""Broken policies: each is refused by name, and none changes what is said of anything else."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from partywall.model.document import Document, Form, Gap, Origin
from partywall.model.facts import Fact, Facts
from partywall.model.facts_network import AdminPolicy, ForeignPolicy, NetworkPolicy
from partywall.parse.kubernetes import parse
from partywall.resolve.netpol import resolve
from partywall.resolve.netpol.board import board

CLUSTER = "111122223333/us-east-2/lab"
Object = dict[str, Any]
Path = tuple[str | int, ...]
# What stands in the place of something of another type.
WRONG: tuple[Any, ...] = ("text", 7, True, ["text"], [7], {"unknown": 1})


def _space(name: str) -> Object:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": {"team": name}}}


def _pod(space: str, number: int = 0, **labels: str) -> Object:
    ports = [{"name": "web", "containerPort": 8080, "protocol": "TCP"}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"pod-{number}", "namespace": space, "labels": {"app": "x", **labels}},
        "spec": {"containers": [{"name": "main", "ports": ports}]},
        "status": {"podIP": f"10.0.0.{number + 1}"},
    }


def _policy(kind: str, spec: Object, group: str = "networking.k8s.io/v1", space: str = "c") -> Object:
    meta = {"name": "broken"} if kind in ("AdminNetworkPolicy", "ClusterNetworkPolicy") else {"name": "broken", "namespace": space}
    return {"apiVersion": group, "kind": kind, "metadata": meta, "spec": spec}


SELECTOR: Object = {"matchLabels": {"app": "x"}, "matchExpressions": [{"key": "tier", "operator": "In", "values": ["y"]}]}
PEERS: list[Object] = [
    {"namespaceSelector": {"matchLabels": {"team": "a"}}, "podSelector": SELECTOR},
    {"ipBlock": {"cidr": "10.0.0.0/16", "except": ["10.0.9.0/24"]}},
]
PORTS: list[Object] = [{"protocol": "TCP", "port": 80, "endPort": 90}, {"protocol": "UDP", "port": "web"}]
PODS: Object = {"pods": {"namespaceSelector": {"matchLabels": {"team": "c"}}, "podSelector": SELECTOR}}
WHOLE: dict[str, Object] = {
    "NetworkPolicy": _policy(
        "NetworkPolicy",
        {
            "podSelector": SELECTOR,
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [{"from": PEERS, "ports": PORTS}],
            "egress": [{"to": PEERS, "ports": PORTS}],
        },
    ),
    "ApplicationNetworkPolicy": _policy(
        "ApplicationNetworkPolicy",
        {"podSelector": SELECTOR, "policyTypes": ["Egress"], "egress": [{"to": [{"domainNames": ["example.com"]}], "ports": PORTS}]},
        "networking.k8s.aws/v1alpha1",
    ),
    "AdminNetworkPolicy": _policy(
        "AdminNetworkPolicy",
        {
            "priority": 5,
            "subject": PODS,
            "ingress": [{"name": "r", "action": "Deny", "from": [PODS], "ports": [{"portNumber": {"protocol": "TCP", "port": 80}}]}],
            "egress": [
                {
                    "name": "r",
                    "action": "Allow",
                    "to": [{"networks": ["10.0.0.0/8"]}, {"nodes": {"matchLabels": {"pool": "x"}}}],
                    "ports": [{"portRange": {"protocol": "UDP", "start": 5, "end": 9}}, {"namedPort": "web"}],
                }
            ],
        },
        "policy.networking.k8s.io/v1alpha1",
    ),
    "ClusterNetworkPolicy": _policy(
        "ClusterNetworkPolicy",
        {
            "tier": "Admin",
            "priority": 5,
            "subject": {"namespaces": {"matchLabels": {"team": "c"}}},
            "ingress": [
                {
                    "name": "r",
                    "action": "Accept",
                    "from": [PODS],
                    "protocols": [
                        {"tcp": {"destinationPort": {"number": 80}}},
                        {"udp": {"destinationPort": {"range": {"start": 5, "end": 9}}}},
                    ],
                }
            ],
            "egress": [{"action": "Pass", "to": [{"domainNames": ["example.com"]}], "protocols": [{"destinationNamedPort": "web"}]}],
        },
        "policy.networking.k8s.io/v1alpha2",
    ),
}


def paths(value: Any, here: Path = ()) -> Iterator[Path]:
    """Yield the place of everything in an object."""
    if here:
        yield here
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from paths(one, (*here, key))


def put(obj: Object, path: Path, value: Any, gone: bool = False) -> Object:
    """Return an object with something else at a place, or nothing."""
    changed = copy.deepcopy(obj)
    at: Any = changed
    for key in path[:-1]:
        at = at[key]
    if gone:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return changed


def at(obj: Any, path: Path) -> Any:
    for key in path:
        obj = obj[key]
    return obj


def in_labels(path: Path) -> bool:
    """Tell whether a place is the value of a label, where numbers and truth values are words that YAML took for something else."""
    return len(path) > 1 and path[-2] == "matchLabels"


def wrong_types() -> Iterator[Any]:
    for kind, obj in WHOLE.items():
        for path in (path for path in paths(obj["spec"]) if not in_labels(path)):
            was = at(obj["spec"], path)
            for number, wrong in enumerate(WRONG):
                if not _fits(was, wrong, path):
                    yield pytest.param(kind, path, wrong, id=f"{kind}-{'.'.join(map(str, path))}-{number}")


def _fits(was: Any, wrong: Any, path: Path) -> bool:
    """Tell whether a value is of the type that stands there, so that it makes another policy and no broken one."""
    inside = path[-2] if len(path) > 1 else ""
    if path[-1] == "matchLabels" and isinstance(wrong, dict):
        return True
    if path[-1] == "port" and "portNumber" not in path:
        return isinstance(wrong, str | int) and not isinstance(wrong, bool)
    if isinstance(was, str) and isinstance(wrong, str):
        return path[-1] in ("name", "key", "namedPort", "destinationNamedPort") or inside in ("values", "domainNames")
    if isinstance(was, int) and isinstance(wrong, int) and not isinstance(wrong, bool):
        return True
    return path[-1] in ("values", "domainNames") and bool(wrong == ["text"])


def read(objects: list[Object]) -> list[Fact | Gap]:
    return list(parse(Document("k8s.json", "kubernetes", Form.JSON, objects, "", "", origin=Origin(cluster=CLUSTER))))


OTHERS = [
    *(_space(name) for name in "abc"),
    *(_pod(name, number) for number, name in enumerate("abc")),
    _policy("NetworkPolicy", {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [{"from": [PEERS[0]]}]}, space="b"),
    _policy("NetworkPolicy", {"podSelector": {}, "policyTypes": ["Egress"]}, space="a"),
]


def judged(found: list[Fact | Gap]) -> dict[tuple[str, str], Any]:
    facts = Facts([one for one in found if not isinstance(one, Gap)])
    list(resolve(facts))
    return board(facts, CLUSTER).between({name: [name] for name in "ab"})


BEFORE = read(OTHERS)
BETWEEN = judged(BEFORE)
BROKEN = list(wrong_types())


def test_there_are_enough_of_them() -> None:
    assert len(BROKEN) >= 300


@pytest.mark.parametrize(("kind", "path", "wrong"), BROKEN)
def test_a_wrong_type_is_refused_by_name_and_changes_nothing_else(kind: str, path: Path, wrong: Any) -> None:
    found = read([*OTHERS, put(WHOLE[kind], ("spec", *path), wrong)])

    assert found[: len(BEFORE)] == BEFORE
    (said,) = found[len(BEFORE) :]
    assert isinstance(said, Gap | ForeignPolicy), said
    assert "broken" in (said.what if isinstance(said, Gap) else said.name)
    assert judged(found) == BETWEEN


@pytest.mark.parametrize("kind", WHOLE)
def test_null_is_read_as_absence(kind: str) -> None:
    for path in paths(WHOLE[kind]["spec"]):
        if isinstance(path[-1], str) and not in_labels(path):
            null, gone = (read([put(WHOLE[kind], ("spec", *path), None, gone)]) for gone in (False, True))

            assert [type(one) for one in null] == [type(one) for one in gone], path
            if isinstance(null[0], NetworkPolicy | AdminPolicy):
                assert null == gone, path


@pytest.mark.parametrize("kind", WHOLE)
def test_the_whole_policy_is_read(kind: str) -> None:
    (fact,) = read([WHOLE[kind]])

    assert isinstance(fact, NetworkPolicy | AdminPolicy)


def test_a_null_rule_is_an_empty_one() -> None:
    spec = {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [None]}
    (null,), (empty,) = read([_policy("NetworkPolicy", spec)]), read([_policy("NetworkPolicy", {**spec, "ingress": [{}]})])

    assert null == empty


def test_huge_selectors_and_pods_with_ten_thousand_labels_are_judged_like_others() -> None:
    many = {f"key-{number}": "value" for number in range(10_000)}
    huge: Object = {
        "matchLabels": many,
        "matchExpressions": [{"key": "app", "operator": "In", "values": [f"v{n}" for n in range(10_000)] + ["x"]}],
    }
    labelled = _pod("c", 3, **many)
    policy = _policy("NetworkPolicy", {"podSelector": huge, "policyTypes": ["Ingress"]})
    found = read([*OTHERS, labelled, policy])
    facts = Facts([one for one in found if not isinstance(one, Gap)])
    laid = board(facts, CLUSTER)
    shut = next(number for number, column in enumerate(laid.columns) if any(one.name == "pod-3" for one in column.members))

    assert judged(found) == BETWEEN
    assert laid.opened(shut) == {}
