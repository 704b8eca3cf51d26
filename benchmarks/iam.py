"""IAM over an organization of 5,000 roles: all decisions at once, single ones, who can, who becomes whom, loading; beside other programs.

    python benchmarks/iam.py [--roles N] [--questions N] [--check]

Prints one figure a line: name value unit goal ok|short. With --check, exits 1 when a goal is missed. Seconds are CPU seconds of one
process; on a machine that others use they still vary by a third. The other programs answer the same questions in the same run, in
environments of their own: benchmarks/peers/install.sh puts them there, and what is not there is said and left out.
"""

import argparse
import importlib.util
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from worlds.iam_estate import ORGANIZATION, REGION, RESOURCE_CONTROLS, SERVICE_CONTROLS, Estate, Resource, actions, write

from partywall.files.read import read
from partywall.model.facts import Facts
from partywall.model.facts_data import ResourcePolicy
from partywall.parse.everything import parse
from partywall.resolve.iam.actions import action as table_of
from partywall.resolve.iam.bulk import Block, Planes, Target
from partywall.resolve.iam.bulk import decide as decide_all
from partywall.resolve.iam.decide import Outcome, decide
from partywall.resolve.iam.estate import estate
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.rights import Guard, Rights

ROOT = Path(__file__).resolve().parents[1]
PMAPPER = ROOT / ".cache/peers/pmapper/bin/python"
NODE_MODULES = ROOT / ".cache/node"
SEED = 11
CLOSURE_ROLES = 1000
NO_POLICY = {"Version": "2012-10-17", "Statement": []}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number and its goal."""

    name: str
    value: float
    unit: str
    goal: str = "-"
    reached: bool = True

    def line(self) -> str:
        """The figure as it is printed."""
        return f"{self.name} {self.value:.4g} {self.unit} {self.goal} {'ok' if self.reached else 'short'}"


@dataclass(frozen=True, slots=True)
class World:
    """The organization as partywall reads it, and what is asked of it."""

    facts: Facts
    rights: tuple[Rights, ...]
    blocks: tuple[Block, ...]
    resources: tuple[tuple[Resource, ...], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One cell: numbers of a principal, a block, an action and a target."""

    principal: int
    block: int
    action: int
    target: int


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU seconds of some work, and what it made."""
    begin = time.process_time()
    made = work()
    return time.process_time() - begin, made


def world_of(made: Estate, folder: Path) -> World:
    """Read the organization and join policies with what they guard."""
    facts, gaps = parse(read(folder).documents)
    if gaps:
        raise RuntimeError(f"{len(gaps)} gaps, the first one: {gaps[0].what}")
    known = estate(facts)
    guards: dict[str, tuple[Grant, ...]] = {}
    for policy in facts.of(ResourcePolicy):
        arn = policy.resource if policy.resource.startswith("arn:") else f"arn:aws:s3:::{policy.resource}"
        guards[arn] = tuple(Grant(statement, policy) for statement in policy.policy.statements)
    blocks, rows = [], []
    shared: dict[tuple[str, str], Guard] = {}
    for service, names in actions().items():
        here = tuple(one for one in made.resources if service in _services(one))
        for one in here:
            if (service, one.policy_of) not in shared:
                shared[service, one.policy_of] = _guard(service, one, guards, known.rights)
        targets = tuple(_target(one, shared[service, one.policy_of]) for one in here)
        blocks.append(Block(tuple(name.lower() for name in names), targets))
        rows.append(here)
    return World(facts, tuple(known.rights.values()), tuple(blocks), tuple(rows))


def _target(one: Resource, guard: Guard) -> Target:
    return Target(one.arn, guard, {"aws:requestedregion": (REGION,)}, {"team": f"team{one.tenant}"})


def _services(one: Resource) -> tuple[str, ...]:
    return ("iam", "sts") if one.kind == "role" else (one.arn.split(":")[2],)


def _guard(service: str, one: Resource, guards: Mapping[str, tuple[Grant, ...]], rights: Mapping[str, Rights]) -> Guard:
    if service == "sts":
        principal = rights[one.arn].principal
        assert principal.trust is not None
        return Guard(one.account, tuple(Grant(statement, principal) for statement in principal.trust.statements), sole=True)
    return Guard(one.account, guards.get(one.policy_of, ()), sole=service == "kms")


def bulk_figures(world: World) -> tuple[list[Figure], Planes]:
    """Decide everything at once, and ask who can."""
    seconds, planes = timed(lambda: decide_all(world.rights, world.blocks))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cells = len(world.rights) * sum(len(block.actions) * len(block.targets) for block in world.blocks)
    sure, maybe = planes.counts()
    ends = [(number, block, block.targets[place].arn) for number, block in enumerate(world.blocks) for place in (0, -1)]
    asked = [(number, block.actions[0], arn) for number, block, arn in ends]
    planes.who_can(*asked[0])
    who = max(timed(lambda one=one: planes.who_can(*one))[0] for one in asked)  # type: ignore[misc]
    return [
        Figure("iam_roles", len(world.rights), "roles"),
        Figure("iam_actions", sum(len(block.actions) for block in world.blocks), "actions"),
        Figure("iam_resources", len({target.arn for block in world.blocks for target in block.targets}), "resources"),
        Figure("iam_bulk_cells", cells, "applicable-checks"),
        Figure("iam_bulk_allowed", sure, "cells"),
        Figure("iam_bulk_conditional", maybe, "cells"),
        Figure("iam_bulk", seconds, "s", "<=3", seconds <= 3),
        Figure("iam_bulk_rate", cells / seconds, "checks/s"),
        Figure("iam_bulk_memory", memory, "MB", "<=1536", memory <= 1536),
        Figure("iam_who_can", who * 1000, "ms", "<=10", who <= 0.01),
    ], planes


def questions(world: World, planes: Planes, count: int) -> list[Question]:
    """Draw questions that a request can put: a third among cells of the own tenant, where most are allowed, the others anywhere."""
    chance = random.Random(SEED)
    by_team: dict[str, list[int]] = {}
    for number, one in enumerate(world.rights):
        by_team.setdefault((one.principal.tags or {}).get("team", ""), []).append(number)
    found: list[Question] = []
    while len(found) < count:
        block = chance.randrange(len(world.blocks))
        here = world.blocks[block]
        target, action = chance.randrange(len(here.targets)), chance.randrange(len(here.actions))
        near = by_team[(here.targets[target].tags or {})["team"]] if len(found) % 3 == 0 else range(len(world.rights))
        if can_be_asked(here.actions[action], here.targets[target].arn):
            found.append(Question(chance.choice(near), block, action, target))
    return found


def can_be_asked(action: str, arn: str) -> bool:
    """Tell whether an action takes a resource: other programs refuse a question where it does not."""
    known = table_of(action)
    return known is not None and any(_kind(kind.arn).fullmatch(arn) for kind in known.types)


@lru_cache(maxsize=1024)
def _kind(pattern: str) -> re.Pattern[str]:
    """Return the expression for the ARNs of a resource type; every part but a bucket's name may hold slashes."""
    pieces = re.split(r"(\$\{[^}]*\})", pattern)
    return re.compile("".join(re.escape(one) if one[:2] != "${" else "[^/:]+" if one == "${BucketName}" else ".+" for one in pieces))


