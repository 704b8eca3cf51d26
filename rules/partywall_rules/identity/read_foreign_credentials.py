"""Read foreign credentials."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(
    id="PW606",
    name="read-foreign-credentials",
    severity=Severity.CRITICAL,
    asks=Crossings("reads credential of", "logs in as", "takes the profile of"),
)
def read_foreign_credentials(crossing: Crossing) -> str:
    """Somebody of one tenant gets the credentials, the login or the Studio profile of another tenant.

    Why it matters: with a credential the other side is that person or machine, and no log tells
    the difference.

    Fix: give every person a user and a profile of their own, limit `CreatePresignedDomainUrl`
    to the caller's profile, and keep tokens out of reach.

    Blind spots: credentials that lie in files, images or histories are not searched for.
    """
    return f"{crossing.source} can log in as {crossing.target}{crossing.if_condition}"
