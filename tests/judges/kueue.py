"""A slow, obvious Kueue: quota counted unit by unit, and jobs of one unit admitted and evicted one by one until nothing moves.

Written from Kueue's documents and its recorded behaviour, and from nothing of the resolver's.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Node:
    """A queue or a cohort: what is above it, and its quota in units."""

    above: str
    nominal: int
    borrowing: int | None = None
    lending: int | None = None


@dataclass(frozen=True)
class Rules:
    """A queue's preemption."""

    within: str = "Never"
    reclaim: str = "Never"
    borrow: str = "Never"
    threshold: int | None = None


@dataclass(frozen=True)
class World:
    """Queues and cohorts; every cohort that is named is there, and none is above itself."""

    queues: Mapping[str, Node]
    cohorts: Mapping[str, Node]

    def node(self, name: str) -> Node:
        return self.queues[name] if name in self.queues else self.cohorts[name]

    def below(self, cohort: str) -> Iterator[str]:
        yield from (name for name in (*self.queues, *self.cohorts) if self.node(name).above == cohort)

    def has(self, name: str) -> int:
        """What a node has itself and is lent by those right below it."""
        return self.node(name).nominal + sum(self.has(each) - self.keeps(each) for each in self.below(name))

    def keeps(self, name: str) -> int:
        """What a node has and does not lend upwards."""
        lending = self.node(name).lending
        return 0 if lending is None else max(0, self.has(name) - lending)

    def uses(self, name: str, usage: Mapping[str, int]) -> int:
        """What a queue uses, or what those below a cohort use of what they do not keep."""
        if name in self.queues:
            return usage.get(name, 0)
        return sum(max(0, self.uses(each, usage) - self.keeps(each)) for each in self.below(name))

    def is_possible(self, usage: Mapping[str, int]) -> bool:
        """Whether no node uses more than it has and may borrow, and no top uses more than it has."""
        for name in (*self.queues, *self.cohorts):
            node, uses, has = self.node(name), self.uses(name, usage), self.has(name)
            if uses > has and (not node.above or (node.borrowing is not None and uses > has + node.borrowing)):
                return False
        return True

    def free(self, queue: str, usage: Mapping[str, int], limit: int = 200) -> int:
        """How many units more a queue can have, tried one after another."""
        for more in range(limit):
            if not self.is_possible({**usage, queue: usage.get(queue, 0) + more + 1}):
                return more
        return limit

    def tops(self, name: str) -> list[str]:
        """The cohorts over a node, the nearest first."""
        above = self.node(name).above
        return [above, *self.tops(above)] if above else []

    def is_over(self, name: str, usage: Mapping[str, int]) -> bool:
        return self.uses(name, usage) > self.has(name)


@dataclass
class Job:
    team: str
    queue: str
    priority: int
    moment: int
    runs: bool = False


@dataclass
class Cluster:
    """Jobs in queues, run in one of the orders that Kueue may choose."""

    world: World
    rules: Mapping[str, Rules]
    chance: random.Random
    jobs: list[Job] = field(default_factory=list)

    def usage(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for job in self.jobs:
            if job.runs:
                found[job.queue] = found.get(job.queue, 0) + 1
        return found

    def submit(self, team: str, queue: str, priority: int, count: int) -> bool:
        """Add jobs and let all move until they stand still; False where they never do."""
        self.jobs += [Job(team, queue, priority, len(self.jobs) + number) for number in range(count)]
        return any(not self._moves() for _ in range(400))

    def admitted(self, team: str) -> int:
        return sum(job.runs for job in self.jobs if job.team == team)

    def _moves(self) -> bool:
        names = list(self.world.queues)
        self.chance.shuffle(names)
        for name in names:
            for job in sorted((each for each in self.jobs if each.queue == name and not each.runs), key=_urgency):
                if self.world.is_possible({**self.usage(), name: self.usage().get(name, 0) + 1}):
                    job.runs = True
                    return True
                if victims := self._victims(job):
                    for victim in victims:
                        victim.runs = False
                    if self.chance.random() < 0.5:
                        job.runs = True
                    return True
        return False

    def _victims(self, job: Job) -> list[Job]:
        """Who makes way: with borrowing, then without, so that what is evicted is as little as possible."""
        for borrowing in (True, False):
            if found := self._cleared(job, borrowing=borrowing):
                return found
        return []

    def _cleared(self, job: Job, *, borrowing: bool) -> list[Job]:
        gone: list[Job] = []
        for other in sorted((each for each in self.jobs if each.runs), key=_expendable):
            if self._is_candidate(job, other, borrowing=borrowing):
                other.runs = False
                gone.append(other)
                if self._fits(job, borrowing=borrowing):
                    gone = self._fewest(job, gone, borrowing=borrowing)
                    break
        else:
            for each in gone:
                each.runs = True
            return []
        for each in gone:
            each.runs = True
        return gone

    def _fewest(self, job: Job, gone: list[Job], *, borrowing: bool) -> list[Job]:
        """Put back who need not go."""
        for each in gone[-2::-1]:
            each.runs = True
            if not self._fits(job, borrowing=borrowing):
                each.runs = False
        spared = [each for each in gone if each.runs]
        for each in gone:
            each.runs = True
        return [each for each in gone if each not in spared]

    def _fits(self, job: Job, *, borrowing: bool) -> bool:
        usage = self.usage()
        usage[job.queue] = usage.get(job.queue, 0) + 1
        return self.world.is_possible(usage) and (borrowing or not self.world.is_over(job.queue, usage))

    def _is_candidate(self, job: Job, other: Job, *, borrowing: bool) -> bool:
        rules, lower = self.rules[job.queue], other.priority < job.priority
        if other.queue == job.queue:
            newer = other.priority == job.priority and other.moment > job.moment
            return {"Never": False, "LowerPriority": lower}.get(rules.within, lower or newer)
        if not {"Never": False, "LowerPriority": lower}.get(rules.reclaim, True):
            return False
        common = next((name for name in self.world.tops(job.queue) if name in self.world.tops(other.queue)), None)
        if common is None:
            return False
        usage = self.usage()
        theirs = [other.queue, *self.world.tops(other.queue)]
        if not all(self.world.is_over(name, usage) for name in theirs[: theirs.index(common)]):
            return False
        return not borrowing or self._has_the_better_claim(job, common) or self._borrows_from(rules, other, lower=lower)

    def _borrows_from(self, rules: Rules, other: Job, *, lower: bool) -> bool:
        return rules.borrow != "Never" and lower and (rules.threshold is None or other.priority <= rules.threshold)

    def _has_the_better_claim(self, job: Job, common: str) -> bool:
        """Whether the job fits into what a node of its own side has, going up to the cohort that both share."""
        usage, rest = self.usage(), 1
        for name in (job.queue, *self.world.tops(job.queue)):
            if name == common:
                return False
            if self.world.uses(name, usage) + rest <= self.world.has(name):
                return True
            rest -= max(0, self.world.keeps(name) - self.world.uses(name, usage))
        return False


def _urgency(job: Job) -> tuple[int, int]:
    return -job.priority, job.moment


def _expendable(job: Job) -> tuple[int, int]:
    return job.priority, -job.moment
