"""Quotas and priorities changeable."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(
    id="PW503", name="quotas-and-priorities-changeable", severity=Severity.HIGH, asks=Crossings("change quota of", "change priorities of")
)
def quotas_and_priorities_changeable(crossing: Crossing) -> str:
    """A member of one tenant can change quotas or priorities that bind others.

    Why it matters: whoever writes the quota has the capacity of all.

    Fix: keep ClusterQueues, cohorts, flavors, priority classes and compute quotas with the
    platform.

    Blind spots: none known.
    """
    return f"{crossing.source} can change the quota or priorities of {crossing.target}{crossing.if_condition}"
