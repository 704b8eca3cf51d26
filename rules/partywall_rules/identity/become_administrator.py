"""Become administrator."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(
    id="PW604",
    name="become-administrator",
    severity=Severity.CRITICAL,
    asks=Crossings("creates access entry for", "becomes administrator of", "rewrites roles of"),
)
def become_administrator(crossing: Crossing) -> str:
    """A member of a tenant can make himself administrator of what several tenants share.

    Why it matters: an administrator stands above every wall of the cluster.

    Fix: keep access entries, access policies, cluster roles and bindings with the platform;
    bound them by `eks:accessScope` and `eks:namespaces` where a pipeline needs them.

    Blind spots: admission policies that refuse such objects are not modelled.
    """
    return f"{crossing.source} can become administrator of {crossing.target}{crossing.if_condition}"
