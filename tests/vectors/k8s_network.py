"""What other programs and real conformance suites answer about network policies, beside what we answer.

Each section takes the folder that holds `netpol-analyzer`, `cyclonus-grid` and so on, and returns how many answers agree, how many were
asked, lines to print, and whether the goal is met.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from partywall.model.document import Gap
from partywall.model.facts_network import NOWHERE, AdminPolicy, ForeignPolicy, NetworkPolicy, Ports
from partywall.parse.netpol import network_policy
from partywall.resolve.netpol.ends import End, Ground
from partywall.resolve.netpol.judge import Judge
from partywall.resolve.netpol.ports import within
from tests.vectors.np_guard import ORIGIN, Answer, differences, folders, objects_of, refusals

HERE = Path(__file__).resolve().parent
PROBES = HERE.parents[1] / "fixtures/vectors/k8s/cluster-network-policy"


def admitted(judge: Judge, target: End, port: Ports) -> int:
    """Return the sources, as bits, that get to a target at a port."""
    return sum_bits(bits for way in judge.ways(target) for part, bits in way.parts if within(port, (part,)))


def sum_bits(found: Iterator[int]) -> int:
    """Join sets of sources."""
    bits = 0
    for each in found:
        bits |= each
    return bits


# ---- cyclonus' grid: 256 steps, 9 pods, six ports


def grid(folder: Path) -> Answer:
    """Compare every answer off the diagonal of the recorded grid."""
    if not (folder / "cyclonus-grid/grid.jsonl").is_file():
        return 0, 0, ["grid: there is no cyclonus-grid/grid.jsonl"], False
    steps = [json.loads(line) for line in (folder / "cyclonus-grid/grid.jsonl").read_text().splitlines()]
    agree = asked = 0
    lines: list[str] = []
    for step in steps:
        ends = [_serving(pod) for pod in step["pods"]]
        # Some steps' policies come without a kind.
        policies = [fact for obj in step["policies"] for fact in network_policy(obj, NOWHERE, ORIGIN) if isinstance(fact, NetworkPolicy)]
        judge = Judge(Ground(step["namespaces"]), ends, policies)
        same = len(policies) == len(step["policies"])
        for name, expected in step["allowed"].items():
            protocol, number = name.split("/")
            found = [admitted(judge, end, Ports(protocol, int(number), int(number))) for end in ends]
            for source, row in enumerate(expected):
                for target, answer in enumerate(row):
                    if source != target:
                        fits = (found[target] >> source & 1) == int(answer)
                        asked, agree, same = asked + 1, agree + fits, same and fits
        if not same:
            lines.append(f"grid: {step['case']} step {step['step']} differs")
    lines.append(f"grid: {len(steps)} steps, {agree}/{asked} answers off the diagonal")
    return agree, asked, lines, agree == asked and len(steps) >= 256


def _serving(pod: Mapping[str, Any]) -> End:
    ports = tuple((f"serve-{number}-{protocol.lower()}", number, protocol) for number in (80, 81) for protocol in ("TCP", "UDP", "SCTP"))
    return End(pod["namespace"], pod["labels"], ports, (pod["ip"],))


# ---- ClusterNetworkPolicy: the probes of network-policy-api's conformance suite


def conformance(folder: Path) -> Answer:
    """Ask the conformance probes; `folder` is not read, since the probes are the project's own fixtures."""
    world = json.loads((PROBES / "world.json").read_text())
    counts = {True: [0, 0], False: [0, 0]}
    lines: list[str] = []
    for line in (PROBES / "probes.jsonl").read_text().splitlines():
        test = json.loads(line)
        for older, number, fits in _probed(world, test):
            for which in {False, older}:
                counts[which][0] += fits
                counts[which][1] += 1
            if not fits:
                lines.append(f"conformance: {test['test']} probe {number} differs")
    (old, of_old), (every, of_all) = counts[True], counts[False]
    lines.append(f"conformance: {old}/{of_old} probes of July 2026 (v1alpha2), {every}/{of_all} of v0.3.0")
    return every, of_all, lines, every == of_all and of_old == 301


def _probed(world: Mapping[str, Any], test: Mapping[str, Any]) -> Iterator[tuple[bool, int, bool]]:
    """Yield, for each probe of a test, whether the older suite has it too, its number and whether we agree."""
    spaces = {name: dict(labels) for name, labels in world["namespaces"].items()}
    labels = {(pod["namespace"], pod["name"]): dict(pod["labels"]) for pod in world["pods"]}
    policies = {(obj["kind"], obj["metadata"]["name"]): obj for obj in test["policies"]}
    part, older_test = "", not test["test"].endswith(("PodSelector", "PortRange", "SamePriority"))
    for number, step in enumerate(test["steps"]):
        match step:
            case {"part": str() as name}:
                part = name
            case {"label": [home, pod], "key": key, "value": value}:
                labels[home, pod].pop(key, None)
                labels[home, pod] |= {} if value is None else {key: value}
            case {"namespace": name, "labels": other}:
                spaces[name] = other
            case {"deleted": kind, "name": name}:
                del policies[kind, name]
            case {"policy": name, **changed}:
                old = policies["ClusterNetworkPolicy", name]
                policies["ClusterNetworkPolicy", name] = {**old, "spec": {**old["spec"], **changed}}
            case {"connects": answer}:
                judge, ends = _judge(world, spaces, labels, list(policies.values()))
                names = list(ends)
                port = Ports(step["protocol"], step["port"], step["port"])
                bits = admitted(judge, ends[tuple(step["to"])], port)
                connects = bool(bits >> names.index(tuple(step["from"])) & 1)
                yield older_test and not part.startswith("Should not affect"), number, connects is answer
            case _:
                raise ValueError(f"a step of an unknown kind: {step}")


def _judge(world: Mapping[str, Any], spaces: Any, labels: Any, policies: Sequence[Any]) -> tuple[Judge, dict[Any, End]]:
    ends = {}
    for pod in world["pods"]:
        key = pod["namespace"], pod["name"]
        ports = tuple((port["name"], port["containerPort"], port["protocol"]) for port in pod["ports"])
        node = world["nodes"].get(pod["ip"])
        ends[key] = End(pod["namespace"], labels[key], ports, (pod["ip"],), pod["hostNetwork"], node=node)
    facts = list(objects_of(policies))
    if foreign := [fact for fact in facts if isinstance(fact, ForeignPolicy | Gap)]:
        raise ValueError(f"not understood: {foreign[0]}")
    plain = [fact for fact in facts if isinstance(fact, NetworkPolicy)]
    return Judge(Ground(spaces), list(ends.values()), plain, [fact for fact in facts if isinstance(fact, AdminPolicy)]), ends


SECTIONS: Mapping[str, Callable[[Path], Answer]] = {
    "network: grid": grid,
    "network: conformance": conformance,
    "network: np-guard folders": folders,
    "network: np-guard differences": differences,
    "network: np-guard refusals": refusals,
}
