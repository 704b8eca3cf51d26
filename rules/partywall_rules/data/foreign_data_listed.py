"""Foreign data listed."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW303", name="foreign-data-listed", severity=Severity.MEDIUM, asks=Crossings("list contents"))
def foreign_data_listed(crossing: Crossing) -> str:
    """One tenant can list the contents of another tenant's storage.

    Why it matters: keys and paths name customers, projects and dates, and are the map for
    whatever comes next.

    Fix: limit `s3:ListBucket` to the caller's own buckets, or by `s3:prefix` to its own
    prefixes.

    Blind spots: none known.
    """
    return f"{crossing.source} can list what lies in {crossing.target}{crossing.if_condition}"
