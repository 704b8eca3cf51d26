"""Foreign capacity consumed."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW501", name="foreign-capacity-consumed", severity=Severity.HIGH, asks=Crossings("consume capacity of"))
def foreign_capacity_consumed(crossing: Crossing) -> str:
    """One tenant can consume capacity that belongs to another tenant.

    Why it matters: GPUs are what the teams share; a way round the quota starves the team that
    paid for them.

    Fix: close the way that is shown: manage jobs without a queue name, select namespaces by
    name, enforce Slurm associations and limits.

    Blind spots: admission policies that demand a queue label are counted as unknown.
    """
    return f"{crossing.source} can consume {crossing.target}{crossing.if_condition}"
