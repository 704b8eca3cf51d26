"""Workload role differs."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW702", name="workload-role-differs", severity=Severity.HIGH, asks=Differences("roles.workload"))
def workload_role_differs(difference: Difference) -> str:
    """A service account runs as another role than its contract says.

    Why it matters: the role of a workload is its data; another role is other data.

    Fix: correct the association or the contract.

    Blind spots: roles that only a trust policy with a wildcard gives are judged by the
    crossings.
    """
    return difference.text
