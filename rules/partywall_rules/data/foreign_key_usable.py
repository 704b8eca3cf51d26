"""Foreign key usable."""

from partywall.api import Crossing, Crossings, Severity, rule


@rule(id="PW304", name="foreign-key-usable", severity=Severity.HIGH, asks=Crossings("decrypt with"))
def foreign_key_usable(crossing: Crossing) -> str:
    """One tenant can decrypt with another tenant's key.

    Why it matters: the key is the last control where a bucket policy, a copy or a snapshot
    fails.

    Fix: take the foreign principal out of the key policy, or retire the grant; a root statement
    in the key policy hands the decision to every identity policy of the account.

    Blind spots: encryption contexts in conditions are shown and not evaluated.
    """
    return f"{crossing.source} can decrypt with {crossing.target}{crossing.if_condition}"
