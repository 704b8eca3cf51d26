"""NetworkPolicies against the answers of two other programs: cyclonus' simulator and np-guard's netpol-analyzer."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from partywall.model.document import Document, Form, Origin
from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import Namespace, Workload
from partywall.model.facts_network import AdminPolicy, NetworkPolicy, Ports
from partywall.parse.kubernetes import kinds
from partywall.parse.kubernetes_objects import group_of, objects
from partywall.parse.netpol import network_policy
from partywall.resolve.netpol.ends import End, Ground
from partywall.resolve.netpol.judge import Judge
from partywall.resolve.netpol.ports import merged, within

HERE = Evidence("grid", "")


@pytest.fixture(scope="module")
def grid(shared: Path) -> list[Mapping[str, Any]]:
    file = shared / "vectors/k8s/cyclonus-grid/grid.jsonl"
    if not file.is_file():
        pytest.skip("no cyclonus grid beside the repository")
    return [json.loads(line) for line in file.read_text().splitlines()]


def policies_of(objects: Sequence[Mapping[str, Any]]) -> list[NetworkPolicy]:
    found: list[NetworkPolicy] = []
    for obj in objects:
        for fact in network_policy(obj, HERE, Origin(cluster="c")):
            assert isinstance(fact, NetworkPolicy), fact
            found.append(fact)
    return found


def serving(pod: Mapping[str, Any]) -> End:
    ports = tuple((f"serve-{number}-{protocol.lower()}", number, protocol) for number in (80, 81) for protocol in ("TCP", "UDP", "SCTP"))
    return End(pod["namespace"], pod["labels"], ports, (pod["ip"],))


def rows(judge: Judge, ends: Sequence[End], port: Ports) -> list[str]:
    """Return who may connect to whom at a port: a row for each source, a character for each target."""
    admitted = []
    for end in ends:
        bits = 0
        for way in judge.ways(end):
            for part, sources in way.parts:
                bits |= sources if within(port, (part,)) else 0
        admitted.append(bits)
    return ["".join("1" if bits >> number & 1 else "0" for bits in admitted) for number in range(len(ends))]


def without_diagonal(matrix: Sequence[str]) -> list[str]:
    return [row[:number] + "." + row[number + 1 :] for number, row in enumerate(matrix)]


def test_every_step_of_the_grid_agrees(grid: list[Mapping[str, Any]]) -> None:
    differences = list(_differences(grid))

    assert len(grid) == 256
    assert differences == []


def _differences(grid: list[Mapping[str, Any]]) -> Iterator[str]:
    for step in grid:
        ends = [serving(pod) for pod in step["pods"]]
        judge = Judge(Ground(step["namespaces"]), ends, policies_of(step["policies"]))
        for name, expected in step["allowed"].items():
            protocol, number = name.split("/")
            ours = rows(judge, ends, Ports(protocol, int(number), int(number)))
            if without_diagonal(ours) != without_diagonal(expected):
                yield f"{step['case']} step {step['step']} {name}"


EVERYTHING = "TCP 1-65535,UDP 1-65535,SCTP 1-65535"
# Networks beside the cluster's own, virtual machines, and policies of those networks are not modelled.
OTHER_NETWORKS = frozenset(
    {
        "UserDefinedNetwork",
        "ClusterUserDefinedNetwork",
        "VirtualMachine",
        "VirtualMachineInstance",
        "NetworkAttachmentDefinition",
        "MultiNetworkPolicy",
    }
)


class World:
    """The pods and policies of one of np-guard's folders."""

    def __init__(self, folder: Path) -> None:
        self.policies: list[NetworkPolicy] = []
        self.admin: list[AdminPolicy] = []
        self.namespaces: dict[str, Mapping[str, str]] = {}
        self.ends: dict[str, End] = {}
        self.kinds: set[str] = set()
        table = kinds()
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".yaml", ".yml", ".json"):
                for obj in self._objects(file):
                    self._add(obj, table.get((group_of(obj), str(obj.get("kind"))), ()))

    def _objects(self, file: Path) -> Iterator[Mapping[str, Any]]:
        try:
            value = list(yaml.safe_load_all(file.read_text()))
        except yaml.YAMLError:
            return
        yield from (obj for obj, _ in objects(Document(file.name, "kubernetes", Form.YAML, value, "", "")))

    def _add(self, obj: Mapping[str, Any], parsers: Sequence[Any]) -> None:
        self.kinds.add(str(obj.get("kind")))
        for fact in (fact for parser in parsers for fact in parser(obj, HERE, Origin(cluster="c"))):
            match fact:
                case NetworkPolicy():
                    self.policies.append(fact)
                case AdminPolicy():
                    self.admin.append(fact)
                case Namespace():
                    self.namespaces[fact.name] = fact.labels
                case Workload() if fact.runs:
                    self.namespaces.setdefault(fact.namespace, {})
                    # np-guard judges pods on the host's network like any other, which no real network does.
                    end = End(fact.namespace, fact.labels, fact.ports, fact.ips)
                    self.ends.setdefault(f"{fact.namespace}/{owner_of(obj)}", end)

    def connections(self) -> dict[tuple[str, str], str]:
        names = list(self.ends)
        judge = Judge(Ground(self.namespaces), list(self.ends.values()), self.policies, self.admin)
        found: dict[tuple[str, str], set[Ports]] = {}
        for target, end in self.ends.items():
            for way in judge.ways(end):
                for part, bits in way.parts:
                    for number, source in enumerate(names):
                        if source != target and bits >> number & 1:
                            found.setdefault((source, target), set()).add(part)
        return {pair: written(parts) for pair, parts in found.items()}


def owner_of(obj: Mapping[str, Any]) -> str:
    meta = obj["metadata"]
    owner = next(iter(meta.get("ownerReferences") or ()), None) if obj["kind"] == "Pod" else None
    if owner is None:
        return f"{meta['name']}[{obj['kind']}]"
    return f"{owner.get('name') or str(meta.get('generateName')).rstrip('-')}[{owner.get('kind') or 'Pod'}]"


def written(parts: set[Ports]) -> str:
    return ",".join(f"{part.protocol} {part.first}-{part.last}" for part in merged(parts))


def expected_of(file: Path) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for line in file.read_text().splitlines():
        if line.startswith(("Exposure", "Workloads")):
            break
        pair, _, ports = line.partition(" : ")
        source, _, target = pair.partition(" => ")
        if target and "External" not in pair and "ingress-controller" not in source:
            found[(source, target)] = EVERYTHING if ports == "All Connections" else written(set(_ports(ports)))
    return found


def _ports(text: str) -> Iterator[Ports]:
    protocol = ""
    for word in text.split(","):
        *named, numbers = word.strip().split(" ")
        protocol = named[0] if named else protocol
        first, _, last = numbers.partition("-")
        yield Ports(protocol, int(first), int(last or first))


def test_the_folders_of_netpol_analyzer_agree(shared: Path) -> None:
    root = shared / "vectors/k8s/netpol-analyzer"
    if not root.is_dir():
        pytest.skip("no netpol-analyzer folders beside the repository")
    judged: dict[str, bool] = {}
    for folder in sorted((root / "tests").iterdir()):
        file = root / "test_outputs/connlist" / f"{folder.name}_connlist_output.txt"
        if file.is_file():
            world = World(folder)
            if not world.kinds & OTHER_NETWORKS:
                judged[folder.name] = world.connections() == expected_of(file)

    assert [name for name, agrees in judged.items() if not agrees] == []
    assert len(judged) == 72
