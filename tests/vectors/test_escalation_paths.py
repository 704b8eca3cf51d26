"""Escalation paths: the published catalogue and training ground beside the repository, and every entry of our own catalogue."""

from pathlib import Path as File

import pytest

from partywall.resolve.iam.catalogue import Path, catalogue
from tests.vectors.escalation_sets import (
    TRAPS,
    escalating,
    escalation,
    is_found,
    kept,
    own_negatives,
    own_positive,
    published,
    training_ground,
    trap,
    traps,
)
from tests.vectors.escalation_worlds import full, plain

ENTRIES = [pytest.param(path, id=path.id) for path in catalogue().paths]


def test_every_published_path_is_found_and_none_without_one_of_its_rights(shared: File) -> None:
    paths = published(shared / "vectors/iam")

    assert [path["id"] for path in paths if not is_found(path)] == []
    assert {path["id"]: kept(path, paths) for path in paths if kept(path, paths)} == {}
    assert len(paths) == 65


def test_the_training_ground_and_its_traps(shared: File) -> None:
    files = training_ground(shared / "vectors/iam")

    assert [file["file"] for file in escalating(files) if not escalation(file)] == []
    assert len(escalating(files)) == 31
    assert sorted(traps(files, "fn") + traps(files, "fp")) == sorted(TRAPS)


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_is_reported_if_it_is_real(name: str) -> None:
    assert bool(trap(name)) == name.startswith("fn")


@pytest.mark.parametrize("path", ENTRIES)
def test_an_entry_yields_what_it_says(path: Path) -> None:
    assert own_positive(path)


@pytest.mark.parametrize("path", ENTRIES)
def test_an_entry_yields_nothing_once_it_is_closed(path: Path) -> None:
    answers = list(own_negatives(path))

    assert answers
    assert [what for what, still in answers if still] == []


def test_nobody_without_rights_gets_anywhere() -> None:
    entry = catalogue().paths[0]

    assert plain(entry, [], [entry.service]) == []
    assert full(entry, []) == []


def test_an_entry_says_where_it_comes_from() -> None:
    assert [path.id for path in catalogue().paths if not path.source.startswith("https://")] == []
    assert [path.id for path in catalogue().paths if path.within and path.within not in {other.id for other in catalogue().paths}] == []
