"""The board of a cluster against the slow judge, on random clusters of every dialect, and the peer's bug that ours does not have.

`NETPOL_WORLDS` says how many clusters; under `make fuzz` (profile `fuzz`) they are new ones each time, and ten times as many.
"""

import os
import random
from collections.abc import Iterator
from functools import cache
from ipaddress import ip_address
from typing import Any

import pytest
from hypothesis import settings

from partywall.model.document import Document, Form, Gap, Origin
from partywall.model.facts import Fact, Facts
from partywall.model.facts_network import ForeignPolicy, Ports
from partywall.parse.network import parse
from partywall.resolve.netpol.board import Board, board
from partywall.resolve.netpol.explain import Meeting
from partywall.resolve.netpol.ports import within
from tests.properties.netpol_objects import PORTS, Cluster, cluster
from tests.properties.netpol_slow_judge import End, completions, connects, ends

CLUSTER = "111122223333/us-east-2/lab"
FUZZ = settings.get_current_profile_name() == "fuzz"
WORLDS = int(os.environ.get("NETPOL_WORLDS", "100000" if FUZZ else "10000"))
FIRST = random.SystemRandom().randrange(1 << 40) if FUZZ else 0
PARTS = 10


def facts_of(made: Cluster) -> Facts:
    spaces: list[Any] = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
        for name, labels in made.namespaces.items()
        if labels is not None
    ]
    return Facts(list(read([*spaces, *made.nodes.values(), *made.pods, *made.policies])))


def read(objects: list[Any]) -> Iterator[Fact]:
    for fact in parse(Document("k8s.json", "kubernetes", Form.JSON, objects, "", "", origin=Origin(cluster=CLUSTER))):
        assert not isinstance(fact, Gap | ForeignPolicy), fact
        yield fact


def columns_of(found: Board, all_ends: list[End]) -> dict[str, int]:
    """Say which column each end is."""
    columns: dict[str, int] = {}
    outside = [(end, _number(end.name)) for end in all_ends if not end.space]
    for number, column in enumerate(found.columns):
        columns |= {workload.name: number for workload in column.members}
        atom = column.atom
        columns |= {
            end.name: number for end, (version, one) in outside if atom and atom.version == version and atom.first <= one <= atom.last
        }
    assert set(columns) >= {end.name for end in all_ends}
    return columns


@cache
def _number(address: str) -> tuple[int, int]:
    return ip_address(address).version, int(ip_address(address))


def open_at(opened: Any, port: Ports) -> int:
    bits = 0
    for part, sources in opened.items():
        bits |= sources if within(port, (part,)) else 0
    return bits


def differences(seed: int) -> Iterator[str]:
    """Compare one cluster in which everything is known, at two ports."""
    made = cluster(seed)
    found = board(facts_of(made), CLUSTER)
    everything = ends(made)
    columns = columns_of(found, everything)
    (known,) = completions(made)
    ports, tiers = random.Random(seed).sample(PORTS, 2), {tier: made.cluster_wide(tier) for tier in ("Admin", "Baseline")}
    for target in everything:
        opened = found.opened(columns[target.name])
        possible = opened if found.could is None else found.possible(columns[target.name])
        for protocol, number in ports:
            bits, others = (open_at(each, Ports(protocol, number, number)) for each in (opened, possible))
            for source in everything:
                if (source.space or target.space) and source is not target:
                    slow = connects(made, known, source, target, protocol, number, tiers)
                    if {bool(each >> columns[source.name] & 1) for each in (bits, others)} != {slow}:
                        yield f"seed {seed}: {source.name} to {target.name} at {protocol}/{number}: {slow} by the slow judge"


@pytest.mark.parametrize("part", range(PARTS))
def test_the_board_agrees_with_the_slow_judge(part: int) -> None:
    found = [line for seed in range(FIRST + part, FIRST + WORLDS, PARTS) for line in differences(seed)]

    assert found == []


def bounds(seed: int) -> Iterator[str]:
    """Compare a cluster with open questions: what is sure is so in every completion, and what is so in any is possible."""
    made = cluster(seed, open_questions=True)
    found = board(facts_of(made), CLUSTER)
    everything = ends(made)
    columns = columns_of(found, everything)
    every = list(completions(made))
    protocol, number = random.Random(seed).choice(PORTS)
    port = Ports(protocol, number, number)
    for target in everything:
        sure, possible = (open_at(opened(columns[target.name]), port) for opened in (found.opened, found.possible))
        for source in everything:
            if (source.space or target.space) and source is not target:
                slow = {connects(made, known, source, target, protocol, number) for known in every}
                bit = columns[source.name]
                if (sure >> bit & 1 and slow != {True}) or (not possible >> bit & 1 and slow != {False}):
                    yield f"seed {seed}: {source.name} to {target.name} at {protocol}/{number}: {sorted(slow)} by the slow judge"


def test_what_is_not_known_is_never_said_to_be_closed_nor_open() -> None:
    found = [line for seed in range(FIRST, FIRST + WORLDS // 50) for line in bounds(seed)]

    assert found == []


def explained(seed: int) -> Iterator[str]:
    """Compare what is said to decide about some pairs with what the slow judge says becomes of them."""
    made = cluster(seed)
    found = board(facts_of(made), CLUSTER)
    everything = ends(made)
    columns = columns_of(found, everything)
    (known,) = completions(made)
    chance = random.Random(seed)
    for _ in range(4):
        source, target = chance.sample(everything, 2)
        protocol, number = chance.choice(PORTS)
        if source.space or target.space:
            one, other = (found.columns[columns[end.name]].end for end in (source, target))
            said = [because.text for because in Meeting(found, one, other, Ports(protocol, number, number)).deciders()]
            closed = any("denies it" in text or "isolates for" in text for text in said)
            if closed is connects(made, known, source, target, protocol, number):
                yield f"seed {seed}: {source.name} to {target.name} at {protocol}/{number}: {said}"


def test_what_is_said_to_decide_decides() -> None:
    found = [line for seed in range(FIRST, FIRST + WORLDS // 10) for line in explained(seed)]

    assert found == []


@pytest.mark.parametrize("operator", ["Exists", "DoesNotExist"])
def test_a_pod_selector_that_asks_for_presence_reaches_across_namespaces(operator: str) -> None:
    """network-config-analyzer 2.1.0 looks for such pods in the policy's own namespace only and says that nobody gets through."""
    key = "tier" if operator == "Exists" else "other"
    peer = {
        "namespaceSelector": {"matchLabels": {"env": "prod"}},
        "podSelector": {"matchExpressions": [{"key": key, "operator": operator}]},
    }
    objects: list[Any] = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a", "labels": {}}},
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "b", "labels": {"env": "prod"}}},
        *(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {"name": f"in-{name}", "namespace": name, "labels": {"tier": "x"}},
                "spec": {"containers": [{"name": "main"}]},
            }
            for name in ("a", "b")
        ),
        {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "NetworkPolicy",
            "metadata": {"name": "let-in", "namespace": "a"},
            "spec": {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [{"from": [peer]}]},
        },
    ]

    found = board(Facts(list(read(objects))), CLUSTER).between({"a": ["a"], "b": ["b"]})

    assert found["b", "a"] == (Ports("TCP"), Ports("UDP"), Ports("SCTP"))
