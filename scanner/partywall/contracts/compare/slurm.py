"""A tenant's accounts, partitions, QOS and users on a Slurm cluster, beside the contract."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from partywall.contracts.compare.case import Case
from partywall.contracts.difference import Difference, Drift
from partywall.contracts.records import text
from partywall.contracts.trees import ROOT, lineage, parents_in
from partywall.model.document import Gap
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact
from partywall.model.facts_slurm import Association, Partition, Qos, SlurmAccount
from partywall.model.node import Kind, Node
from partywall.model.thing import glob_matches


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of `scope`: its word, its kind of node, and the command that lists it."""

    key: str
    word: str
    kind: Kind
    command: str


_ASSOCIATIONS = "sacctmgr -P show assoc format=cluster,account,user,partition,parentname,qos"
_FIELDS = (
    _Field(
        "slurm_accounts", "Slurm account", Kind.SLURM_ACCOUNT, "sacctmgr -P show assoc format=cluster,account,user,partition,parentname,qos"
    ),
    _Field("slurm_partitions", "partition", Kind.PARTITION, "scontrol show partition"),
    _Field("slurm_qos", "QOS", Kind.QOS, "sacctmgr -P show qos"),
    _Field("users", "user", Kind.OS_USER, _ASSOCIATIONS),
)


def compare_slurm(case: Case) -> Iterator[Difference | Gap]:
    """Yield what differs between the contract's Slurm scope and the cluster, both ways. An account is named with those below it."""
    for field in _FIELDS:
        approved = case.names("scope", field.key)
        if approved:
            yield from _one_field(case, field, approved)
    yield from _cost_account(case)


def _one_field(case: Case, field: _Field, approved: tuple[str, ...]) -> Iterator[Difference | Gap]:
    real = _real(case, field)
    if not real:
        yield case.unjudged(f"scope.{field.key}", f"no {field.word} of cluster {case.cluster_word} was read", field.command)
        return
    for number, name in enumerate(approved):
        if not any(glob_matches(name, each) for each in real):
            message = f"{field.word} {name}, which the contract of {case.tenant} approves, is not on cluster {case.cluster_word}"
            at = (next(iter(real.values())),)
            real_word = f"no such {field.word}"
            yield case.differs(f"scope.{field.key}", name, Drift.NOT_REAL, name, real_word, message, at, f"scope.{field.key}.{number}")
    parents = parents_in(case.facts) if field.kind is Kind.SLURM_ACCOUNT else {}
    for name, at_real in real.items():
        names = tuple(lineage(case.cluster, name, parents))
        if _is_tenants(case, field, name) and not any(glob_matches(glob, each) for each in names for glob in approved):
            message = f"{field.word} {name} of {case.tenant} is on cluster {case.cluster_word}, and its contract does not name it"
            yield case.differs(f"scope.{field.key}", name, Drift.NOT_APPROVED, ", ".join(approved), name, message, (at_real,))


def _real(case: Case, field: _Field) -> Mapping[str, Evidence]:
    """Return what the cluster really has, by name, with one place for each."""
    found: dict[str, Evidence] = {}
    for name, fact in _facts(case, field.kind):
        if name:
            found.setdefault(name, fact.at)
    return found


def _facts(case: Case, kind: Kind) -> Iterator[tuple[str, Fact]]:
    match kind:
        case Kind.SLURM_ACCOUNT:
            yield from ((each.name, each) for each in case.facts.of(SlurmAccount) if each.cluster == case.cluster and each.name != ROOT)
            yield from ((each.account, each) for each in _associations(case) if each.account != ROOT)
        case Kind.PARTITION:
            yield from ((each.name, each) for each in case.facts.of(Partition) if each.cluster == case.cluster)
        case Kind.QOS:
            yield from ((each.name, each) for each in case.facts.of(Qos) if each.cluster == case.cluster)
        case _:
            yield from ((each.user, each) for each in _associations(case))


def _associations(case: Case) -> Iterator[Association]:
    return (each for each in case.facts.of(Association) if each.cluster == case.cluster)


def _is_tenants(case: Case, field: _Field, name: str) -> bool:
    return case.reality.owners(Node(field.kind, case.cluster, name)) == (case.tenant,)


def _cost_account(case: Case) -> Iterator[Difference]:
    name = text(case.part("cost"), "slurm_account")
    real = _real(case, _FIELDS[0]) if name else {}
    if real and name not in real:
        message = f"Slurm account {name}, to which the contract of {case.tenant} attributes cost, is not on cluster {case.cluster_word}"
        yield case.differs("cost.slurm_account", name, Drift.NOT_REAL, name, "no such account", message, (next(iter(real.values())),))
