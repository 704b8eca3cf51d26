"""Assume foreign role."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(
    id="PW602",
    name="assume-foreign-role",
    severity=Severity.CRITICAL,
    asks=Crossings("assumes", "signs in as", "is assigned", "joins", "is member of", "has service account"),
)
def assume_foreign_role(crossing: Crossing) -> str:
    """Somebody of one tenant can become another tenant's role, permission set or project.

    Why it matters: the role's trust is the wall; once inside, every grant of the role is the
    guest's.

    Fix: name the exact principals in the trust policy, pin service accounts and projects by
    condition, and assign permission sets to the tenant's own groups.

    Blind spots: session policies given at the call can only narrow, and are not known.
    """
    return f"{crossing.source} can become {crossing.target}{crossing.if_condition}"
