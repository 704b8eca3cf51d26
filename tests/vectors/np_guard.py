"""np-guard's folders: who connects to whom there, what differs between two of them, and which policies it refuses.

Pods count by their owners, as in its outputs, and addresses outside as ranges of IPv4.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import yaml

from partywall.model.document import Document, Form, Gap, Origin
from partywall.model.facts_kubernetes import Namespace, Workload
from partywall.model.facts_network import AdminPolicy, Block, ForeignPolicy, NetworkPolicy, Ports
from partywall.parse.kubernetes import parse
from partywall.parse.kubernetes_objects import name_of, namespace_of, objects
from partywall.resolve.netpol.atoms import Atom, atoms
from partywall.resolve.netpol.ends import End, Ground
from partywall.resolve.netpol.judge import Judge
from partywall.resolve.netpol.ports import merged

ORIGIN = Origin(cluster="c")
Answer = tuple[int, int, list[str], bool]


def objects_of(values: Sequence[Any], name: str = "k8s.yaml") -> Iterator[Any]:
    """Yield the facts and gaps of Kubernetes objects."""
    yield from parse(Document(name, "kubernetes", Form.YAML, list(values), "", "", origin=ORIGIN))


# Networks beside the cluster's own, virtual machines and ways in from outside through a controller are not modelled: each gives a gap.
UNSUPPORTED = frozenset(
    {
        *("UserDefinedNetwork", "ClusterUserDefinedNetwork", "NetworkAttachmentDefinition", "MultiNetworkPolicy"),
        *("VirtualMachine", "VirtualMachineInstance"),
    }
)
CONTROLLERS = frozenset({"Ingress", "Route"})
OTHER_KINDS = UNSUPPORTED | CONTROLLERS
EVERYTHING = "TCP 1-65535,UDP 1-65535,SCTP 1-65535"


@dataclass(slots=True)
class Folder:
    """The pods and policies of one folder, and what was not understood in it."""

    policies: list[NetworkPolicy] = field(default_factory=list)
    admin: list[AdminPolicy] = field(default_factory=list)
    namespaces: dict[str, Mapping[str, str]] = field(default_factory=dict)
    ends: dict[str, list[End]] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)


@cache
def folder_of(path: Path) -> Folder:
    """Read one folder as np-guard does: pods by their owners, and every pod as if it were on the pods' network."""
    found = Folder()
    for file in sorted(path.rglob("*")):
        if file.suffix in (".yaml", ".yml", ".json"):
            try:
                values = [value for value in yaml.safe_load_all(file.read_text()) if value is not None]
            except yaml.YAMLError as error:
                found.refused.append(f"{file.name}: {error.__class__.__name__}")
                continue
            owners = {}
            for obj, _ in objects(Document(file.name, "kubernetes", Form.YAML, values, "", "")):
                found.kinds.add(str(obj.get("kind")))
                if isinstance(obj.get("metadata"), Mapping):
                    owners[str(obj.get("kind")), namespace_of(obj), name_of(obj)] = _owner(obj)
            for fact in objects_of(values, file.name):
                _add(found, fact, owners)
    return found


def _add(found: Folder, fact: Any, owners: Mapping[tuple[str, str, str], str]) -> None:
    match fact:
        case NetworkPolicy():
            found.policies.append(fact)
        case AdminPolicy():
            found.admin.append(fact)
        case ForeignPolicy():
            found.refused.append(f"{fact.kind} {fact.name}")
        case Namespace():
            found.namespaces[fact.name] = fact.labels
        case Workload() if fact.runs:
            found.namespaces.setdefault(fact.namespace, {})
            owner = owners.get((fact.kind, fact.namespace, fact.name), f"{fact.name}[{fact.kind}]")
            found.ends.setdefault(f"{fact.namespace}/{owner}", []).append(End(fact.namespace, fact.labels, fact.ports, fact.ips))
        case Gap():
            found.refused.append(fact.what)
        case _:
            pass


def _owner(obj: Mapping[str, Any]) -> str:
    meta = obj["metadata"]
    owner = next(iter(meta.get("ownerReferences") or ()), None) if obj.get("kind") == "Pod" else None
    if owner is None:
        return f"{name_of(obj)}[{obj.get('kind')}]"
    return f"{owner.get('name') or str(meta.get('generateName')).rstrip('-')}[{owner.get('kind') or 'Pod'}]"


Connections = dict[tuple[str, str], frozenset[Ports]]