def single_figures(world: World, planes: Planes, asked: Sequence[Question]) -> tuple[list[Figure], float]:
    """Decide the questions one by one, with reasons, twice: the second time is warm; compare with the planes."""

    def decisions() -> list[Outcome]:
        found = []
        for one in asked:
            rights, block = world.rights[one.principal], world.blocks[one.block]
            target = block.targets[one.target]
            found.append(decide(rights, target.request(rights, block.actions[one.action]), target.guard).outcome)
        return found

    decisions()
    seconds, outcomes = timed(decisions)
    same = 0
    for one, outcome in zip(asked, outcomes, strict=True):
        sure, maybe = planes.cell(one.principal, one.block, one.action, one.target)
        same += maybe or (sure == (outcome is Outcome.ALLOWED) and (sure or outcome in (Outcome.EXPLICIT, Outcome.IMPLICIT)))
    each = seconds / len(asked)
    return [
        Figure("iam_check", each * 1000, "ms", "<=0.3", each <= 0.0003),
        Figure("iam_check_equal_to_bulk", same, f"of-{len(asked)}", f"={len(asked)}", same == len(asked)),
    ], each


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


def peer_figures(made: Estate, world: World, planes: Planes, asked: Sequence[Question], each: float) -> Iterator[Figure]:
    """Put the same questions to the other programs."""
    cells = len(world.rights) * sum(len(block.actions) * len(block.targets) for block in world.blocks)
    begin = time.process_time()
    decide_all(world.rights, world.blocks)
    bulk = (time.process_time() - begin) / cells
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "questions.json"
        path.write_text(json.dumps(told(made, world, asked)))
        for name, answer in (("pmapper", _pmapper(path)), ("iam_simulate", _simulate(path))):
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


