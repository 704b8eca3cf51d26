"""Review overdue."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW713", name="review-overdue", severity=Severity.MEDIUM, asks=Differences("lifecycle.last_review", "lifecycle.review_days"))
def review_overdue(difference: Difference) -> str:
    """A contract's review is overdue.

    Why it matters: an approval that nobody looks at again outlives its reason.

    Fix: review the connection and write the day into the contract.

    Blind spots: reviews that events demand need two snapshots and are not judged here.
    """
    return difference.text
