"""Change the shared cluster."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW106", name="change-the-shared-cluster", severity=Severity.CRITICAL, asks=Crossings("update cluster"))
def change_the_shared_cluster(crossing: Crossing) -> str:
    """A member of one tenant can change the HyperPod cluster that several tenants share.

    Why it matters: an updated cluster runs new lifecycle scripts as root and can give its nodes
    another role.

    Fix: take `sagemaker:CreateCluster`, `UpdateCluster` and `UpdateClusterSoftware` from tenant
    roles; AWS's sample policies for Slurm users hold them.

    Blind spots: service control policies that were not given can only make it harder, and are
    listed as assumptions.
    """
    return f"{crossing.source} can change {crossing.target}{crossing.if_condition}"
