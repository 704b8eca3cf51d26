"""Hold our answers against what real Kubernetes programs answered: `python -m tests.vectors.k8s_vectors [FOLDER]`.

FOLDER has the layout of `../shared/vectors/k8s`. Each section prints what differs and then its count; the program ends with 1 below a goal.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from partywall.model.document import Gap
from partywall.resolve.rbac.judge import Rights, can
from tests.vectors.apiserver import asker, foretold, labels, read, reasons, refused, request, rights_of
from tests.vectors.k8s_kueue import SECTIONS as KUEUE
from tests.vectors.k8s_network import SECTIONS as NETWORK

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many of the answers asked for agree, what is worth printing, and whether the goal is met."""

    agree: int
    asked: int
    lines: tuple[str, ...]
    goal_met: bool


Section: TypeAlias = Callable[[Path], Outcome]


def recorded(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of one recording of the API server."""
    with (folder / "apiserver" / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


@lru_cache(maxsize=1)
def _worlds(folder: Path) -> tuple[tuple[dict[str, Any], Rights], ...]:
    bootstrap = json.loads((folder / "apiserver" / "bootstrap.json").read_text("utf-8"))
    return tuple((world, rights_of([*bootstrap, *world["objects"]])) for world in recorded(folder, "rbac.jsonl"))


def rbac_decisions(folder: Path) -> Outcome:
    """May somebody do something: our decision is the server's."""
    asks = [(world["world"], rights, ask) for world, rights in _worlds(folder) for ask in world["asks"]]
    wrong = [f"world {world}: {ask}" for world, rights, ask in asks if can(rights, asker(ask), request(ask)) != ask["allowed"]]
    return whole(len(asks), wrong)


def rbac_changes(folder: Path) -> Outcome:
    """What becomes of an attempt to grant: our outcome is the server's."""
    tried = [(world["world"], rights, attempt) for world, rights in _worlds(folder) for attempt in world["attempts"]]
    wrong = [
        f"world {world}: {attempt['outcome']}, we say {mine}: {attempt['object']}"
        for world, rights, attempt in tried
        if (mine := foretold(rights, attempt)) != attempt["outcome"]
    ]
    return whole(len(tried), wrong)


def rbac_refused_objects(folder: Path) -> Outcome:
    """What the server does not take is a gap to us."""
    objects = [refused["object"] for world, _ in _worlds(folder) for refused in world["rejected"]]
    return whole(len(objects), [str(obj) for obj in objects if not any(isinstance(item, Gap) for item in read(obj))])


def pod_security(folder: Path) -> Outcome:
    """Is a pod let into a namespace, and why not: our refusals are the server's.

    A pod that is invalid in itself never reaches the standards: it agrees where it is invalid in every namespace.
    """
    wrong = []
    asked = invalid = 0
    for case in recorded(folder, "pod-security.jsonl"):
        answers: Mapping[str, Any] = case["answers"]
        for name, answer in answers.items():
            asked += 1
            if answer["outcome"] == "invalid":
                invalid += 1
                agrees = all(other["outcome"] == "invalid" for other in answers.values())
            else:
                agrees = refused(case, labels(name)) == (reasons(answer["why"]) if answer["outcome"] == "pod security" else frozenset())
            if not agrees:
                wrong.append(f"{case['case']} in {name}: {answer}, we say {sorted(refused(case, labels(name)))}")
    found = whole(asked, wrong)
    return Outcome(found.agree, asked, (*found.lines, f"{invalid} of them are of pods that are invalid in themselves"), found.goal_met)


def whole(asked: int, wrong: list[str]) -> Outcome:
    """Return the outcome of a section whose goal is that everything agrees, and that something was asked."""
    more = (f"and {len(wrong) - _SHOWN} more",) if len(wrong) > _SHOWN else ()
    return Outcome(asked - len(wrong), asked, (*wrong[:_SHOWN], *more), not wrong and asked > 0)


def _counted(section: Callable[[Path], tuple[int, int, Sequence[str], bool]]) -> Section:
    def count(folder: Path) -> Outcome:
        agree, asked, lines, met = section(folder)
        return Outcome(agree, asked, tuple(lines), met)

    return count


RECORDED: Mapping[str, Section] = {
    "rbac decisions": rbac_decisions,
    "rbac changes": rbac_changes,
    "rbac refused objects": rbac_refused_objects,
    "pod security": pod_security,
}
SECTIONS: Mapping[str, Section] = {
    **RECORDED,
    **{name: _counted(section) for name, section in (*KUEUE.items(), *NETWORK.items())},
}


def main(folder: Path) -> int:
    """Run all sections; counts stand on the last lines."""
    outcomes = {name: section(folder) for name, section in SECTIONS.items()}
    for name, outcome in outcomes.items():
        for line in outcome.lines:
            print(f"{name}: {line}")
    for name, outcome in outcomes.items():
        print(f"{name}: {outcome.agree}/{outcome.asked}{'' if outcome.goal_met else ' BELOW GOAL'}")
    return 0 if all(outcome.goal_met for outcome in outcomes.values()) else 1


if __name__ == "__main__":
    given = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/vectors/k8s")
    if not given.is_dir():
        sys.exit(f"{given} is no folder; give one with the layout of shared/vectors/k8s: make vectors-k8s VECTORS=DIR")
    sys.exit(main(given))
