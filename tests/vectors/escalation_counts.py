"""How many of the escalation paths are found: published ones, a training ground with traps, and our own catalogue."""

from pathlib import Path

from partywall.resolve.iam.catalogue import catalogue
from tests.vectors.escalation_sets import (
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


def published_counts(folder: Path) -> tuple[int, int, list[str]]:
    """Return how many published paths are found, of how many, and those that are not found or are found without one of their rights."""
    paths = published(folder)
    missed = [f"{path['id']}: not found" for path in paths if not is_found(path)]
    wrong = [f"{path['id']}: found without {right}" for path in paths for right in kept(path, paths)]
    return len(paths) - len(missed), len(paths), missed + wrong


def training_counts(folder: Path) -> tuple[int, int, list[str]]:
    """Return how many files of the training ground and of its traps come out right, of how many, and the others."""
    files = training_ground(folder)
    found = {file["file"]: bool(escalation(file)) for file in escalating(files)}
    found |= {name: bool(trap(name)) for name in traps(files, "fn")}
    found |= {name: not trap(name) for name in traps(files, "fp")}
    return sum(found.values()), len(found), [f"{name}: wrong" for name, right in found.items() if not right]


def catalogue_counts() -> tuple[int, int, list[str]]:
    """Return how many entries of the catalogue are found, of how many, and those that are not, or are without one of their needs."""
    entries = catalogue().paths
    missed = [f"{path.id}: not found" for path in entries if not own_positive(path)]
    wrong = [f"{path.id}: found without {need}" for path in entries for need, still in own_negatives(path) if still]
    return len(entries) - len(missed), len(entries), missed + wrong
