"""Sharing terms differ."""

from partywall.api import Difference, Differences, Severity, rule


@rule(
    id="PW707",
    name="sharing-terms-differ",
    severity=Severity.MEDIUM,
    asks=Differences("scheduling.borrow", "scheduling.lend", "scheduling.preempt", "scheduling.priority_classes"),
)
def sharing_terms_differ(difference: Difference) -> str:
    """Lending, borrowing, preemption or priorities differ from the contract.

    Why it matters: these terms decide whose work waits and whose is stopped.

    Fix: set the queue's limits as the contract says, or change the contract.

    Blind spots: fair share over time is not simulated.
    """
    return difference.text
