"""Lines on a terminal: colours if wanted, and never wider than the screen."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from partywall_reports.escape import shown

# A name, up to one of its marks.
_PARTS = re.compile(r"[^/:,=-]*[/:,=-]|[^/:,=-]+")
_COLOURS = re.compile("\x1b\\[[0-9;]*m")
# Select Graphic Rendition parameters (ECMA-48, section 8.3.117); the eight basic colours follow the user's own theme.
STYLES = {
    "breach": "1;31",
    "drift": "1;33",
    "unknown": "1;35",
    "ok": "1;32",
    "critical": "1;31",
    "high": "31",
    "medium": "33",
    "low": "36",
    "info": "36",
    "conditional": "33",
    "approved": "32",
    "soft": "2",
    "strong": "1",
    "plain": "",
}
# Ten lines of 80: what is longer is a name that somebody made long.
LONGEST = 800


@dataclass(frozen=True, slots=True)
class Ink:
    """How lines are written: how wide, and whether in colour."""

    width: int
    colour: bool

    def paint(self, text: str, style: str) -> str:
        """Return text in a style; as it is where colours are off."""
        code = STYLES.get(style, "")
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and code and text.strip() else text

    def wrapped(self, text: str, *, first: str = "", rest: int = 0, style: str = "plain", label: str = "plain") -> Iterator[str]:
        """Yield text in lines: the first behind its label, the others indented."""
        room = max(20, self.width - rest)
        lines = broken(shown(text, LONGEST), room)
        head = first.ljust(rest)
        if len(head) > rest:
            yield self.paint(head.rstrip(), label)
            head = " " * rest
        yield (self.paint(head, label) + self.paint(lines[0], style)).rstrip()
        for line in lines[1:]:
            yield " " * rest + self.paint(line, style)

    def length(self, line: str) -> int:
        """Return how much room a line takes, colours aside."""
        return len(_COLOURS.sub("", line))

    def sides(self, left: str, right: str, style: str, indent: int = 0) -> str:
        """Return one line with a part at its right edge, which goes where there is no room for it."""
        left = shown(left, max(20, self.width - indent))
        gap = self.width - indent - len(left) - len(right)
        return " " * indent + self.paint(left, style) + (" " * gap + self.paint(right, "soft") if gap >= 2 and right else "")


def broken(text: str, room: int) -> list[str]:
    """Return text in lines that fit. A word longer than a line is broken behind the marks by which names are built, if it can be."""
    lines = [""]
    for word in text.strip().split(" "):
        for number, piece in enumerate(_pieces(word, room)):
            glued = f"{lines[-1]} {piece}" if number == 0 and lines[-1] else f"{lines[-1]}{piece}"
            if len(glued) <= room:
                lines[-1] = glued
            else:
                lines.append(piece)
    return [line.rstrip() for line in lines]


def _pieces(word: str, room: int) -> Iterator[str]:
    if len(word) <= room:
        yield word
        return
    for part in _PARTS.findall(word):
        yield from (part[at : at + room] for at in range(0, len(part), room))
