"""The project's own IAM vectors against whoever decides: one line in DECIDERS adds a decider."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.judges.iam import judge
from tests.vectors import make_iam_operators
from tests.vectors.iam_engine import engine
from tests.vectors.own_iam import Json, operator_cases, trap_cases
from tests.vectors.published_iam import Decider

DECIDERS: Mapping[str, Decider] = {"judge": judge, "engine": engine}

every_decider = pytest.mark.parametrize("decide", DECIDERS.values(), ids=DECIDERS)


@pytest.fixture(scope="module")
def folder(root: Path) -> Path:
    return root / "fixtures/vectors/iam"


def wrong(decide: Decider, cases: list[Json]) -> list[tuple[str, str, str]]:
    return [(case["name"], decide(case), case["expect"]) for case in cases if decide(case) != case["expect"]]


@every_decider
def test_every_operator_says_what_its_page_says(decide: Decider, folder: Path) -> None:
    cases = list(operator_cases(folder))

    assert len(cases) >= 600
    assert wrong(decide, cases) == []


@every_decider
def test_every_trap_is_stepped_around(decide: Decider, folder: Path) -> None:
    assert wrong(decide, trap_cases(folder)) == []


def test_every_trap_has_both_sides_and_a_page(folder: Path) -> None:
    sides = defaultdict(set)
    for case in trap_cases(folder):
        assert case["page"].startswith("https://docs.aws.amazon.com/")
        sides[case["trap"]].add(case["expect"])

    assert set(sides) == set(range(1, 47))
    assert [trap for trap, found in sides.items() if len(found) < 2] == []


def test_the_matrix_is_as_its_generator_writes_it(folder: Path) -> None:
    assert (folder / "operators.json").read_text(encoding="utf-8") == make_iam_operators.text()
