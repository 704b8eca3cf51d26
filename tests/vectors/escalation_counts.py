"""Count what is found of the escalation paths: `python -m tests.vectors.escalation_counts SHARED`; exit 1 where something is missed."""

import sys
from pathlib import Path as File

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


def counts(shared: File) -> tuple[str, bool]:
    """Return the counts in one line, and whether they are all as they should be."""
    paths, files, entries = published(shared), training_ground(shared), catalogue().paths
    found = sum(map(is_found, paths))
    tried = sum(len(path["required"]) for path in paths)
    wrong = sum(len(kept(path, paths)) for path in paths)
    ground, real, false = escalating(files), traps(files, "fn"), traps(files, "fp")
    seen = sum(bool(escalation(file)) for file in ground)
    caught, fooled = (sum(bool(trap(name)) for name in names) for names in (real, false))
    own = sum(map(own_positive, entries))
    negatives = [still for path in entries for _, still in own_negatives(path)]
    line = (
        f"escalation: published {found}/{len(paths)}, {wrong} kept of {tried} with a right removed; "
        f"training ground {seen}/{len(ground)}, fn {caught}/{len(real)}, fp {fooled} of {len(false)}; "
        f"catalogue {own}/{len(entries)}, {sum(negatives)} kept of {len(negatives)} negatives"
    )
    good = found == len(paths) and seen == len(ground) and caught == len(real) and own == len(entries)
    return line, good and not wrong and not fooled and not any(negatives)


if __name__ == "__main__":
    text, as_it_should_be = counts(File(sys.argv[1]))
    sys.stdout.write(text + "\n")
    sys.exit(0 if as_it_should_be else 1)
