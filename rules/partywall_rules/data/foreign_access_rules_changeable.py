"""Foreign access rules changeable."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(
    id="PW305",
    name="foreign-access-rules-changeable",
    severity=Severity.CRITICAL,
    asks=Crossings("change policy of", "administer key", "change grants of"),
)
def foreign_access_rules_changeable(crossing: Crossing) -> str:
    """One tenant can change who has access to another tenant's data or keys.

    Why it matters: whoever writes the policy grants himself the rest, one call later.

    Fix: keep policy and grant administration with the platform, and deny it to tenant roles in
    a boundary.

    Blind spots: none known.
    """
    return f"{crossing.source} can change who has access to {crossing.target}{crossing.if_condition}"
