"""Network policies against the answers of other programs and suites: counts and goals of tests/vectors/k8s_network.py."""

from pathlib import Path

import pytest

from tests.vectors.k8s_network import conformance, grid
from tests.vectors.np_guard import OTHER_KINDS, Folder, differences, folder_of, folders, outputs, refusals


@pytest.fixture(scope="module")
def vectors(shared: Path) -> Path:
    folder = shared / "vectors/k8s"
    if not folder.is_dir():
        pytest.skip("no vectors of Kubernetes beside the repository")
    return folder


def test_every_answer_of_the_grid_off_the_diagonal_agrees(vectors: Path) -> None:
    agree, asked, lines, met = grid(vectors)

    assert (agree, asked, met) == (111_036, 111_036, True), lines


def test_every_conformance_probe_agrees() -> None:
    agree, asked, lines, met = conformance(Path())

    assert (agree, asked, met) == (397, 397, True), lines


def test_every_output_of_np_guards_folders_agrees(vectors: Path) -> None:
    agree, asked, lines, met = folders(vectors)

    assert (agree, asked, met) == (127, 127, True), lines


def test_every_difference_of_np_guards_folders_agrees(vectors: Path) -> None:
    agree, asked, lines, met = differences(vectors)

    assert (agree, asked, met) == (16, 16, True), lines


def test_every_broken_policy_of_np_guards_folders_is_named(vectors: Path) -> None:
    agree, asked, lines, met = refusals(vectors)

    assert (agree, asked, met) == (27, 27, True), lines


def test_what_is_not_modelled_gives_a_gap_by_its_kind_and_name(vectors: Path) -> None:
    silent: list[str] = []
    for path, _ in outputs(vectors / "netpol-analyzer"):
        found: Folder = folder_of(path)
        silent += [f"{path.name}: {kind}" for kind in sorted(found.kinds & OTHER_KINDS) if not any(kind in said for said in found.refused)]

    assert silent == []
