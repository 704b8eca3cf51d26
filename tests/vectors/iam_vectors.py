"""Hold our IAM answers against published cases: `python -m tests.vectors.iam_vectors [FOLDER]`.

FOLDER has the layout of `../shared/vectors/iam`. Each section prints what differs and its count, the last line all counts; the program
ends with 1 below a goal. A disagreement that stands in `iam_ledger.yaml` with an AWS page is counted, and is no false allow.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from tests.vectors.escalation_counts import catalogue_counts, published_counts, training_counts
from tests.vectors.iam_engine import answer_open, engine
from tests.vectors.own_iam import operator_cases, trap_cases
from tests.vectors.published_iam import Open, Strict, iam_simulate, iamspy

LEDGER = Path(__file__).with_name("iam_ledger.yaml")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many of the answers asked for agree, what differs, and whether the goal is met."""

    agree: int
    asked: int
    lines: tuple[str, ...]
    goal_met: bool
    note: str = ""


Section: TypeAlias = Callable[[Path], Outcome | None]


def in_ledger() -> frozenset[str]:
    """Return the names of the published cases on which we disagree with an AWS page in hand."""
    return frozenset(entry["case"] for entry in yaml.safe_load(LEDGER.read_text(encoding="utf-8"))["published"])


def strict(folder: Path) -> Outcome | None:
    """Cases that give every key: 99 of 100 agree, and what they deny we never allow."""
    cases = [one for one in _simulate(folder) if isinstance(one, Strict)]
    answers = [(one, engine(one.case)) for one in cases]
    wrong = [(one, word) for one, word in answers if word != one.expected]
    settled = in_ledger()
    false_allows = [one.name for one, word in wrong if word == "allowed" and one.name not in settled]
    lines = tuple(f"{one.name}: {word}, theirs {one.expected}{_settled(one.name, settled)}" for one, word in wrong)
    met = len(wrong) <= 0.01 * len(cases) and not false_allows
    return Outcome(len(cases) - len(wrong), len(cases), lines, met, f"{len(false_allows)} false allows") if cases else None


def _settled(name: str, settled: frozenset[str]) -> str:
    return " (settled in the ledger)" if name in settled else ""


def discovery(folder: Path) -> Outcome | None:
    """Cases that leave keys open: 95 of 100 agree on allowed, allowed under conditions, or denied."""
    cases = [one for one in _simulate(folder) if isinstance(one, Open)]
    wrong = [f"{one.name}: {answer_open(one)}, theirs {one.expected}" for one in cases if answer_open(one) != one.expected]
    return Outcome(len(cases) - len(wrong), len(cases), tuple(wrong), len(wrong) <= 0.05 * len(cases)) if cases else None


def _simulate(folder: Path) -> Iterator[Strict | Open]:
    place = folder / "iam-simulate/core"
    yield from iam_simulate(place) if place.is_dir() else ()


def spy(folder: Path) -> Outcome | None:
    """IAMSpy's questions, whoever may do it included: all agree."""
    place = folder / "iamspy"
    if not place.is_dir():
        return None
    questions = list(iamspy(place))
    wrong = [
        f"{name}: {found}, theirs {expected}" for name, cases, expected in questions if (found := holders(cases, expected)) != expected
    ]
    return Outcome(len(questions) - len(wrong), len(questions), tuple(wrong), not wrong)


def holders(cases: list[tuple[str, str, Strict | Open]], expected: Any) -> Any:
    """Answer a question of IAMSpy in the form of its expected answer: yes or no, the principals, or pairs with what they may do it on."""
    found = [(principal, resource) for principal, resource, one in cases if can(one)]
    if isinstance(expected, bool):
        return bool(found)
    pairs = any(isinstance(one, list) for one in expected)
    given = [list(pair) for pair in found] if pairs else [principal for principal, _ in found]
    return expected if sorted(given) == sorted(expected) else given


def can(one: Strict | Open) -> bool:
    """Tell whether a case allows, under some context where keys are open."""
    return engine(one.case) == "allowed" if isinstance(one, Strict) else answer_open(one) != "denied"


def published_paths(folder: Path) -> Outcome | None:
    """Published escalation paths: all are found, and none without one of its rights."""
    return _whole(published_counts(folder)) if (folder / "pathfinding/paths-min.json").is_file() else None


def training(folder: Path) -> Outcome | None:
    """The training ground: every file with an escalation and every trap comes out right."""
    return _whole(training_counts(folder)) if (folder / "iam-vulnerable/scenarios-min.json").is_file() else None


def own_paths(_: Path) -> Outcome:
    """Our own catalogue: every entry is found, and is not without one of its needs."""
    return _whole(catalogue_counts())


def own_cells(_: Path) -> Outcome:
    """Our own cases: every operator in every state, and the traps with both sides."""
    cases = [*operator_cases(OWN), *trap_cases(OWN)]
    wrong = [f"{case['name']}: {engine(case)}, expected {case['expect']}" for case in cases if engine(case) != case["expect"]]
    return _whole((len(cases) - len(wrong), len(cases), wrong))


def _whole(counts: tuple[int, int, list[str]]) -> Outcome:
    agree, asked, lines = counts
    return Outcome(agree, asked, tuple(lines), not lines)


OWN = Path(__file__).resolve().parents[2] / "fixtures/vectors/iam"
SECTIONS: dict[str, Section] = {
    "iam-simulate strict": strict,
    "iam-simulate discovery": discovery,
    "iamspy": spy,
    "published escalation paths": published_paths,
    "training ground": training,
    "own catalogue": own_paths,
    "own cases": own_cells,
}


def main(arguments: list[str]) -> int:
    """Run every section whose cases are in the folder; return the exit code."""
    folder = Path(arguments[0]) if arguments else Path("../shared/vectors/iam")
    if not folder.is_dir():
        print(f"{folder}: no such folder; say VECTORS=DIR", file=sys.stderr)
        return 2
    counts: list[str] = []
    met = True
    for name, section in SECTIONS.items():
        found = section(folder)
        if found is None:
            print(f"{name}: no cases in {folder}")
            continue
        for line in found.lines:
            print(f"  {line}")
        counts.append(f"{name} {found.agree}/{found.asked}" + (f" ({found.note})" if found.note else ""))
        met = met and found.goal_met
        print(counts[-1] + ("" if found.goal_met else ": below the goal"))
    print("; ".join(counts) or "no cases at all")
    return 0 if met and counts else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
