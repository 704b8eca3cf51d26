"""A part of an estate is judged on that part, and what is not there is said to be not there."""

import json
import shutil
from pathlib import Path

import pytest

from partywall.model.report import CellState
from partywall.model.severity import Verdict
from tests.worlds.harbor import HARBOR, looked_at

TENANTS = """\
schema: partywall/tenants/v1
tenants:
- name: orchid
  namespaces: [orchid]
- name: maple
  namespaces: [maple]
"""
PODS = """\
apiVersion: v1
kind: Namespace
metadata:
  name: orchid
  labels: {kubernetes.io/metadata.name: orchid, pod-security.kubernetes.io/enforce: restricted}
---
apiVersion: v1
kind: Namespace
metadata:
  name: maple
  labels: {kubernetes.io/metadata.name: maple, pod-security.kubernetes.io/enforce: restricted}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: loader, namespace: orchid}
"""
BINDING = """\
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: helpers, namespace: orchid}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: pat}
- {kind: ServiceAccount, name: default, namespace: maple}
"""
ASSOCIATION = {
    "association": {
        "clusterName": "quay",
        "namespace": "orchid",
        "serviceAccount": "loader",
        "roleArn": "arn:aws:iam::222233334444:role/loader",
        "associationArn": "arn:aws:eks:us-west-2:222233334444:podidentityassociation/quay/a-1",
        "associationId": "a-1",
    }
}


@pytest.fixture
def kubernetes(tmp_path: Path) -> Path:
    """Make a folder with a tenancy and Kubernetes objects, and nothing else."""
    (tmp_path / "tenants.yaml").write_text(TENANTS, encoding="utf-8")
    (tmp_path / "k8s.yaml").write_text(PODS, encoding="utf-8")
    return tmp_path


def test_kubernetes_alone_is_judged_and_the_rest_is_not_assessed(kubernetes: Path) -> None:
    (kubernetes / "k8s.yaml").write_text(PODS + BINDING, encoding="utf-8")

    report = looked_at(kubernetes)

    assert report.verdict is Verdict.BREACH
    assert ("maple", "orchid", "act") in {(p.source, p.target, f.lane) for f in report.findings for p in f.pairs}
    left_out = {row.kind for row in report.assessed if row.state == "not assessed"}
    assert {"IAM roles and policies", "bucket policies", "Identity Center groups", "Slurm associations"} <= left_out
    assert not {cell.lane for cell in report.matrix if cell.state is CellState.CLEAR} - set(report.covers)


def test_a_rule_of_a_lane_that_is_not_covered_cleared_nothing(kubernetes: Path) -> None:
    (kubernetes / "k8s.yaml").write_text(PODS + BINDING, encoding="utf-8")

    report = looked_at(kubernetes)

    told = {row.id: row for row in report.rules}
    assert "compute" not in report.covers
    assert (told["PW501"].verdict, told["PW501"].clear) == (Verdict.UNKNOWN, 0)
    assert "act" in report.covers
    assert told["PW101"].verdict is Verdict.BREACH


def test_a_lane_of_which_nothing_was_read_is_not_called_clear(kubernetes: Path) -> None:
    report = looked_at(kubernetes)

    assert "compute" not in report.covers
    assert {cell.state for cell in report.matrix if cell.lane == "network"} == {CellState.NOT_ASSESSED}


def test_an_association_with_a_role_that_is_missing_is_unknown_for_that_path_alone(kubernetes: Path) -> None:
    (kubernetes / "aws-eks-describe-pod-identity-association--loader.json").write_text(json.dumps(ASSOCIATION), encoding="utf-8")

    report = looked_at(kubernetes)

    assert report.verdict is Verdict.UNKNOWN
    assert {cell.source for cell in report.matrix if cell.state is CellState.UNKNOWN} == {"orchid"}
    named = [gap for gap in report.gaps if gap.cells]
    assert named
    assert all("role/loader" in gap.what for gap in named)
    assert all(cell.startswith("orchid -> ") for gap in named for cell in gap.cells)


def test_harbor_without_tenancy_shows_its_teams_as_guessed(tmp_path: Path) -> None:
    folder = tmp_path / "harbor"
    shutil.copytree(HARBOR, folder, ignore=shutil.ignore_patterns("tenants.yaml", "contracts"))

    report = looked_at(folder)

    assert {"vision", "speech", "ranking", "robots", "weather"} <= {row.name for row in report.tenants}
    assert "platform" not in {row.name for row in report.tenants}
    assert all(row.guessed for row in report.tenants)
    assert {guess.owner for guess in report.guessed} >= {"vision", "speech", "ranking", "robots", "weather"}
    assert report.verdict in (Verdict.BREACH, Verdict.UNKNOWN)
    assert "guessed" in report.summary


def test_a_clean_folder_without_tenancy_is_at_best_unknown(tmp_path: Path) -> None:
    teams = PODS.replace("orchid", "hyperpod-ns-orchid").replace("maple", "hyperpod-ns-maple")
    (tmp_path / "k8s.yaml").write_text(teams, encoding="utf-8")

    report = looked_at(tmp_path)

    assert report.verdict is Verdict.UNKNOWN
    assert [row.name for row in report.tenants] == ["maple", "orchid"]


def test_the_files_of_harbor_in_one_heap_are_read_too(tmp_path: Path) -> None:
    """A folder that was flattened has lost its scopes: what cannot be placed is a gap, never a guess, and nothing crashes."""
    for path in sorted(HARBOR.rglob("*")):
        if path.is_file():
            shutil.copyfile(path, tmp_path / path.relative_to(HARBOR).as_posix().replace("/", "__"))

    report = looked_at(tmp_path)

    assert report.verdict is Verdict.BREACH
    assert len(report.documents) + len(report.gaps) >= len(list(tmp_path.iterdir())) // 2
