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


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU seconds of some work, and what it made."""
    begin = time.process_time()
    made = work()
    return time.process_time() - begin, made
