"""Foreign data writable."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW302", name="foreign-data-writable", severity=Severity.CRITICAL, asks=Crossings("write", "delete data"))
def foreign_data_writable(crossing: Crossing) -> str:
    """One tenant can write or delete another tenant's data.

    Why it matters: a changed dataset or checkpoint poisons every model that is trained from it,
    and a deleted one is gone.

    Fix: remove the statement that grants it; keep writing to the owner's workload roles, and
    versions on the bucket.

    Blind spots: object lock and versioning, which soften the harm, are not weighed.
    """
    harm = "delete data of" if crossing.verb == "delete data" else "write to"
    return f"{crossing.source} can {harm} {crossing.target}{crossing.if_condition}"
