"""Approval gives more than it says."""

from partywall.api import Crossing, Overreach, Severity, rule


@rule(id="PW614", name="approval-gives-more-than-it-says", severity=Severity.HIGH, asks=Overreach())
def approval_gives_more_than_it_says(crossing: Crossing) -> str:
    """An approval lets the guest do more than it says.

    Why it matters: the grantor signed for one lane, and what was opened leads on into others.

    Fix: grant the narrow right that the approval means, or approve lane identity: then the
    guest may be the host.

    Blind spots: none known.
    """
    more = f"{crossing.target} ({crossing.lane})"
    return f"the approval for {crossing.from_owner} also gives {more}, which it does not say{crossing.if_condition}"
