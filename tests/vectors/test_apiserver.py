"""Our judges of RBAC and of pod security against the recorded answers of a real API server."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from partywall.model.document import Gap
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact
from partywall.model.facts_kubernetes import Role, Workload
from partywall.parse.workloads import workload
from partywall.resolve.rbac.roles import built_in
from tests.vectors.apiserver import ORIGIN, read
from tests.vectors.k8s_vectors import RECORDED, main, recorded

SHARED = Path(os.environ.get("PARTYWALL_SHARED", Path(__file__).parents[3] / "shared"))
VECTORS = SHARED / "vectors" / "k8s"
pytestmark = pytest.mark.skipif(
    not (VECTORS / "apiserver").is_dir(), reason="no recorded decisions of a real API server in `shared` beside the repository"
)


@pytest.mark.parametrize("name", RECORDED)
def test_every_recorded_answer_is_ours(name: str) -> None:
    outcome = RECORDED[name](VECTORS)

    assert outcome.goal_met, "\n".join((f"{outcome.agree}/{outcome.asked}", *outcome.lines))


def test_a_wrong_answer_is_printed_and_ends_the_program_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in VECTORS.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "apiserver").unlink()
    (tmp_path / "apiserver").mkdir()
    for path in (VECTORS / "apiserver").iterdir():
        (tmp_path / "apiserver" / path.name).symlink_to(path)
    first, *_ = recorded(VECTORS, "rbac.jsonl")
    first["asks"] = [{**first["asks"][0], "allowed": not first["asks"][0]["allowed"]}]
    (tmp_path / "apiserver" / "rbac.jsonl").unlink()
    (tmp_path / "apiserver" / "rbac.jsonl").write_text(json.dumps(first) + "\n", "utf-8")

    assert main(tmp_path) == 1
    printed = capsys.readouterr().out
    assert f"rbac decisions: world {first['world']}: {first['asks'][0]}" in printed
    assert "rbac decisions: 0/1 BELOW GOAL" in printed


def test_the_recording_covers_every_outcome() -> None:
    worlds = list(recorded(VECTORS, "rbac.jsonl"))

    assert {ask["allowed"] for world in worlds for ask in world["asks"]} == {True, False}
    assert {attempt["outcome"] for world in worlds for attempt in world["attempts"]} == {
        *("created", "not authorized", "escalation", "aggregation", "role not found")
    }


def test_the_shipped_roles_are_those_of_a_real_server() -> None:
    objects = json.loads((VECTORS / "apiserver" / "bootstrap.json").read_text("utf-8"))
    real = {(role.namespace, role.name): set(role.rules) for obj in objects for role in read(obj) if isinstance(role, Role)}

    mine = {key: set(role.rules) for key, role in built_in().items()}

    assert mine == real


def test_a_pod_that_we_call_privileged_is_refused_by_the_baseline() -> None:
    let_through = [
        case["case"]
        for case in recorded(VECTORS, "pod-security.jsonl")
        if case["answers"]["baseline"]["outcome"] == "created"
        and any(isinstance(fact, Workload) and fact.privileged for fact in pods(case))
    ]

    assert let_through == []


def pods(case: Mapping[str, Any]) -> Iterator[Fact | Gap]:
    obj = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "try", "namespace": "lab"}, "spec": case["spec"]}
    return workload(obj, Evidence("pod.json", ""), ORIGIN)
