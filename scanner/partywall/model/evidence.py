"""Where a fact was read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    """One part of one document.

    `document` is its path relative to the input. `pointer` is an RFC 6901 JSON Pointer into the document's value, where a YAML file of
    several
    documents is an array of them; in a text file it is `L` and the line's number, counted from 1. A part that is absent is shown by the
    place
    where it would stand.
    """

    document: str
    pointer: str

    def __str__(self) -> str:
        return f"{self.document}#{self.pointer}"

    def below(self, *steps: str | int) -> "Evidence":
        """Return the part that lies at `steps` below this one."""
        return Evidence(self.document, "/".join([self.pointer, *map(escaped, steps)]))


def escaped(step: str | int) -> str:
    """Write one step of a JSON Pointer (RFC 6901, section 3)."""
    if isinstance(step, int):
        return str(step)
    return step.replace("~", "~0").replace("/", "~1") if "/" in step or "~" in step else step
