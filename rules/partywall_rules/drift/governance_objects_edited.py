"""Governance objects edited."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW718", name="governance-objects-edited", severity=Severity.MEDIUM, asks=Differences("scheduling.generated"))
def governance_objects_edited(difference: Difference) -> str:
    """What HyperPod task governance made in the cluster no longer says what it was made from.

    Why it matters: the compute quota is what people approve and look at, and the ClusterQueue
    is what Kueue obeys. Whoever edits the second changes who gets what, and nobody is told.

    Fix: update the compute quota, so that the objects are made anew, and take the right to
    write ClusterQueues and priority classes away from whoever changed them.

    Blind spots: instance types whose GPUs are not known are not converted; whether fair sharing
    is on in the cluster is not compared with the cluster policy.
    """
    return difference.text