def _pmapper(path: Path, what: str = "checks") -> dict[str, object] | None:
    if not PMAPPER.is_file():
        return None
    return _run([str(PMAPPER), str(Path(__file__).parent / "peers/pmapper_answers.py"), what, str(path)])


def _simulate(path: Path) -> dict[str, object] | None:
    if not (NODE_MODULES / "node_modules/@cloud-copilot/iam-simulate/package.json").is_file():
        return None
    return _run(["node", str(Path(__file__).parent / "peers/simulate_answers.mjs"), str(NODE_MODULES), str(path)])


def closure_figures() -> Iterator[Figure]:
    """Measure who becomes whom among 1,000 roles of one account, and the three kinds of edges that PMapper knows among the same."""
    made = Estate(CLOSURE_ROLES, 50, 1)
    ours = 0.0
    if importlib.util.find_spec("partywall.resolve.iam.becoming") is None:
        print("partywall.resolve.iam.becoming is not there: no closure is measured")
    else:
        from partywall.resolve.iam.becoming import closure  # type: ignore[import-not-found,unused-ignore]

        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder) / "org", roles=CLOSURE_ROLES, resources=50, accounts=1)
            facts, _ = parse(read(Path(folder) / "org").documents)
        ours, _ = timed(lambda: closure(facts))
        yield Figure("iam_closure", ours, "s", "<=2", ours <= 2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "roles.json"
        path.write_text(json.dumps({"roles": made.roles, "managed": made.managed(made.accounts[0]), "levels": [], "questions": []}))
        answer = _pmapper(path, "edges")
    if answer is not None:
        theirs = float(str(answer["seconds"]))
        yield Figure("pmapper_edges", theirs, "s")
        if ours:
            yield Figure("iam_closure_times_faster_than_pmapper_edges", theirs / ours, "times")


def loading_figures() -> Iterator[Figure]:
    """Load and canonicalise 8 MB of one account's details."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "aws-iam-get-account-authorization-details.json"
        made = Estate(5000, 10, 1)
        details = made.details(made.accounts[0])
        roles = len(made.roles)
        while len(json.dumps(details)) > 8_000_000:
            roles -= 25
            details["RoleDetailList"] = made.roles[:roles]
        path.write_text(json.dumps(details))
        size = path.stat().st_size / 1e6
        seconds, (_, gaps) = timed(lambda: parse(read(path).documents))
    yield Figure("iam_details_size", size, "MB")
    yield Figure("iam_details_loaded", seconds, "s", "<=1", seconds <= 1 and not gaps)


def figures(asked: argparse.Namespace) -> Iterator[Figure]:
    """Measure everything; what needs a fresh memory comes first."""
    yield from loading_figures()
    with tempfile.TemporaryDirectory() as folder:
        made = Estate(asked.roles, 2000, 4)
        write(Path(folder) / "org", roles=asked.roles, resources=2000, accounts=4)
        world = world_of(made, Path(folder) / "org")
    found, planes = bulk_figures(world)
    yield from found
    drawn = questions(world, planes, asked.questions)
    found, each = single_figures(world, planes, drawn)
    yield from found
    yield from peer_figures(made, world, planes, drawn, each)
    yield from closure_figures()


def main() -> int:
    """Print the figures."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--roles", type=int, default=5000)
    ask.add_argument("--questions", type=int, default=6000)
    ask.add_argument("--check", action="store_true", help="exit 1 when a goal is missed")
    given = ask.parse_args()
    print("# CPU seconds; on a machine that others use, too, they vary by a third")
    missed = False
    for figure in figures(given):
        print(figure.line(), flush=True)
        missed |= not figure.reached
    return 1 if given.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