def connections(found: Folder, cuts: Sequence[Block]) -> tuple[Connections, list[Atom]]:
    """Return who connects to whom by which ports: owners of pods and parts of the IPv4 space, cut where rules and `cuts` cut it."""
    named = {name: end for name, ends in found.ends.items() for end in ends[:1]}
    blocks = [
        peer.block for policy in found.policies for rule in (*(policy.ingress or ()), *(policy.egress or ())) for peer in rule.peers or ()
    ]
    blocks += [peer.block for policy in found.admin for rule in (*policy.ingress, *policy.egress) for peer in rule.peers]
    space = [atom for atom in atoms([*(block for block in blocks if block), *cuts], {}) if atom.version == 4]
    ends = {**named, **{str(atom.first): atom.end() for atom in space}}
    names = list(ends)
    judge = Judge(Ground(found.namespaces, blocks_hold_pods=False), list(ends.values()), found.policies, found.admin)
    pairs: dict[tuple[str, str], set[Ports]] = {}
    for target, end in ends.items():
        for way in judge.ways(end):
            for part, bits in way.parts:
                for number, source in enumerate(names):
                    if source != target and bits >> number & 1 and (source in named or target in named):
                        pairs.setdefault((source, target), set()).add(part)
    return {pair: frozenset(merged(parts)) for pair, parts in pairs.items()}, space


def expected_of(file: Path) -> dict[tuple[str, str], str]:
    """Read one of np-guard's outputs: `source => target : ports`, up to its exposure part."""
    found: dict[tuple[str, str], str] = {}
    for line in file.read_text().splitlines():
        if line.startswith(("Exposure", "Workloads")):
            break
        pair, _, ports = line.partition(" : ")
        source, _, target = pair.partition(" => ")
        if target and "{" not in source:
            found[source.strip(), target.strip()] = ports
    return found


def _range(name: str) -> tuple[int, int] | None:
    if not name.endswith("[External]"):
        return None
    first, _, last = name.removesuffix("[External]").partition("-")
    return int(ip_address(first)), int(ip_address(last))


def blocks_of(expected: Mapping[tuple[str, str], str]) -> list[Block]:
    """Return blocks that cut the address space where an output cuts it."""
    bounds = {bound for pair in expected for name in pair if (found := _range(name)) for bound in (found[0], found[1] + 1)}
    return [Block(f"{ip_address(bound)}/32") for bound in sorted(bounds) if bound < 1 << 32]


def parted(expected: Mapping[tuple[str, str], str], space: Sequence[Atom]) -> Connections:
    """Say an output's ranges of addresses in our parts."""
    found: dict[tuple[str, str], set[Ports]] = {}
    for (source, target), ports in expected.items():
        for one in _parts(source, space):
            for other in _parts(target, space):
                found.setdefault((one, other), set()).update(ports_of(ports))
    return {pair: frozenset(merged(parts)) for pair, parts in found.items()}


def _parts(name: str, space: Sequence[Atom]) -> list[str]:
    inside = _range(name)
    return [name] if inside is None else [str(atom.first) for atom in space if inside[0] <= atom.first and atom.last <= inside[1]]


def ports_of(text: str) -> Iterator[Ports]:
    """Read `All Connections`, or `TCP 80-90,443,UDP 53`."""
    if text.strip() in ("All Connections", "No Connections"):
        yield from (Ports(protocol) for protocol in ("TCP", "UDP", "SCTP") if text.strip().startswith("All"))
        return
    protocol = ""
    for word in text.split(","):
        *named, numbers = word.strip().split(" ")
        protocol = named[0] if named else protocol
        first, _, last = numbers.partition("-")
        yield Ports(protocol, int(first), int(last or first))


def outputs(root: Path) -> Iterator[tuple[Path, Path]]:
    """Yield np-guard's folders with the outputs that list all their connections."""
    if not (root / "tests").is_dir():
        return
    written = sorted(file for part in ("connlist", "cli") for file in (root / "test_outputs" / part).glob("*.txt"))
    for folder in sorted((root / "tests").iterdir()):
        for file in written:
            rest = file.name.removeprefix(f"{folder.name}_") if file.name.startswith(f"{folder.name}_") else ""
            if rest in ("connlist_output.txt", "exposure_output.txt"):
                yield folder, file


