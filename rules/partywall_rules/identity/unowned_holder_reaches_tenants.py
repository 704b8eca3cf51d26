"""Unowned holder reaches tenants."""

from partywall.api import Crossing, Severity, Stranger, Strangers, rule


@rule(id="PW610", name="unowned-holder-reaches-tenants", severity=Severity.HIGH, asks=Strangers(Stranger.NOBODY))
def unowned_holder_reaches_tenants(crossing: Crossing) -> str:
    """Something that nobody owns reaches tenants' things.

    Why it matters: an old role or group that nobody answers for is nobody's to watch either.

    Fix: say whose it is in tenants.yaml (a tenant's or the platform's), or remove the grant.

    Blind spots: who uses it is not known; that is the question.
    """
    return f"{crossing.source}, which nobody owns, reaches {crossing.target} ({crossing.verb}){crossing.if_condition}: whose is it?"
