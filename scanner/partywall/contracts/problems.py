"""What is wrong in the tenancy files: collected, sorted, shown together."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from partywall.errors import TenancyError


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to mend, where it is (lines and columns count from 1), and how."""

    document: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}:{self.column}: {self.text}"


def refuse(problems: Iterable[Problem]) -> None:
    """Raise one error that shows all the problems, in the order of the files; none: nothing happens."""
    found = sorted(set(problems))
    if found:
        raise TenancyError("\n".join(map(str, found)))


def nearest(word: str, known: Iterable[str]) -> str:
    """Name the nearest known word, or what there is to choose from when nothing is near."""
    words = list(known)
    close = get_close_matches(word, words, 1, 0.6)
    if close:
        return f"did you mean `{close[0]}`?"
    return f"known here: {', '.join(words)}"
