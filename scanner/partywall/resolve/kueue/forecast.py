"""What queues admit: exactly while all others are idle, between bounds afterwards.

Teams submit one after another. What is admitted in the end depends on the order in which Kueue looks at the jobs; the bounds hold for every
order. A final state is what they rest on: nothing waits that would fit, and nothing waits that could surely take back what is its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import floor, inf

from partywall.model.facts import Facts
from partywall.model.facts_kueue import AdmissionCheck, ClusterQueue, Cohort, ResourceFlavor
from partywall.resolve.kueue.queues import Queues
from partywall.resolve.kueue.shares import Item, Tree, has, items, tree_of
from partywall.resolve.kueue.taking import Taking, allows_priority, may_hold, takings


@dataclass(frozen=True, slots=True)
class Batch:
    """Equal jobs that a team submits at once through a LocalQueue: how many, how urgent, and how much of a resource each needs."""

    team: str
    namespace: str
    door: str
    jobs: int
    priority: int
    resource: str
    size: float = 1.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many jobs of a batch are admitted in the end: at least and at most."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Loss:
    """Jobs of one batch that another one may evict, and by which right."""

    taker: Batch
    victim: Batch
    taking: Taking


@dataclass(frozen=True, slots=True)
class After:
    """What holds after a batch was submitted; batches stand in the order in which they came. A loss that is not named never happens."""

    batches: tuple[Batch, ...]
    bounds: tuple[Bounds, ...]
    losses: tuple[Loss, ...]


@dataclass(frozen=True)
class Field:
    """The queues of a cluster and the trees of what they share, one for each resource of a flavor.

    `flavors` are those that exist, None where they were not listed; `broken` are the admission checks whose controller does not work.
    """

    here: Queues
    trees: Mapping[Item, Tree]
    flavors: frozenset[str] | None
    broken: frozenset[str]

    @cached_property
    def rights(self) -> Mapping[Item, tuple[Taking, ...]]:
        """Return who may evict whom, for each resource of a flavor."""
        return {item: tuple(takings(tree, self.here.queues, fair=self.is_fair)) for item, tree in self.trees.items()}

    @property
    def is_fair(self) -> bool:
        """Tell whether shares decide who is evicted."""
        return self.here.config is not None and self.here.config.fair_sharing

    def entry(self, batch: Batch) -> ClusterQueue | None:
        """Return the queue whose quota a batch's jobs are admitted to, or None where none ever admits them."""
        door = next((each for each in self.here.doors if (each.namespace, each.name) == (batch.namespace, batch.door)), None)
        queue = None if door is None or door.stopped else self.here.queues.get(door.queue)
        if queue is None or queue.stopped or self.here.admits(queue, batch.namespace) is False:
            return None
        missing = self.flavors is not None and any(quota.flavor not in self.flavors for quota in queue.quotas)
        looped = any(tree.is_looped(queue.name) for tree in self.trees.values())
        return None if missing or looped or self.broken & set(queue.checks) else queue

    def is_sure(self, batch: Batch) -> bool:
        """Tell whether it is known that a batch's queue admits its namespace, or does not."""
        queue = self.entry(batch)
        return queue is None or self.here.admits(queue, batch.namespace) is True

    def items(self, batch: Batch, queue: ClusterQueue) -> tuple[Item, ...]:
        """Return what of a queue a batch's jobs count against, a flavor each."""
        return tuple((quota.flavor, quota.resource) for quota in queue.quotas if quota.resource == batch.resource)


def field(here: Queues, facts: Facts) -> Field:
    """Gather what the forecasts of a cluster need."""
    cohorts = [cohort for cohort in facts.of(Cohort) if cohort.cluster == here.cluster]
    listed = items(here.queues.values())
    trees = {item: tree_of(item, [queue for queue in here.queues.values() if has(queue, item)], cohorts) for item in listed}
    flavors = frozenset(flavor.name for flavor in facts.of(ResourceFlavor) if flavor.cluster == here.cluster)
    known = flavors if flavors or facts.listed("ResourceFlavor", here.cluster) else None
    broken = frozenset(check.name for check in facts.of(AdmissionCheck) if check.cluster == here.cluster and check.active is False)
    return Field(here, trees, known, broken)


def first(field: Field, batch: Batch) -> int:
    """Return how many jobs of a batch are admitted while all others are idle; a job fits into one flavor.

    Where it is not known whether the queue admits the batch's namespace, that is how many there are at most.
    """
    queue = field.entry(batch)
    if queue is None:
        return 0
    found = sum(_whole(field.trees[item].most(queue.name), batch.size) for item in field.items(batch, queue))
    return min(batch.jobs, found)


def _whole(amount: float, size: float) -> int:
    # An amount that was put together from decimal fractions may lie a hair under the whole number that it stands for.
    return max(0, floor(amount / size + 1e-9)) if size > 0 and amount < inf else 0


def forecast(field: Field, batches: Sequence[Batch]) -> list[After]:
    """Return what holds after each of some batches, which are submitted one after another, each when everything stands still."""
    found: list[After] = []
    before: tuple[Bounds, ...] = ()
    for number, batch in enumerate(batches):
        after = _step(field, tuple(batches[: number + 1]), before) if number else _alone(field, batch)
        found.append(after)
        before = after.bounds
    return found


def _alone(field: Field, batch: Batch) -> After:
    admitted = first(field, batch)
    return After((batch,), (Bounds(admitted if field.is_sure(batch) else 0, admitted),), ())


@dataclass(frozen=True, slots=True)
class _Seat:
    """A batch in its queue, with the bounds of what it has admitted so far."""

    batch: Batch
    number: int
    queue: str
    item: Item
    low: int
    high: int


