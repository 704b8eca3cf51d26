"""Who owns what, and what owners signed: the content of tenants.yaml and of the contracts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from partywall.model.evidence import Evidence
from partywall.model.node import Kind, Node
from partywall.model.thing import glob_matches
from partywall.model.verbs import Lane

PLATFORM = "platform"
NOBODY = "nobody"
OUTSIDE = "outside"


class Orchestrator(StrEnum):
    """What runs a cluster's jobs."""

    EKS = "eks"
    SLURM = "slurm"


@dataclass(frozen=True, slots=True)
class ClusterRecord:
    """A cluster as the tenancy names it."""

    name: str
    account: str
    region: str
    orchestrator: Orchestrator
    node_cidrs: tuple[str, ...]
    at: Evidence

    @property
    def scope(self) -> str:
        """Return the canonical scope of what lives in the cluster."""
        return f"{self.account}/{self.region}/{self.name}"


def known_names(node: Node) -> tuple[str, ...]:
    """Return the names by which users write a node: its own, and the short forms of an ARN (key id, role name, secret without suffix)."""
    mark = _SHORT.get(node.kind)
    if mark is None or mark not in node.name:
        return (node.name,)
    short = node.name.rsplit(mark, 1)[-1]
    if node.kind in _PATHS:
        # IAM user guide, "IAM identifiers": a name is unique in its account, whatever its path, so the ARN without it means the same.
        last = short.rsplit("/", 1)[-1]
        return tuple(dict.fromkeys((node.name, last, node.name.removesuffix(short) + last)))
    # The ARN of a secret ends in a hyphen and six random characters (Secrets Manager, IAM policies: "six random characters").
    return (node.name, short, short[:-7], node.name[:-7]) if node.kind is Kind.SECRET and short[-7:-6] == "-" else (node.name, short)


_PATHS = (Kind.ROLE, Kind.IAM_USER, Kind.IAM_GROUP)
_SHORT: Mapping[Kind, str] = {
    Kind.ROLE: ":role/",
    Kind.IAM_USER: ":user/",
    Kind.IAM_GROUP: ":group/",
    Kind.KEY: ":key/",
    Kind.SECRET: ":secret:",
    Kind.REPOSITORY: ":repository/",
}


@dataclass(frozen=True, slots=True)
class Selector:
    """Things by kind, scope glob and name glob (`*` and `?`). An empty scope means any."""

    kinds: tuple[Kind, ...]
    name: str
    scope: str = ""

    def matches(self, node: Node) -> bool:
        """Tell whether a node is meant."""
        if node.kind not in self.kinds or (self.scope and not glob_matches(self.scope, node.scope)):
            return False
        return any(glob_matches(self.name, name) for name in known_names(node))

    @property
    def is_exact(self) -> bool:
        """Tell whether the name holds no wildcard."""
        return "*" not in self.name and "?" not in self.name

    @property
    def weight(self) -> tuple[bool, int, bool]:
        """Order claims: an exact name, in any of its forms, before a glob; a longer literal before a shorter; one cluster before any."""
        return (self.is_exact, 0 if self.is_exact else len(self.name.replace("*", "").replace("?", "")), bool(self.scope))


class ClaimSource(StrEnum):
    """Where a claim of ownership comes from, strongest first."""

    CONTRACT = "contract"
    TENANTS = "tenants.yaml"
    CONVENTION = "convention"
    RIGHTS = "rights of a contract"
    RETIRED = "retired contract"
    GUESS = "guess"


@dataclass(frozen=True, slots=True)
class Claim:
    """These owners (tenant names, or `platform`) own what the selector selects. `shared` says that all of them do, by agreement."""

    owners: tuple[str, ...]
    selector: Selector
    at: Evidence
    source: ClaimSource
    shared: bool = False
    self_asserted: bool = False
    field: str = ""
    line: int = 0

    @property
    def what(self) -> str:
        """Return the field that claims, or the kind of thing that is claimed."""
        return self.field.rstrip("0123456789").removesuffix(".") or self.selector.kinds[0].value


@dataclass(frozen=True, slots=True)
class Approval:
    """`grantor` lets `guest` reach these things of the grantor's, in one lane, until a day (inclusive; None: open-ended)."""

    grantor: str
    guest: str
    lane: Lane
    things: tuple[Selector, ...]
    until: date | None
    by: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class Right:
    """What a provider group or permission set may do, and where."""

    group: str
    can: tuple[str, ...]
    where: str
    at: Evidence


class Borrow(StrEnum):
    """How a contract lets its tenant borrow."""

    NONE = "none"
    UNLIMITED = "unlimited"
    LIMITED = "limited"


@dataclass(frozen=True, slots=True)
class Scheduling:
    """The scheduling terms of a contract; None: the contract does not say. `borrow_limit` is a percentage or per-resource amounts."""

    at: Evidence
    guaranteed: Mapping[str, float] | None = None
    borrow: Borrow | None = None
    borrow_limit: str | Mapping[str, float] | None = None
    lend: str | None = None
    preempt: str | None = None
    priority_classes: tuple[str, ...] | None = None
    exception_owner: str | None = None
    exceptions: tuple[Mapping[str, str], ...] = ()


class Status(StrEnum):
    """A contract's status. A draft approves nothing."""

    DRAFT = "draft"
    APPROVED = "approved"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class Contract:
    """One approved connection of a tenant to a cluster.

    `fields` is the record as written, for the parts that have no type of their own; absent fields are not judged.
    `places` maps a dotted field name (`roles.access`) to where it is written.
    """

    tenant: str
    status: Status
    at: Evidence
    document: str
    cluster: str
    fields: Mapping[str, object]
    places: Mapping[str, Evidence]
    rights: tuple[Right, ...] = ()
    scheduling: Scheduling | None = None
    approvals: tuple[Approval, ...] = ()
    retired: date | None = None

    def place(self, field: str) -> Evidence:
        """Return where a field is written, or where the contract starts."""
        return self.places.get(field, self.at)


@dataclass(frozen=True, slots=True)
class Tenancy:
    """All tenancy files together. `guessed` is set when owners were taken from HyperPod's own names because nobody said."""

    tenants: tuple[str, ...]
    clusters: tuple[ClusterRecord, ...]
    claims: tuple[Claim, ...]
    contracts: tuple[Contract, ...]
    as_of: date | None
    guessed: bool = False

    @property
    def approvals(self) -> tuple[Approval, ...]:
        """Return the approvals of all contracts that approve."""
        return tuple(approval for contract in self.contracts if contract.status is Status.APPROVED for approval in contract.approvals)


@dataclass(frozen=True, slots=True)
class Ownership:
    """Who owns a node, and which claim decided. `owners` is empty for what nobody claims."""

    owners: tuple[str, ...]
    why: str
    at: Evidence | None = None
    self_asserted: bool = False
    guessed: bool = False
    disputed: tuple[Claim, ...] = ()
