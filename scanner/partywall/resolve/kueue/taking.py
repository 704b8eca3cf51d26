"""Who may evict whose jobs, and on which condition.

Kueue, "Preemption", classic preemption, and its hierarchical form: jobs of another queue are candidates only while that queue, and every
cohort between it and the one that both share, use more than their quota; and who takes must stay within a quota of its own side, unless it
may evict in order to borrow. With fair sharing the shares decide instead, which are not computed: only what the policies rule out is never.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from partywall.model.facts_kueue import ClusterQueue, Preemption
from partywall.resolve.kueue.shares import Tree


class Way(StrEnum):
    """By which right jobs are evicted."""

    WITHIN = "within the queue"
    RECLAIM = "what its own quota is lent out for"
    COHORT = "what the quota of a cohort over it is lent out for"
    BORROW = "in order to borrow"
    FAIR = "by fair sharing"


@dataclass(frozen=True, slots=True)
class Taking:
    """One queue's right to evict jobs of another, or of itself. `over` are the cohorts that must use more than their quota.

    `within` is the cohort in whose quota the taker must stay; None: in its own, or in none where the way says so.
    `threshold` is the highest priority that is evicted, None for no limit.
    """

    taker: str
    victim: str
    way: Way
    policy: str
    over: tuple[str, ...] = ()
    within: str | None = None
    threshold: int | None = None

    def __str__(self) -> str:
        """Say the condition."""
        whose = {"Any": "of any priority", "LowerPriority": "of lower priority"}.get(self.policy, "of lower, or newer of equal, priority")
        if self.threshold is not None:
            whose += f" and at most {self.threshold}"
        if self.way is Way.WITHIN:
            return f"jobs {whose} in the same queue"
        behind = "".join(f" and cohort {name}" for name in self.over)
        crowded = f"{self.victim}{behind} use more than their quota" if behind else f"{self.victim} uses more than its quota"
        room = {
            Way.RECLAIM: f", while {self.taker} stays within its own",
            Way.COHORT: f", while cohort {self.within} stays within its own",
            Way.FAIR: ", where the share of the taker is the smaller one",
        }.get(self.way, "")
        return f"jobs {whose}, while {crowded}{room}"


def takings(tree: Tree, queues: Mapping[str, ClusterQueue], *, fair: bool = False, beyond_its_own: bool = False) -> Iterator[Taking]:
    """Yield every right to evict between the queues of a tree; what is not yielded never happens.

    `beyond_its_own` leaves out the rights to take back what a queue, or its side of the tree, has itself.
    """
    for taker in queues.values():
        if taker.stopped or taker.name not in tree.queues or tree.is_looped(taker.name):
            continue
        rules = taker.preemption
        if rules.within != "Never":
            yield Taking(taker.name, taker.name, Way.WITHIN, rules.within)
        if rules.reclaim != "Never" and (not beyond_its_own or (rules.borrow != "Never" and not fair)):
            for victim in queues:
                if victim != taker.name and victim in tree.queues and not tree.is_looped(victim):
                    found = _across(tree, taker.name, victim, rules, fair=fair)
                    yield from (each for each in found if not beyond_its_own or each.way is Way.BORROW)


def _across(tree: Tree, taker: str, victim: str, rules: Preemption, *, fair: bool) -> Iterator[Taking]:
    mine, theirs = tree.above(taker), tree.above(victim)
    common = next((name for name in mine if name in theirs), None)
    if common is None:
        return
    over = theirs[: theirs.index(common)]
    if fair:
        yield Taking(taker, victim, Way.FAIR, rules.reclaim, over)
        return
    yield Taking(taker, victim, Way.RECLAIM, rules.reclaim, over)
    for name in mine[: mine.index(common)]:
        yield Taking(taker, victim, Way.COHORT, rules.reclaim, over, name)
    if rules.borrow != "Never":
        yield Taking(taker, victim, Way.BORROW, "LowerPriority", over, None, rules.threshold)


def allows_priority(taking: Taking, mine: int, theirs: int, *, newer: bool) -> bool:
    """Tell whether a job of one priority may evict one of another; `newer` says that the other one may have come later."""
    if taking.threshold is not None and theirs > taking.threshold:
        return False
    match taking.policy:
        case "Any":
            return True
        case "LowerPriority":
            return theirs < mine
        case _:
            return theirs < mine or (theirs == mine and newer)


def may_hold(taking: Taking, tree: Tree, low: Mapping[str, float], high: Mapping[str, float], size: float) -> bool:
    """Tell whether a right's condition may hold while each queue uses between `low` and `high`, for a job of some size."""
    if taking.way is Way.WITHIN:
        return high.get(taking.victim, 0.0) > 0
    most, least = tree.used(high), tree.used(low)
    crowded = [(taking.victim, True), *((name, False) for name in taking.over)]
    if any(most[node] <= tree.quota[node] for node in crowded):
        return False
    if taking.way in (Way.BORROW, Way.FAIR):
        return True
    mine = (taking.taker, True)
    if taking.within is None:
        return least[mine] + size <= tree.quota[mine]
    # What the nodes below have free is taken there, and only the rest is asked of the cohort.
    rest = size
    for node in (mine, *((name, False) for name in tree.above(taking.taker))):
        if node == (taking.within, False):
            return least[node] + rest <= tree.quota[node]
        rest -= max(0.0, tree.kept(node) - least[node])
    return False
