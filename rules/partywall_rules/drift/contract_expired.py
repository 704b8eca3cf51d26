"""Contract expired."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW714", name="contract-expired", severity=Severity.HIGH, asks=Differences("lifecycle.expires"))
def contract_expired(difference: Difference) -> str:
    """A contract has expired and its connection is still in use.

    Why it matters: what has expired is no longer approved.

    Fix: renew the contract or close the connection.

    Blind spots: none known.
    """
    return difference.text
