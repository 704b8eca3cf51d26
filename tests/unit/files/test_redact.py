"""What nobody should find in a snapshot is gone before anything reads it, and every line stays where it was."""

import hashlib
import json
from pathlib import Path

import pytest

from partywall.files.positions import line_of
from partywall.model.document import Document, Form
from partywall.model.evidence import Json
from tests.unit.files.folders import only, reading

POD = """apiVersion: v1
kind: Pod
metadata:
  name: train
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"v1",
       "token":"hunter2"}
    team: vision
spec:
  containers:
  - name: main
    env:
    - name: TOKEN
      value: hunter2
    - {name: INLINE, value: 'hunter2'}
    - name: LONG
      value: |-
        hunter2
        hunter2

    - name: FOLDED
      value: "hunter2
        hunter2"
    - name: NUMBER
      value: 15
    - name: FROM
      valueFrom: {secretKeyRef: {name: a, key: b}}
    - name: AWS_ROLE_ARN
      value: arn:aws:iam::111122223333:role/trainer
  nodeName: n1
"""


def lines_stay(document: Document, original: str, marker: str) -> bool:
    return [n for n, line in enumerate(document.text.split("\n")) if marker in line] == [
        n for n, line in enumerate(original.split("\n")) if marker in line
    ]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_environment_values_and_applied_configurations_go(tmp_path: Path, ends: str) -> None:
    document = only(tmp_path, {"pod.yaml": POD.replace("\n", ends)})

    assert "hunter2" not in document.text
    assert "hunter2" not in json.dumps(document.value)
    assert lines_stay(document, POD, "nodeName: n1")
    assert lines_stay(document, POD, "name: FOLDED")
    assert (
        line_of(document.text, Form.YAML, "/spec/containers/0/env/5/valueFrom")
        == POD.split("\n").index("      valueFrom: {secretKeyRef: {name: a, key: b}}") + 1
    )
    assert "arn:aws:iam::111122223333:role/trainer" in document.text
    assert "team: vision" in document.text


def test_the_hash_is_that_of_the_original_and_the_reading_tells_what_went(tmp_path: Path) -> None:
    found = reading(tmp_path, {"pod.yaml": POD})

    assert found.documents[0].sha256 == hashlib.sha256(POD.encode()).hexdigest()
    assert [(entry.document, entry.values) for entry in found.withheld] == [("pod.yaml", 6)]


def test_environment_goes_in_whatever_kind_holds_the_pod(tmp_path: Path) -> None:
    pod = {"containers": [{"env": [{"name": "A", "value": "hunter2"}]}], "initContainers": [{"env": [{"name": "B", "value": "hunter2"}]}]}
    job: Json = {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": "a"},
        "spec": {"replicas": {"Worker": {"template": {"spec": pod}}}},
    }
    cron: Json = {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "a"},
        "spec": {"jobTemplate": {"spec": {"template": {"spec": pod}}}},
    }

    document = only(tmp_path, {"list.json": {"apiVersion": "v1", "kind": "List", "items": [job, cron]}})

    assert "hunter2" not in document.text
    assert document.text.count('"(redacted)"') == 4


@pytest.mark.parametrize(
    ("value", "stays"),
    [
        pytest.param(
            {
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": {"name": "a"},
                "data": {"k": "aHVudGVyMg=="},
                "stringData": {"k": "hunter2"},
            },
            False,
            id="secret",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "app"}, "data": {"k": "hunter2"}}, False, id="config map"
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "app"}, "binaryData": {"k": "aHVudGVyMg=="}}, False, id="binary"
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "aws-auth"}, "data": {"mapRoles": "hunter2"}},
            True,
            id="aws-auth",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "amazon-vpc-cni"}, "data": {"k": "hunter2"}}, True, id="vpc cni"
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "kueue-manager-config"}, "data": {"k": "hunter2"}},
            True,
            id="kueue",
        ),
    ],
)
def test_data_goes_but_for_the_config_maps_that_decide(tmp_path: Path, value: Json, stays: bool) -> None:
    document = only(tmp_path, {"a.json": value})

    assert ("hunter2" in document.text or "aHVudGVyMg==" in document.text) is stays


def test_data_of_a_secret_without_its_kind_goes_too(tmp_path: Path) -> None:
    value = {"kind": "SecretList", "apiVersion": "v1", "items": [{"metadata": {"name": "a"}, "data": {"k": "aHVudGVyMg=="}}]}

    assert "aHVudGVyMg==" not in only(tmp_path, {"secrets.json": value}).text


def test_an_aliased_value_goes_where_it_stands(tmp_path: Path) -> None:
    text = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - env: &env\n    - {name: A, value: hunter2}\n  - env: *env\n"

    assert "hunter2" not in only(tmp_path, {"a.yaml": text}).text


def test_passwords_of_slurm_go_and_settings_stay(tmp_path: Path) -> None:
    text = "DbdHost=h\nStorageType=accounting_storage/mysql\nStoragePass=hunter2\nStorageLoc=db\n"
    document = only(tmp_path, {"slurmdbd.conf": text})

    assert document.value == ["DbdHost=h", "StorageType=accounting_storage/mysql", "StoragePass=(redacted)", "StorageLoc=db"]


def test_signatures_of_links_go(tmp_path: Path) -> None:
    url = "https://bucket.s3.amazonaws.com/a?X-Amz-Signature=abc123&X-Amz-Expires=60"
    document = only(tmp_path, {"a.json": {"Name": "d", "Content": url, "DocumentType": "Session"}})

    assert "abc123" not in document.text
    assert "X-Amz-Expires=60" in document.text
