"""Foreign queue used."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW504", name="foreign-queue-used", severity=Severity.MEDIUM, asks=Crossings("submit to", "borrow from"))
def foreign_queue_used(crossing: Crossing) -> str:
    """One tenant submits to, or borrows from, another tenant's queue, and no contract allows it.

    Why it matters: lending is consent; what was not lent is taken.

    Fix: limit the queue to its owner's namespace or account, or write an approval into the
    contract.

    Blind spots: none known.
    """
    return f"{crossing.source} can {crossing.verb} {crossing.target}{crossing.if_condition}"
