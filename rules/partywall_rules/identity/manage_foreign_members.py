"""Manage foreign members."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW609", name="manage-foreign-members", severity=Severity.HIGH, asks=Crossings("manages members of"))
def manage_foreign_members(crossing: Crossing) -> str:
    """Somebody of one tenant can add members to another tenant's group, project or account.

    Why it matters: whoever fills the group decides who is the tenant.

    Fix: keep membership with the identity provider and the group's owner.

    Blind spots: membership kept outside of AWS is not seen.
    """
    return f"{crossing.source} can add members to {crossing.target}{crossing.if_condition}"
