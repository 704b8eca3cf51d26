"""Contract records as values: the parts that have a type of their own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import cast

from partywall.contracts.things import cluster_scope, selectors
from partywall.model.amounts import quantity
from partywall.model.evidence import Evidence, Json
from partywall.model.tenancy import Approval, Borrow, ClusterRecord, Contract, Orchestrator, Right, Scheduling, Selector, Status
from partywall.model.verbs import Lane

Record = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Written:
    """A record that passed its schema, and where it stands. `default` is the status of one that states none."""

    record: Record
    at: Evidence
    default: Status


def record_of(contract: Contract) -> Record:
    """Return a contract as written; it was checked against its schema."""
    return cast("Record", contract.fields)


def part(record: Record, key: str) -> Record:
    """Return a mapping inside a record; an absent or empty one is a mapping without keys."""
    return cast("Record", record.get(key) or {})


def items(record: Record, key: str) -> Sequence[Json]:
    """Return a list inside a record; an absent or empty one is a list without items."""
    return cast("Sequence[Json]", record.get(key) or ())


def texts(record: Record, key: str) -> tuple[str, ...]:
    """Return a list of texts inside a record."""
    return tuple(str(each) for each in items(record, key))


def text(record: Record, key: str) -> str:
    """Return a text inside a record, or nothing."""
    return str(record.get(key) or "")


def day(record: Record, key: str) -> date | None:
    """Return a date inside a record, quoted or not."""
    written = record.get(key)
    return date.fromisoformat(str(written)) if written else None


def cluster_record(written: Record, at: Evidence) -> ClusterRecord | None:
    """Return the cluster that a record names in full."""
    if not all(written.get(key) for key in ("name", "account", "region", "orchestrator")):
        return None
    orchestrator = Orchestrator(text(written, "orchestrator").lower())
    return ClusterRecord(
        text(written, "name"), text(written, "account"), text(written, "region"), orchestrator, texts(written, "node_cidrs"), at
    )


def contract(written: Written, clusters: Sequence[ClusterRecord]) -> Contract:
    """Return the contract that a record states."""
    record, at = written.record, written.at
    status = Status(str(record["status"])) if record.get("status") else written.default
    home = home_of(record, clusters)
    tenant = text(record, "tenant")
    return Contract(
        tenant=tenant,
        status=status,
        at=at,
        document=at.document,
        cluster=_scope(record, clusters),
        fields=cast("Mapping[str, object]", record),
        places=dict(_places(record, at, "")),
        rights=tuple(_rights(record, at)),
        scheduling=_scheduling(record, at),
        approvals=tuple(_approvals(record, at, tenant, clusters, home)),
        retired=day(record, "retired"),
    )


def home_of(record: Record, clusters: Sequence[ClusterRecord]) -> str:
    """Return the scope, maybe a glob, in which a contract's names of a cluster's things hold; empty: on every cluster."""
    cluster = part(record, "cluster")
    name = text(cluster, "name")
    return cluster_scope(name, clusters, text(cluster, "account"), text(cluster, "region")) if name else ""


def _scope(record: Record, clusters: Sequence[ClusterRecord]) -> str:
    cluster = part(record, "cluster")
    name = text(cluster, "name")
    kind = _orchestrator(record)
    known = [each for each in clusters if each.name == name or (not name and kind in (None, each.orchestrator))]
    own = [each for each in known if _agrees(each, cluster)] or known
    if cluster.get("account") and cluster.get("region") and name:
        return f"{text(cluster, 'account')}/{text(cluster, 'region')}/{name}"
    return own[0].scope if len({each.scope for each in own}) == 1 else ""


def _orchestrator(record: Record) -> Orchestrator | None:
    """Return what runs the cluster of a contract that names none, as far as its fields show; None: either may be meant."""
    written = text(part(record, "cluster"), "orchestrator").lower()
    if written:
        return Orchestrator(written)
    scope, roles = part(record, "scope"), part(record, "roles")
    slurm = any(scope.get(key) for key in ("slurm_accounts", "slurm_partitions", "slurm_qos"))
    eks = bool(scope.get("namespaces") or roles.get("access") or roles.get("workload"))
    if slurm == eks:
        return None
    return Orchestrator.SLURM if slurm else Orchestrator.EKS


def _agrees(known: ClusterRecord, cluster: Record) -> bool:
    return cluster.get("account") in (None, known.account) and cluster.get("region") in (None, known.region)


def _places(value: Json, at: Evidence, name: str) -> Iterator[tuple[str, Evidence]]:
    if name:
        yield name, at
    below: Sequence[tuple[str | int, Json]] = ()
    if isinstance(value, Mapping):
        below = tuple(value.items())
    elif isinstance(value, Sequence) and not isinstance(value, str):
        below = tuple(enumerate(value))
    for step, inner in below:
        yield from _places(inner, at.below(step), f"{name}.{step}" if name else str(step))


def _rights(record: Record, at: Evidence) -> Iterator[Right]:
    for number, right in enumerate(cast("Sequence[Record]", items(record, "rights"))):
        yield Right(text(right, "group"), texts(right, "can"), text(right, "where"), at.below("rights", number))


def _scheduling(record: Record, at: Evidence) -> Scheduling | None:
    terms = part(record, "scheduling")
    if not terms:
        return None
    borrow, limit = _borrow(terms)
    classes = terms.get("priority_classes")
    exceptions = cast("Sequence[Record]", items(terms, "exceptions"))
    return Scheduling(
        at=at.below("scheduling"),
        guaranteed=_amounts(terms.get("guaranteed")),
        borrow=borrow,
        borrow_limit=limit,
        lend=text(terms, "lend") or None,
        preempt=text(terms, "preempt") or None,
        priority_classes=None if classes is None else texts(terms, "priority_classes"),
        exception_owner=text(terms, "exception_owner") or None,
        exceptions=tuple({key: str(value) for key, value in each.items()} for each in exceptions),
    )


def _borrow(terms: Record) -> tuple[Borrow | None, str | Mapping[str, float] | None]:
    written = terms.get("borrow")
    if written is None:
        return None, None
    if isinstance(written, str):
        return Borrow(written), None
    limit = cast("Record", written)["limit"]
    return Borrow.LIMITED, limit if isinstance(limit, str) else _amounts(limit)


def _amounts(written: Json) -> Mapping[str, float] | None:
    if not isinstance(written, Mapping):
        return None
    return {resource: quantity(str(value)) or 0.0 for resource, value in written.items()}


def _approvals(record: Record, at: Evidence, tenant: str, clusters: Sequence[ClusterRecord], home: str) -> Iterator[Approval]:
    for number, approval in enumerate(cast("Sequence[Record]", items(record, "approvals"))):
        things = tuple(_things(part(approval, "things"), clusters, home))
        yield Approval(
            grantor=tenant,
            guest=text(approval, "tenant"),
            lane=Lane(text(approval, "lane")),
            things=things,
            until=day(approval, "until"),
            by=text(approval, "by"),
            at=at.below("approvals", number),
        )


def _things(things: Record, clusters: Sequence[ClusterRecord], home: str) -> Iterator[Selector]:
    for key in things:
        for each in texts(things, key):
            yield from selectors(key, each, clusters, home)
