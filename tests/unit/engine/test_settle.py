"""From findings and gaps to a verdict and an exit code."""

from pathlib import Path

import pytest

from partywall.engine.settle import exit_code, verdict_of
from partywall.model.report import Cell, CellState
from partywall.model.severity import Severity, Verdict
from tests.unit.engine.folders import BOTH, TENANTS, binding, folder, scanned, told

BREACH = BOTH + binding("orchid-team", "maple", "edit")
LOOKS = (
    BOTH
    + binding("orchid-team", "maple", "pod-lister")
    + (
        "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: pod-lister}\n"
        "rules:\n- {apiGroups: [''], resources: [pods], verbs: [list]}\n"
    )
)
REVIEW = TENANTS + (
    "contracts:\n- tenant: orchid\n  status: approved\n  cluster: {name: quay}\n"
    "  lifecycle: {approved: '2026-01-01', last_review: '2026-01-01', review_days: 30}\n"
)


def test_a_breach_ends_with_1(tmp_path: Path) -> None:
    report = told(folder(tmp_path, k8s=BREACH))

    assert (report.verdict, report.exit_code, report.gate_failed) == (Verdict.BREACH, 1, True)


def test_a_clean_folder_ends_with_0(tmp_path: Path) -> None:
    report = told(folder(tmp_path))

    assert (report.verdict, report.exit_code, report.complete) == (Verdict.OK, 0, True)


def test_findings_below_the_gate_end_with_0_and_stay_a_breach(tmp_path: Path) -> None:
    report = scanned(folder(tmp_path, k8s=LOOKS), fail_on=Severity.CRITICAL).report

    assert (report.verdict, report.exit_code) == (Verdict.BREACH, 0)


def test_a_drift_is_worse_than_unknown(tmp_path: Path) -> None:
    report = told(folder(tmp_path, tenants=REVIEW, files={"aws-iam-get-role--x.json": "{ broken"}))

    assert [finding.drift.field for finding in report.findings if finding.drift] == ["lifecycle.last_review"]
    assert report.verdict is Verdict.DRIFT
    assert not report.complete


def test_a_gap_ends_with_3_unless_it_is_allowed(tmp_path: Path) -> None:
    path = folder(tmp_path, files={"aws-iam-get-role--x.json": "{ broken"})

    assert (told(path).verdict, told(path).exit_code) == (Verdict.UNKNOWN, 3)
    assert scanned(path, allow_incomplete=True).report.exit_code == 0
    assert scanned(path, allow_incomplete=True).report.verdict is Verdict.UNKNOWN


def test_what_is_required_and_missing_is_a_gap(tmp_path: Path) -> None:
    report = scanned(folder(tmp_path), require=("bucket policies",)).report

    assert (report.verdict, report.exit_code, report.complete) == (Verdict.UNKNOWN, 3, False)
    assert any("bucket policies" in gap.what for gap in report.gaps)


@pytest.mark.parametrize(
    ("guessed", "missing", "gaps", "state", "expected"),
    [
        (False, False, [], CellState.CLEAR, Verdict.OK),
        (True, False, [], CellState.CLEAR, Verdict.UNKNOWN),
        (False, True, [], CellState.CLEAR, Verdict.UNKNOWN),
        (False, False, ["a gap"], CellState.CLEAR, Verdict.UNKNOWN),
        (False, False, [], CellState.UNKNOWN, Verdict.UNKNOWN),
        (False, False, [], CellState.NOT_ASSESSED, Verdict.OK),
    ],
)
def test_what_makes_a_verdict_unknown(guessed: bool, missing: bool, gaps: list[str], state: CellState, expected: Verdict) -> None:
    assert verdict_of([], [Cell("a", "b", "act", state)], gaps, guessed=guessed, missing=missing) is expected


@pytest.mark.parametrize(
    ("verdict", "incomplete", "allowed", "expected"),
    [
        (Verdict.OK, False, False, 0),
        (Verdict.OK, True, False, 3),
        (Verdict.UNKNOWN, False, False, 3),
        (Verdict.UNKNOWN, True, True, 0),
        (Verdict.DRIFT, True, False, 3),
    ],
)
def test_exit_codes_without_findings(verdict: Verdict, incomplete: bool, allowed: bool, expected: int) -> None:
    assert exit_code([], verdict, incomplete, Severity.HIGH, allowed) == expected


def test_the_worst_finding_comes_first(tmp_path: Path) -> None:
    both = BREACH + LOOKS.removeprefix(BOTH).replace("helpers", "lookers")
    findings = told(folder(tmp_path, k8s=both, tenants=REVIEW)).findings
    weights = [(-[*Verdict].index(finding.verdict), -finding.severity) for finding in findings]

    assert weights == sorted(weights)
    assert len({finding.id for finding in findings}) == len(findings)
    assert len({finding.fingerprint for finding in findings}) == len(findings)


def test_the_summary_says_the_worst_in_words(tmp_path: Path) -> None:
    summary = told(folder(tmp_path / "a", k8s=BREACH)).summary

    assert "orchid" in summary
    assert "maple" in summary
    assert told(folder(tmp_path / "b")).summary.startswith("Nobody reaches through the wall in ")


def test_every_rule_says_how_often_it_asked(tmp_path: Path) -> None:
    rows = told(folder(tmp_path, k8s=BREACH)).rules
    fired = [row for row in rows if row.verdict is Verdict.BREACH]

    assert fired
    assert all(row.asked > row.clear for row in fired)
    assert all(row.asked == row.clear for row in rows if row.verdict is Verdict.OK)
