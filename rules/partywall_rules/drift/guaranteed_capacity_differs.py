"""Guaranteed capacity differs."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW706", name="guaranteed-capacity-differs", severity=Severity.MEDIUM, asks=Differences("scheduling.guaranteed"))
def guaranteed_capacity_differs(difference: Difference) -> str:
    """The guaranteed capacity of a contract is not what its queue holds.

    Why it matters: less is a broken promise, more is somebody else's.

    Fix: set the quota as the contract says, or change the contract.

    Blind spots: capacity of nodes that are down is not subtracted.
    """
    return difference.text
