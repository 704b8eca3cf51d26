"""What all formats say in the same words: the headline, the lanes, the nodes of a path."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from partywall.api import Cell, CellState, Finding, Fix, Hop, Lane, OpenQuestion, Report, Verdict, Way

DRIFT = "drift"
CONTRACT = "partywall:contract"
EVERYWHERE = "everywhere"
# Ids are for ever, and their first digit is the lane.
RULE_LANES = {"1": "act", "2": "view", "3": "data", "4": "network", "5": "compute", "6": "identity", "7": DRIFT}
# The order of the letters in a cell of the matrix.
LANES: tuple[str, ...] = tuple(lane.value for lane in Lane)
WORST_FIRST = tuple(CellState)


@dataclass(frozen=True, slots=True)
class Tile:
    """One lane in one look: what it comes to, the figure, and the word under it."""

    lane: str
    state: str
    figure: str
    word: str
    first: str = ""


def plural(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def sentence(text: str) -> str:
    """Return text as a sentence begins; a name at its beginning stays as it is."""
    return text[:1].upper() + text[1:] if text.split(" ", 1)[0].isalpha() else text


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def of_verdict(report: Report, verdict: Verdict) -> tuple[Finding, ...]:
    """Return the findings of one verdict."""
    return tuple(finding for finding in report.findings if finding.verdict is verdict)


def blinding(report: Report) -> tuple[OpenQuestion, ...]:
    """Return the open questions that keep something from being said; the others are only noted."""
    return tuple(gap for gap in report.gaps if is_open(gap))


def headline(report: Report) -> str:
    """Return the verdict in words, with its counts."""
    ways = len(of_verdict(report, Verdict.BREACH))
    maybe = len(of_verdict(report, Verdict.UNKNOWN))
    drifts = len(of_verdict(report, Verdict.DRIFT))
    questions = len(blinding(report))
    parts = [plural(ways, "way") + " through the wall" if ways else "no way through the wall" + ("" if _is_sure(report) else " was proved")]
    parts += [plural(maybe, "possible way")] if maybe else []
    parts += [plural(drifts, "drift")] if drifts else []
    parts += [plural(questions, "question") + " open"] if questions else []
    return ", ".join(parts)


def _is_sure(report: Report) -> bool:
    return report.complete and report.verdict in (Verdict.OK, Verdict.DRIFT)


def covered(report: Report) -> str:
    """Return which lanes the verdict speaks of, and which it does not."""
    inside = [lane for lane in LANES if lane in report.covers]
    outside = [lane for lane in LANES if lane not in report.covers]
    if not inside:
        return "no lane was assessed"
    covers = f"covers {listed(inside)}"
    return f"{covers}; {listed(outside)} not assessed" if outside else covers


def rule_lane(rule_id: str) -> str:
    """Return the lane of a built-in rule; nothing for a stranger's."""
    return RULE_LANES.get(rule_id[2:3], "") if rule_id.startswith("PW") else ""


def tiles(report: Report) -> tuple[Tile, ...]:
    """Return the seven lanes, each with its state."""
    return (*(_tile(report, lane) for lane in LANES), _drift_tile(report))


def _tile(report: Report, lane: str) -> Tile:
    if lane not in report.covers:
        return Tile(lane, "none", "-", "not assessed")
    own = [finding for finding in report.findings if finding.lane == lane]
    breaches = [finding for finding in own if finding.verdict is Verdict.BREACH]
    if breaches:
        return Tile(lane, "breach", str(len(breaches)), "breach" if len(breaches) == 1 else "breaches", breaches[0].id)
    if any(finding.verdict is Verdict.UNKNOWN for finding in own) or any(
        cell.lane == lane and cell.state is CellState.UNKNOWN for cell in report.matrix
    ):
        return Tile(lane, "unknown", "?", "unknown")
    return Tile(lane, "ok", "0", "ok")


