"""One scan, from what was read to the report. Offline and deterministic: the clock is an argument."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from partywall.config import ScanSettings
from partywall.contracts.compare import compare, not_compared
from partywall.contracts.compare.scheduling import in_force
from partywall.contracts.difference import Difference
from partywall.contracts.guess import guess
from partywall.contracts.load import load
from partywall.contracts.named import Cluster, named
from partywall.contracts.peers import with_peers
from partywall.contracts.people import listed_people
from partywall.engine.approve import approver
from partywall.engine.ask import Business, Case, business, cases, disputed_things, people_of_several
from partywall.engine.drift import drift_findings
from partywall.engine.estate import Estate, resolved
from partywall.engine.findings import Asked, contradictory, finding, plain_finding, told_by
from partywall.engine.holders import does, sees
from partywall.engine.lines import Lines
from partywall.engine.owners import Binder
from partywall.engine.prove import key, prove
from partywall.engine.reporting import Answers, report
from partywall.engine.resolvers import RESOLVERS
from partywall.engine.world import World
from partywall.files.read import Reading
from partywall.graph import Crossings, crossings, recheck, survey
from partywall.model.document import Assumption, Gap
from partywall.model.facts import Facts
from partywall.model.report import Finding, Report
from partywall.model.rule import Rule
from partywall.model.tenancy import Orchestrator, Status, Tenancy
from partywall.parse.everything import parse
from partywall.parse.unanswered import unanswered
from partywall.parse.unlisted import unlisted


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """A scan with all that `explain` may ask about."""

    reading: Reading
    tenancy: Tenancy
    as_of: date
    as_of_source: str
    estate: Estate
    world: World
    crossed: Crossings
    cases: tuple[Case, ...]
    report: Report


def scan(reading: Reading, rules: Sequence[Rule], settings: ScanSettings) -> Scan:
    """Work out who reaches what across tenants, and say so with evidence.

    Raises TenancyError where the tenancy files cannot be used.
    """
    tenancy = load(reading.documents)
    as_of, as_of_source = day_of_judgement(settings, tenancy, reading)
    facts, parse_gaps = parse(reading.documents)
    tenancy = with_peers(facts, guess(facts, tenancy))
    seen = clusters_seen(reading)
    facts = with_tenancy(facts, tenancy, seen, as_of)
    accounts = frozenset(document.origin.account for document in reading.documents if document.origin.account)
    estate = resolved(
        facts, tenancy.tenants, RESOLVERS, Binder(tenancy, accounts, seen).of, approver(tenancy, as_of), (*reading.gaps, *parse_gaps)
    )
    world = estate.world()
    crossed = recheck(world.columns, crossings(world.columns), contradictory(world))
    asked = business(rules)
    found = tuple(cases(world, crossed, asked))
    lines = Lines(reading.documents)
    differences, contract_gaps = beside_contracts(world, facts, tenancy, as_of)
    read_gaps = (*reading.gaps, *parse_gaps)
    left_out = (*unanswered(reading.documents, facts, read_gaps), *unlisted(facts))
    gaps = tuple(dict.fromkeys((*read_gaps, *left_out, *world.gaps, *contract_gaps)))
    findings = [*through_the_wall(estate, world, crossed, found, lines, settings.prove), *plain(world, crossed, asked, lines, tenancy)]
    findings += drift_findings(differences, asked.differences, lines.line_of)
    assumed = (*world.assumptions, *not_compared(tenancy), *not_read_yet(reading))
    answers = Answers(
        reading,
        tenancy,
        as_of,
        as_of_source,
        facts,
        world,
        tuple(findings),
        gaps,
        tuple(rules),
        settings,
        lines,
        _asked(world, asked, tenancy),
        assumed,
    )
    return Scan(reading, tenancy, as_of, as_of_source, estate, world, crossed, found, report(answers))


def day_of_judgement(settings: ScanSettings, tenancy: Tenancy, reading: Reading) -> tuple[date, str]:
    """Return the day against which reviews and expiries are judged, and who said so."""
    if settings.as_of:
        return settings.as_of, "--as-of"
    if tenancy.as_of:
        return tenancy.as_of, "the tenancy"
    if reading.taken:
        return date.fromisoformat(reading.taken[:10]), "the day the snapshot was taken"
    return settings.now, "today"


def with_tenancy(facts: Facts, tenancy: Tenancy, seen: tuple[Cluster, ...], as_of: date) -> Facts:
    """Add what the tenancy files say exists, and the contracts as they hold on this day, for resolvers whose question depends on them."""
    contracts = (in_force(contract, as_of) for contract in tenancy.contracts)
    return Facts((*facts, *named(tenancy, seen), *tenancy.clusters, *contracts, *tenancy.claims))


def clusters_seen(reading: Reading) -> tuple[Cluster, ...]:
    """Return the clusters that documents speak of, with what runs their jobs."""
    found = ((document.origin.cluster, _orchestrator(document.kind)) for document in reading.documents if document.origin.cluster)
    return tuple(dict.fromkeys((scope, orchestrator) for scope, orchestrator in found if orchestrator is not None))


def not_read_yet(reading: Reading) -> Iterator[Assumption]:
    """Yield how much infrastructure as code is listed and not read."""
    kinds = Counter(document.kind.removeprefix("iac:") for document in reading.documents if document.kind.startswith("iac:"))
    for kind, count in sorted(kinds.items()):
        yield Assumption("not read yet", f"{count} file{'s' * (count != 1)} of {kind}: recognised, listed, and not part of any answer")


def _orchestrator(kind: str) -> Orchestrator | None:
    if kind.startswith("slurm:"):
        return Orchestrator.SLURM
    return Orchestrator.EKS if kind.startswith(("kubernetes", "aws:eks:")) else None


def beside_contracts(world: World, facts: Facts, tenancy: Tenancy, as_of: date) -> tuple[list[Difference], list[Gap]]:
    """Compare the contracts with reality: differences, and what could not be compared."""
    ownership = {node: bound.ownership for node, bound in zip(world.nodes, world.bound, strict=True)}
    said = list(compare(tenancy, facts, ownership, as_of, does=does(world), sees=sees(world)))
    return [each for each in said if isinstance(each, Difference)], [each for each in said if isinstance(each, Gap)]


def through_the_wall(
    estate: Estate, world: World, crossed: Crossings, found: Sequence[Case], lines: Lines, most: int | None
) -> list[Finding]:
    """Return the findings of all crossings, the fixes of the worst causes proved where their lever can be moved."""
    asked = Asked(world, crossed, lines.line_of, told_by(world, found))
    before = survey(world.columns, crossed)
    by_lever: dict[int, list[Case]] = {}
    for case in found:
        by_lever.setdefault(case.lever, []).append(case)
    worst_first = sorted(by_lever, key=lambda lever: min(_urgency(world, case) for case in by_lever[lever]))
    proved = frozenset(worst_first[: affordable(world) if most is None else most])
    out: list[Finding] = []
    for lever, mine in by_lever.items():
        proofs = prove(estate, world, before, lever, mine) if lever in proved else {}
        out += [finding(asked, case, proofs.get(key(case))) for case in mine]
    return out


# A proof resolves a part of the estate again: this many edges in all are worth the wait, some seconds at the most.
EDGES_AGAIN = 150_000
FEWEST = 10


def affordable(world: World) -> int:
    """Return how many causes of an estate of this size are proved when nobody says."""
    return max(FEWEST, EDGES_AGAIN // max(1, world.columns.edges))


def _urgency(world: World, case: Case) -> tuple[bool, int, int, int]:
    """Order causes: tenants' breaches before what is only asked about, then by certainty and severity."""
    strangers = all(a >= world.columns.nobody for a, _ in case.pairs)
    return (strangers, int(case.rows[0].plane), -case.rule.severity, case.lever)


def plain(world: World, crossed: Crossings, asked: Business, lines: Lines, tenancy: Tenancy) -> list[Finding]:
    """Return the findings that need no edge: people of several tenants, and things that several claim."""
    with_lines = Asked(world, crossed, lines.line_of)
    return [
        plain_finding(with_lines, case)
        for case in (*people_of_several(world, asked.people, listed_people(tenancy)), *disputed_things(world, asked.disputes))
    ]


def _asked(world: World, asked: Business, tenancy: Tenancy) -> Mapping[str, int]:
    """Count the edges that each rule looked at, and for rules about contracts the contracts."""
    out: dict[str, int] = {}
    for edge in range(len(world.rows)):
        for rule in asked.by_verb.get(world.verb(edge), ()):
            out[rule.id] = out.get(rule.id, 0) + 1
    signed = sum(contract.status is not Status.DRAFT for contract in tenancy.contracts)
    return out | {rule.id: signed for rule in asked.differences}
