"""Foreign work preempted."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW502", name="foreign-work-preempted", severity=Severity.HIGH, asks=Crossings("preempt"))
def foreign_work_preempted(crossing: Crossing) -> str:
    """One tenant can preempt another tenant's running work against the contract.

    Why it matters: a preempted job loses what it did since its last checkpoint.

    Fix: set preemption and reclaim as the contract says, or change the contract.

    Blind spots: priorities that users choose for single jobs are not simulated.
    """
    return f"{crossing.source} can preempt the work of {crossing.target}{crossing.if_condition}"
