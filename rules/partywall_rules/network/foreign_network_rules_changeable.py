"""Foreign network rules changeable."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW402", name="foreign-network-rules-changeable", severity=Severity.HIGH, asks=Crossings("change network rules of"))
def foreign_network_rules_changeable(crossing: Crossing) -> str:
    """A member of one tenant can change the network policies of another tenant.

    Why it matters: whoever deletes the default deny opens the namespace to everybody.

    Fix: take `networkpolicies` out of the role outside the caller's namespaces; put what must
    hold into a cluster-wide policy of the platform.

    Blind spots: admission that protects policies is not modelled.
    """
    return f"{crossing.source} can change the network rules of {crossing.target}{crossing.if_condition}"
