"""Who shares with whom: queues and compute quotas as parties of a pool, each with the levers that end its share of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from partywall.model.edge import Change, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts_kueue import ClusterQueue, Cohort, ComputeQuota, Preemption, Quota, Strategy
from partywall.resolve.kueue.queues import Queues
from partywall.resolve.kueue.shares import Item, Tree, has, items, tree_of


@dataclass(frozen=True, slots=True)
class Party:
    """A queue of a pool, or a compute quota as the queue that it makes.

    `limited` makes the lever that sets its borrowing to some amounts.
    """

    queue: ClusterQueue
    at: Evidence
    limited: Callable[[Mapping[str, float]], Lever]
    keep: Lever
    spare: Lever

    @property
    def nominal(self) -> Mapping[str, float]:
        """Return what it has of each resource."""
        return {word_of(quota.flavor, quota.resource): quota.nominal for quota in self.queue.quotas}

    @property
    def borrows(self) -> Mapping[str, float | None]:
        """Return how much more of each resource it may take; None for no limit."""
        return {word_of(quota.flavor, quota.resource): quota.borrowing for quota in self.queue.quotas}

    @property
    def preempts(self) -> bool:
        """Tell whether it may evict others' jobs."""
        return self.queue.preemption.reclaim != "Never" or self.queue.preemption.borrow != "Never"


def parties(here: Queues) -> list[Party]:
    """Return the parties of a cluster: its queues that are in a cohort, and compute quotas whose queue was not given."""
    found = [_of_queue(queue) for queue in here.queues.values() if queue.cohort and not queue.stopped]
    return [*found, *(_of_quota(quota) for quota in here.quotas if quota.queue not in here.queues)]


def pool(found: Sequence[Party], cohorts: Sequence[Cohort]) -> Mapping[Item, Tree]:
    """Return what the parties share, one tree for each resource of a flavor."""
    queues = [party.queue for party in found]
    return {item: tree_of(item, [queue for queue in queues if has(queue, item)], cohorts) for item in items(queues)}


def shared(trees: Mapping[Item, Tree], borrower: Party, lender: Party) -> Mapping[str, float]:
    """Return how much of which resources one party may take of what another leaves idle."""
    one, other = borrower.queue.name, lender.queue.name
    both = {item: tree for item, tree in trees.items() if one in tree.queues and other in tree.queues}
    amounts = {word_of(*item): tree.lent(one, other) for item, tree in both.items()}
    return {word: amount for word, amount in amounts.items() if amount > 0}


def word_of(flavor: str, resource: str) -> str:
    """Name a resource of a flavor: only the same flavor of it can be lent."""
    return f"{resource} of {flavor}" if flavor else resource


def _of_queue(queue: ClusterQueue) -> Party:
    spare = replace(queue, preemption=replace(queue.preemption, reclaim="Never", borrow="Never"))
    kept = replace(queue, quotas=tuple(replace(quota, lending=0.0) for quota in queue.quotas))

    def limited(amounts: Mapping[str, float]) -> Lever:
        quotas = tuple(replace(each, borrowing=amounts.get(word_of(each.flavor, each.resource), each.borrowing)) for each in queue.quotas)
        shown = ", ".join(f"{amount:g} {resource}" for resource, amount in amounts.items())
        return _set(queue, "borrowingLimit", f"set borrowingLimit of ClusterQueue {queue.name} to {shown}", replace(queue, quotas=quotas))

    return Party(
        queue,
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
    lends = quota.strategy is not Strategy.DONT_LEND

    def limited(amounts: Mapping[str, float]) -> Lever:
        if all(amount == 0 for amount in amounts.values()):
            return _strategy(quota, Strategy.LEND if lends else Strategy.DONT_LEND, "borrowing")
        percent = min(int(100 * amount / quota.resources[name]) for name, amount in amounts.items() if quota.resources.get(name))
        changed = Change((quota,), (replace(quota, borrow_limit=percent, absolute_limits={}),))
        text = f"set BorrowLimit of compute quota {quota.name} to {percent}"
        return Lever(Move.SET, "ComputeQuota", quota.cluster, quota.name, (quota.at,), text, "BorrowLimit", changed)

    given = quota.may_borrow
    quotas = tuple(
        Quota("", name, amount, given.get(name, 0.0), None if lends else 0.0, quota.at) for name, amount in quota.resources.items()
    )
    return Party(
        ClusterQueue(quota.cluster, quota.queue, None, "hyperpod", quotas, Preemption(), False, quota.at),
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
