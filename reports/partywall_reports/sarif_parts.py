"""Small parts that every piece of a SARIF log uses."""

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from partywall.api import Report, Severity

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

LEVELS = {Severity.CRITICAL: "error", Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note", Severity.INFO: "note"}
# A string over 0.0: over 9.0 is critical, from 7.0 high, from 4.0 medium (GitHub, "SARIF support for code scanning"). Info has none.
SECURITY = {Severity.CRITICAL: "9.5", Severity.HIGH: "8.0", Severity.MEDIUM: "5.5", Severity.LOW: "2.0"}
RANKS = {Severity.CRITICAL: 95.0, Severity.HIGH: 80.0, Severity.MEDIUM: 55.0, Severity.LOW: 20.0, Severity.INFO: 5.0}


def without_nothing(fields: Mapping[str, Json]) -> dict[str, Json]:
    """Return the fields that hold something: SARIF knows absence, and no null."""
    return {name: value for name, value in fields.items() if value is not None}


def level_of(report: Report) -> dict[str, Json]:
    """Return how many findings there are of each severity."""
    counts = Counter(finding.severity for finding in report.findings)
    return {severity.word: counts[severity] for severity in sorted(counts, reverse=True)}
