"""Answers to `explain`: a finding, a node, or everything between two owners, in lines of text."""

from collections.abc import Iterator, Sequence

import numpy as np

from partywall.engine.further import Deeper, further
from partywall.engine.hops import hops
from partywall.engine.lines import Lines
from partywall.engine.scan import Scan
from partywall.engine.world import LANE_NUMBER, LANES, World
from partywall.errors import UsageError
from partywall.graph import smallest_cut, ways
from partywall.model.report import Cell, CellState, Finding, Hop
from partywall.model.rule import Rule
from partywall.model.thing import Standing
from partywall.model.verbs import VERBS, Lane

SHOWN = 12
OPEN = frozenset({CellState.BREACH, CellState.CONDITIONAL, CellState.UNKNOWN, CellState.BY_WAY_OF, CellState.APPROVED})


def explain_rule(rule: Rule) -> Iterator[str]:
    """Yield a rule's page."""
    yield f"{rule.id} {rule.name} ({rule.severity.word})"
    page = rule.page
    yield ""
    yield page.title
    for heading, text in (("Why it matters", page.why), ("Fix", page.fix), ("Blind spots", page.blind_spots)):
        yield ""
        yield f"{heading}: {text}"


def find_finding(scan: Scan, word: str) -> Finding | None:
    """Return the finding whose id or fingerprint begins with a word of four letters or more."""
    found = [each for each in scan.report.findings if each.id == word or (len(word) >= 4 and each.fingerprint.startswith(word))]
    if len(found) > 1:
        raise UsageError(f"{word} means several findings: {', '.join(each.id for each in found)}")
    return found[0] if found else None


def explain_finding(scan: Scan, finding: Finding, rules: Sequence[Rule]) -> Iterator[str]:
    """Yield one finding with all its pairs, paths and proofs."""
    deeper = further(scan)
    yield f"{finding.severity.word}  {finding.rule} {finding.name} [{finding.id}]: {finding.message}"
    yield f"lane {finding.lane}; {finding.verdict.value}, {finding.certainty}; fingerprint {finding.fingerprint}"
    for pair in finding.pairs:
        yield f"  {pair.source} -> {pair.target}"
    for path in (finding.path, *finding.examples):
        yield ""
        yield from path_lines(path, deeper)
    if finding.drift:
        yield f"approved: {finding.drift.approved}; real: {finding.drift.real} ({finding.drift.contract}, {finding.drift.field})"
    yield ""
    yield f"cause: {finding.cause.text} ({_where(finding.cause.document, finding.cause.pointer, finding.cause.line)})"
    if finding.consequences.count:
        yield f"behind it: {finding.consequences.count} things; {'; '.join(finding.consequences.examples)}"
    yield f"fix{' (proved)' if finding.fix.proved else ''}: {finding.fix.text}"
    for word, found in (
        ("closes", finding.fix.closes),
        ("stays", finding.fix.stays),
        ("approved", finding.fix.approved),
        ("opens", finding.fix.opens),
    ):
        for way in found:
            by = f", by finding {way.finding}" if way.finding and way.finding != finding.id else ""
            yield f"  {word}: {way.source} -> {way.target} {way.lane}: {way.node}{by}"
            if not by:
                yield from (f"    {line}" for line in path_lines(way.path))
    for other in finding.alternatives:
        yield f"or: {other}"
    page = next((rule.page for rule in rules if rule.id == finding.rule), None)
    if page:
        yield ""
        yield page.text.rstrip()


def path_lines(path: Sequence[Hop], deeper: Deeper | None = None) -> Iterator[str]:
    """Yield a path from top to bottom; `deeper` says more of a hop."""
    for number, hop in enumerate(path):
        if number == 0 or path[number - 1].target != hop.source:
            yield f"  {hop.source} ({hop.source_owner})"
        when = f" if {hop.condition}" if hop.condition else f" ({hop.certainty})" if hop.certainty != "sure" else ""
        note = f", {hop.note}" if hop.note else ""
        yield f"  {'>' if hop.cut else ' '} {hop.verb}{note}{when}" + ("   <- cut here" if hop.cut else "")
        yield from (f"      {line}" for line in (deeper(hop) if deeper else ()))
        for at in hop.evidence:
            yield f"      because {_where(at.document, at.pointer, at.line)}"
        yield f"  {hop.target} ({hop.target_owner})"


def _where(document: str, pointer: str, line: int | None) -> str:
    return f"{document}:{line} {pointer}" if line else f"{document}#{pointer}"


