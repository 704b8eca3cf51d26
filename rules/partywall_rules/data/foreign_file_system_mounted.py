"""Foreign file system mounted."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW309", name="foreign-file-system-mounted", severity=Severity.HIGH, asks=Crossings("mount"))
def foreign_file_system_mounted(crossing: Crossing) -> str:
    """One tenant mounts a file system or directory of another tenant.

    Why it matters: a shared file system knows POSIX modes only; root in a pod, without root
    squash, reads and writes everything on it.

    Fix: give each tenant a volume or an access point of its own, squash root, and keep the root
    directory to the platform.

    Blind spots: file modes and ACLs on the file system are not read.
    """
    return f"{crossing.source} mounts {crossing.target}{crossing.if_condition}"
