"""A fix is proved by moving its lever and looking again."""

from pathlib import Path

from partywall.model.report import Finding
from partywall.model.severity import Verdict
from tests.unit.engine.folders import BOTH, binding, folder, scanned, told

ONE = BOTH + binding("orchid-team", "maple", "edit")
TWO = ONE + binding("orchid-team", "maple", "edit", "again")


def breaches(path: Path, rule: str) -> list[Finding]:
    return [f for f in told(path).findings if f.verdict is Verdict.BREACH and f.rule == rule]


def test_the_only_way_closes(tmp_path: Path) -> None:
    (finding,) = breaches(folder(tmp_path, k8s=ONE), "PW102")

    assert finding.fix.proved
    assert ("orchid", "maple", "act") in {(way.source, way.target, way.lane) for way in finding.fix.closes}
    assert finding.fix.stays == finding.fix.opens == ()


def test_a_second_way_stays_and_is_shown(tmp_path: Path) -> None:
    findings = breaches(folder(tmp_path, k8s=TWO), "PW102")

    assert len(findings) == 2
    for finding in findings:
        assert not finding.fix.proved
        assert finding.fix.evaluated
        assert ("orchid", "maple", "act") in {(way.source, way.target, way.lane) for way in finding.fix.stays}
        assert all(way.path for way in finding.fix.stays)


def test_the_cut_is_marked_in_the_path(tmp_path: Path) -> None:
    (finding,) = breaches(folder(tmp_path, k8s=ONE), "PW102")

    assert [hop.cut for hop in finding.path].count(True) == 1
    assert finding.cause.document == "k8s.yaml"
    assert "helpers" in finding.cause.text


def test_without_proofs_advice_is_only_advice(tmp_path: Path) -> None:
    report = scanned(folder(tmp_path, k8s=ONE), prove=0).report

    assert report.findings
    assert not any(finding.fix.proved or finding.fix.evaluated for finding in report.findings)
    assert all(finding.fix.text for finding in report.findings)


def test_proofs_change_nothing_else(tmp_path: Path) -> None:
    path = folder(tmp_path, k8s=TWO)
    with_proofs, without = scanned(path).report, scanned(path, prove=0).report

    assert [f.fingerprint for f in with_proofs.findings] == [f.fingerprint for f in without.findings]
    assert with_proofs.matrix == without.matrix


def test_a_fix_that_is_taken_closes_what_it_said(tmp_path: Path) -> None:
    """Evaluate the advice for real: without the binding the folder is clean."""
    before = breaches(folder(tmp_path / "before", k8s=ONE), "PW102")
    after = told(folder(tmp_path / "after", k8s=BOTH + binding("orchid-team", "orchid", "edit")))

    assert before[0].fix.proved
    assert after.verdict is Verdict.OK
