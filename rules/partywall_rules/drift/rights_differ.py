"""Rights differ."""

from partywall.api import Difference, Differences, Severity, rule


@rule(id="PW708", name="rights-differ", severity=Severity.HIGH, asks=Differences("rights"))
def rights_differ(difference: Difference) -> str:
    """A group can do more, or less, than its contract says.

    Why it matters: a viewers' group that can act is a breach of trust even inside its own team.

    Fix: narrow the group's role, or change the contract.

    Blind spots: what people do with rights of other groups they are in is judged there.
    """
    return difference.text
