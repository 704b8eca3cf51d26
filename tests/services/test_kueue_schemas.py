"""The Kueue objects of our fixtures, held against Kueue's own schemas by a real API server, unknown fields forbidden."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.services.build_kubelab import KUEUE
from tests.services.control_plane import ControlPlane, control_plane, path_of, until

pytestmark = pytest.mark.service

FIXTURES = Path(__file__).parents[2] / "fixtures"
GROUP = "kueue.x-k8s.io"
_CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_KEPT = ("name", "namespace", "labels", "annotations")


def queues() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object of Kueue in the fixtures, with the file that it stands in."""
    for path in sorted(FIXTURES.rglob("*.yaml")):
        text = path.read_text("utf-8")
        if f"{GROUP}/v" in text:
            for document in yaml.safe_load_all(text):
                for obj in document.get("items") or [document] if isinstance(document, dict) else []:
                    if str(obj.get("apiVersion", "")).startswith(f"{GROUP}/"):
                        meta = {key: value for key, value in obj["metadata"].items() if key in _KEPT}
                        yield str(path.relative_to(FIXTURES)), {**obj, "metadata": meta}


@pytest.fixture(params=KUEUE)
def served(request: pytest.FixtureRequest, kubelab: Path, tmp_path: Path) -> Iterator[tuple[set[str], ControlPlane]]:
    """Run a control plane with the schemas of one version of Kueue; yield `version/kind` of all that they serve, and the control plane."""
    crds = [yaml.safe_load(path.read_text("utf-8")) for path in sorted((kubelab / f"kueue-{request.param}").glob("*.yaml"))]
    crds = [crd for crd in crds if crd and crd.get("kind") == "CustomResourceDefinition"]
    with control_plane(kubelab / "kubelab", tmp_path) as plane:
        for answer in plane.each(plane.create, crds):
            assert answer.code == 201, answer.message
        for crd in crds:
            path = f"{_CRDS}/{crd['metadata']['name']}"
            until(partial(_is_established, plane, path), f"{path} to be served")
        yield {f"{crd['spec']['group']}/{one['name']} {crd['spec']['names']['kind']}" for crd in crds for one in _served(crd)}, plane


def _served(crd: dict[str, Any]) -> list[dict[str, Any]]:
    return [version for version in crd["spec"]["versions"] if version["served"]]


def _is_established(plane: ControlPlane, path: str) -> bool:
    conditions = plane.ask("GET", path).body.get("status", {}).get("conditions") or ()
    return any(one["type"] == "Established" and one["status"] == "True" for one in conditions)


def test_every_queue_of_the_fixtures_is_one_that_kueue_takes(served: tuple[set[str], ControlPlane]) -> None:
    kinds, plane = served
    refused = []
    tried = 0
    spaces = {obj["metadata"]["namespace"] for _, obj in queues() if "namespace" in obj["metadata"]}
    for space in spaces:
        plane.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}})
    for where, obj in queues():
        if f"{obj['apiVersion']} {obj['kind']}" in kinds:
            tried += 1
            answer = plane.ask("POST", path_of(obj), obj, dryRun="All", fieldValidation="Strict")
            if answer.code != 201:
                refused.append(f"{where}: {obj['kind']} {obj['metadata']['name']}: {answer.message}")

    assert refused == []
    assert tried >= 10
