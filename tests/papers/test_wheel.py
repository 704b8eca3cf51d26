"""The built wheel carries all that `partywall demo` needs."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    site = wheel.parent / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def run(unpacked: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # The unpacked wheel comes before the editable install of this repository.
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=unpacked.parent, env=environment, capture_output=True, text=True, check=False, encoding="utf-8"
    )


def test_the_three_packages_say_that_they_are_typed(unpacked: Path) -> None:
    assert sorted(path.parent.name for path in unpacked.glob("*/py.typed")) == ["partywall", "partywall_reports", "partywall_rules"]


def test_the_demo_estate_is_the_one_of_the_repository(unpacked: Path) -> None:
    packed, kept = unpacked / "partywall/_demo/harbor", ROOT / "fixtures/worlds/harbor"

    def contents(folder: Path) -> dict[str, bytes]:
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    assert contents(kept)
    assert contents(packed) == contents(kept)


def test_only_the_demo_estate_travels(unpacked: Path) -> None:
    assert sorted(path.name for path in (unpacked / "partywall/_demo").iterdir()) == ["harbor"]


def test_the_demo_runs_from_the_wheel(unpacked: Path) -> None:
    where = run(unpacked, "-c", "import partywall; print(partywall.__file__)")
    demo = run(unpacked, "-c", "import sys; from partywall.cli import main; sys.exit(main())", "demo", "-o", "json")

    assert Path(where.stdout.strip()).is_relative_to(unpacked)
    assert demo.returncode == 1, demo.stderr
    assert '"partywall/report/v1"' in demo.stdout


@pytest.mark.service
@pytest.mark.skipif(os.environ.get("PARTYWALL_REQUIRE_SERVICES") != "1", reason="needs a package index; .ci/run has one")
def test_the_demo_runs_in_an_environment_with_nothing_but_the_wheel(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    pinned = ["--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([str(tmp_path / "venv/bin/python"), "-m", "pip", "install", "--quiet", *pinned, str(wheel)], check=True)

    demo = subprocess.run(
        [str(tmp_path / "venv/bin/partywall"), "demo"], cwd=tmp_path, capture_output=True, text=True, check=False, encoding="utf-8"
    )

    assert demo.returncode == 1, demo.stderr
    assert "breach" in demo.stderr + demo.stdout
