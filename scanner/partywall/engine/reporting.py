"""Put the answers together: one report, sorted, with nothing left to compute for a format."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath

from partywall import __version__
from partywall.config import ScanSettings
from partywall.engine.above import above_the_wall
from partywall.engine.accepted import accepted
from partywall.engine.hops import place
from partywall.engine.layers import assess, covered_lanes
from partywall.engine.lines import Lines
from partywall.engine.matrix import Key, blindness, cells
from partywall.engine.population import population, tenant_rows
from partywall.engine.settle import exit_code, ordered, rule_rows, rules_blinded, summary, verdict_of
from partywall.engine.tables import tables
from partywall.engine.world import World
from partywall.files.read import Reading
from partywall.model.document import Assessed, Assumption, Direction, Gap
from partywall.model.document import Reading as State
from partywall.model.facts import Facts
from partywall.model.report import AssessedRow, DocumentRow, Finding, Guess, OpenQuestion, Report
from partywall.model.rule import Rule
from partywall.model.tenancy import Tenancy
from partywall.model.verbs import Lane

GUESSES = 200


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Everything that a report is made of."""

    reading: Reading
    tenancy: Tenancy
    as_of: date
    as_of_source: str
    facts: Facts
    world: World
    findings: tuple[Finding, ...]
    gaps: tuple[Gap, ...]
    rules: tuple[Rule, ...]
    settings: ScanSettings
    lines: Lines
    asked: Mapping[str, int]
    assumptions: tuple[Assumption, ...]


def report(answers: Answers) -> Report:
    """Return the report of a scan."""
    world, settings = answers.world, answers.settings
    assessed = assess(answers.facts, answers.reading.documents, answers.gaps)
    covered = covered_lanes(assessed)
    blind = blindness(world, answers.gaps, covered)
    findings = ordered(answers.findings)
    matrix = cells(world, findings, blind, covered)
    required = _required(assessed, settings.require)
    questions = tuple(_question(answers, gap, blind.by_gap.get(number, ())) for number, gap in enumerate(answers.gaps))
    open_gaps = [question for number, question in enumerate(questions) if blind.by_gap.get(number) or not answers.gaps[number].nodes]
    nothing_said = not covered  # an input that opens and closes no lane at all proves nothing
    verdict = verdict_of(findings, matrix, open_gaps, guessed=answers.tenancy.guessed, missing=bool(required) or nothing_said)
    incomplete = bool(open_gaps or required or nothing_said)
    covers = tuple(lane.value for lane in Lane if lane in covered)
    code = exit_code(findings, verdict, incomplete, settings.fail_on, settings.allow_incomplete)
    not_covered = [lane.value for lane in Lane if lane not in covered]
    return Report(
        tool_version=__version__,
        tables=tables(),
        estate=_estate(answers),
        started=_times(answers.reading)[0],
        finished=_times(answers.reading)[1],
        as_of=answers.as_of.isoformat(),
        as_of_source=answers.as_of_source,
        parameters=_parameters(settings),
        verdict=verdict,
        summary=summary(findings, verdict, covers, not_covered, blind, answers.tenancy.guessed),
        covers=covers,
        complete=not incomplete,
        gate_failed=code == 1,
        exit_code=code,
        snapshot=_snapshot(answers.reading),
        tenants=tenant_rows(world, answers.tenancy),
        owners=(*world.tenants, "platform"),
        matrix=matrix,
        findings=findings,
        gaps=(*questions, *required),
        assumptions=tuple(dict.fromkeys(f"{said.text} ({said.source})" for said in answers.assumptions)),
        assessed=tuple(AssessedRow(row.layer, row.kind, row.scope, row.state.value, objects) for row, objects in assessed),
        population=population(world, answers.facts),
        accepted=accepted(world, answers.tenancy, answers.as_of, answers.lines.line_of),
        above=above_the_wall(world),
        guessed=_guessed(world) if answers.tenancy.guessed else (),
        documents=_documents(answers.reading),
        rules=rule_rows(answers.rules, findings, answers.asked, questions, covered),
    )


def _question(answers: Answers, gap: Gap, blinded: Sequence[Key]) -> OpenQuestion:
    """Print a gap with the cells and rules that it blinds."""
    # What may concern everything leaves its lanes open, those that the input does not cover otherwise included.
    lanes = {Lane(lane) for _, _, lane in blinded} | (set(gap.lanes) if gap.direction is Direction.EVERYWHERE else set())
    shown = tuple(f"{a} -> {b}: {lane}" for a, b, lane in blinded)
    at = place(gap.at, answers.lines.line_of) if gap.at else None
    rules = rules_blinded(answers.rules, lanes, gap.field)
    return OpenQuestion(gap.source, gap.what, gap.reason.value, gap.direction.value, rules, shown, gap.remedy, at)


def _required(assessed: Sequence[tuple[Assessed, int]], kinds: Sequence[str]) -> tuple[OpenQuestion, ...]:
    """Return a gap for every kind that `--require` asks for and the input does not hold."""
    read = {row.kind.lower() for row, _ in assessed if row.state is not State.NOT_ASSESSED}
    missing = [kind for kind in kinds if not any(kind.lower() in name for name in read)]
    return tuple(
        OpenQuestion(
            "--require", f"{kind}: required, and the input holds none of it", "absent", "everywhere", (), (), "partywall gather", None
        )
        for kind in missing
    )


def _estate(answers: Answers) -> str:
    """Name the estate by its clusters."""
    names = sorted(
        {cluster.name for cluster in answers.tenancy.clusters}
        | {d.origin.cluster.rsplit("/", 1)[-1] for d in answers.reading.documents if d.origin.cluster}
    )
    return ", ".join(name for name in names if name) or "estate"


def _times(reading: Reading) -> tuple[str | None, str | None]:
    times = sorted(document.provenance.at for document in reading.documents if document.provenance.at)
    return (times[0], times[-1]) if times else (reading.taken or None, reading.taken or None)


def _parameters(settings: ScanSettings) -> dict[str, str]:
    return {
        "allow_incomplete": str(settings.allow_incomplete).lower(),
        "fail_on": settings.fail_on.word,
        "packs": ", ".join(PurePosixPath(pack).name for pack in settings.packs),
        "prove": "by size" if settings.prove is None else str(settings.prove),
        "require": ", ".join(settings.require),
    }


def _snapshot(reading: Reading) -> str:
    """Hash the inputs: the same documents give the same line, wherever they lie."""
    lines = "".join(f"{document.sha256}  {document.name}\n" for document in reading.documents)
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()


def _guessed(world: World) -> tuple[Guess, ...]:
    rows = [
        Guess(world.name(number), ", ".join(bound.ownership.owners), bound.ownership.why)
        for number, bound in enumerate(world.bound)
        if bound.ownership.guessed and bound.ownership.owners
    ]
    return tuple(sorted(rows, key=lambda row: (row.owner, row.node)))[:GUESSES]


def _documents(reading: Reading) -> tuple[DocumentRow, ...]:
    withheld = {entry.document for entry in reading.withheld}
    return tuple(
        DocumentRow(d.name, d.kind, d.sha256, d.provenance.how, d.provenance.at, d.provenance.by, d.provenance.request, d.name in withheld)
        for d in reading.documents
    )
