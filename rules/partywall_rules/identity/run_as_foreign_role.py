"""Run as foreign role."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(
    id="PW601",
    name="run-as-foreign-role",
    severity=Severity.CRITICAL,
    asks=Crossings("runs as", "associates pod identity of", "passes", "swaps execution role to"),
)
def run_as_foreign_role(crossing: Crossing) -> str:
    """Workloads or people of one tenant can run as another tenant's role.

    Why it matters: whoever runs as a role has everything that the role has: data, keys and its
    own ways on.

    Fix: point the association or execution role at a role of the tenant's own; limit
    `iam:PassRole` by resource and `iam:PassedToService`.

    Blind spots: what a role may do in services that are not modelled is not followed.
    """
    return f"{crossing.source} can run as {crossing.target}{crossing.if_condition}"
