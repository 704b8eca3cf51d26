"""Foreign data readable."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW301", name="foreign-data-readable", severity=Severity.HIGH, asks=Crossings("read"))
def foreign_data_readable(crossing: Crossing) -> str:
    """One tenant can read another tenant's data.

    Why it matters: datasets, checkpoints and models are what the wall is for.

    Fix: remove the statement that grants it, or deny everybody but the owner's roles in the
    resource's own policy.

    Blind spots: access points, access grants and replication that were not given are not seen.
    """
    return f"{crossing.source} can read {crossing.target}{crossing.if_condition}"
