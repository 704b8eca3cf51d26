"""What was approved beside what is real, both ways: each differing field of each contract."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date

from partywall.contracts.compare.access import bare, compare_access
from partywall.contracts.compare.case import Case, Does, Reality, Sees, case_of
from partywall.contracts.compare.clusters import compare_cluster, real_clusters
from partywall.contracts.compare.generated import compare_generated
from partywall.contracts.compare.granted import compare_granted
from partywall.contracts.compare.lifecycle import compare_approvals, compare_lifecycle, compare_status
from partywall.contracts.compare.projects import compare_project
from partywall.contracts.compare.rights import compare_rights
from partywall.contracts.compare.scheduling import PRIORITY_LABEL, compare_scheduling
from partywall.contracts.compare.scope import compare_data, compare_namespaces, compare_slurm_scope
from partywall.contracts.compare.sharing import compare_cost, compare_isolation, compare_visibility
from partywall.contracts.compare.slurm import compare_slurm
from partywall.contracts.compare.workload import compare_studio_roles, compare_workload_roles
from partywall.contracts.difference import Difference
from partywall.model.document import Assumption, Gap
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Listed
from partywall.model.facts_iam import Principal
from partywall.model.facts_kubernetes import Namespace, Workload
from partywall.model.node import Kind, Node
from partywall.model.tenancy import Ownership, Status, Tenancy, known_names

Comparison = Callable[[Case], Iterator[Difference | Gap]]

# What needs the cluster of the contract.
_ON_THE_CLUSTER: tuple[Comparison, ...] = (
    compare_cluster,
    compare_access,
    compare_workload_roles,
    compare_rights,
    compare_namespaces,
    compare_granted,
    compare_scheduling,
    compare_generated,
    compare_isolation,
    compare_slurm,
)
_ANYWHERE: tuple[Comparison, ...] = (
    compare_project,
    compare_studio_roles,
    compare_slurm_scope,
    compare_data,
    compare_visibility,
    compare_cost,
    compare_approvals,
    compare_lifecycle,
)

# Fields that people read and partywall records, and that nothing is compared with yet.
_NOT_COMPARED = ("workloads", "network", "signals", "support", "retired")


def compare(
    tenancy: Tenancy, facts: Facts, ownership: Mapping[Node, Ownership], as_of: date, *, does: Does | None = None, sees: Sees | None = None
) -> Iterator[Difference | Gap]:
    """Yield every difference between the contracts and reality, and a gap for each field that a contract fills and no document answers.

    Drafts are judged by nothing, retired contracts by what still connects their tenant. `does` gives the edges that the holders of a
    group's name get to, `sees` the tenants whose tasks a tenant can look at; without them `rights` and `visibility` are not judged.
    """
    principals = frozenset(bare(principal.arn) for principal in facts.of(Principal))
    listings = {(each.kind, each.scope): each.at for each in facts.of(Listed)}
    reality = Reality(
        tenancy=tenancy,
        facts=facts,
        ownership=ownership,
        as_of=as_of,
        clusters=real_clusters(facts),
        principals=principals,
        listings=listings,
        names=_names(tenancy, ownership),
        namespaces=_namespaces(facts),
        queued=tuple(each for each in facts.of(Workload) if each.object_labels.get(PRIORITY_LABEL)),
        does=does,
        sees=sees,
    )
    for contract in tenancy.contracts:
        yield from _once(_compared(case_of(contract, reality)))


def _compared(case: Case) -> Iterator[Difference | Gap]:
    comparisons: tuple[Comparison, ...] = ()
    match case.contract.status:
        case Status.RETIRED:
            comparisons = (compare_status,)
        case Status.APPROVED:
            comparisons = (_which_cluster, *(_ON_THE_CLUSTER if case.cluster else ()), *_ANYWHERE)
        case Status.DRAFT:
            pass
    for comparison in comparisons:
        yield from comparison(case)


def _once(found: Iterator[Difference | Gap]) -> Iterator[Difference | Gap]:
    """Yield each difference once: what a listing shows is not told again because tenants.yaml says it too."""
    told: set[tuple[str, str]] = set()
    for each in found:
        if isinstance(each, Gap) or (each.field, each.subject) not in told:
            yield each
        if isinstance(each, Difference):
            told.add((each.field, each.subject))


def _which_cluster(case: Case) -> Iterator[Gap]:
    """Yield the gap of a contract that names no cluster where none or several could be meant."""
    fields = [field for field in ("roles", "rights", "scope", "scheduling", "isolation") if case.record.get(field)]
    if not case.cluster and fields:
        several = "several clusters were read" if case.reality.clusters else "no cluster was read"
        yield case.unjudged(fields[0], f"the contract names no cluster, and {several}", "write `cluster: {name: ...}` into the contract")


def _names(tenancy: Tenancy, ownership: Mapping[Node, Ownership]) -> Mapping[tuple[Kind, str], Sequence[Node]]:
    """Return the nodes of an estate by name, where an approval asks for them."""
    found: dict[tuple[Kind, str], list[Node]] = {}
    for node in ownership if tenancy.approvals else ():
        for name in known_names(node):
            found.setdefault((node.kind, name), []).append(node)
    return found


def _namespaces(facts: Facts) -> Mapping[str, Mapping[str, Evidence]]:
    """Return the namespaces of each cluster, those too that only show by what runs in them."""
    found: dict[str, dict[str, Evidence]] = {}
    for namespace in facts.of(Namespace):
        found.setdefault(namespace.cluster, {})[namespace.name] = namespace.at
    for workload in facts.of(Workload):
        found.setdefault(workload.cluster, {}).setdefault(workload.namespace, workload.at)
    return found


def not_compared(tenancy: Tenancy) -> Iterator[Assumption]:
    """Yield the filled fields of contracts in force that are recorded and compared with nothing."""
    for contract in tenancy.contracts:
        fields = [name for name in _NOT_COMPARED if contract.fields.get(name)]
        if fields and contract.status is Status.APPROVED:
            yield Assumption(
                contract.document, f"the contract of {contract.tenant} holds in {', '.join(fields)}: recorded, and compared with nothing"
            )
