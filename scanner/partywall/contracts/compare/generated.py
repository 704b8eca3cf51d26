"""What task governance made beside what its compute quotas and its cluster policy say: somebody may have changed the objects by hand.

HyperPod developer guide, "SageMaker HyperPod task governance": a compute quota makes a namespace, a ClusterQueue and a LocalQueue, the
cluster policy makes priority classes. The objects stay editable for whoever may write them.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from partywall.contracts.compare.case import Case
from partywall.contracts.compare.queues import GPU, gpus_of, lends_of
from partywall.contracts.difference import Difference, Drift
from partywall.model.facts_kueue import ClusterQueue, ComputeQuota, SchedulerConfig, Strategy, WorkloadPriority

FIELD = "scheduling.generated"


def compare_generated(case: Case) -> Iterator[Difference]:
    """Yield where the queue of a tenant's compute quota, or the cluster's classes of priority, no longer say what they were made from."""
    queues = {queue.name: queue for queue in case.facts.of(ClusterQueue) if queue.cluster == case.cluster}
    mine = [each for each in case.facts.of(ComputeQuota) if each.cluster == case.cluster and case.owns_namespace(each.namespace)]
    for quota in mine:
        if quota.status.endswith("Failed"):
            message = f"compute quota {quota.name} of {case.tenant} is {quota.status}: what the cluster holds may be older"
            yield case.differs(FIELD, f"{quota.name}/status", Drift.DIFFERS, "in force", quota.status, message, (quota.at,))
        queue = queues.get(quota.queue)
        if quota.enabled and queue is not None:
            yield from _edited(case, quota, queue)
        elif quota.enabled and case.listing("ClusterQueue") is not None:
            message = f"compute quota {quota.name} of {case.tenant} has no cluster queue {quota.queue}"
            yield case.differs(FIELD, quota.queue, Drift.NOT_REAL, "a queue", "none", message, (quota.at,))
        elif not quota.enabled and queue is not None and not queue.stopped:
            message = f"compute quota {quota.name} of {case.tenant} is switched off, and cluster queue {queue.name} still admits jobs"
            yield case.differs(FIELD, f"{queue.name}/state", Drift.DIFFERS, "switched off", "in force", message, (quota.at, queue.at))
    yield from _classes(case) if mine else ()


def _edited(case: Case, quota: ComputeQuota, queue: ClusterQueue) -> Iterator[Difference]:
    for subject, said, real in _pairs(quota, queue):
        if said != real:
            message = (
                f"cluster queue {queue.name} of {case.tenant} was changed: {subject} is {real}, compute quota {quota.name} says {said}"
            )
            yield case.differs(FIELD, f"{queue.name}/{subject}", Drift.DIFFERS, said, real, message, (quota.at, queue.at))


def _pairs(quota: ComputeQuota, queue: ClusterQueue) -> Iterator[tuple[str, str, str]]:
    yield "lending", _yes(quota.strategy is not Strategy.DONT_LEND), _yes(lends_of(queue) != "none")
    borrows = bool(queue.cohort) and any(each.borrowing is None or each.borrowing > 0 for each in queue.quotas)
    yield "borrowing", _yes(any(amount is None or amount > 0 for amount in quota.may_borrow.values())), _yes(borrows)
    yield "preemption of its own tasks", _yes(quota.preempts != "Never"), _yes(queue.preemption.within != "Never")
    made = gpus_of(quota).get(GPU)
    held = [each for each in queue.quotas if each.resource == GPU]
    if made is None or not held:
        return
    yield f"nominal {GPU}", f"{made:g}", f"{sum(each.nominal for each in held):g}"
    if borrows and quota.strategy is Strategy.LEND_AND_BORROW and not quota.absolute_limits:
        yield f"borrowing limit of {GPU}", *_limits(quota, made, queue, [each.borrowing for each in held])


def _limits(quota: ComputeQuota, made: float, queue: ClusterQueue, limits: Sequence[float | None]) -> tuple[str, str]:
    """Return the borrowing limit that a percentage makes and the one that stands; within one GPU it is only rounded otherwise."""
    share = made * (50 if quota.borrow_limit is None else quota.borrow_limit) / 100
    given = [limit for limit in limits if limit is not None]
    if len(given) < len(limits):
        return f"{share:g}", "none"
    real = sum(given)
    return (f"{share:g}", f"{share:g}") if abs(real - share) < 1 else (f"{share:g}", f"{real:g}")


def _yes(value: bool) -> str:
    return "on" if value else "off"


def _classes(case: Case) -> Iterator[Difference]:
    """Yield classes of the policy that are not there, and those whose order is another one than that of the weights."""
    real = {each.name: each for each in case.facts.of(WorkloadPriority) if each.cluster == case.cluster}
    for config in case.facts.of(SchedulerConfig) if real or case.listing("WorkloadPriorityClass") else ():
        if config.cluster != case.cluster:
            continue
        made = [(name, weight, real.get(f"{name}-priority")) for name, weight in config.priorities]
        for name, _, found in made:
            if found is None and case.listing("WorkloadPriorityClass"):
                message = f"policy {config.name} has class {name}, and the cluster no WorkloadPriorityClass {name}-priority"
                yield case.differs(FIELD, f"{name}-priority", Drift.NOT_REAL, name, "none", message, (config.at,))
        ranked = sorted(((weight, found) for _, weight, found in made if found is not None), key=lambda pair: (pair[0], pair[1].name))
        for (weight, low), (more, high) in pairwise(ranked):
            if more > weight and high.value <= low.value:
                ranks = f"{low.name} ({low.value}) does not rank below {high.name} ({high.value})"
                message = f"WorkloadPriorityClass {ranks}, as policy {config.name} says"
                shown = (f"{low.name} below {high.name}", "not below")
                yield case.differs(FIELD, f"{low.name}/{high.name}", Drift.DIFFERS, *shown, message, (config.at, low.at, high.at))
