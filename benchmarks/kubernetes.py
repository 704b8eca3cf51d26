"""Network policies of large clusters, tenant by tenant, and every RBAC right of a thousand namespaces.

    python benchmarks/kubernetes.py [--peer] [--yaml] [--check] [--sizes 5k_300,10k_600]

Each figure is the CPU time of a whole process, from start to end: read the files, judge, say by which ports each tenant reaches each other.
With --peer the same files go to network-config-analyzer 2.1.0 in the same run, in an environment of its own under .cache (made by pip
when it is not there), and the ratio is printed. With --yaml the same again from YAML, where most of the time is the YAML reader's; and
once through the folder reader of `partywall scan`, which also hashes, redacts and looks for twins.

Prints one figure a line: name value unit goal ok|short. With --check, exits 1 when a goal is missed.
"""

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
CLUSTER = "111122223333/us-east-2/lab"
PEER = "network-config-analyzer==2.1.0"
# CPU seconds and megabytes of a whole process; the ratio is to the peer's CPU seconds.
GOALS = {"5k_300": (1.0, 200), "10k_600": (1.0, 200), "10k_2000": (1.5, 200), "40k_8000": (15.0, 600)}
PEER_SIZES = ("5k_300", "10k_600")
RATIOS = {"10k_600": 100}
RBAC_GOAL = 1.0


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took."""

    seconds: float
    megabytes: float
    output: str


def cost(command: Sequence[str], codes: Sequence[int] = (0,)) -> Cost:
    """Run a program and return its CPU time and its largest memory. Raises RuntimeError where it ends otherwise than it should."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"})
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read()
    if process.returncode not in codes:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}: {said[-400:]}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, said.strip())


def judge(folder: Path, reader: str) -> str:
    """Read a cluster's files and say how many tenants reach another one. This is the program that is measured."""
    # Nothing of what is read is thrown away before the end, so looking for garbage finds none.
    gc.disable()
    from partywall.model.facts import Facts
    from partywall.parse.network import parse
    from partywall.resolve.netpol.board import board

    facts = Facts([fact for document in _documents(folder, reader) for fact in parse(document)])
    found = board(facts, CLUSTER)
    pairs = found.between({name: [name] for name in found.spaces})
    return f"{len(found.columns)} classes and places, {len(pairs)} pairs of tenants"


def _documents(folder: Path, reader: str):  # type: ignore[no-untyped-def]  # imports are part of what is measured
    from partywall.model.document import Document, Form, Origin

    if reader == "folder":
        from dataclasses import replace

        from partywall.files import read

        yield from (replace(document, origin=Origin(cluster=CLUSTER)) for document in read(folder).documents)
        return
    for file in sorted(folder.iterdir()):
        text = file.read_text()
        if reader == "yaml":
            import yaml

            value = yaml.load(text, yaml.CSafeLoader)
        else:
            value = json.loads(text)
        yield Document(file.name, "kubernetes", Form.JSON, value, text, "", origin=Origin(cluster=CLUSTER))


def peer() -> Path:
    """Return the peer's program, made in an environment of its own when it is not there."""
    home = ROOT / ".cache/peer-nca"
    program = home / "bin/nca"
    if not program.is_file():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([str(home / "bin/python"), "-m", "pip", "install", "--quiet", PEER], check=True)
    return program


def measure(size_name: str, folder: Path, runs: int, with_peer: bool, with_yaml: bool) -> list[tuple[str, float, str, float | None, bool]]:
    """Return the figures of one cluster: name, value, unit, goal, and whether less is better."""
    here = [sys.executable, str(Path(__file__)), "--judge", str(folder)]
    found = [cost(here) for _ in range(runs)]
    best, space = min(one.seconds for one in found), max(one.megabytes for one in found)
    seconds, megabytes = GOALS[size_name]
    sys.stdout.write(f"# {size_name}: {found[0].output}\n")
    figures: list[tuple[str, float, str, float | None, bool]] = [
        (f"net_{size_name}", best, "s", seconds, True),
        (f"net_{size_name}_memory", space, "MB", megabytes, True),
    ]
    figures.append((f"net_{size_name}_folder", cost([*here, "--reader", "folder"]).seconds, "s", None, True))
    if with_yaml:
        other = folder.with_name(f"{folder.name}-yaml")
        as_yaml(folder, other)
        figures.append((f"net_{size_name}_yaml", cost([*here[:-1], str(other), "--reader", "yaml"]).seconds, "s", None, True))
    if with_peer and size_name in PEER_SIZES:
        files = {name: str(folder / f"{name}.json") for name in ("namespaces", "pods", "networkpolicies")}
        command = [str(peer()), "--connectivity", files["networkpolicies"], "--pod_list", files["pods"], "--ns_list", files["namespaces"]]
        theirs = cost([*command, "--output_endpoints", "deployments"])
        sys.stdout.write(f"# {size_name}: {PEER} {theirs.seconds:.1f} s, {theirs.megabytes:.0f} MB\n")
        figures.append((f"net_{size_name}_ratio", theirs.seconds / best, "x", RATIOS.get(size_name), False))
    return figures


def as_yaml(folder: Path, other: Path) -> None:
    """Write a cluster's files once more as YAML."""
    import yaml

    other.mkdir(exist_ok=True)
    for file in folder.iterdir():
        (other / f"{file.stem}.yaml").write_text(yaml.dump(json.loads(file.read_text()), Dumper=yaml.CSafeDumper))


def rbac() -> float:
    """Return the CPU time of all rights of 1,000 namespaces with 10,100 bindings, after loading."""
    import rbac as estate

    from partywall.resolve.rbac import RESOLVER

    facts = estate.cluster(1000)
    before = time.process_time()
    for _ in RESOLVER.resolve(facts):
        pass
    return time.process_time() - before


def main() -> int:
    """Measure, print, and say whether the goals were reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--yaml", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--sizes", default=",".join(GOALS))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--reader", choices=["json", "yaml", "folder"], default="json", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.judge is not None:
        sys.stdout.write(judge(asked.judge, asked.reader) + "\n")
        return 0
    from kubernetes_estate import SIZES, write

    short = False
    with tempfile.TemporaryDirectory() as place:
        for size in SIZES:
            if size.name in asked.sizes.split(","):
                write(size, Path(place, size.name))
                for figure in measure(size.name, Path(place, size.name), asked.runs, asked.peer, asked.yaml):
                    short |= said(*figure)
    short |= said("rbac_all_subjects", min(rbac() for _ in range(asked.runs)), "s", RBAC_GOAL, True)
    return int(short and asked.check)


def said(name: str, value: float, unit: str, goal: float | None, less: bool) -> bool:
    """Print a figure; return whether it falls short of its goal."""
    if goal is None:
        sys.stdout.write(f"{name} {value:.2f} {unit} - ok\n")
        return False
    reached = value <= goal if less else value >= goal
    sys.stdout.write(f"{name} {value:.2f} {unit} {'<=' if less else '>='}{goal:g} {'ok' if reached else 'short'}\n")
    return not reached


if __name__ == "__main__":
    sys.exit(main())
