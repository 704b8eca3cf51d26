"""Connections across the wall."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW401", name="connections-across-the-wall", severity=Severity.HIGH, asks=Crossings("connect to"))
def connections_across_the_wall(crossing: Crossing) -> str:
    """Pods of one tenant can connect to pods of another tenant.

    Why it matters: inference endpoints, dashboards and training rendezvous ports ask for no
    password on the cluster's network.

    Fix: add a policy that isolates every pod of the namespace for ingress, then admit peers by
    `kubernetes.io/metadata.name`, which only the server sets.

    Blind spots: EFA and other interfaces beside eth0 bypass NetworkPolicies; security groups
    are not read.
    """
    return f"{crossing.source} can connect to {crossing.target}{crossing.if_condition}"