def _drift_tile(report: Report) -> Tile:
    drifts = of_verdict(report, Verdict.DRIFT)
    if drifts:
        return Tile(DRIFT, "drift", str(len(drifts)), "drift" if len(drifts) == 1 else "drifts")
    asked = [row for row in report.rules if rule_lane(row.id) == DRIFT]
    if any(row.unknown for row in asked):
        return Tile(DRIFT, "unknown", "?", "unknown")
    compared = any(row.asked for row in asked) or any(row.kind == CONTRACT for row in report.documents)
    return Tile(DRIFT, "ok", "0", "ok") if compared else Tile(DRIFT, "none", "-", "not assessed")


def columns(report: Report) -> tuple[str, ...]:
    """Return whom the matrix speaks of as targets, in the report's order of owners."""
    known = {cell.target for cell in report.matrix}
    return (*(owner for owner in report.owners if owner in known), *sorted(known - set(report.owners)))


def rows(report: Report) -> tuple[str, ...]:
    """Return whom the matrix speaks of as sources."""
    known = {cell.source for cell in report.matrix}
    return (*(owner for owner in report.owners if owner in known), *sorted(known - set(report.owners)))


def by_place(report: Report) -> dict[tuple[str, str, str], Cell]:
    """Return the cells by source, target and lane."""
    return {(cell.source, cell.target, cell.lane): cell for cell in report.matrix}


def worst_state(cells: Sequence[Cell]) -> CellState:
    """Return the worst state of some cells."""
    return min((cell.state for cell in cells), key=WORST_FIRST.index, default=CellState.NOT_ASSESSED)


def pairs_of(finding: Finding) -> str:
    """Return every pair of a finding in words."""
    return ", ".join(f"{pair.source} to {pair.target}" for pair in finding.pairs)


def legs(path: Sequence[Hop]) -> Iterator[tuple[Hop, bool]]:
    """Yield each hop, and whether it begins anew: somewhere else than where the hop before it ended."""
    before: Hop | None = None
    for hop in path:
        yield hop, before is None or before.target != hop.source
        before = hop


def fix_word(fix: Fix) -> str:
    """Return how far a fix can be trusted."""
    if fix.proved:
        return "proved"
    return "advice, evaluated" if fix.evaluated else "advice, not evaluated"


def proof(fix: Fix) -> str:
    """Return what evaluating the fix again showed, in a sentence."""
    if not fix.evaluated:
        return "Nobody evaluated it: advice only."
    parts = [f"closes {_ways(len(fix.closes))}", f"leaves {_ways(len(fix.stays))}", f"opens {_ways(len(fix.opens))}"]
    parts += [f"{_ways(len(fix.approved))} by approval"] if fix.approved else []
    return f"Evaluated again with the change: {', '.join(parts)}."


def _ways(count: int) -> str:
    return plural(count, "way") if count else "none"


def way_words(way: Way) -> str:
    """Return one way of a proof in words."""
    return f"{way.source} to {way.target}, {way.lane}: {way.node}" + (f" (finding {way.finding})" if way.finding else "")


def is_open(gap: OpenQuestion) -> bool:
    """Tell whether a question blinds a rule or a cell, or nobody knows what it blinds, as where a file of the input cannot be read."""
    return bool(gap.rules or gap.cells) or gap.direction == EVERYWHERE


def blinded(gap: OpenQuestion) -> str:
    """Return what an open question blinds: the pairs, each with its lanes."""
    lanes: dict[str, list[str]] = {}
    for cell in gap.cells:
        pair, _, lane = cell.rpartition(": ")
        lanes.setdefault(" to ".join("anybody" if end == "any" else end for end in pair.split(" -> ")), []).append(lane)
    parts = [f"{pair}: {'all lanes' if len(named) >= len(LANES) else ', '.join(named)}" for pair, named in lanes.items()]
    return "; ".join(parts[:6]) + (f" and {len(parts) - 6} more" if len(parts) > 6 else "")
