"""Exception over and still real."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW717", name="exception-over-and-still-real", severity=Severity.MEDIUM, asks=Differences("scheduling.exceptions"))
def exception_over_and_still_real(difference: Difference) -> str:
    """A dated exception is over and still real.

    Why it matters: an exception that stays is the rule.

    Fix: take it back, or grant it anew with a date.

    Blind spots: exceptions in words that name no setting are judged by their date only.
    """
    return difference.text