def _step(field: Field, batches: tuple[Batch, ...], before: tuple[Bounds, ...]) -> After:
    bounds = [*before, Bounds(0, 0)]
    losses: list[Loss] = []
    for item in field.trees:
        seats = list(_seats(field, batches, bounds, item))
        if not any(seat.number == len(before) for seat in seats):
            continue
        seats, held = _settled(field, item, seats, newest=len(before))
        losses += held
        for seat in seats:
            bounds[seat.number] = Bounds(seat.low, seat.high)
    for number, batch in enumerate(batches):
        queue = field.entry(batch)
        if queue is not None and len(field.items(batch, queue)) > 1:
            # Which of several flavors takes a job hangs on their order and on what is borrowed: only the whole is bounded.
            bounds[number] = Bounds(0, first(field, batch))
    return After(batches, tuple(bounds), tuple(losses))


def _seats(field: Field, batches: Sequence[Batch], bounds: Sequence[Bounds], item: Item) -> list[_Seat]:
    found: list[_Seat] = []
    for number, batch in enumerate(batches):
        queue = field.entry(batch)
        if queue is not None and item in field.items(batch, queue):
            several = len(field.items(batch, queue)) > 1
            known = Bounds(0, first(field, batch)) if several else bounds[number]
            found.append(_Seat(batch, number, queue.name, item, known.low, known.high))
    return found


def _settled(field: Field, item: Item, seats: list[_Seat], newest: int) -> tuple[list[_Seat], list[Loss]]:
    """Widen the bounds until no right to evict and no room that it makes changes them, then narrow them by what a final state rules out."""
    tree = field.trees[item]
    while True:
        losses = _losses(field, item, seats)
        widened = [_widened(tree, seats, seat, losses, newest) for seat in seats]
        if widened == seats:
            break
        seats = widened
    return [_narrowed(field, tree, seats, seat) for seat in seats], losses


def _usage(seats: Sequence[_Seat], *, most: bool, without: int = -1) -> dict[str, float]:
    found: dict[str, float] = {}
    for seat in seats:
        jobs = 0 if seat.number == without else seat.high if most else seat.low
        found[seat.queue] = found.get(seat.queue, 0.0) + jobs * seat.batch.size
    return found


def _losses(field: Field, item: Item, seats: Sequence[_Seat]) -> list[Loss]:
    """Return the rights to evict whose conditions may hold: whoever takes has jobs that wait, or may come to wait."""
    low, high = _usage(seats, most=False), _usage(seats, most=True)
    found: list[Loss] = []
    for taking in field.rights[item]:
        for taker in seats:
            if taker.queue != taking.taker or taker.low >= taker.batch.jobs:
                continue
            if not may_hold(taking, field.trees[item], low, high, taker.batch.size):
                continue
            others = (each for each in seats if each.queue == taking.victim and each.number != taker.number)
            found.extend(Loss(taker.batch, victim.batch, taking) for victim in others if _may_evict(taking, taker, victim))
    return found


def _may_evict(taking: Taking, taker: _Seat, victim: _Seat) -> bool:
    newer = victim.number > taker.number
    return victim.high > 0 and allows_priority(taking, taker.batch.priority, victim.batch.priority, newer=newer)


def _widened(tree: Tree, seats: Sequence[_Seat], seat: _Seat, losses: Sequence[Loss], newest: int) -> _Seat:
    low, high = seat.low, seat.high
    mine = [loss for loss in losses if loss.victim == seat.batch]
    if mine:
        within = any(loss.taking.taker == seat.queue for loss in mine)
        others = sum(each.high * each.batch.size for each in seats if each.queue == seat.queue and each.number != seat.number)
        # Other queues take no more than what is over the quota.
        safe = 0 if within else _whole(tree.quota[seat.queue, True] - others, seat.batch.size)
        low = min(low, safe)
    if seat.number == newest or losses:
        usage = _usage(seats, most=False, without=seat.number)
        high = max(high, min(seat.batch.jobs, _whole(tree.free(seat.queue, usage), seat.batch.size)))
    return replace(seat, low=low, high=high)


def _narrowed(field: Field, tree: Tree, seats: Sequence[_Seat], seat: _Seat) -> _Seat:
    """Raise the lower bound to what is surely admitted in a final state."""
    queue = field.here.queues[seat.queue]
    if not field.is_sure(seat.batch):
        return seat
    if queue.strict and any(each.queue == seat.queue and each.batch.size != seat.batch.size for each in seats):
        return seat
    usage = _usage(seats, most=True, without=seat.number)
    fits = _whole(tree.free(seat.queue, usage), seat.batch.size)
    own = _whole(tree.quota[seat.queue, True] - usage.get(seat.queue, 0.0), seat.batch.size)
    reclaimed = min(own, _whole(tree.free(seat.queue, _given_back(field, tree, seats, seat, usage)), seat.batch.size))
    return replace(seat, low=max(seat.low, min(seat.high, max(fits, reclaimed))))


def _given_back(field: Field, tree: Tree, seats: Sequence[_Seat], seat: _Seat, usage: Mapping[str, float]) -> Mapping[str, float]:
    """Return what others use at most once they gave back all that a queue may surely reclaim: what its siblings have over their quota."""
    reclaim = field.here.queues[seat.queue].preemption.reclaim
    if reclaim == "Never":
        return usage
    found = dict(usage)
    for name in usage:
        if name == seat.queue or tree.queues[name].above != tree.queues[seat.queue].above:
            continue
        if reclaim == "Any" or all(each.batch.priority < seat.batch.priority for each in seats if each.queue == name):
            found[name] = min(found[name], tree.quota[name, True])
    return found
