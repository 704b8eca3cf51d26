"""What Kueue's real CRDs refuse, we refuse: thousands of broken objects beside the published schemas, and the fixtures pass them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from partywall.parse.kueue_refusals import refusal
from tests.unit.kueue.test_mutations import MUTATIONS, changed, objects

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "ClusterQueue": "clusterqueues",
    "Cohort": "cohorts",
    "LocalQueue": "localqueues",
    "ResourceFlavor": "resourceflavors",
    "WorkloadPriorityClass": "workloadpriorityclasses",
    "AdmissionCheck": "admissionchecks",
}


@pytest.fixture(scope="module")
def crds(shared: Path) -> Path:
    folder = shared / "vectors/k8s/kueue/config/components/crd/bases"
    if not folder.is_dir():
        pytest.skip("no CRDs of Kueue beside the repository")
    return folder


@lru_cache
def validator(folder: Path, kind: str, version: str) -> jsonschema.Draft7Validator | None:
    crd = yaml.safe_load((folder / f"kueue.x-k8s.io_{FILES[kind]}.yaml").read_text(encoding="utf-8"))
    schemas = {each["name"]: each["schema"]["openAPIV3Schema"] for each in crd["spec"]["versions"]}
    return jsonschema.Draft7Validator(_plain(schemas[version])) if version in schemas else None


def _plain(schema: Any) -> Any:
    """Turn the words of a CRD into those of JSON Schema; real servers of both releases accept a quota without its nominal amount."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _plain(value) for key, value in schema.items() if not key.startswith("x-kubernetes") and key not in ("format", "default")}
    if schema.get("x-kubernetes-int-or-string"):
        found["anyOf"] = [{"type": "integer"}, {"type": "string"}]
    if isinstance(found.get("required"), list):
        found["required"] = [each for each in found["required"] if each != "nominalQuota"]
    return found


def pruned(value: Any) -> Any:
    """Drop nulls from objects, as the server does before it looks."""
    if isinstance(value, dict):
        return {key: pruned(item) for key, item in value.items() if item is not None}
    return [pruned(item) for item in value] if isinstance(value, list) else value


def test_what_the_schemas_refuse_we_refuse(crds: Path) -> None:
    whole = objects()
    asked = 0
    for number, at, wrong in MUTATIONS:
        obj = changed(whole[number], at, wrong)
        schema = validator(crds, obj["kind"], "v1beta2")
        assert schema is not None
        if not schema.is_valid(pruned(obj)):
            asked += 1
            assert refusal(obj), (obj["kind"], at, wrong)
    assert asked > 700


def of_fixtures() -> Iterator[tuple[Path, Mapping[str, Any]]]:
    for path in sorted((ROOT / "fixtures").rglob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        if "kueue.x-k8s.io/v1" not in text:
            continue
        for document in yaml.safe_load_all(text):
            items = document.get("items", [document]) if isinstance(document, dict) else []
            yield from ((path, obj) for obj in items if isinstance(obj, dict) and str(obj.get("apiVersion")).startswith("kueue.x-k8s.io/"))


def test_the_objects_of_the_fixtures_pass_them(crds: Path) -> None:
    seen = 0
    for path, obj in of_fixtures():
        schema = validator(crds, obj["kind"], obj["apiVersion"].rpartition("/")[2]) if obj["kind"] in FILES else None
        if schema is not None:
            seen += 1
            assert list(schema.iter_errors(pruned(obj))) == [], path
            assert refusal(obj) == "", path
    assert seen > 30
