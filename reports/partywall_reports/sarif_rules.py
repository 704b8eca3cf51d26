"""The rules of a SARIF log: every rule that ran, with its page."""

import re

from partywall.api import Report, RuleRow, Severity, Verdict
from partywall_reports.escape import markdown, shown
from partywall_reports.sarif_parts import LEVELS, SECURITY, Json
from partywall_reports.words import rule_lane

GAPS_RULE = "PW-OPEN"


def descriptors(report: Report) -> list[dict[str, Json]]:
    """Return the rules in the report's order, each once, those that only findings know included, and the rule of open questions."""
    known = {row.id: row for row in report.rules}
    for finding in report.findings:
        known.setdefault(finding.rule, _stranger(finding.rule, finding.name, finding.severity))
    worst = {row.id: row.severity for row in known.values()}
    for finding in report.findings:
        worst[finding.rule] = max(worst[finding.rule], finding.severity)
    return [*(_descriptor(row, worst[row.id]) for row in known.values()), _open_question()]


def _stranger(rule_id: str, name: str, severity: Severity) -> RuleRow:
    return RuleRow(rule_id, name, 1, Verdict.BREACH, 0, 0, 0, severity, name, "not stated", "see the finding", "none known")


def _descriptor(row: RuleRow, worst: Severity) -> dict[str, Json]:
    lane = rule_lane(row.id)
    tags = ["security", "multi-tenancy", *([lane] if lane else [])]
    properties: dict[str, Json] = {"tags": list(tags), "precision": "high", "problem.severity": LEVELS[worst], "version": row.version}
    if worst in SECURITY:
        properties["security-severity"] = SECURITY[worst]
    return {
        "id": row.id,
        **_name(row),
        "shortDescription": {"text": _sentence(row.title or row.name)},
        "fullDescription": {"text": _sentence(f"{_sentence(row.title or row.name)} {row.why}")},
        "help": {
            "text": f"{row.title}\n\nWhy it matters: {row.why}\n\nFix: {row.fix}\n\nBlind spots: {row.blind_spots}",
            "markdown": f"{markdown(row.title)}\n\n**Why it matters:** {markdown(row.why)}\n\n**Fix:** {markdown(row.fix)}\n\n"
            f"**Blind spots:** {markdown(row.blind_spots)}",
        },
        "defaultConfiguration": {"level": LEVELS[worst]},
        "properties": properties,
    }


def _name(row: RuleRow) -> dict[str, Json]:
    """Return the rule's name as one identifier; a name that is the id again must not be there (SARIF 2.1.0, section 3.49.7)."""
    name = "".join(word[:1].upper() + word[1:] for word in re.findall("[0-9A-Za-z]+", row.name))[:255]
    return {"name": name} if name and name.casefold() != row.id.casefold() else {}


def _open_question() -> dict[str, Json]:
    text = "Something was not read or could not be evaluated, so some answers are unknown."
    why = "Silence there means that nobody looked, not that nothing is there. The message says what would answer the question."
    return {
        **plain_descriptor(GAPS_RULE, "OpenQuestion", text, why),
        "defaultConfiguration": {"level": "note"},
        "properties": {"tags": ["coverage"], "precision": "very-high"},
    }


def plain_descriptor(name_id: str, name: str, text: str, why: str) -> dict[str, Json]:
    """Return a descriptor of the tool's own, with every text that GitHub asks for, of notifications too."""
    whole = f"{text} {why}"
    return {
        "id": name_id,
        "name": name,
        "shortDescription": {"text": text},
        "fullDescription": {"text": whole},
        "help": {"text": whole, "markdown": whole},
    }


def _sentence(text: str) -> str:
    whole = shown(text.strip(), 1000)
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."
