"""Access role differs."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW701", name="access-role-differs", severity=Severity.HIGH, asks=Differences("roles.access"))
def access_role_differs(difference: Difference) -> str:
    """A contract's access role and the cluster's access entries differ.

    Why it matters: an entry that no contract names is a door without a signature, and a
    contract without an entry is a team without a door.

    Fix: make the entry name the contract's role, or change the contract; a re-created
    permission set has a new role, and its old entry works for nobody.

    Blind spots: groups and policies of the entry are judged by the crossings.
    """
    return difference.text
