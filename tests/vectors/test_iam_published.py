"""Published IAM cases against whoever decides: one line in DECIDERS adds a decider. Each disagreement stands in the ledger with a page."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.judges.iam import judge
from tests.vectors.iam_engine import engine
from tests.vectors.published_iam import Decider, Open, Strict, answer_open, iam_simulate, iamspy

DECIDERS: Mapping[str, Decider] = {"judge": judge, "engine": engine}
LEDGER = Path(__file__).with_name("iam_ledger.yaml")

every_decider = pytest.mark.parametrize("decide", DECIDERS.values(), ids=DECIDERS)


def ledger() -> dict[str, dict[str, Any]]:
    return {entry["case"]: entry for entry in yaml.safe_load(LEDGER.read_text(encoding="utf-8"))["published"]}


@every_decider
def test_strict_cases_agree_but_for_the_ledger(decide: Decider, shared: Path) -> None:
    cases = [one for one in iam_simulate(folder(shared, "iam-simulate/core")) if isinstance(one, Strict)]

    wrong = {one.name: (decide(one.case), one.expected) for one in cases if decide(one.case) != one.expected}

    assert len(cases) >= 297
    assert wrong == {name: (entry["ours"], entry["theirs"]) for name, entry in ledger().items()}
    assert len(wrong) <= 0.01 * len(cases)


@every_decider
def test_open_cases_agree(decide: Decider, shared: Path) -> None:
    cases = [one for one in iam_simulate(folder(shared, "iam-simulate/core")) if isinstance(one, Open)]

    assert len(cases) >= 55
    assert [(one.name, answer_open(one, decide), one.expected) for one in cases if answer_open(one, decide) != one.expected] == []


@every_decider
def test_iamspy_agrees(decide: Decider, shared: Path) -> None:
    questions = list(iamspy(folder(shared, "iamspy")))

    def can(one: Strict | Open) -> bool:
        return decide(one.case) == "allowed" if isinstance(one, Strict) else answer_open(one, decide) != "denied"

    def answer(cases: list[tuple[str, str, Strict | Open]], expected: Any) -> Any:
        holders = [(principal, resource) for principal, resource, one in cases if can(one)]
        if isinstance(expected, bool):
            return bool(holders)
        pairs = any(isinstance(one, list) for one in expected)
        return sorted([list(pair) for pair in holders] if pairs else [principal for principal, _ in holders])

    assert len(questions) == 39
    wrong = [
        (name, found, expected)
        for name, cases, expected in questions
        if (found := answer(cases, expected)) != (expected if isinstance(expected, bool) else sorted(expected))
    ]
    assert wrong == []


def folder(shared: Path, name: str) -> Path:
    found = shared / "vectors/iam" / name
    if not found.is_dir():
        pytest.skip(f"no IAM cases at {name} beside the repository")
    return found
