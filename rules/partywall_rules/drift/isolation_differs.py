"""Isolation differs."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW710", name="isolation-differs", severity=Severity.HIGH, asks=Differences("isolation"))
def isolation_differs(difference: Difference) -> str:
    """A tenant that was promised nodes or a cluster of its own shares them.

    Why it matters: on a shared node every control above it rests on the kernel.

    Fix: taint the instance group and let only the tenant's pods tolerate it, or change the
    contract.

    Blind spots: taints that admission adds are not modelled.
    """
    return difference.text
