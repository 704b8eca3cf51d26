"""Conditions that ask for a time gone by.

IAM user guide, "AWS global condition context keys": `aws:CurrentTime`, `aws:EpochTime` and `aws:TokenIssueTime` (of a session's own
credentials) are times of the request or shortly before it. No request of today was made before this release's catalogue was.
"""

from datetime import UTC, datetime

from partywall.model.atom import Atom
from partywall.model.residual import FALSE, Residual, decided
from partywall.resolve.iam.catalogue import catalogue

_KEYS = frozenset({"aws:currenttime", "aws:epochtime", "aws:tokenissuetime"})
_ALWAYS_SET = frozenset({"aws:currenttime", "aws:epochtime"})
_EARLIER = frozenset({"datelessthan", "datelessthanequals", "dateequals", "numericlessthan", "numericlessthanequals", "numericequals"})
_LATER = frozenset({"dategreaterthan", "dategreaterthanequals", "numericgreaterthan", "numericgreaterthanequals"})


def is_over(residual: Residual) -> bool:
    """Tell whether a formula can never hold again, because of what it says of times."""
    return decided(residual, _of_time) is FALSE


def _of_time(atom: Atom) -> bool | None:
    """Tell whether an atom about a time that is past holds; None for all others."""
    key, operator = atom.key.lower(), atom.operator.lower()
    if key in _ALWAYS_SET:
        operator = operator.removesuffix("ifexists")
    if key not in _KEYS or not all(map(_is_past, atom.values)):
        return None
    if operator in _EARLIER:
        return False
    return True if operator in _LATER and key in _ALWAYS_SET else None


def _is_past(value: str) -> bool:
    """Tell whether a time lies before this release; one that cannot be read does not."""
    released = datetime.fromisoformat(f"{catalogue().date}T00:00:00+00:00")
    try:
        time = datetime.fromtimestamp(int(value), UTC) if value.isdigit() and len(value) > 4 else datetime.fromisoformat(value)
    except (ValueError, OverflowError, OSError):
        return False
    return (time if time.tzinfo else time.replace(tzinfo=UTC)) < released
