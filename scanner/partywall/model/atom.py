"""One comparison that is left to be decided, and who decides it."""

from dataclasses import dataclass
from enum import StrEnum


class Control(StrEnum):
    """Who decides whether a condition holds."""

    CALLER = "caller"
    ENVIRONMENT = "environment"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """One comparison that is left to be decided: `key operator values`, and who controls the key."""

    key: str
    operator: str
    values: tuple[str, ...]
    control: Control