def folders(folder: Path) -> Answer:
    """Compare the connections of every folder whose kinds are modelled, pods and addresses outside; name those that are not."""
    root = folder / "netpol-analyzer"
    agree = asked = 0
    lines: list[str] = []
    apart: dict[str, list[str]] = {}
    for path, file in outputs(root):
        found = folder_of(path)
        if other := found.kinds & UNSUPPORTED:
            for kind in sorted(other):
                apart.setdefault(kind, []).append(path.name)
            continue
        expected = expected_of(file)
        ours, space = connections(found, blocks_of(expected))
        asked += 1
        if ours == parted(expected, space):
            agree += 1
        else:
            lines.append(f"folders: {file.name} differs")
        for kind in sorted(found.kinds & CONTROLLERS):
            apart.setdefault(f"{kind} (the way in through its controller)", []).append(path.name)
    lines += [f"folders: not modelled, a gap: {kind}: {', '.join(dict.fromkeys(names))}" for kind, names in sorted(apart.items())]
    lines.append(f"folders: {agree}/{asked} outputs of np-guard's folders")
    return agree, asked, lines, agree == asked and asked > 0


def differences(folder: Path) -> Answer:
    """Compare np-guard's differences of two folders with ours."""
    root = folder / "netpol-analyzer"
    agree = asked = 0
    lines: list[str] = []
    for file in sorted((root / "test_outputs/diff").glob("diff_between_*.txt")):
        one, _, other = file.stem.removeprefix("diff_between_").partition("_and_")
        paths = [root / "tests" / name for name in (one, other)]
        if not all(path.is_dir() for path in paths) or any(folder_of(path).kinds & UNSUPPORTED for path in paths):
            continue
        asked += 1
        if _same_difference(file, *map(folder_of, paths)):
            agree += 1
        else:
            lines.append(f"differences: {file.name} differs")
    lines.append(f"differences: {agree}/{asked} pairs of np-guard's folders")
    return agree, asked, lines, agree == asked


def _same_difference(file: Path, one: Folder, other: Folder) -> bool:
    said = [part for line in file.read_text().splitlines() if (part := _said(line))]
    cuts = blocks_of({(source, target): "" for source, target, *_ in said})
    for each in (one, other):
        cuts += [
            peer.block
            for policy in each.policies
            for rule in (*(policy.ingress or ()), *(policy.egress or ()))
            for peer in rule.peers or ()
            if peer.block
        ]
    (new, space), (old, _) = connections(one, cuts), connections(other, cuts)
    expected = {}
    for source, target, first, second in said:
        for pair in ((a, b) for a in _parts(source, space) for b in _parts(target, space)):
            expected[pair] = frozenset(merged(ports_of(first))), frozenset(merged(ports_of(second)))
    ours = {pair: (old.get(pair, frozenset()), new.get(pair, frozenset())) for pair in {**new, **old}}
    return {pair: both for pair, both in ours.items() if both[0] != both[1]} == expected


def _said(line: str) -> tuple[str, str, str, str] | None:
    if not line.startswith("diff-type: ") or "{" in line:
        return None
    _, _, rest = line.partition(", source: ")
    source, _, rest = rest.partition(", destination: ")
    target, _, rest = rest.partition(", ")
    _, _, rest = rest.partition(": ")
    first, _, rest = rest.partition(", ref2: ") if ", ref2: " in rest else rest.partition(", dir2: ")
    second = rest.partition(", workloads-diff-info")[0]
    return source, target, first, second


def refusals(folder: Path) -> Answer:
    """Count np-guard's folders of broken policies in which we name what is broken too."""
    root = folder / "netpol-analyzer/tests"
    lines: list[str] = []
    agree = asked = 0
    for path in sorted(root.iterdir()) if root.is_dir() else ():
        if "bad_path" in path.name and not folder_of(path).kinds & UNSUPPORTED and "namespace_with_same_name" not in path.name:
            asked += 1
            if folder_of(path).refused or _contradicts(folder_of(path)):
                agree += 1
            else:
                lines.append(f"refusals: {path.name} is read without a word")
    lines.append(f"refusals: {agree}/{asked} folders of broken policies")
    return agree, asked, lines, agree == asked


def _contradicts(found: Folder) -> bool:
    """Tell whether two policies have the same place in the order, or the same name."""
    return any(
        len({key(policy) for policy in found.admin}) < len(found.admin) for key in (_place, lambda policy: (policy.kind, policy.name))
    )


def _place(policy: AdminPolicy) -> object:
    return policy.tier, policy.priority
