"""How much a queue can have of one resource of one flavor: its own, what the cohorts above it have, and what others lend.

The arithmetic is that of Kueue's hierarchical cohorts (KEP-79; "Cohort", hierarchical cohorts). A node of the tree keeps back what it does
not lend, so that only the rest of its quota, and only what is used beyond what it keeps, counts in the cohort above.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from partywall.model.facts_kueue import ClusterQueue, Cohort, Quota

# A resource of a flavor.
Item = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Share:
    """What a node of the tree has itself. `above` is the cohort over it, "" for none; a limit of None is none at all."""

    above: str
    nominal: float = 0.0
    borrowing: float | None = None
    lending: float | None = None


@dataclass(frozen=True)
class Tree:
    """Queues and cohorts for one resource of one flavor, by name. `looped` cohorts hang below themselves: nothing is admitted there."""

    queues: Mapping[str, Share]
    cohorts: Mapping[str, Share]
    looped: frozenset[str]

    @cached_property
    def quota(self) -> Mapping[tuple[str, bool], float]:
        """Return the quota of each queue (`name`, True) and cohort (`name`, False) with what its children lend it."""
        found = {(name, True): share.nominal for name, share in self.queues.items()}
        found |= {(name, False): share.nominal for name, share in self.cohorts.items()}
        for node in self._upwards:
            if above := self.share(node).above:
                found[above, False] += found[node] - _kept(self.share(node), found[node])
        return found

    @cached_property
    def _upwards(self) -> Sequence[tuple[str, bool]]:
        """Return the nodes, each before the cohort above it; looped ones are left out."""
        depth = {name: len(self.path(name)) for name in self.cohorts if name not in self.looped}
        queues = [(name, True) for name, share in self.queues.items() if share.above not in self.looped]
        return [*queues, *((name, False) for name in sorted(depth, key=lambda name: (-depth[name], name)))]

    def share(self, node: tuple[str, bool]) -> Share:
        """Return what a node has itself."""
        return (self.queues if node[1] else self.cohorts)[node[0]]

    def path(self, cohort: str) -> tuple[str, ...]:
        """Return a cohort and those above it, the nearest first; a loop is walked once."""
        found: list[str] = []
        while cohort and cohort not in found:
            found.append(cohort)
            cohort = self.cohorts[cohort].above
        return tuple(found)

    def above(self, queue: str) -> tuple[str, ...]:
        """Return the cohorts over a queue, the nearest first."""
        return self.path(self.queues[queue].above)

    def is_looped(self, queue: str) -> bool:
        """Tell whether a cohort over a queue hangs below itself."""
        return any(name in self.looped for name in self.above(queue))

    def kept(self, node: tuple[str, bool]) -> float:
        """Return what a node keeps back from all others."""
        return _kept(self.share(node), self.quota[node])

    def used(self, usage: Mapping[str, float]) -> Mapping[tuple[str, bool], float]:
        """Return what each node uses of its own quota and of what it is lent, given what each queue has admitted."""
        found = dict.fromkeys(self.quota, 0.0) | {(name, True): usage.get(name, 0.0) for name in self.queues}
        for node in self._upwards:
            if above := self.share(node).above:
                found[above, False] += max(0.0, found[node] - self.kept(node))
        return found

    def lent(self, borrower: str, lender: str) -> float:
        """Return how much of what one queue has another one can take at most, while the first leaves it idle."""
        mine, theirs = self.above(borrower), self.above(lender)
        common = next((name for name in mine if name in theirs), None)
        if borrower == lender or common is None or self.is_looped(borrower):
            return 0.0
        up = (self.queues[borrower], *(self.cohorts[name] for name in mine[: mine.index(common)]))
        down = (self.queues[lender], *(self.cohorts[name] for name in theirs[: theirs.index(common)]))
        limits = [share.borrowing for share in up] + [share.lending for share in down]
        return min((self.queues[lender].nominal, *(limit for limit in limits if limit is not None)))

    def most(self, queue: str) -> float:
        """Return how much a queue can have at most, while all others are idle."""
        return self.free(queue, {})

    def free(self, queue: str, usage: Mapping[str, float]) -> float:
        """Return how much more a queue can have while the queues use so much; below zero where more is used than there is."""
        used = self.used(usage)
        nodes = [(queue, True), *((name, False) for name in self.above(queue))]
        found = inf
        for node in reversed(nodes):
            share, quota = self.share(node), self.quota[node]
            if not share.above:
                found = quota - used[node]
                continue
            kept = self.kept(node)
            if share.borrowing is not None:
                found = min(found, quota - kept - max(0.0, used[node] - kept) + share.borrowing)
            found += max(0.0, kept - used[node])
        return found


def _kept(share: Share, quota: float) -> float:
    """Return what is not lent. What has no cohort above it keeps all, but nobody asks."""
    return 0.0 if share.lending is None else max(0.0, quota - share.lending)


def items(queues: Iterable[ClusterQueue]) -> tuple[Item, ...]:
    """Return the resources of flavors that queues have quotas of."""
    return tuple(dict.fromkeys((quota.flavor, quota.resource) for queue in queues for quota in queue.quotas))


def has(queue: ClusterQueue, item: Item) -> bool:
    """Tell whether a queue has quota of a resource of a flavor."""
    return any((quota.flavor, quota.resource) == item for quota in queue.quotas)


def tree_of(item: Item, queues: Iterable[ClusterQueue], cohorts: Iterable[Cohort]) -> Tree:
    """Return the tree of one resource of one flavor; a cohort that is only named exists all the same (Kueue, "Cohort")."""
    given = {cohort.name: cohort for cohort in cohorts}
    shares = {cohort.name: _share(cohort.parent, cohort.quotas, item) for cohort in given.values()}
    leaves = {queue.name: _share(queue.cohort, queue.quotas, item) for queue in queues}
    for share in (*leaves.values(), *tuple(shares.values())):
        if share.above:
            shares.setdefault(share.above, Share(""))
    return Tree(leaves, shares, _looped({name: share.above for name, share in shares.items()}))


def _share(above: str, quotas: Iterable[Quota], item: Item) -> Share:
    found = next((quota for quota in quotas if (quota.flavor, quota.resource) == item), None)
    return Share(above) if found is None else Share(above, found.nominal, found.borrowing, found.lending)


def _looped(above: Mapping[str, str]) -> frozenset[str]:
    """Return the cohorts from which the way up never ends."""
    found: set[str] = set()
    for start in above:
        seen: list[str] = []
        name = start
        while name and name not in seen and name not in found:
            seen.append(name)
            name = above.get(name, "")
        if name:
            found.update(seen)
    return frozenset(found)
