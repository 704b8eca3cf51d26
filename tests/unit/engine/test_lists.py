"""Who stands above the wall, what is accepted, what was assessed."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from partywall import model
from partywall.engine.layers import LAYERS
from partywall.model.report import Report
from tests.unit.engine.folders import BOTH, CLEAN, TENANTS, binding, folder, told

ADMIN = (
    "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: root}\n"
    "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\n"
    "subjects:\n- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: operators}\n"
)
OPERATED = TENANTS + "platform:\n  kubernetes_groups: [operators]\n"
CONTRACT = "contracts:\n- tenant: maple\n  status: approved\n  cluster: {name: quay}\n"
EXCEPTIONS = CONTRACT + (
    "  scheduling:\n    exceptions:\n"
    "    - {what: launch, until: '2026-12-31', by: board}\n    - {what: old launch, until: '2026-01-31', by: board}\n"
)
APPROVAL = CONTRACT + "  approvals:\n  - {tenant: orchid, lane: act, things: {namespaces: [maple]}, until: 'UNTIL', by: maple-leads}\n"
JOBS = binding("orchid-team", "maple", "job-maker") + (
    "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: job-maker}\n"
    "rules:\n- {apiGroups: [batch], resources: [jobs], verbs: [create]}\n"
)


def accepted(report: Report, kind: str) -> list[tuple[str, str, str | None]]:
    return [(row.grantor, row.guest, row.until) for row in report.accepted if row.kind == kind]


def test_an_operator_stands_above_the_wall(tmp_path: Path) -> None:
    above = told(folder(tmp_path, k8s=CLEAN + ADMIN, tenants=OPERATED)).above

    assert ("group operators", "platform") in {(row.node, row.owner) for row in above}
    assert "group orchid-team" not in {row.node for row in above}


def test_a_tenant_that_gets_up_there_is_named_with_its_hop(tmp_path: Path) -> None:
    report = told(folder(tmp_path, k8s=CLEAN + ADMIN.replace("operators", "orchid-team")))
    (row,) = [row for row in report.above if row.node == "group orchid-team"]

    assert row.owner == "orchid"
    assert row.how


def test_the_platform_comes_first(tmp_path: Path) -> None:
    both = CLEAN + ADMIN + ADMIN.replace("operators", "orchid-team").replace("name: root", "name: oops")
    owners = [row.owner for row in told(folder(tmp_path, k8s=both, tenants=OPERATED)).above]

    assert owners == sorted(owners, key=lambda owner: owner != "platform")


def test_an_approval_in_use_is_listed(tmp_path: Path) -> None:
    report = told(folder(tmp_path, k8s=BOTH + JOBS, tenants=TENANTS + APPROVAL.replace("UNTIL", "2027-03-31")))

    assert accepted(report, "approval") == [("maple", "orchid", "2027-03-31")]


def test_an_approval_that_nobody_uses_is_not_listed(tmp_path: Path) -> None:
    report = told(folder(tmp_path, tenants=TENANTS + APPROVAL.replace("UNTIL", "2027-03-31")))

    assert accepted(report, "approval") == []


def test_an_approval_that_ran_out_accepts_nothing(tmp_path: Path) -> None:
    report = told(folder(tmp_path, k8s=BOTH + JOBS, tenants=TENANTS + APPROVAL.replace("UNTIL", "2026-11-29")))

    assert accepted(report, "approval") == []
    assert any((p.source, p.target) == ("orchid", "maple") for f in report.findings for p in f.pairs)


def test_the_last_day_of_an_approval_counts(tmp_path: Path) -> None:
    report = told(folder(tmp_path, k8s=BOTH + JOBS, tenants=TENANTS + APPROVAL.replace("UNTIL", "2026-11-30")))

    assert accepted(report, "approval") == [("maple", "orchid", "2026-11-30")]


def test_only_exceptions_that_have_not_ended_are_listed(tmp_path: Path) -> None:
    report = told(folder(tmp_path, tenants=TENANTS + EXCEPTIONS))

    assert accepted(report, "exception") == [("maple", "maple", "2026-12-31")]


def test_every_layer_says_what_became_of_it(tmp_path: Path) -> None:
    rows = {row.kind: row.state for row in told(folder(tmp_path)).assessed}

    assert rows["Kubernetes RBAC"] == "read"
    assert rows["bucket policies"] == "not assessed"
    assert set(rows.values()) <= {"read", "empty", "gap", "not assessed"}


def test_an_empty_list_is_an_answer(tmp_path: Path) -> None:
    empty = {"kubectl-get-networkpolicies.yaml": "apiVersion: v1\nkind: List\nitems: []\n"}
    rows = {row.kind: row.state for row in told(folder(tmp_path, files=empty)).assessed}

    assert rows["NetworkPolicies"] == "empty"


def test_a_file_that_was_denied_is_a_gap_of_its_layer(tmp_path: Path) -> None:
    said = "An error occurred (AccessDenied) when calling the GetBucketPolicy operation: Access Denied\n"
    report = told(folder(tmp_path, files={"aws-s3api-get-bucket-policy--orchid-data.json": said}))

    assert any(gap.reason == "denied" for gap in report.gaps)
    assert all(row.state != "read" for row in report.assessed if row.kind == "bucket policies")


def test_the_layers_name_facts_that_exist() -> None:
    modules = [import_module(f"partywall.model.{found.name}") for found in iter_modules(model.__path__) if found.name.startswith("facts_")]
    known = {name for module in modules for name in vars(module)}

    assert {name.partition(" of ")[0] for layer in LAYERS for name in layer.facts} <= known


def test_a_kubernetes_role_is_no_iam_role(tmp_path: Path) -> None:
    role = "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r, namespace: orchid}\nrules: []\n"
    rows = {row.kind: row.state for row in told(folder(tmp_path, k8s=CLEAN + role)).assessed}

    assert rows["IAM roles and policies"] == "not assessed"
    assert rows["Kubernetes RBAC"] == "read"
