"""IAM over an organization of 5,000 roles: all decisions at once, single ones, who can, who becomes whom, loading; beside other programs.

    python benchmarks/iam.py [--roles N] [--questions N] [--check]

Prints one figure a line: name value unit goal ok|short. With --check, exits 1 when a goal is missed. Seconds are CPU seconds of one
process; on a machine that others use they still vary by a third. The other programs answer the same questions in the same run, in
environments of their own: benchmarks/peers/install.sh puts them there, and what is not there is said and left out.
"""

import argparse
import json
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from figures import Figure, fastest, timed
from peers.iam_peers import peer_figures, pmapper
from worlds.iam_estate import Estate
from worlds.iam_organization import write
from worlds.iam_world import Question, World, questions, world_of

from partywall.files.read import read
from partywall.parse.everything import parse
from partywall.resolve.iam.becoming import closure
from partywall.resolve.iam.bulk import Planes
from partywall.resolve.iam.bulk import decide as decide_all
from partywall.resolve.iam.decide import Outcome, decide

CLOSURE_ROLES = 1000


def bulk_figures(world: World) -> tuple[list[Figure], Planes, float]:
    """Decide everything at once, and ask who can."""
    seconds, planes = fastest(lambda: decide_all(world.rights, world.blocks))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cells = len(world.rights) * sum(len(block.actions) * len(block.targets) for block in world.blocks)
    sure, maybe = planes.counts()
    ends = [(number, block, block.targets[place].arn) for number, block in enumerate(world.blocks) for place in (0, -1)]
    asked = [(number, block.actions[0], arn) for number, block, arn in ends]
    planes.who_can(*asked[0])
    who = max(timed(partial(planes.who_can, *one))[0] for one in asked)
    return (
        [
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
        ],
        planes,
        seconds / cells,
    )


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


def closure_figures() -> Iterator[Figure]:
    """Measure who becomes whom among 1,000 roles of one account, and the three kinds of edges that PMapper knows among the same."""
    made = Estate(CLOSURE_ROLES, 50, 1)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "org", made)
        facts, _ = parse(read(Path(folder) / "org").documents)
    ours, _ = timed(lambda: closure(facts))
    yield Figure("iam_closure", ours, "s", "<=2", ours <= 2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "roles.json"
        path.write_text(json.dumps({"roles": made.roles, "managed": made.managed(made.accounts[0]), "levels": [], "questions": []}))
        answer = pmapper(path, "edges")
    if answer is not None:
        theirs = float(str(answer["seconds"]))
        yield Figure("pmapper_edges", theirs, "s")
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
        seconds, (_, gaps) = fastest(lambda: parse(read(path).documents))
    yield Figure("iam_details_size", size, "MB")
    yield Figure("iam_details_loaded", seconds, "s", "<=1", seconds <= 1 and not gaps)


def figures(asked: argparse.Namespace) -> Iterator[Figure]:
    """Measure everything; what needs a fresh memory comes first."""
    yield from loading_figures()
    with tempfile.TemporaryDirectory() as folder:
        made = Estate(asked.roles, 2000, 4)
        write(Path(folder) / "org", made)
        world = world_of(made, Path(folder) / "org")
    found, planes, bulk = bulk_figures(world)
    yield from found
    drawn = questions(world, asked.questions)
    found, each = single_figures(world, planes, drawn)
    yield from found
    yield from peer_figures(made, world, planes, drawn, each, bulk)
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
