"""Thing claimed twice."""

from partywall.api import Dispute, Disputes, Severity, rule


@rule(id="PW613", name="thing-claimed-twice", severity=Severity.HIGH, asks=Disputes())
def thing_claimed_twice(dispute: Dispute) -> str:
    """Two tenants claim the same thing.

    Why it matters: until it is settled, each of them passes through it into the other.

    Fix: keep one of the claims, or name the thing under `shared` for both.

    Blind spots: none known.
    """
    return f"{dispute.thing} is claimed by {' and '.join(dispute.claimants)}"
