"""The demo estate has the holes that it was built with, and no others; its mended twin has none."""

import pytest

from partywall.model.node import Kind
from partywall.model.report import CellState
from partywall.model.severity import Verdict
from tests.worlds.harbor import HARBOR, MENDED, TABLE, Intended, files_of, harbor, intended, is_it, looked_at, missing

FOUND = [wanted for wanted in intended() if wanted.kind in ("breach", "drift")]
LANES = ("act", "view", "data", "network", "compute", "identity")


@pytest.mark.parametrize("wanted", FOUND, ids=lambda wanted: wanted.name)
def test_an_intended_finding_is_there_once(wanted: Intended) -> None:
    found = [finding for finding in harbor().findings if is_it(finding, wanted)]

    assert [finding.verdict.value for finding in found] == [wanted.kind]


def test_nothing_else_is_found() -> None:
    strays = [finding.message for finding in harbor().findings if not any(is_it(finding, wanted) for wanted in FOUND)]

    assert strays == []


def test_every_lane_has_a_breach() -> None:
    assert {finding.lane for finding in harbor().findings if finding.verdict is Verdict.BREACH} == set(LANES)


def test_every_breach_shows_its_path_and_its_place() -> None:
    for finding in harbor().findings:
        if finding.verdict is Verdict.BREACH:
            assert finding.path
            assert any(hop.cut for hop in finding.path)
            assert finding.cause.line is not None


def test_one_thing_is_unknown() -> None:
    report = harbor()
    blinding = [gap for gap in report.gaps if gap.cells]

    assert [(gap.reason, gap.direction, gap.cells) for gap in blinding] == [("denied", "incoming", ("any -> weather: data",))]
    unknown = {(cell.source, cell.target, cell.lane) for cell in report.matrix if cell.state is CellState.UNKNOWN}
    assert unknown == {(tenant, "weather", "data") for tenant in ("vision", "speech", "ranking", "robots")}


def test_the_approved_reach_is_silent_and_listed() -> None:
    report = harbor()
    approvals = [(row.grantor, row.guest, row.lane, row.until) for row in report.accepted if row.kind == "approval"]

    assert approvals == [("vision", "speech", "data", "2027-03-31")]
    assert not [f for f in report.findings if f.lane == "data" and any((p.source, p.target) == ("speech", "vision") for p in f.pairs)]


def test_the_verdict_of_harbor() -> None:
    report = harbor()

    assert (report.verdict, report.exit_code, report.complete) == (Verdict.BREACH, 1, False)
    assert report.covers == LANES
    assert report.as_of == "2026-11-30"
    assert report.as_of_source == "the tenancy"


def test_most_fixes_are_proved_and_none_opens_anything() -> None:
    breaches = [finding for finding in looked_at(HARBOR, prove=200).findings if finding.verdict is Verdict.BREACH]

    assert sum(finding.fix.proved for finding in breaches) >= len(breaches) // 2
    assert not [finding.message for finding in breaches if finding.fix.opens]


def test_the_mended_twin_is_ok() -> None:
    report = looked_at(MENDED)

    assert [finding.message for finding in report.findings] == []
    assert [gap.what for gap in report.gaps if gap.cells] == []
    assert (report.verdict, report.exit_code, report.complete) == (Verdict.OK, 0, True)
    assert {cell.state for cell in report.matrix} <= {CellState.CLEAR, CellState.APPROVED}


def test_the_twins_have_the_same_files() -> None:
    assert files_of(MENDED) == files_of(HARBOR)


def test_the_table_classes_every_file() -> None:
    rows = missing()

    assert sorted(row.name for row in rows) == files_of(HARBOR), f"{TABLE.name} must name every file of harbor, and no other"
    assert {row.kind for row in rows} == {"grant", "limit", "inventory", "tenancy"}
    assert {name for row in rows for name in row.lost} <= {wanted.name for wanted in intended()}


def test_the_estate_looks_like_a_customers() -> None:
    population = harbor().population

    assert population[Kind.ROLE.value] >= 30
    assert population[Kind.NAMESPACE.value] >= 20
