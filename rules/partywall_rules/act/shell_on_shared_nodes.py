"""Shell on shared nodes."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW105", name="shell-on-shared-nodes", severity=Severity.CRITICAL, asks=Crossings("open session on", "send command to"))
def shell_on_shared_nodes(crossing: Crossing) -> str:
    """A member of one tenant can run commands on nodes that several tenants share.

    Why it matters: a shell on a node reaches every tenant's processes, mounts and credentials
    there; namespaces, quotas and network policies stand above it.

    Fix: take `ssm:StartSession` and `ssm:SendCommand` from tenant roles; keep one break-glass
    role for the platform, or use Run As with a user of its own for each person on Slurm.

    Blind spots: what the session's user may do on the node (sudo, file modes) is not read; a
    session counts as control of the node.
    """
    return f"{crossing.source} can run commands on {crossing.target}{crossing.if_condition}"
