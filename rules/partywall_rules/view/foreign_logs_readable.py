"""Foreign logs readable."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW203", name="foreign-logs-readable", severity=Severity.HIGH, asks=Crossings("read pod logs", "read logs"))
def foreign_logs_readable(crossing: Crossing) -> str:
    """A member of one tenant can read another tenant's logs.

    Why it matters: training logs hold losses, prompts, samples of data and now and then
    credentials.

    Fix: take `pods/log` out of the role outside the caller's namespaces; give each tenant log
    groups of its own.

    Blind spots: logs that a tenant ships elsewhere by itself are not seen.
    """
    return f"{crossing.source} can read the logs of {crossing.target}{crossing.if_condition}"
