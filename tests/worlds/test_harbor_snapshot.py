"""A snapshot gives the same bytes again, under another hash seed, time zone and locale."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worlds.harbor import HARBOR

FORMATS = ("json", "sarif", "html")
HERE = {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
ELSEWHERE = {"PYTHONHASHSEED": "4711", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "LANG": "tr_TR.UTF-8"}


def reports(path: Path, into: Path, around: dict[str, str], *more: str) -> dict[str, bytes]:
    """Scan in a process of its own and return the bytes of each report."""
    into.mkdir()
    outputs = [word for name in FORMATS for word in ("-o", f"{name}={into / name}")]
    command = [sys.executable, "-m", "partywall.cli", "scan", str(path), *outputs, *more]
    done = subprocess.run(command, env={**os.environ, **around}, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    return {name: (into / name).read_bytes() for name in FORMATS}


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("snapshot")


def test_a_snapshot_gives_the_same_bytes_elsewhere(places: Path) -> None:
    snapshot = places / "snapshot"
    first = reports(HARBOR, places / "first", HERE, "--save", str(snapshot))
    again = reports(snapshot, places / "again", ELSEWHERE)

    for name in FORMATS:
        assert again[name] == first[name], f"the {name} report of the snapshot differs"


def test_the_name_of_the_folder_does_not_show(places: Path) -> None:
    """Reports hold no path of the machine, wherever the folder lies."""
    moved = places / "somewhere" / "else"
    moved.parent.mkdir()
    moved.symlink_to(HARBOR, target_is_directory=True)
    found = reports(moved, places / "moved", HERE)

    for name in FORMATS:
        assert str(places).encode() not in found[name]
        assert str(HARBOR).encode() not in found[name]
