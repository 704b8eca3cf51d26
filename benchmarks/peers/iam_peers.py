"""The same questions put to PMapper and iam-simulate, each a program in an environment of its own."""

import json
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from figures import Figure
from worlds.iam_estate import ORGANIZATION, REGION, Estate, actions
from worlds.iam_organization import RESOURCE_CONTROLS, SERVICE_CONTROLS
from worlds.iam_world import Question, World

from partywall.resolve.iam.bulk import Planes

HERE = Path(__file__).resolve().parent
PMAPPER = HERE.parents[1] / ".cache/peers/pmapper/bin/python"
NODE_MODULES = HERE.parents[1] / ".cache/node"
NO_POLICY = {"Version": "2012-10-17", "Statement": []}


def told(made: Estate, world: World, asked: Sequence[Question]) -> dict[str, object]:
    """Return the questions with all documents, as the adapters of other programs take them."""
    managed: dict[str, object] = {}
    for account in made.accounts:
        managed.update(made.managed(account))
    levels = _levels(SERVICE_CONTROLS)
    # iam-simulate takes AWS's own resource control policy for granted, and refuses it.
    limits = [[each for each in level if each is not RESOURCE_CONTROLS["p-RCPFullAWSAccess"][1]] for level in _levels(RESOURCE_CONTROLS)]
    limits = list(filter(None, limits))
    names = list(actions().values())
    trusts = {role["Arn"]: role["AssumeRolePolicyDocument"] for role in made.roles}
    rows = []
    for one in asked:
        here = world.resources[one.block][one.target]
        action = names[one.block][one.action]
        rows.append(
            {
                "principal": world.rights[one.principal].principal.arn,
                "action": action,
                "resource": here.arn,
                "account": here.account,
                "guard": trusts[here.arn] if action.startswith("sts:") else made.guard(here) or NO_POLICY,
                "context": {
                    "aws:RequestedRegion": REGION,
                    "aws:PrincipalOrgID": ORGANIZATION,
                    "aws:ResourceAccount": here.account,
                    "aws:ResourceTag/team": f"team{here.tenant}",
                },
            }
        )
    return {
        "roles": made.roles,
        "managed": managed,
        "levels": levels,
        "resourceLevels": limits,
        "questions": rows,
    }


def _levels(controls: Mapping[str, tuple[str, Mapping[str, object]]]) -> list[list[Mapping[str, object]]]:
    return [[document for at, document in controls.values() if at in ("everywhere", level)] for level in ("root", "unit", "account")]


def peer_figures(made: Estate, world: World, planes: Planes, asked: Sequence[Question], each: float, bulk: float) -> Iterator[Figure]:
    """Put the same questions to the other programs; `each` and `bulk` are our seconds for one of them, alone and among all."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "questions.json"
        path.write_text(json.dumps(told(made, world, asked)))
        for name, answer in (("pmapper", pmapper(path)), ("iam_simulate", _simulate(path))):
            if answer is None:
                print(f"{name} is not installed: benchmarks/peers/install.sh puts it into an environment of its own")
                continue
            theirs = float(answer["seconds"]) / len(asked)
            yield Figure(f"{name}_check", theirs * 1000, "ms")
            yield Figure(f"iam_check_times_faster_than_{name}", theirs / each, "times")
            yield Figure(f"iam_bulk_times_faster_than_{name}", theirs / bulk, "times-a-check")
            if "unsafeSeconds" in answer:
                unsafe = float(str(answer["unsafeSeconds"])) / int(str(answer["unsafe"]))
                yield Figure(f"{name}_unsafe_check", unsafe * 1000, "ms")
                yield Figure(f"iam_bulk_times_faster_than_{name}_unsafe", unsafe / bulk, "times-a-check")
            yield from _agreement(name, planes, asked, answer["answers"])


def _agreement(name: str, planes: Planes, asked: Sequence[Question], answers: Sequence[object]) -> Iterator[Figure]:
    """Count where both say yes or no alike; what partywall leaves open is counted apart, since these programs close every question."""
    counts: Counter[str] = Counter()
    for one, said in zip(asked, answers, strict=True):
        sure, maybe = planes.cell(one.principal, one.block, one.action, one.target)
        yes = said is True or said == "Allowed"
        counts[
            "failed"
            if isinstance(said, str) and "error" in said.lower()
            else "open"
            if maybe
            else "agree"
            if yes == sure
            else "more"
            if yes
            else "less"
        ] += 1
    yield Figure(f"{name}_agrees", counts["agree"], f"of-{len(asked)}")
    yield Figure(f"{name}_says_yes_where_we_say_no", counts["more"], "questions")
    yield Figure(f"{name}_says_no_where_we_say_yes", counts["less"], "questions")
    yield Figure(f"{name}_closes_what_we_leave_open", counts["open"], "questions")
    yield Figure(f"{name}_fails", counts["failed"], "questions")


def _run(command: Sequence[str]) -> dict[str, object]:
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    if said.returncode:
        raise RuntimeError(f"{command[0]} ended with {said.returncode}: {said.stderr[-600:]}")
    answer: dict[str, object] = json.loads(said.stdout.splitlines()[-1])
    return answer


def pmapper(path: Path, what: str = "checks") -> dict[str, object] | None:
    """Return what PMapper says of a file; None where it is not installed."""
    if not PMAPPER.is_file():
        return None
    return _run([str(PMAPPER), str(HERE / "pmapper_answers.py"), what, str(path)])


def _simulate(path: Path) -> dict[str, object] | None:
    if not (NODE_MODULES / "node_modules/@cloud-copilot/iam-simulate/package.json").is_file():
        return None
    return _run(["node", str(HERE / "simulate_answers.mjs"), str(NODE_MODULES), str(path)])
