"""Outsider reaches tenants."""

from partywall.api import Crossing, Severity, Stranger, Strangers, rule


@rule(id="PW611", name="outsider-reaches-tenants", severity=Severity.CRITICAL, asks=Strangers(Stranger.OUTSIDE))
def outsider_reaches_tenants(crossing: Crossing) -> str:
    """Somebody outside the estate reaches a tenant's or the platform's things.

    Why it matters: a foreign account or the public is beyond every other control that is
    checked here.

    Fix: name the exact accounts and principals, and block public access on accounts and
    buckets.

    Blind spots: whether anybody outside really calls is not known.
    """
    return f"{crossing.source}, outside the estate, reaches {crossing.target} ({crossing.verb}){crossing.if_condition}"
