"""From a case to a finding: example paths, severity, certainty, consequences, fix, fingerprint."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from partywall.engine.ask import Case, PlainCase, Row
from partywall.engine.fingerprint import fingerprint
from partywall.engine.hops import LineOf, hops, place
from partywall.engine.prove import Proved
from partywall.engine.world import LANES, World
from partywall.graph import Crossings, Path, behind, common_levers, paths_to, way_to
from partywall.model.atom import Control
from partywall.model.edge import Certainty, Condition, Lever
from partywall.model.report import Cause, Consequences, Counts, End, Finding, Fix, Pair, Way
from partywall.model.residual import Shape
from partywall.model.rule import Rule
from partywall.model.severity import Severity, Verdict
from partywall.model.tenancy import NOBODY, PLATFORM
from partywall.model.verbs import Lane

EXAMPLES = 4
WAYS = 20
SHOWN = 8


@dataclass(frozen=True, slots=True)
class Asked:
    """What it takes to build findings, beside the case itself."""

    world: World
    crossed: Crossings
    line_of: LineOf
    told: Mapping[tuple[int, int], str] = field(default_factory=dict)  # the fingerprint of the finding on a lever, for one who crosses


def told_by(world: World, cases: Iterable[Case]) -> dict[tuple[int, int], str]:
    """Return the fingerprint of the finding that tells of each lever and each who crosses by it."""
    out: dict[tuple[int, int], str] = {}
    for case in cases:
        mark = fingerprint(case.rule.id, *world.levers[case.lever].identity[1:])
        for a, _ in case.pairs:
            out.setdefault((case.lever, a), mark)
    return out


def contradictory(world: World) -> Callable[[frozenset[int]], bool]:
    """Return the function that tells whether conditions, by number, can never hold together."""
    return lambda numbers: contradict([world.conditions[number] for number in sorted(numbers)])


def contradict(conditions: Sequence[Condition]) -> bool:
    """Tell whether two atoms ask the same key for disjoint values by exact equality."""
    allowed: dict[str, set[str]] = {}
    for condition in conditions:
        for part in condition.residual.literals:
            atom = part.atom
            if atom is None or part.shape is not Shape.IS or atom.operator != "StringEquals":
                continue
            values = set(atom.values)
            known = allowed.setdefault(atom.key, values)
            allowed[atom.key] = known & values
            if not allowed[atom.key]:
                return True
    return False


def finding(asked: Asked, case: Case, proved: Proved | None) -> Finding:
    """Return the finding of a case."""
    world, row = asked.world, case.rows[0]
    plane = row.plane
    lever = world.levers[case.lever]
    a, b = row.pairs[0]
    paths = _paths(asked, row, EXAMPLES)
    bits = world.columns.bits
    entered = [int(world.columns.target[r.edge]) for r in case.rows if world.columns.becomes[r.edge]]
    reach = behind(world.columns, entered, sorted({pair[0] for pair in case.pairs}))
    consequences = _consequences(world, reach)
    conditions = _conditions(world, paths[0])
    severity = _severity(case.rule, bits[b], consequences, conditions if plane is Certainty.CONDITIONAL else ())
    pairs = tuple(sorted({(bits[x], bits[y]) for x, y in case.pairs}))
    owners = {bits[x] for x, _ in case.pairs}
    return Finding(
        id="",
        rule=case.rule.id,
        name=case.rule.name,
        lane=case.lane.value,
        severity=severity,
        certainty=plane.word,
        verdict=_verdict(plane, conditions, owners),
        message=row.message,
        pairs=tuple(Pair(*pair) for pair in pairs),
        source=End(bits[a], world.name(int(world.columns.source[paths[0][0]]))),
        target=End(bits[b], world.name(int(world.columns.target[row.edge]))),
        path=hops(world, paths[0], asked.line_of, case.lever),
        examples=tuple(hops(world, path, asked.line_of, case.lever) for path in (*paths[1:], *_more(asked, case, row))),
        cause=cause(lever, asked.line_of),
        alternatives=_alternatives(asked, case),
        consequences=consequences,
        fix=_fix(asked, lever, proved),
        counts=_counts(world, case),
        fingerprint=fingerprint(case.rule.id, *lever.identity[1:]),
    )


def _conditions(world: World, path: Sequence[int]) -> tuple[Condition, ...]:
    return tuple(condition for edge in path if (condition := world.condition(edge)) is not None)


def _verdict(plane: Certainty, conditions: Sequence[Condition], owners: set[str]) -> Verdict:
    if plane is Certainty.UNKNOWN or owners == {NOBODY}:
        return Verdict.UNKNOWN
    if plane is Certainty.CONDITIONAL and any(condition.control is Control.UNKNOWN for condition in conditions):
        return Verdict.UNKNOWN
    return Verdict.BREACH


def _severity(rule: Rule, target: str, consequences: Consequences, conditions: Sequence[Condition]) -> Severity:
    """Return the rule's floor, raised by the worst consequence, one lower where the environment decides."""
    worst = rule.severity
    if rule.severity > Severity.INFO and consequences.count:
        if PLATFORM in consequences.owners and target != PLATFORM:
            worst = Severity.CRITICAL
        elif {Lane.DATA.value, Lane.ACT.value, Lane.IDENTITY.value} & set(consequences.lanes):
            worst = max(worst, Severity.HIGH)
    environment = any(condition.control is Control.ENVIRONMENT for condition in conditions)
    return worst.lowered() if environment else worst


