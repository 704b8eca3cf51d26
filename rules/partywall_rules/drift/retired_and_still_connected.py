"""Retired and still connected."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW715", name="retired-and-still-connected", severity=Severity.HIGH, asks=Differences("status"))
def retired_and_still_connected(difference: Difference) -> str:
    """A retired contract's tenant is still connected.

    Why it matters: nobody owns, watches or pays for what a retired project left open.

    Fix: remove the access entry, association, queue or account that is shown.

    Blind spots: none known.
    """
    return difference.text
