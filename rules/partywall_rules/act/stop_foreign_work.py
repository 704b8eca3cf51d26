"""Stop foreign work."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW104", name="stop-foreign-work", severity=Severity.HIGH, asks=Crossings("delete workloads"))
def stop_foreign_work(crossing: Crossing) -> str:
    """A member of one tenant can stop another tenant's work.

    Why it matters: a deleted training job loses days of GPU time, and no quota protects against
    it.

    Fix: take the deleting verbs out of the role.

    Blind spots: finalizers and admission policies that hold deletion back are not modelled.
    """
    return f"{crossing.source} can stop the work of {crossing.target}{crossing.if_condition}"