def cause(lever: Lever, line_of: LineOf) -> Cause:
    """Return what a lever stands for, at its leading place."""
    first = place(lever.places[0], line_of)
    return Cause(lever.kind, first.document, first.pointer, first.line, f"{lever.kind} {lever.name}".strip())


def _consequences(world: World, reach: Mapping[tuple[int, int], Sequence[int]]) -> Consequences:
    """Put what lies behind in words: the nodes touched by owner and lane."""
    bits = world.columns.bits
    lanes = tuple(sorted({LANES[lane].value for _, lane in reach}))
    owners = tuple(sorted({bits[owner] for owner, _ in reach}))
    nodes = {node for found in reach.values() for node in found}
    examples = (
        f"{LANES[lane].value}: {world.name(node)} ({bits[owner]})" for (owner, lane), found in sorted(reach.items()) for node in found[:2]
    )
    return Consequences(len(nodes), lanes, owners, tuple(examples)[:SHOWN])


def _paths(asked: Asked, row: Row, limit: int) -> list[Path]:
    """Return the shortest paths of a row's first pair; the edge alone where none was found in time."""
    walks = asked.crossed.walks
    found = paths_to(asked.world.columns, walks, walks[row.walk], row.pairs[0][0], row.edge, limit)
    return list(found) or [(row.edge,)]


def _more(asked: Asked, case: Case, leading: Row) -> list[Path]:
    """Return an example path for further edges of the same cause."""
    out: list[Path] = []
    for row in case.rows:
        if row is not leading and len(out) < EXAMPLES - 1:
            out += _paths(asked, row, 1)
    return out


def _alternatives(asked: Asked, case: Case) -> tuple[str, ...]:
    """Name the other levers that lie on every path of the finding."""
    walks = asked.crossed.walks
    starts = [(walks[row.walk], a, row.edge) for row in case.rows for a in sorted({pair[0] for pair in row.pairs})]
    shared = common_levers(asked.world.columns, walks, starts)
    levers = (asked.world.levers[number] for number in shared if number != case.lever)
    return tuple(dict.fromkeys(lever.text for lever in levers if lever.text))


def _counts(world: World, case: Case) -> Counts:
    edges = {row.edge for row in case.rows}
    sources = {int(world.columns.source[edge]) for edge in edges}
    targets = {int(world.columns.target[edge]) for edge in edges}
    return Counts(len(case.pairs), len(edges), len(sources), len(targets))


def _fix(asked: Asked, lever: Lever, proved: Proved | None) -> Fix:
    """Return the advice, and what evaluating it again showed. Advice that opens anything, or closes nothing, is never called proved."""
    if proved is None:
        return Fix(lever.text, proved=False)
    proof = proved.proof
    closes, stays, approved, opens = (
        tuple(_way(asked, proved.after, touch, remains) for touch in touches[:WAYS])
        for touches, remains in ((proof.closes, False), (proof.stays, True), (proof.approved, True), (proof.opens, True))
    )
    return Fix(lever.text, bool(closes) and not opens, closes, stays, approved, opens, evaluated=True)


def _way(asked: Asked, after: World, touch: tuple[int, int, int, int], remains: bool) -> Way:
    a, b, lane, node = touch
    bits = after.columns.bits
    path = way_to(after.columns, a, node, lane) if remains else ()
    levers = (int(after.columns.lever[edge]) for edge in path)
    other = next((asked.told[lever, a] for lever in levers if (lever, a) in asked.told), None)
    return Way(bits[a], bits[b], LANES[lane].value, after.name(node), hops(after, path, asked.line_of), other)


def plain_finding(asked: Asked, case: PlainCase) -> Finding:
    """Return the finding of a case without an edge; every owner stands to every other."""
    first = place(case.at[0], asked.line_of)
    pairs = tuple(Pair(a, b) for a in case.owners for b in case.owners if a != b)
    node = asked.world.labels(case.node)
    return Finding(
        id="",
        rule=case.rule.id,
        name=case.rule.name,
        lane=Lane.IDENTITY.value,
        severity=case.rule.severity,
        certainty=Certainty.SURE.word,
        verdict=Verdict.BREACH,
        message=case.message,
        pairs=pairs,
        source=End(case.owners[0], node),
        target=End(case.owners[1], node),
        path=(),
        examples=(),
        cause=Cause(case.node.kind.value, first.document, first.pointer, first.line, f"{node}: {case.text}"),
        alternatives=(),
        consequences=Consequences(0, (), (), ()),
        fix=Fix(case.rule.page.fix, proved=False),
        counts=Counts(len(pairs), 0, 1, 1),
        fingerprint=fingerprint(case.rule.id, case.node.kind.value, case.node.scope, case.node.name),
    )


def numbered(findings: Sequence[Finding], ids: Mapping[str, str]) -> tuple[Finding, ...]:
    """Give every finding its short id."""
    return tuple(replace(found, id=ids[found.fingerprint], fix=_with_ids(found.fix, ids)) for found in findings)


def _with_ids(fix: Fix, ids: Mapping[str, str]) -> Fix:
    """Let the ways of a proof name other findings by their short ids."""
    stays, opens = (tuple(replace(way, finding=ids.get(way.finding or "")) for way in ways) for ways in (fix.stays, fix.opens))
    return replace(fix, stays=stays, opens=opens)
