"""Put new random worlds and pods to a real API server and to ourselves, until the first difference: `make fuzz-k8s`.

`python -m tests.services.fuzz_k8s [SEED] [ROUNDS]` begins at a seed, and ends after some rounds; without them it goes on for ever.
"""

import sys
import tempfile
import time
from itertools import count
from pathlib import Path

from tests.services.build_kubelab import build
from tests.services.compare_k8s import SIDE_BY_SIDE, Tally, compare_pods, compare_worlds, prepare
from tests.services.control_plane import control_plane


def main(first: int, rounds: int | None) -> int:
    """Go on until something differs, print it with its world, and end with 1."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder, control_plane(build() / "kubelab", Path(folder)) as plane:
        prepare(plane)
        for number in count() if rounds is None else range(rounds):
            seed = first + number * SIDE_BY_SIDE
            compare_worlds(plane, seed, tally)
            compare_pods(plane, range(seed, seed + SIDE_BY_SIDE), tally)
            if tally.differences:
                print(tally.differences[0])
                return 1
            asked = {kind: tally.asked(kind) for kind in ("object", "decision", "create", "update", "pod security")}
            print(f"seed {seed}: " + ", ".join(f"{many} of {kind}" for kind, many in asked.items()) + ", no difference", flush=True)
    return 0


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    sys.exit(main(numbers[0] if numbers else int(time.time()), numbers[1] if len(numbers) > 1 else None))
