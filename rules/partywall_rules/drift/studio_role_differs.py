"""Studio role differs."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW703", name="studio-role-differs", severity=Severity.HIGH, asks=Differences("roles.studio"))
def studio_role_differs(difference: Difference) -> str:
    """Studio profiles run as other roles than their contract says.

    Why it matters: a notebook's role decides what its person sees and does on the cluster.

    Fix: correct the profile's or domain's execution role, or the contract.

    Blind spots: spaces that were not given are not compared.
    """
    return difference.text
