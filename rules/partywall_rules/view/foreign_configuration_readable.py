"""Foreign configuration readable."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW204", name="foreign-configuration-readable", severity=Severity.HIGH, asks=Crossings("read configmaps"))
def foreign_configuration_readable(crossing: Crossing) -> str:
    """A member of one tenant can read another tenant's configuration.

    Why it matters: ConfigMaps carry data paths, endpoints and, against all advice, passwords.

    Fix: take `configmaps` out of the role outside the caller's namespaces.

    Blind spots: the content of ConfigMaps is never read, so a harmless one counts too.
    """
    return f"{crossing.source} can read the configuration of {crossing.target}{crossing.if_condition}"
