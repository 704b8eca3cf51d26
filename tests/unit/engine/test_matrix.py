"""What stands in the cells of the tenant matrix."""

from pathlib import Path

from partywall.model.report import CellState, Report
from tests.unit.engine.folders import BOTH, CLEAN, TENANTS, binding, folder, namespace, told

EDIT = BOTH + binding("orchid-team", "maple", "edit")
APPROVED = TENANTS + (
    "contracts:\n- tenant: maple\n  status: approved\n  cluster: {name: quay}\n"
    "  approvals:\n  - {tenant: orchid, lane: act, things: {namespaces: [maple]}, until: '2027-03-31', by: maple-leads}\n"
)
CREATES = (
    BOTH
    + binding("orchid-team", "maple", "job-maker")
    + (
        "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: job-maker}\n"
        "rules:\n- {apiGroups: [batch], resources: [jobs], verbs: [create]}\n"
    )
)
MISSING_ROLE = BOTH + binding("orchid-team", "orchid", "team-dev") + binding("maple-team", "maple", "edit", "own")


def cell(report: Report, source: str, target: str, lane: str) -> CellState:
    return next(each.state for each in report.matrix if (each.source, each.target, each.lane) == (source, target, lane))


def test_clear_breach_and_the_other_direction(tmp_path: Path) -> None:
    report = told(folder(tmp_path, k8s=EDIT))

    assert cell(report, "orchid", "maple", "act") is CellState.BREACH
    assert cell(report, "maple", "orchid", "act") is CellState.CLEAR
    named = next(each for each in report.matrix if (each.source, each.target, each.lane) == ("orchid", "maple", "act"))
    assert set(named.findings) <= {finding.id for finding in report.findings}
    assert named.findings


def test_a_lane_without_its_kinds_is_not_assessed(tmp_path: Path) -> None:
    report = told(folder(tmp_path, k8s=CLEAN))

    assert cell(report, "orchid", "maple", "network") is CellState.NOT_ASSESSED
    assert cell(report, "orchid", "maple", "compute") is CellState.NOT_ASSESSED


def test_what_was_approved_is_neither_breach_nor_clear(tmp_path: Path) -> None:
    report = told(folder(tmp_path, k8s=CREATES, tenants=APPROVED))

    assert cell(report, "orchid", "maple", "act") is CellState.APPROVED


def test_a_holder_whose_role_is_missing_cannot_be_called_clear(tmp_path: Path) -> None:
    report = told(folder(tmp_path, k8s=MISSING_ROLE))

    assert cell(report, "orchid", "maple", "act") is CellState.UNKNOWN
    assert cell(report, "maple", "orchid", "act") is CellState.CLEAR


def test_a_finding_that_is_only_a_question_makes_no_breach(tmp_path: Path) -> None:
    """Nobody's group reaches a tenant: whose is it? The cell says unknown, however sure the way is."""
    report = told(folder(tmp_path, k8s=BOTH + binding("strangers", "maple", "edit")))

    assert {(each.source, each.state) for each in report.matrix if each.source == "nobody"} == {("nobody", CellState.UNKNOWN)}


def test_reach_by_way_of_another_is_named(tmp_path: Path) -> None:
    chain = (
        EDIT
        + namespace("willow")
        + (
            "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: onward, namespace: willow}\n"
            "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}\n"
            "subjects:\n- {kind: ServiceAccount, name: default, namespace: maple}\n"
        )
    )
    tenants = TENANTS.rstrip() + "\n- name: willow\n  namespaces: [willow]\n"
    report = told(folder(tmp_path, k8s=chain, tenants=tenants))

    reach = next(each for each in report.matrix if (each.source, each.target, each.lane) == ("orchid", "willow", "act"))
    assert (reach.state, reach.by_way_of) == (CellState.BY_WAY_OF, "maple")
