"""Top priority for anyone."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW504", name="top-priority-for-anyone", severity=Severity.MEDIUM, asks=Crossings("outranks the jobs of"))
def top_priority_for_anyone(crossing: Crossing) -> str:
    """One tenant can evict another tenant's jobs by naming a higher class of priority.

    Why it matters: classes of priority are the cluster's and any job may name any of them, so
    where a queue is shared, or evicts in order to borrow, whoever names the top class wins.

    Fix: give each tenant a queue of its own, set withinClusterQueue or borrowWithinCohort to
    Never, or say in an admission policy which namespace may name which class.

    Blind spots: PriorityClasses in the pods themselves are not compared; a door into a queue
    that belongs to another tenant is judged by foreign-capacity-consumed alone; admission
    policies that speak of the label count as unknown.
    """
    return f"{crossing.source} can evict the jobs of {crossing.target} {crossing.note}{crossing.if_condition}"
