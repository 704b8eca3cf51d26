"""Whole-process times of the commands that people wait for: `partywall version`, and a scan of the built-in estate.

One line a figure: name value unit goal ok|short. With --check the program ends with 1 where a goal is missed.
"""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARTYWALL = str(Path(sys.executable).with_name("partywall"))
RUNS = 7
FIGURES: tuple[tuple[str, Sequence[str], frozenset[int], float], ...] = (
    ("version", ("version",), frozenset({0}), 0.3),
    ("scan_harbor", ("scan", str(ROOT / "fixtures/worlds/harbor"), "-q"), frozenset({1}), 2.0),
    ("scan_harbor_json", ("scan", str(ROOT / "fixtures/worlds/harbor"), "-q", "-o", "json=/dev/null"), frozenset({1}), 2.0),
)


def seconds(arguments: Sequence[str], codes: frozenset[int]) -> float:
    """Return how long a command takes from start to end. Raises RuntimeError where it ends otherwise than it should."""
    begin = time.perf_counter()
    run = subprocess.run([PARTYWALL, *arguments], capture_output=True, text=True, check=False)
    took = time.perf_counter() - begin
    if run.returncode not in codes:
        raise RuntimeError(f"partywall {' '.join(arguments)} ended with {run.returncode}: {run.stderr[-400:]}")
    return took


def main() -> int:
    """Print every figure: the fastest of a few runs, since everything else the machine does only adds to it."""
    short = False
    for name, arguments, codes, goal in FIGURES:
        value = min(seconds(arguments, codes) for _ in range(RUNS))
        short |= value > goal
        sys.stdout.write(f"{name} {value:.2f} s <={goal} {'short' if value > goal else 'ok'}\n")
    return int(short and "--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
