"""Break out to shared nodes."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW608", name="break-out-to-shared-nodes", severity=Severity.CRITICAL, asks=Crossings("breaks out to"))
def break_out_to_shared_nodes(crossing: Crossing) -> str:
    """Pods of a tenant can break out to nodes that several tenants share.

    Why it matters: a privileged pod is root on its node, and there it finds the tokens and
    mounts of every other pod.

    Fix: label tenants' namespaces `pod-security.kubernetes.io/enforce: restricted` or
    `baseline`, and keep the label out of the tenants' reach.

    Blind spots: admission engines other than Pod Security are counted as unknown; the kernel's
    own holes are not.
    """
    return f"pods of {crossing.source} can break out to {crossing.target}{crossing.if_condition}"