def find_nodes(world: World, word: str) -> list[int]:
    """Return the nodes that are called so: by their printed name, else by their own name or the end of an ARN."""
    names = [world.name(number) for number in range(len(world.nodes))]
    exact = [number for number, name in enumerate(names) if name == word]
    loose = [number for number, node in enumerate(world.nodes) if node.name == word or node.name.endswith((f"/{word}", f":{word}"))]
    return exact or loose


def explain_node(scan: Scan, number: int) -> Iterator[str]:
    """Yield whose a node is, why, what it may do and who gets there."""
    world = scan.world
    bound = world.bound[number]
    yield f"{world.name(number)} ({world.nodes[number].kind.value}{_in_scope(world.nodes[number].scope)})"
    yield f"owner: {world.owner(number)}" + (f", as a {bound.standing.value}" if bound.standing is not Standing.OWNED else "")
    yield f"why: {bound.ownership.why or 'nobody claims it'}"
    lines = Lines(scan.reading.documents)
    for title, here, there in (
        ("may:", world.columns.source, world.columns.target),
        ("is reached by:", world.columns.target, world.columns.source),
    ):
        edges = np.flatnonzero(here == number).tolist()
        if edges:
            yield ""
            yield title
        for edge in edges[: SHOWN * 4]:
            yield from _edge_lines(world, edge, int(there[edge]), lines)
        if len(edges) > SHOWN * 4:
            yield f"  and {len(edges) - SHOWN * 4} more"


def _in_scope(scope: str) -> str:
    return f" of {scope}" if scope else ""


def _edge_lines(world: World, edge: int, other: int, lines: Lines) -> Iterator[str]:
    """Yield one edge in two lines: what it is, and the leading evidence."""
    (hop,) = hops(world, [edge], lines.line_of)
    when = f", if {hop.condition}" if hop.condition else f" ({hop.certainty})" if hop.certainty != "sure" else ""
    note = f" ({hop.note})" if hop.note else ""
    first, more = hop.evidence[0], len(hop.evidence) - 1
    yield f"  {hop.verb}{note}: {world.name(other)} ({world.owner(other)}){when}"
    yield f"      because {_where(first.document, first.pointer, first.line)}" + (f" and {more} more" if more else "")


def explain_pair(scan: Scan, source: str, target: str) -> Iterator[str]:
    """Yield every way from one owner to another, the smallest set of levers that closes them, and for each closed lane what holds it."""
    world = scan.world
    known = (*world.columns.bits,)
    for name in (source, target):
        if name not in known:
            raise UsageError(
                f"{name}: no tenant, finding, rule or thing of this estate is called so; tenants are {', '.join(world.tenants)}"
            )
    cells = {cell.lane: cell for cell in scan.report.matrix if (cell.source, cell.target) == (source, target)}
    found = ways(world.columns, world.bit(source), world.bit(target), SHOWN, with_approved=True)
    lines = Lines(scan.reading.documents)
    for lane in LANES:
        yield from _lane_lines(
            scan, cells.get(lane.value), lane, target, [path for path in found if world.columns.lane[path[-1]] == LANE_NUMBER[lane]], lines
        )
    if found:
        closing = smallest_cut(world.columns, world.bit(source), world.bit(target), with_approved=True)
        yield ""
        yield f"{'the smallest' if closing.smallest else 'a small'} set of changes that closes every way from {source} to {target}:"
        yield from (f"  {world.levers[lever].text}" for lever in closing.levers)


def _lane_lines(scan: Scan, cell: Cell | None, lane: Lane, target: str, found: Sequence[Sequence[int]], lines: Lines) -> Iterator[str]:
    state = cell.state.value if cell else CellState.CLEAR.value
    ids = f" ({', '.join(cell.findings)})" if cell and cell.findings else ""
    way = f" {cell.by_way_of}" if cell and cell.by_way_of else ""
    yield ""
    yield f"{lane.value}: {state}{way}{ids}"
    for path in found:
        yield from path_lines(hops(scan.world, path, lines.line_of), further(scan))
        yield ""
    if cell is None or cell.state not in OPEN:
        yield from (f"  held by {line}" for line in _holds(scan.world, lane, target, lines))


def _holds(world: World, lane: Lane, target: str, lines: Lines) -> list[str]:
    out = []
    for hold in world.holds:
        number = world.index.get(hold.target)
        owned = number is not None and target in world.bound[number].ownership.owners
        if hold.lane is lane and owned:
            at = hold.because[0]
            out.append(f"{hold.text} ({_where(at.document, at.pointer, lines.line_of(at))})")
    unique = list(dict.fromkeys(out))
    looked = sum(1 for name in VERBS.values() if name.lane is lane)
    nothing = [f"the absence of any grant: none of the {looked} verbs of this lane leads there"]
    return unique[:SHOWN] or nothing
