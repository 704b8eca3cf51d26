"""How bad, how sure, and what it means for the scan."""

from enum import IntEnum, StrEnum


class Severity(IntEnum):
    """How much a finding matters; ordered."""

    INFO = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4

    @property
    def word(self) -> str:
        """Return the severity's name in a report."""
        return self.name.lower()

    def lowered(self) -> "Severity":
        """Return one level below, `info` at the least."""
        return Severity(max(0, self - 1))


class Verdict(StrEnum):
    """What a finding, a rule or a scan comes to."""

    OK = "ok"
    UNKNOWN = "unknown"
    DRIFT = "drift"
    BREACH = "breach"


_ORDER = tuple(Verdict)


def worst(*verdicts: Verdict) -> Verdict:
    """Return the worst of breach > drift > unknown > ok; `ok` of nothing."""
    return max(verdicts, key=_ORDER.index, default=Verdict.OK)
