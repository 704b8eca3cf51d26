"""The matrix of tenants on a page: letters for few owners, a heat map for more, a table of the worst for many."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from partywall.api import Cell, CellState, Report
from partywall_reports import words

LETTERS_UP_TO = 12
HEAT_UP_TO = 40
NAMES_SHOWN = 8
STYLES = {
    CellState.BREACH: "b",
    CellState.CONDITIONAL: "c",
    CellState.UNKNOWN: "u",
    CellState.APPROVED: "a",
    CellState.BY_WAY_OF: "w",
    CellState.CLEAR: "k",
    CellState.NOT_ASSESSED: "n",
}
LEGEND = (
    (CellState.BREACH, "breach"),
    (CellState.CONDITIONAL, "only under a condition"),
    (CellState.UNKNOWN, "unknown: see the open questions"),
    (CellState.APPROVED, "approved by a contract"),
    (CellState.BY_WAY_OF, "by way of another tenant"),
    (CellState.CLEAR, "clear: looked, and found none"),
    (CellState.NOT_ASSESSED, "not assessed"),
)


@dataclass(frozen=True, slots=True)
class Mark:
    """One letter: a lane of a pair, or in a heat map the count of lanes in the pair's worst state."""

    text: str
    style: str
    label: str
    link: str


@dataclass(frozen=True, slots=True)
class Line:
    """One row: a source, and for each target its marks, or nothing for itself."""

    source: str
    cells: tuple[tuple[Mark, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """One source among many: whom it reaches, by state."""

    source: str
    breach: str
    conditional: str
    unknown: int
    approved: int


@dataclass(frozen=True, slots=True)
class Grid:
    """The matrix in the form that its size allows."""

    form: str
    targets: tuple[str, ...]
    lines: tuple[Line, ...]
    tallies: tuple[Tally, ...]
    legend: tuple[tuple[str, str], ...]


def anchor(finding_id: str) -> str:
    """Return the name of a finding's place on the page."""
    return "f-" + (re.sub(r"[^0-9A-Za-z-]", "", finding_id)[:64] or "0")


def grid(report: Report) -> Grid:
    """Return the matrix for a page."""
    sources, targets = words.rows(report), words.columns(report)
    cells = words.by_place(report)
    most = max(len(sources), len(targets))
    legend = tuple((STYLES[state], text) for state, text in LEGEND)
    if most > HEAT_UP_TO:
        order = _worst_first(cells, sources, targets)
        return Grid("tally", targets, (), tuple(_tally(cells, source, targets) for source in order), legend)
    if most > LETTERS_UP_TO:
        order = _worst_first(cells, sources, targets)
        return Grid("heat", targets, tuple(_line(cells, source, targets, heat=True) for source in order), (), legend)
    return Grid("letters", targets, tuple(_line(cells, source, targets, heat=False) for source in sources), (), legend)


def _pair(cells: Mapping[tuple[str, str, str], Cell], source: str, target: str) -> list[Cell]:
    return [cell for lane in words.LANES if (cell := cells.get((source, target, lane))) is not None]


def _worst_first(cells: Mapping[tuple[str, str, str], Cell], sources: Sequence[str], targets: Sequence[str]) -> list[str]:
    def badness(source: str) -> list[int]:
        states = Counter(cell.state for target in targets for cell in _pair(cells, source, target))
        return [-states[state] for state in words.WORST_FIRST]

    return sorted(sources, key=badness)


def _line(cells: Mapping[tuple[str, str, str], Cell], source: str, targets: Sequence[str], *, heat: bool) -> Line:
    return Line(source, tuple(_marks(_pair(cells, source, target), heat=heat) for target in targets))


def _marks(pair: Sequence[Cell], *, heat: bool) -> tuple[Mark, ...] | None:
    if not pair:
        return None
    return (_heat(pair),) if heat else tuple(_letter(cell) for cell in pair)


def _letter(cell: Cell) -> Mark:
    way = f" of {cell.by_way_of}" if cell.by_way_of else ""
    return Mark(cell.lane[0].upper(), STYLES[cell.state], f"{cell.lane}: {cell.state.value}{way}", _link(cell))


def _heat(pair: Sequence[Cell]) -> Mark:
    state = words.worst_state(pair)
    same = [cell for cell in pair if cell.state is state]
    lanes = ", ".join(cell.lane for cell in same)
    text = "·" if state in (CellState.CLEAR, CellState.NOT_ASSESSED) else str(len(same))
    return Mark(text, STYLES[state], f"{state.value}: {lanes}", next((link for cell in same if (link := _link(cell))), ""))


def _link(cell: Cell) -> str:
    if cell.findings:
        return anchor(cell.findings[0])
    return "open" if cell.state is CellState.UNKNOWN else "accepted" if cell.state is CellState.APPROVED else ""


def _tally(cells: Mapping[tuple[str, str, str], Cell], source: str, targets: Sequence[str]) -> Tally:
    states = {target: words.worst_state(pair) for target in targets if (pair := _pair(cells, source, target))}
    return Tally(
        source,
        _names([target for target, state in states.items() if state is CellState.BREACH]),
        _names([target for target, state in states.items() if state is CellState.CONDITIONAL]),
        sum(state is CellState.UNKNOWN for state in states.values()),
        sum(state is CellState.APPROVED for state in states.values()),
    )


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(names[:NAMES_SHOWN]) + more
