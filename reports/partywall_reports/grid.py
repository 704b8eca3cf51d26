"""The matrix of tenants on a terminal: one letter a lane."""

from collections.abc import Iterator, Mapping, Sequence

from partywall.api import Cell, CellState, Report
from partywall_reports import words
from partywall_reports.escape import shown
from partywall_reports.ink import Ink

MOST_OWNERS = 12
MOST_PAIRS = 24
NAME = 14
STYLES = {
    CellState.BREACH: "breach",
    CellState.CONDITIONAL: "conditional",
    CellState.UNKNOWN: "unknown",
    CellState.APPROVED: "approved",
    CellState.BY_WAY_OF: "conditional",
    CellState.CLEAR: "soft",
    CellState.NOT_ASSESSED: "soft",
}
LEGEND = "A act  V view  D data  N network  C compute  I identity"
STATES = "CAPITAL breach  lower case: under a condition  ? unknown  + approved  ~ by way of another  . clear  - not assessed"


def matrix(report: Report, ink: Ink, *, everything: bool) -> Iterator[str]:
    """Yield who reaches whom, whole for up to 12 owners, otherwise the pairs where something stands."""
    sources, targets = words.rows(report), words.columns(report)
    cells = words.by_place(report)
    if not cells:
        return
    if max(len(sources), len(targets)) <= MOST_OWNERS:
        yield from _whole(cells, sources, targets, ink)
    else:
        yield from _pairs(cells, sources, targets, ink, everything=everything)
    yield from ink.wrapped(LEGEND, rest=2, style="soft")
    yield from ink.wrapped(STATES, rest=2, style="soft")


def _whole(cells: Mapping[tuple[str, str, str], Cell], sources: Sequence[str], targets: Sequence[str], ink: Ink) -> Iterator[str]:
    label = 2 + min(NAME, max(len(shown(name, NAME)) for name in sources))
    widest = max(len(words.LANES), min(10, max(len(shown(name, 10)) for name in targets))) + 2
    at_once = max(1, (ink.width - label) // widest)
    for start in range(0, len(targets), at_once):
        block = targets[start : start + at_once]
        heads = "".join(shown(name, widest - 2).rjust(widest) for name in block)
        yield " " * label + ink.paint(heads, "strong")
        for source in sources:
            marks = "".join(" " * (widest - len(words.LANES)) + _marks(cells, source, target, ink) for target in block)
            yield ("  " + shown(source, label - 2)).ljust(label) + marks


def _pairs(
    cells: Mapping[tuple[str, str, str], Cell], sources: Sequence[str], targets: Sequence[str], ink: Ink, *, everything: bool
) -> Iterator[str]:
    quiet = (CellState.CLEAR, CellState.NOT_ASSESSED)
    loud = []
    for source in sources:
        for target in targets:
            found = [cell for lane in words.LANES if (cell := cells.get((source, target, lane))) and cell.state not in quiet]
            if found:
                loud.append((words.WORST_FIRST.index(words.worst_state(found)), -len(found), source, target))
    loud.sort(key=lambda entry: entry[:2])
    limit = len(loud) if everything else MOST_PAIRS
    for _, _, source, target in loud[:limit]:
        yield f"  {shown(source, 24):<24}  {_marks(cells, source, target, ink)}  {shown(target, 24)}".rstrip()
    if len(loud) > limit:
        yield f"  and {words.plural(len(loud) - limit, 'more pair')}: -v shows all"
    if not loud:
        yield "  nobody reaches anybody"


def _marks(cells: Mapping[tuple[str, str, str], Cell], source: str, target: str, ink: Ink) -> str:
    return "".join(_mark(cells.get((source, target, lane)), lane, ink) for lane in words.LANES)


def _mark(cell: Cell | None, lane: str, ink: Ink) -> str:
    if cell is None:
        return " "
    letters = {
        CellState.BREACH: lane[0].upper(),
        CellState.CONDITIONAL: lane[0],
        CellState.UNKNOWN: "?",
        CellState.APPROVED: "+",
        CellState.BY_WAY_OF: "~",
        CellState.CLEAR: ".",
        CellState.NOT_ASSESSED: "-",
    }
    return ink.paint(letters[cell.state], STYLES[cell.state])
