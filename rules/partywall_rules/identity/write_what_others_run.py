"""Write what others run."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW607", name="write-what-others-run", severity=Severity.CRITICAL, asks=Crossings("writes scripts run by", "pushes images run by"))
def write_what_others_run(crossing: Crossing) -> str:
    """Somebody of one tenant writes the scripts or images that others run.

    Why it matters: what is written today runs tomorrow, as root on a node or as another
    tenant's pod.

    Fix: keep lifecycle scripts and shared images in buckets and repositories that only the
    platform writes.

    Blind spots: whether an image is really pulled again is known only where a running pod names
    it.
    """
    return f"{crossing.source} can write what {crossing.target} run{crossing.if_condition}"
