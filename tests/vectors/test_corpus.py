"""Public files of every kind go through the door: none crashes it, none is lost, and each is found again in a snapshot."""

import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from partywall.files import ReadSettings, read
from partywall.files.walk import Found, files_below
from partywall.model.facts_network import AdminPolicy, ForeignPolicy, NetworkPolicy
from partywall.parse.everything import parse
from partywall.parse.kubernetes_objects import objects
from partywall.resolve.netpol import resolve
from partywall.snapshot import write

CLASSES = (
    "cdk-synth",
    "cloudformation",
    "helm-charts",
    "iam-authorization-details",
    "k8s-yaml",
    "kubectl-dumps",
    "kustomize",
    "networkpolicy-sets",
    "slurm",
    "terraform-hcl",
    "terraform-plan-json",
)
# What each class is read as, at least; the rest of it is templates, notes and files that are broken on purpose.
EXPECTED = {
    "cdk-synth": {"iac:cloudformation"},
    "cloudformation": {"iac:cloudformation", "aws:iam:policy"},
    "helm-charts": {"iac:helm"},
    "iam-authorization-details": {"aws:iam:get-account-authorization-details", "aws:iam:policy"},
    "k8s-yaml": {"kubernetes"},
    "kubectl-dumps": {"kubernetes"},
    "kustomize": {"kubernetes", "iac:kustomize"},
    "networkpolicy-sets": {"kubernetes"},
    "slurm": {
        "slurm:slurm.conf",
        "slurm:slurmdbd.conf",
        "slurm:sacctmgr-show-assoc",
        "slurm:sacctmgr-show-user",
        "slurm:scontrol-show-config",
    },
    "terraform-hcl": {"iac:terraform"},
    "terraform-plan-json": {"iac:terraform-plan"},
}


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of public files: below PARTYWALL_SHARED, or beside the repository."""
    beside = Path(__file__).resolve().parents[3] / "shared"
    folder = Path(os.environ.get("PARTYWALL_SHARED", str(beside))) / "corpus"
    if not folder.is_dir():
        pytest.skip("no folder of public files: set PARTYWALL_SHARED, or put `shared` beside the repository")
    return folder


@pytest.mark.parametrize("name", CLASSES)
def test_every_public_file_is_read_or_is_a_gap(corpus: Path, name: str, tmp_path: Path) -> None:
    found = read(corpus / name, ReadSettings(now="2026-11-30T00:00:00Z"))

    files = {file.name for file in files_below(corpus / name) if isinstance(file, Found)}
    stand = {document.name.partition("~")[0] for document in found.documents} | {gap.source for gap in found.gaps}
    assert sorted(files - stand) == []
    counts = Counter(document.kind for document in found.documents)
    # Shown by `pytest -s`, or by `pytest -rP`.
    sys.stdout.write(f"\n{name}: {len(files)} files, {len(found.gaps)} gaps, {dict(sorted(counts.items()))}\n")
    assert EXPECTED[name] <= counts.keys()
    write(found, tmp_path / "snapshot")
    assert read(tmp_path / "snapshot") == found


@pytest.mark.parametrize("name", ["k8s-yaml", "kubectl-dumps", "kustomize", "networkpolicy-sets"])
def test_every_policy_of_the_public_files_is_judged_or_named(corpus: Path, name: str) -> None:
    found = read(corpus / name, ReadSettings(now="2026-11-30T00:00:00Z"))
    facts, gaps = parse(found.documents)
    read_as = {fact.at for kind in (NetworkPolicy, AdminPolicy, ForeignPolicy) for fact in facts.of(kind)} | {gap.at for gap in gaps}
    policies = [
        at
        for document in found.documents
        if document.kind == "kubernetes"
        for obj, at in objects(document)
        if str(obj.get("kind")).endswith("NetworkPolicy")
    ]

    assert [at for at in policies if at not in read_as] == []
    list(resolve(facts))
