"""What is not there: each file of harbor is taken away in turn, and no finding is lost in silence.

`fixtures/worlds/harbor.files.yaml` says of every file what its absence must do.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from partywall.model.report import Cell, CellState, Finding, OpenQuestion, Report
from partywall.model.severity import Verdict
from tests.worlds.harbor import Missing, harbor, looked_at, missing, name_of, without

Key = tuple[str, str, str]
DECIDED = frozenset({CellState.CLEAR, CellState.APPROVED, CellState.BY_WAY_OF})
OPEN = frozenset({CellState.UNKNOWN, CellState.NOT_ASSESSED})


@pytest.mark.parametrize("row", missing(), ids=lambda row: row.name)
def test_a_missing_file(row: Missing, tmp_path: Path) -> None:
    report = looked_at(without(row.name, tmp_path))

    assert list(complaints(row, harbor(), report)) == []


def complaints(row: Missing, before: Report, after: Report) -> Iterator[str]:
    """Yield everything in which the report differs from what the table says."""
    lost = list(gone(before, after))
    for finding in lost:
        name = name_of(finding)
        if name not in row.lost:
            yield f"lost: {name}"
        if row.becomes in ("unknown", "not-assessed"):
            yield from silence(finding, before, after)
    yield from gained(row, before, after)
    if row.kind in ("limit", "inventory"):
        yield from (f"called clear: {key}" for key in sorted(cleared(before, after)))
    yield from becomes(row, before, after)


def gone(before: Report, after: Report) -> Iterator[Finding]:
    """Yield what was found before and is not now, or not for all its pairs."""
    still = {finding.fingerprint: set(finding.pairs) for finding in after.findings}
    yield from (f for f in before.findings if not set(f.pairs) <= still.get(f.fingerprint, set()) or f.fingerprint not in still)


def silence(finding: Finding, before: Report, after: Report) -> Iterator[str]:
    """Yield a lost finding whose place nothing takes: its cells must be open, or a gap must speak of its contract."""
    if finding.drift is not None:
        tenant = finding.source.tenant
        said = [gap for gap in new_gaps(before, after) if gap.source == finding.cause.document or any(tenant in cell for cell in gap.cells)]
        if not said:
            yield f"lost in silence: {name_of(finding)}"
        return
    states = states_of(after)
    for pair in finding.pairs:
        state = states.get((pair.source, pair.target, finding.lane), CellState.NOT_ASSESSED)
        if state in DECIDED:
            yield f"lost in silence: {name_of(finding)}: {pair.source} -> {pair.target} is called {state}"


def gained(row: Missing, before: Report, after: Report) -> Iterator[str]:
    """Yield findings that only the absence makes, and that claim to know."""
    if row.becomes == "guessed":
        return
    known = {finding.fingerprint for finding in before.findings}
    for finding in after.findings:
        if finding.fingerprint not in known and finding.verdict is not Verdict.UNKNOWN and finding.rule not in row.gained:
            yield f"made up: {finding.rule} {finding.message}"


def cleared(before: Report, after: Report) -> Iterator[Key]:
    """Yield the cells that are clear only because something is missing."""
    old = states_of(before)
    yield from (key for key, state in states_of(after).items() if state is CellState.CLEAR and old.get(key) is not CellState.CLEAR)


def becomes(row: Missing, before: Report, after: Report) -> Iterator[str]:
    """Yield where the report says something else than `becomes`."""
    match row.becomes:
        case "nothing":
            if after.verdict is not before.verdict:
                yield f"verdict {after.verdict}"
        case "unknown":
            doubts = [f for f in after.findings if f.verdict is Verdict.UNKNOWN]
            if not doubts and not list(new_gaps(before, after)):
                yield "nothing is said to be unknown"
        case "not-assessed":
            if set(before.covers) <= set(after.covers):
                yield "no lane is left out"
        case "guessed" | "gone":
            if after.verdict is Verdict.OK:
                yield "called ok"
        case other:
            yield f"no such outcome: {other}"


def new_gaps(before: Report, after: Report) -> Iterator[OpenQuestion]:
    old = {(gap.source, gap.what) for gap in before.gaps}
    yield from (gap for gap in after.gaps if (gap.source, gap.what) not in old)


def states_of(report: Report) -> dict[Key, CellState]:
    return {_key(cell): cell.state for cell in report.matrix}


def _key(cell: Cell) -> Key:
    return cell.source, cell.target, cell.lane
