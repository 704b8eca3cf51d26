"""Enter as foreign identity."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(
    id="PW603",
    name="enter-as-foreign-identity",
    severity=Severity.CRITICAL,
    asks=Crossings("enters as", "impersonates", "requests tokens of"),
)
def enter_as_foreign_identity(crossing: Crossing) -> str:
    """Somebody of one tenant enters the cluster as another tenant's group, user or service account.

    Why it matters: inside the cluster a group is all that tells teams apart.

    Fix: give each access entry the groups of its own tenant; take `impersonate` and
    `serviceaccounts/token` out of tenant roles.

    Blind spots: groups that an external identity provider adds are known only from its
    configuration.
    """
    return f"{crossing.source} can act as {crossing.target}{crossing.if_condition}"
