"""Every thing that the tenancy files name exactly: it exists, even where no other document lists it."""

from collections.abc import Iterable, Iterator, Sequence

from partywall.model.evidence import Evidence
from partywall.model.facts import Named
from partywall.model.node import Kind, Node
from partywall.model.tenancy import Orchestrator, Selector, Tenancy
from partywall.model.thing import glob_matches

Cluster = tuple[str, Orchestrator]

_CLUSTERED = {
    Kind.NAMESPACE: Orchestrator.EKS,
    Kind.GROUP: Orchestrator.EKS,
    Kind.SLURM_ACCOUNT: Orchestrator.SLURM,
    Kind.PARTITION: Orchestrator.SLURM,
    Kind.QOS: Orchestrator.SLURM,
    Kind.OS_USER: Orchestrator.SLURM,
}
_GLOBAL = frozenset({Kind.BUCKET, Kind.PREFIX, Kind.FILE_SYSTEM, Kind.DIRECTORY, Kind.ACCOUNT})
_BY_ARN = frozenset({Kind.ROLE, Kind.IAM_USER, Kind.IAM_GROUP, Kind.KEY, Kind.SECRET, Kind.REPOSITORY})


def named(tenancy: Tenancy, seen: Iterable[Cluster] = ()) -> Iterator[Named]:
    """Yield the exactly named things.

    Those of a cluster exist on each cluster that the files know, or that was `seen` in other documents (its scope and orchestrator).
    """
    clusters: Sequence[Cluster] = list(dict.fromkeys((*((each.scope, each.orchestrator) for each in tenancy.clusters), *seen)))
    done: set[Node] = set()
    for selector, at in _selectors(tenancy):
        for node in _nodes(selector, clusters):
            if node not in done:
                done.add(node)
                yield Named(node, at)


def _selectors(tenancy: Tenancy) -> Iterator[tuple[Selector, Evidence]]:
    for claim in tenancy.claims:
        if claim.selector.is_exact and len(claim.selector.kinds) == 1:
            yield claim.selector, claim.at
    for approval in tenancy.approvals:
        for selector in approval.things:
            if selector.is_exact:
                yield selector, approval.at


def _nodes(selector: Selector, clusters: Sequence[Cluster]) -> Iterator[Node]:
    """Yield the nodes that an exact selector can only mean; what it names by a short form (a key by its id) is for others to list."""
    kind, name = selector.kinds[0], selector.name
    if kind in _GLOBAL:
        yield Node(kind, "", name)
    elif kind in _BY_ARN and name.count(":") >= 5:
        yield Node(kind, name.split(":")[4], name)
    elif kind in _CLUSTERED:
        for scope, orchestrator in clusters:
            if orchestrator is _CLUSTERED[kind] and (not selector.scope or glob_matches(selector.scope, scope)):
                yield Node(kind, scope, name)
