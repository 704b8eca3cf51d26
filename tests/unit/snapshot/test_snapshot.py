"""A snapshot gives back exactly what was read, appears whole or not at all, and shows when somebody changed it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from partywall.errors import OutputError, PartywallError
from partywall.files import Reading, read
from partywall.snapshot import SnapshotError, write
from partywall.snapshot.form import MANIFEST, canonical, is_safe, sha256_of
from tests.unit.files.folders import CLUSTER, NOW, namespace, reading

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - env:\n    - name: T\n      value: |\n        hunter2\n"
FILES: dict[str, object] = {
    "c.json": CLUSTER,
    "pod.yaml": POD,
    "dump.json": json.dumps(namespace("a")) + json.dumps(namespace("b")),
    "entries.json": [{"accessEntry": {"principalArn": f"arn:aws:iam::111122223333:role/{name}"}} for name in "ab"],
    "utf16.yaml": "apiVersion: v1\r\nkind: Namespace\r\nmetadata: {name: é}\r\n".encode("utf-16"),
    "config/serviceaccounts/a.json": {"metadata": {"name": "a"}},
    "slurm/slurmdbd.conf": "DbdHost=h\nStorageType=x\nStoragePass=hunter2\n",
    "notes.md": "nothing\n",
    "aws-s3api-get-bucket-policy--b.json": "An error occurred (NoSuchBucketPolicy) when calling the X operation: none",
    "aws-s3api-get-bucket-policy--c.json": "An error occurred (AccessDenied) when calling the X operation: no",
    "broken.json": "{",
    "sources.yaml": "schema: partywall/sources/v1\nfiles:\n- {match: c.json, at: '2026-11-29T00:00:00Z', by: reader}\n",
}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def taken(tmp_path: Path) -> tuple[Reading, Path]:
    found = reading(tmp_path / "input", FILES)
    write(found, tmp_path / "snapshots" / "one")
    return found, tmp_path / "snapshots" / "one"


def test_what_is_read_back_equals_what_was_read(taken: tuple[Reading, Path]) -> None:
    found, folder = taken

    assert len(found.gaps) == 2
    assert read(folder, NOW) == found


def test_no_secret_is_in_it(taken: tuple[Reading, Path]) -> None:
    _, folder = taken

    assert [path.name for path in folder.iterdir() if b"hunter2" in path.read_bytes()] == []


def test_the_manifest_says_what_was_done(taken: tuple[Reading, Path]) -> None:
    found, folder = taken
    manifest = json.loads((folder / MANIFEST).read_bytes())

    assert manifest["schema"] == "partywall/snapshot/v1"
    assert manifest["tool"].startswith("partywall ")
    assert manifest["taken"] == "2026-11-29T00:00:00Z"
    assert manifest["identities"] == ["reader"]
    assert manifest["calls"]["aws:eks:describe-access-entry"] == 2
    assert manifest["pages"] == len(found.documents)
    assert manifest["previous"] is None
    assert {entry["name"]: entry["withheld"] for entry in manifest["documents"] if entry["withheld"]} == {
        "pod.yaml": 1,
        "slurm/slurmdbd.conf": 1,
    }
    assert {entry["name"]: entry["original_sha256"] for entry in manifest["documents"]}["pod.yaml"] == sha256_of(POD.encode())
    assert sorted([*(entry["name"] for entry in manifest["files"]), MANIFEST]) == names(folder)


def test_each_operation_and_scope_has_a_file_of_json_lines(taken: tuple[Reading, Path]) -> None:
    _, folder = taken
    lines = (folder / "aws-eks-describe-access-entry--111122223333_us-east-2_capacity.jsonl").read_text().splitlines()

    assert [json.loads(line)["name"] for line in lines] == ["entries.json~1", "entries.json~2"]


def test_the_same_reading_makes_the_same_bytes(taken: tuple[Reading, Path], tmp_path: Path) -> None:
    _, folder = taken
    write(read(folder, NOW), tmp_path / "two")

    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()
    }


def test_the_next_snapshot_names_the_one_before(taken: tuple[Reading, Path], tmp_path: Path) -> None:
    found, folder = taken
    write(found, tmp_path / "two", previous=folder)

    assert json.loads((tmp_path / "two" / MANIFEST).read_bytes())["previous"] == sha256_of((folder / MANIFEST).read_bytes())


def test_something_else_is_never_written_over(taken: tuple[Reading, Path], tmp_path: Path) -> None:
    found, folder = taken
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")

    for place in (tmp_path / "full", tmp_path / "file"):
        with pytest.raises(OutputError, match="a snapshot is never written over; name a new or an empty folder"):
            write(found, place)
    write(found, folder)

    assert names(tmp_path / "full") == ["mine.txt"]


def test_an_empty_folder_may_become_a_snapshot(taken: tuple[Reading, Path], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write(taken[0], tmp_path / "empty")

    assert read(tmp_path / "empty", NOW) == taken[0]


def test_a_write_that_fails_leaves_nothing_behind(taken: tuple[Reading, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", fail)
    (tmp_path / "place").mkdir()

    with pytest.raises(OutputError, match="could not be written: No space left on device"):
        write(taken[0], tmp_path / "place" / "new")

    assert names(tmp_path / "place") == []


def _append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def _edit(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"role/a", b"role/c"))


def _link(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to(path.with_name("moved"))


@pytest.mark.parametrize("change", [_append, _edit, Path.unlink, _link])
def test_a_file_that_was_changed_is_named(taken: tuple[Reading, Path], change: Callable[[Path], object]) -> None:
    _, folder = taken
    path = folder / "aws-eks-describe-access-entry--111122223333_us-east-2_capacity.jsonl"
    change(path)

    with pytest.raises(SnapshotError) as error:
        read(folder, NOW)

    assert str(path) in str(error.value)
    assert isinstance(error.value, PartywallError)


def forge(folder: Path, change: Callable[[dict[str, object]], None], sealed: bool = True) -> None:
    manifest = json.loads((folder / MANIFEST).read_bytes())
    del manifest["seal"]
    change(manifest)
    (folder / MANIFEST).write_bytes(canonical({**manifest, "seal": sha256_of(canonical(manifest)) if sealed else "0" * 64}))


def test_a_manifest_that_was_changed_is_refused(taken: tuple[Reading, Path]) -> None:
    forge(taken[1], lambda manifest: manifest.update(gaps=[]), sealed=False)

    with pytest.raises(SnapshotError, match="the manifest was changed after it was written"):
        read(taken[1], NOW)


@pytest.mark.parametrize("name", ["../input/c.json", "/etc/passwd", "..", "a/b.jsonl", ".hidden.jsonl", "manifest.json", ""])
def test_a_name_that_leads_elsewhere_is_refused(taken: tuple[Reading, Path], name: str) -> None:
    forge(taken[1], lambda manifest: manifest.update(files=[{"name": name, "sha256": "0" * 64, "bytes": 0}]))

    assert not is_safe(name)
    with pytest.raises(SnapshotError, match="is no name of a file in this folder"):
        read(taken[1], NOW)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"schema": "partywall/snapshot/v9"}, id="another version"),
        pytest.param({"documents": 1}, id="no list"),
        pytest.param({"gaps": [{"source": "a"}]}, id="half a gap"),
        pytest.param({"files": []}, id="no files"),
    ],
)
def test_a_manifest_that_makes_no_sense_is_an_error_and_no_traceback(taken: tuple[Reading, Path], change: dict[str, object]) -> None:
    forge(taken[1], lambda manifest: manifest.update(change))

    with pytest.raises(SnapshotError):
        read(taken[1], NOW)


def test_a_manifest_cut_short_is_an_error(taken: tuple[Reading, Path]) -> None:
    path = taken[1] / MANIFEST
    path.write_bytes(path.read_bytes()[:-40])

    with pytest.raises(SnapshotError, match="the manifest cannot be read"):
        read(taken[1], NOW)


def test_a_manifest_of_another_tool_is_just_a_file(tmp_path: Path) -> None:
    found = reading(tmp_path, {"manifest.json": {"version": "36.0.0", "artifacts": {}}, "ns.json": namespace("a")})

    assert [document.kind for document in found.documents] == ["iac:cloudformation", "kubernetes"]


def test_hostile_document_names_stay_words(tmp_path: Path) -> None:
    from dataclasses import replace

    found = reading(tmp_path / "in", {"ns.json": namespace("a")})
    hostile = replace(found, documents=(replace(found.documents[0], name="../../../etc/passwd", kind="aws:../..:x"),))

    write(hostile, tmp_path / "out" / "snap")

    assert names(tmp_path / "out") == ["snap"]
    assert all(is_safe(name) for name in names(tmp_path / "out" / "snap") if name != MANIFEST)
