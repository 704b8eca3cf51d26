"""Coordinate foreign accounts."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW107", name="coordinate-foreign-accounts", severity=Severity.HIGH, asks=Crossings("coordinates"))
def coordinate_foreign_accounts(crossing: Crossing) -> str:
    """A Slurm coordinator of one tenant has power over another tenant's account.

    Why it matters: a coordinator cancels and changes jobs, adds and removes members, and
    inherits power over every account below.

    Fix: take the user from the account's coordinators, or make the user coordinator of the
    tenant's own account only.

    Blind spots: what `DisableCoordDBD` takes from coordinators is not subtracted.
    """
    return f"{crossing.source} is coordinator of {crossing.target}"
