"""Edit foreign policies."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW605", name="edit-foreign-policies", severity=Severity.CRITICAL, asks=Crossings("edits policies of", "edits trust of"))
def edit_foreign_policies(crossing: Crossing) -> str:
    """Somebody of one tenant can edit the policies or the trust of another tenant's role, user or group.

    Why it matters: an edited policy gives whatever its author likes, an edited trust lets him
    in.

    Fix: limit `iam:Put*`, `iam:Attach*`, `iam:CreatePolicyVersion` and
    `iam:UpdateAssumeRolePolicy` to the tenant's own path, under a boundary.

    Blind spots: a boundary that every new policy must carry is evaluated only where it is
    given.
    """
    return f"{crossing.source} can edit the rights of {crossing.target}{crossing.if_condition}"
