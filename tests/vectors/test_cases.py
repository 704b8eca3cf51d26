"""Situations with a known answer: the project's own, and those beside the repository."""

from pathlib import Path

import pytest

from tests.situations import complaints, folders

ROOT = Path(__file__).resolve().parents[2]
OWN = folders(ROOT / "fixtures" / "cases")
BESIDE = folders(ROOT.parent / "shared" / "cases")


@pytest.mark.parametrize("folder", OWN, ids=lambda folder: folder.name)
def test_own_case(folder: Path) -> None:
    assert list(complaints(folder)) == []


@pytest.mark.skipif(not BESIDE, reason="no folder `shared` with cases beside the repository")
@pytest.mark.parametrize("folder", BESIDE, ids=lambda folder: folder.name)
def test_case_beside_the_repository(folder: Path) -> None:
    assert list(complaints(folder)) == []
