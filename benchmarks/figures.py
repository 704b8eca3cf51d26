"""What a benchmark prints."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number and its goal."""

    name: str
    value: float
    unit: str
    goal: str = "-"
    reached: bool = True

    def line(self) -> str:
        """The figure as it is printed."""
        return f"{self.name} {self.value:.4g} {self.unit} {self.goal} {'ok' if self.reached else 'short'}"


RUNS = 7


def fastest(work: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU seconds of the fastest of a few runs, since everything else the machine does only adds to it, and what was made."""
    found = [timed(work)[0] for _ in range(RUNS - 1)]
    seconds, made = timed(work)
    return min(*found, seconds), made


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU seconds of some work, and what it made."""
    begin = time.process_time()
    made = work()
    return time.process_time() - begin, made
