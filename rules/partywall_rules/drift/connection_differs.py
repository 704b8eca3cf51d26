"""Connection differs."""

from partywall.api import Difference, Differences, Severity, rule


@rule(
    id="PW704",
    name="connection-differs",
    severity=Severity.HIGH,
    asks=Differences("cluster", "cluster.account", "cluster.region", "cluster.orchestrator", "project", "project.id", "roles.project"),
)
def connection_differs(difference: Difference) -> str:
    """A connection between a project and a cluster differs from its contract.

    Why it matters: account, Region, orchestrator and project are what was approved; anything
    else was not.

    Fix: revoke the connection or approve it as it is.

    Blind spots: connections that the reader may not see are gaps, not differences.
    """
    return difference.text
