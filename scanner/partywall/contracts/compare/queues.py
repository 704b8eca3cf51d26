"""The real terms of scheduling of a tenant: its cluster queues and its compute quotas in one form."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from partywall.contracts.compare.case import Case
from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_kueue import ClusterQueue, ComputeQuota, LocalQueue, Strategy
from partywall.model.node import Kind, Node

_NAME_LABEL = "kubernetes.io/metadata.name"


@dataclass(frozen=True, slots=True)
class Terms:
    """What one queue or compute quota gives.

    `borrow` maps a resource to an amount, or to None for any amount; a None in place of a value is not known.
    `wanted` is false where nobody else may borrow, so that what is lent goes nowhere.
    """

    origin: str
    name: str
    nominal: Mapping[str, float]
    borrow: Mapping[str, float | None] | None
    lends: str | None
    preempts: str | None
    at: Evidence
    wanted: bool = True


def terms_of(case: Case) -> Sequence[Terms]:
    """Return the terms of the queues and compute quotas of the contract's tenant on its cluster: task governance makes one of each."""
    return [*_queues(case), *_quotas(case)]


def _queues(case: Case) -> Iterator[Terms]:
    queues = [queue for queue in case.facts.of(ClusterQueue) if queue.cluster == case.cluster]
    for queue in queues:
        if not _is_tenants(case, queue):
            continue
        yield Terms(
            origin="queue",
            name=f"cluster queue {queue.name}",
            nominal=_nominal(queue),
            borrow=_borrow(queue),
            lends=lends_of(queue),
            wanted=_is_wanted(queue, queues),
            preempts="never" if queue.preemption.within == "Never" else "lower-priority",
            at=queue.at,
        )


def _is_tenants(case: Case, queue: ClusterQueue) -> bool:
    """Tell whether a queue is the tenant's: by its owner, else because all the namespaces that it is for are."""
    owners = case.reality.owners(Node(Kind.QUEUE, case.cluster, queue.name))
    if owners:
        return owners == (case.tenant,)
    doors = {each.namespace for each in case.facts.of(LocalQueue) if each.cluster == case.cluster and each.queue == queue.name}
    if queue.name.startswith("hyperpod-ns-") and queue.name.endswith("-clusterqueue"):
        doors = {queue.name.removesuffix("-clusterqueue")}
    chosen = _chosen(queue.namespaces)
    homes = chosen or doors
    return bool(homes) and all(case.owns_namespace(name) for name in homes)


def _chosen(selector: LabelSelector | None) -> set[str]:
    """Return the namespaces that a selector names by the label that the server sets."""
    if selector is None:
        return set()
    named = {value for key, value in selector.labels if key == _NAME_LABEL}
    for key, operator, values in selector.expressions:
        if key == _NAME_LABEL and operator == "In":
            named |= set(values)
    return named


def _nominal(queue: ClusterQueue) -> Mapping[str, float]:
    total: dict[str, float] = {}
    for quota in queue.quotas:
        total[quota.resource] = total.get(quota.resource, 0.0) + (quota.nominal or 0.0)
    return total


def _borrow(queue: ClusterQueue) -> Mapping[str, float | None]:
    """Return what a queue may borrow: nothing without a cohort, any amount without a limit (Kueue, "Cluster Queue": borrowingLimit)."""
    total: dict[str, float | None] = {}
    for quota in queue.quotas:
        before = total.get(quota.resource, 0.0)
        limit = quota.borrowing if queue.cohort else 0.0
        total[quota.resource] = None if limit is None or before is None else before + limit
    return total


def lends_of(queue: ClusterQueue) -> str:
    """Return how a queue lends: it does unless its limit is zero, and gets back what it may reclaim (Kueue, "Cluster Queue")."""
    lending = any((quota.lending is None or quota.lending > 0) and quota.nominal for quota in queue.quotas)
    if not queue.cohort or not lending:
        return "none"
    return "unlimited" if queue.preemption.reclaim == "Never" else "reclaimable"


def _is_wanted(queue: ClusterQueue, queues: Sequence[ClusterQueue]) -> bool:
    """Tell whether another queue of the cohort may borrow at all."""
    others = (each for each in queues if each.cohort == queue.cohort and each.name != queue.name)
    return any(quota.borrowing is None or quota.borrowing > 0 for other in others for quota in other.quotas)


def _quotas(case: Case) -> Iterator[Terms]:
    for quota in case.facts.of(ComputeQuota):
        if quota.cluster != case.cluster or not quota.enabled or not case.owns_namespace(quota.namespace):
            continue
        yield Terms(
            origin="quota",
            name=f"compute quota {quota.name}",
            nominal={**quota.resources, **gpus_of(quota)},
            borrow=quota.may_borrow,
            lends="none" if quota.strategy is Strategy.DONT_LEND else "reclaimable",
            preempts="never" if quota.preempts == "Never" else "lower-priority",
            at=quota.at,
        )


GPU = "nvidia.com/gpu"
# GPUs of one instance (EC2, "Amazon EC2 instance types", accelerated computing). Those of other types are not converted.
_GPUS: Mapping[str, int] = {
    **dict.fromkeys(("ml.p3.16xlarge", "ml.p3dn.24xlarge", "ml.p4d.24xlarge", "ml.p4de.24xlarge", "ml.p5.48xlarge", "ml.p5e.48xlarge"), 8),
    **dict.fromkeys(("ml.p5en.48xlarge", "ml.p6-b200.48xlarge", "ml.g5.48xlarge", "ml.g6.48xlarge", "ml.g6e.48xlarge"), 8),
    **dict.fromkeys(("ml.p3.8xlarge", "ml.p6e-gb200.36xlarge", "ml.g4dn.12xlarge", "ml.g5.12xlarge", "ml.g5.24xlarge"), 4),
    **dict.fromkeys(("ml.g6.12xlarge", "ml.g6.24xlarge", "ml.g6e.12xlarge", "ml.g6e.24xlarge"), 4),
    **dict.fromkeys((f"ml.{family}.{size}xlarge" for family in ("g4dn", "g5", "g6", "g6e") for size in ("", "2", "4", "8", "16")), 1),
    **dict.fromkeys(("ml.p3.2xlarge", "ml.p5.4xlarge", "ml.gr6.4xlarge", "ml.gr6.8xlarge"), 1),
}


def gpus_of(quota: ComputeQuota) -> Mapping[str, float]:
    """Return the accelerators of a quota in the words of a contract, where all that is given of it is GPUs of NVIDIA's.

    The instance types p and g have NVIDIA GPUs (EC2 user guide, "Accelerated computing").
    """
    total = 0.0
    for name, amount in quota.resources.items():
        instance, _, unit = name.partition("/")
        if unit == "accelerators" and name.startswith(("ml.p", "ml.g")):
            total += amount
        elif not unit and instance in _GPUS:
            total += amount * _GPUS[instance]
        elif unit not in ("vcpu", "memory"):
            return {}
    return {GPU: total} if total else {}
