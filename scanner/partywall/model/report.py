"""What a scan says. Formats print it and compute nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from partywall.model.residual import Data
from partywall.model.severity import Severity, Verdict


class CellState(StrEnum):
    """What stands in a cell of the matrix."""

    BREACH = "breach"
    CONDITIONAL = "conditional"
    UNKNOWN = "unknown"
    APPROVED = "approved"
    BY_WAY_OF = "by way of"
    CLEAR = "clear"
    NOT_ASSESSED = "not assessed"


@dataclass(frozen=True, slots=True)
class Place:
    """One part of one document, with its line (from 1) where it is known."""

    document: str
    pointer: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class End:
    """One end of an example: whose, and which node."""

    tenant: str
    node: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Who reaches whom: tenant names, `platform`, `nobody`, `outside`."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Term:
    """One comparison of a condition in words, and who decides it: `caller`, `environment` or `unknown`."""

    text: str
    control: str


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a path. `cut` marks the edge that the cause's lever closes.

    `condition` says in words what must hold, `residual` as data, and `terms` are its comparisons.
    """

    source: str
    source_owner: str
    verb: str
    target: str
    target_owner: str
    certainty: str
    condition: str | None
    evidence: tuple[Place, ...]
    note: str = ""
    cut: bool = False
    residual: Data | None = None
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Cause:
    """What makes the finding true, and where it stands."""

    kind: str
    document: str
    pointer: str
    line: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Way:
    """A reach that a proof speaks of; `path` and `finding` say how it remains."""

    source: str
    target: str
    lane: str
    node: str
    path: tuple[Hop, ...] = ()
    finding: str | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """What to do. `proved` is true only where it was evaluated again, closes something and opens nothing."""

    text: str
    proved: bool
    closes: tuple[Way, ...] = ()
    stays: tuple[Way, ...] = ()
    approved: tuple[Way, ...] = ()
    opens: tuple[Way, ...] = ()
    evaluated: bool = False


@dataclass(frozen=True, slots=True)
class Consequences:
    """What lies behind the crossing: further reach, counted, with a few examples in words."""

    count: int
    lanes: tuple[str, ...]
    owners: tuple[str, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much one cause covers."""

    pairs: int
    edges: int
    sources: int
    targets: int


@dataclass(frozen=True, slots=True)
class DriftPart:
    """What a drift finding adds: the contract's document, its field, what is approved and what is real."""

    contract: str
    field: str
    approved: str
    real: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule and one cause, with all its pairs."""

    id: str
    rule: str
    name: str
    lane: str
    severity: Severity
    certainty: str
    verdict: Verdict
    message: str
    pairs: tuple[Pair, ...]
    source: End
    target: End
    path: tuple[Hop, ...]
    examples: tuple[tuple[Hop, ...], ...]
    cause: Cause
    alternatives: tuple[str, ...]
    consequences: Consequences
    fix: Fix
    counts: Counts
    fingerprint: str
    drift: DriftPart | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One lane between two owners. `findings` are those that say so; `by_way_of` names the owner in between."""

    source: str
    target: str
    lane: str
    state: CellState
    findings: tuple[str, ...] = ()
    by_way_of: str = ""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A gap as printed: what is unknown, which rules and cells went blind, and the one thing that would answer it."""

    source: str
    what: str
    reason: str
    direction: str
    rules: tuple[str, ...]
    cells: tuple[str, ...]
    remedy: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class AssessedRow:
    """One object kind of one scope, and what became of it."""

    layer: str
    kind: str
    scope: str
    state: str
    objects: int = 0


@dataclass(frozen=True, slots=True)
class Accepted:
    """An approval or exception that is in use."""

    kind: str
    grantor: str
    guest: str
    lane: str
    what: str
    until: str | None
    by: str
    place: Place


@dataclass(frozen=True, slots=True)
class Guess:
    """A thing whose owner was guessed."""

    node: str
    owner: str
    why: str


@dataclass(frozen=True, slots=True)
class Above:
    """Somebody who is the platform, or can become it."""

    node: str
    owner: str
    how: str


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One input. `name` is relative to the input."""

    name: str
    kind: str
    sha256: str
    how: str
    at: str | None
    by: str | None
    request: str | None
    redacted: bool = False


@dataclass(frozen=True, slots=True)
class RuleRow:
    """What became of one rule: how often it asked, and how often the answer was clear or unknown."""

    id: str
    name: str
    version: int
    verdict: Verdict
    asked: int
    clear: int
    unknown: int
    severity: Severity
    title: str
    why: str
    fix: str
    blind_spots: str


@dataclass(frozen=True, slots=True)
class TenantRow:
    """One tenant and how many things of each kind it owns."""

    name: str
    owns: Mapping[str, int]
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class ToolTable:
    """A dated table of outside facts that the tool carries."""

    name: str
    date: str


@dataclass(frozen=True, slots=True)
class Report:
    """The whole answer. Times are the snapshot's, in UTC."""

    tool_version: str
    tables: tuple[ToolTable, ...]
    estate: str
    started: str | None
    finished: str | None
    as_of: str
    as_of_source: str
    parameters: Mapping[str, str]
    verdict: Verdict
    summary: str
    covers: tuple[str, ...]
    complete: bool
    gate_failed: bool
    exit_code: int
    snapshot: str
    tenants: tuple[TenantRow, ...]
    owners: tuple[str, ...]
    matrix: tuple[Cell, ...]
    findings: tuple[Finding, ...]
    gaps: tuple[OpenQuestion, ...]
    assumptions: tuple[str, ...]
    assessed: tuple[AssessedRow, ...]
    population: Mapping[str, int]
    accepted: tuple[Accepted, ...]
    above: tuple[Above, ...]
    guessed: tuple[Guess, ...]
    documents: tuple[DocumentRow, ...]
    rules: tuple[RuleRow, ...]

    def rule(self, rule_id: str) -> RuleRow | None:
        """Return the row of one rule."""
        return next((row for row in self.rules if row.id == rule_id), None)


@dataclass(frozen=True, slots=True)
class Look:
    """How a report is shown to a person on a screen: `brief` is the verdict alone, `verbose` shows every pair and all evidence."""

    width: int = 80
    colour: bool = False
    verbose: bool = False
    brief: bool = False


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """A format: its name, its usual file suffix, `render(report) -> text`, and for one that is read on a screen `show`."""

    name: str
    suffix: str
    render: Callable[[Report], str]
    show: Callable[[Report, Look], str] | None = None
