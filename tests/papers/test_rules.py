"""Every rule has its page, its test, a world where it fires and one where it is quiet."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from partywall.api import VERBS, Crossings, Rule
from partywall.packs import rules

ROOT = Path(__file__).resolve().parents[2]
HUNDREDS = {"act": "1", "view": "2", "data": "3", "network": "4", "compute": "5", "identity": "6", "drift": "7"}


class Placed(NamedTuple):
    """A rule and the lane folder and module that hold it."""

    lane: str
    module: str
    rule: Rule


def built_in() -> Iterator[Placed]:
    for rule in rules():
        pack, _, place = rule.module.partition(".")
        if pack == "partywall_rules":
            lane, _, module = place.partition(".")
            yield Placed(lane, module, rule)


PLACED = tuple(built_in())
each_rule = pytest.mark.parametrize("placed", [pytest.param(placed, id=placed.rule.id) for placed in PLACED])


def test_the_pack_is_wide() -> None:
    lanes = {placed.lane for placed in PLACED}

    assert len(PLACED) >= 25
    assert lanes == set(HUNDREDS)


def test_ids_and_names_are_unique_and_none_is_a_retired_one() -> None:
    ids = [placed.rule.id for placed in PLACED]
    names = [placed.rule.name for placed in PLACED]
    retired = (ROOT / "rules/retired.txt").read_text(encoding="utf-8").split()

    assert len(set(ids)) == len(ids)
    assert len(set(names)) == len(names)
    assert not set(ids) & set(retired)


@each_rule
def test_the_id_belongs_to_the_lane(placed: Placed) -> None:
    assert re.fullmatch(rf"PW{HUNDREDS[placed.lane]}\d\d", placed.rule.id)


@each_rule
def test_the_name_says_what_is_wrong(placed: Placed) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", placed.rule.name)
    assert not placed.rule.name.startswith(("no-", "ensure-", "disallow-"))


@each_rule
def test_the_rule_has_a_page(placed: Placed) -> None:
    pages = list((ROOT / "rules/docs").glob(f"{placed.rule.id}*.md"))

    assert len(pages) == 1
    text = pages[0].read_text(encoding="utf-8")
    assert placed.rule.name in text
    for heading in ("Why it matters", "Fix", "Blind spots"):
        assert heading in text


@each_rule
def test_the_rule_has_a_test_of_its_own(placed: Placed) -> None:
    assert (ROOT / "tests/rules" / placed.lane / f"test_{placed.module}.py").is_file()


def test_every_page_belongs_to_a_rule() -> None:
    ids = {placed.rule.id for placed in PLACED}
    pages = {page.name for page in (ROOT / "rules/docs").glob("PW*.md")}

    assert {page for page in pages if page[:5] not in ids} == set()


class Fired(NamedTuple):
    """The rules with a finding in one folder, and those asked there with none."""

    loud: frozenset[str]
    quiet: frozenset[str]


def scanned(folder: Path) -> Fired:
    command = [str(Path(sys.executable).with_name("partywall")), "scan", str(folder), "-o", "json"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    assert run.returncode in {0, 1, 3}, run.stderr
    report = json.loads(run.stdout)
    loud = frozenset(finding["rule"] for finding in report["findings"])
    return Fired(loud, frozenset(row["id"] for row in report["rules"]) - loud)


@pytest.fixture(scope="module")
def fired() -> tuple[Fired, ...]:
    folders = sorted(path for kind in ("worlds", "cases") for path in (ROOT / "fixtures" / kind).iterdir() if path.is_dir())
    return tuple(scanned(folder) for folder in folders)


@each_rule
def test_the_rule_fires_in_one_world_and_is_quiet_in_another(placed: Placed, fired: tuple[Fired, ...]) -> None:
    assert any(placed.rule.id in world.loud for world in fired)
    assert any(placed.rule.id in world.quiet for world in fired)


def test_every_verb_that_may_cross_is_asked_by_exactly_one_rule() -> None:
    asked = [verb for placed in PLACED if isinstance(placed.rule.asks, Crossings) for verb in placed.rule.asks.verbs]

    assert sorted(asked) == sorted(name for name, verb in VERBS.items() if not verb.residual)
