"""What was read, and what could not be."""

from dataclasses import dataclass, field
from enum import StrEnum

from partywall.model.evidence import Evidence, Json
from partywall.model.node import Node
from partywall.model.verbs import Lane


class Form(StrEnum):
    """How a document is written."""

    JSON = "json"
    YAML = "yaml"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who took a document from where; `collected` by us, or `supplied` by the user. Times are UTC in ISO 8601."""

    how: str = "supplied"
    at: str | None = None
    by: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document speaks of.

    Account, Region, canonical cluster scope (`account/region/name`) and, where its content does not name it, its subject.
    """

    account: str = ""
    region: str = ""
    cluster: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One file, recognised.

    `kind` is `aws:SERVICE:COMMAND`, `kubernetes`, `slurm:WHAT`, `partywall:tenants`, `partywall:contract`, `iac:WHAT` or `unknown`.

    `value` is the loaded JSON or YAML (an array for a YAML file of several documents), or the list of lines of a text.
    """

    name: str
    kind: str
    form: Form
    value: Json
    text: str = field(repr=False)
    sha256: str
    folder: str = ""
    key: str = ""
    origin: Origin = Origin()
    provenance: Provenance = Provenance()

    def at(self, pointer: str = "") -> Evidence:
        """Return the evidence at `pointer` of this document."""
        return Evidence(self.name, pointer)


class Reason(StrEnum):
    """Why something was not read or could not be evaluated."""

    DENIED = "denied"
    THROTTLED = "throttled"
    UNSUPPORTED = "unsupported"
    ABSENT = "absent"
    UNPARSABLE = "unparsable"
    UNEVALUABLE = "unevaluable"
    AFTER_APPLY = "known after apply"
    AMBIGUOUS = "ambiguous"


class Direction(StrEnum):
    """What a gap blinds: edges out of its nodes, edges into them, both, or everything in its lanes."""

    OUTGOING = "outgoing"
    INCOMING = "incoming"
    EVERYWHERE = "everywhere"


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that was not read, and what it could have changed.

    `source` is the call or the document; `what` says in words what is unknown; `remedy` is the one thing that would answer it (a command, a
    file); `field` is the contract's field that it leaves unjudged.
    """

    source: str
    what: str
    reason: Reason
    direction: Direction
    nodes: tuple[Node, ...] = ()
    lanes: tuple[Lane, ...] = tuple(Lane)
    remedy: str = ""
    at: Evidence | None = None
    field: str = ""


@dataclass(frozen=True, slots=True)
class Assumption:
    """What is taken for granted: printed, and blind to nothing.

    A limit that was not read (SCP, endpoint policy) could only take reach away; a kind of which nothing was given is not in question.
    """

    source: str
    text: str


class Reading(StrEnum):
    """What became of an object kind in a scope."""

    READ = "read"
    EMPTY = "empty"
    GAP = "gap"
    NOT_ASSESSED = "not assessed"


@dataclass(frozen=True, slots=True)
class Assessed:
    """One object kind of one scope, and what became of it."""

    layer: str
    kind: str
    scope: str
    state: Reading
