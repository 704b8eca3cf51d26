"""Who shares with whom: queues and compute quotas as parties of a pool, each with the levers that end its share of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from partywall.model.edge import Change, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts_kueue import ClusterQueue, Cohort, ComputeQuota, Quota, Strategy
from partywall.resolve.kueue.queues import Queues

# What is left of a share: an amount, or None for no limit. What is absent is not shared.
Amounts = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Party:
    """A queue of a pool. `path` are the cohorts above it, the nearest first; `borrows` and `lends` say of which resource how much.

    `limited` makes the lever that sets its borrowing to some amounts.
    """

    queue: str
    path: tuple[str, ...]
    nominal: Mapping[str, float]
    borrows: Amounts
    lends: Amounts
    preempts: bool
    at: Evidence
    limited: Callable[[Mapping[str, float]], Lever]
    keep: Lever
    spare: Lever


def parties(here: Queues, cohorts: Sequence[Cohort]) -> list[Party]:
    """Return the parties of a cluster: its queues that are in a cohort, and compute quotas whose queue was not given."""
    by_name = {cohort.name: cohort for cohort in cohorts if cohort.cluster == here.cluster}
    found = [_of_queue(queue, by_name) for queue in here.queues.values() if queue.cohort and not queue.stopped]
    return [*found, *(_of_quota(quota) for quota in here.quotas if quota.queue not in here.queues)]


def shared(borrower: Party, lender: Party, cohorts: Mapping[str, Cohort]) -> Iterator[str]:
    """Yield the resources of which one party may take what another leaves idle.

    Limits of the cohorts on the way up from the borrower and down to the lender count too (Kueue, "Cohort", hierarchical cohorts).
    """
    common = next((name for name in borrower.path if name in lender.path), None)
    if common is None or borrower.queue == lender.queue:
        return
    up, down = borrower.path[: borrower.path.index(common)], lender.path[: lender.path.index(common)]
    for resource, limit in borrower.borrows.items():
        given = lender.lends.get(resource, 0)
        if limit == 0 or given == 0 or not lender.nominal.get(resource):
            continue
        if not _is_barred(up, "borrowing", resource, cohorts) and not _is_barred(down, "lending", resource, cohorts):
            yield resource


def _is_barred(path: Sequence[str], side: str, resource: str, cohorts: Mapping[str, Cohort]) -> bool:
    for name in path:
        for quota in cohorts[name].quotas if name in cohorts else ():
            if _resource(quota) == resource and (quota.borrowing if side == "borrowing" else quota.lending) == 0:
                return True
    return False


def _resource(quota: Quota) -> str:
    """Name a resource of a flavor: only the same flavor of it can be lent."""
    return f"{quota.resource} of {quota.flavor}"


def _path(cohort: str, cohorts: Mapping[str, Cohort]) -> tuple[str, ...]:
    """Return a cohort and those above it; Kueue accepts cycles when cohorts are made, so stop where one closes."""
    path = [cohort]
    while (above := cohorts[path[-1]].parent if path[-1] in cohorts else "") and above not in path:
        path.append(above)
    return tuple(path)


def _of_queue(queue: ClusterQueue, cohorts: Mapping[str, Cohort]) -> Party:
    preemption = queue.preemption
    spare = replace(queue, preemption=replace(preemption, reclaim="Never", borrow="Never"))
    kept = replace(queue, quotas=tuple(replace(quota, lending=0.0) for quota in queue.quotas))

    def limited(amounts: Mapping[str, float]) -> Lever:
        quotas = tuple(replace(quota, borrowing=amounts.get(_resource(quota), quota.borrowing)) for quota in queue.quotas)
        shown = ", ".join(f"{amount:g} {resource}" for resource, amount in amounts.items())
        return _set(queue, "borrowingLimit", f"set borrowingLimit of ClusterQueue {queue.name} to {shown}", replace(queue, quotas=quotas))

    return Party(
        queue.name,
        _path(queue.cohort, cohorts),
        {_resource(quota): quota.nominal or 0.0 for quota in queue.quotas},
        {_resource(quota): quota.borrowing for quota in queue.quotas},
        {_resource(quota): quota.lending for quota in queue.quotas},
        preemption.reclaim != "Never" or preemption.borrow != "Never",
        queue.at,
        limited,
        _set(queue, "lendingLimit", f"set lendingLimit of ClusterQueue {queue.name} to 0", kept),
        _set(queue, "reclaimWithinCohort", f"set reclaimWithinCohort and borrowWithinCohort of ClusterQueue {queue.name} to Never", spare),
    )


def _set(queue: ClusterQueue, field: str, text: str, changed: ClusterQueue) -> Lever:
    places = tuple(quota.at for quota in queue.quotas) if field.endswith("Limit") else (queue.at.below("spec", "preemption"),)
    return Lever(Move.SET, "ClusterQueue", queue.cluster, queue.name, places or (queue.at,), text, field, Change((queue,), (changed,)))


def _of_quota(quota: ComputeQuota) -> Party:
    """Return a compute quota as a party: it borrows with `LendAndBorrow` only (SageMaker API, ResourceSharingConfig)."""
    borrows = quota.strategy is Strategy.LEND_AND_BORROW and quota.borrow_limit != 0
    lends = quota.strategy is not Strategy.DONT_LEND
    share = None if quota.borrow_limit is None else quota.borrow_limit / 100

    def limited(amounts: Mapping[str, float]) -> Lever:
        if all(amount == 0 for amount in amounts.values()):
            return _strategy(quota, Strategy.LEND if lends else Strategy.DONT_LEND, "borrowing")
        percent = min(int(100 * amount / quota.resources[name]) for name, amount in amounts.items() if quota.resources.get(name))
        changed = Change((quota,), (replace(quota, borrow_limit=percent),))
        text = f"set BorrowLimit of compute quota {quota.name} to {percent}"
        return Lever(Move.SET, "ComputeQuota", quota.cluster, quota.name, (quota.at,), text, "BorrowLimit", changed)

    return Party(
        quota.queue,
        ("hyperpod",),
        quota.resources,
        {name: None if share is None else share * amount for name, amount in quota.resources.items()} if borrows else {},
        dict.fromkeys(quota.resources, None if lends else 0.0),
        False,
        quota.at,
        limited,
        _strategy(quota, Strategy.DONT_LEND, "lending"),
        _strategy(quota, Strategy.DONT_LEND, "preemption"),
    )


def _strategy(quota: ComputeQuota, strategy: Strategy, content: str) -> Lever:
    place = quota.at.below("ComputeQuotaConfig", "ResourceSharingConfig", "Strategy")
    text = f"set the sharing strategy of compute quota {quota.name} to {strategy.value}"
    return Lever(
        Move.SET, "ComputeQuota", quota.cluster, quota.name, (place,), text, content, Change((quota,), (replace(quota, strategy=strategy),))
    )
