"""Approval without its owner."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW716", name="approval-without-its-owner", severity=Severity.HIGH, asks=Differences("approvals.by", "approvals.things"))
def approval_without_its_owner(difference: Difference) -> str:
    """An approval was not granted by the owner of the thing.

    Why it matters: whoever approves himself has no approval.

    Fix: let the thing's owner sign, or remove the approval.

    Blind spots: whether the named approver really signed is not checked.
    """
    return difference.text
