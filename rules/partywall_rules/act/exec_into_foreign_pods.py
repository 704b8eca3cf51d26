"""Exec into foreign pods."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW101", name="exec-into-foreign-pods", severity=Severity.CRITICAL, asks=Crossings("create pods/exec"))
def exec_into_foreign_pods(crossing: Crossing) -> str:
    """A member of one tenant can open a shell in another tenant's pods.

    Why it matters: a shell carries the pod's service account, its mounted datasets and its GPU
    memory, so the namespace is no longer a wall.

    Fix: take `pods/exec`, `pods/attach` and `pods/ephemeralcontainers` out of the role, or bind
    it with a RoleBinding inside the caller's own namespace.

    Blind spots: admission webhooks that veto `exec` are not modelled.
    """
    return f"{crossing.source} can open a shell in {crossing.target}{crossing.if_condition}"
