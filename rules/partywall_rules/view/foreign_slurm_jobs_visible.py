"""Foreign slurm jobs visible."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW202", name="foreign-slurm-jobs-visible", severity=Severity.HIGH, asks=Crossings("list jobs", "list accounting"))
def foreign_slurm_jobs_visible(crossing: Crossing) -> str:
    """Slurm shows one tenant's jobs or accounting to another tenant.

    Why it matters: job names, comments, paths and submit lines of all users are open, and
    tokens passed on the command line with them.

    Fix: set `PrivateData=accounts,events,jobs,reservations,usage,users` in slurm.conf and in
    slurmdbd.conf: the first covers squeue and scontrol, the second sacct and sacctmgr.

    Blind spots: `sacctmgr show transactions`, `scontrol show config` and process lists on a
    node stay readable whatever PrivateData says.
    """
    return f"{crossing.source} shows everybody {crossing.target}{crossing.if_condition}"
