"""SARIF 2.1.0 for code scanning and its viewers: each finding at its cause, with its path as a code flow (OASIS, sarif-v2.1.0-os)."""

import json

from partywall.api import DocumentRow, OpenQuestion, Report, ReportFormat
from partywall_reports import words
from partywall_reports.escape import plain_message, relative_uri, shown
from partywall_reports.sarif_parts import Json, level_of, without_nothing
from partywall_reports.sarif_results import Places, finding_result, gap_result, physical
from partywall_reports.sarif_rules import GAPS_RULE, descriptors, plain_descriptor

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# GitHub shows no more than 5,000 results of a run and refuses files over 10 MB; the worst come first, so that the cut falls on the least.
MOST_RESULTS = 5000
NOTIFICATIONS = (
    (
        "not-read",
        "NotRead",
        "Something was not read or could not be evaluated.",
        "What depends on it is unknown, and the message says how to ask.",
    ),
    ("assumed", "TakenForGranted", "Something was taken for granted.", "Where that is wrong, the answer may be wrong too."),
)


def render(report: Report) -> str:
    """Return the report as a SARIF log with one run, in ASCII, with a newline at its end."""
    log: dict[str, Json] = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report)]}
    return json.dumps(log, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def _run(report: Report) -> dict[str, Json]:
    rules = descriptors(report)
    numbers = {str(rule["id"]): number for number, rule in enumerate(rules)}
    places = Places({row.name: number for number, row in enumerate(report.documents)})
    results = [finding_result(finding, numbers, places) for finding in report.findings]
    results += [gap_result(gap, numbers[GAPS_RULE], places) for gap in report.gaps if places.of_gap(gap) is not None]
    return {
        "tool": {"driver": _driver(report, rules)},
        "automationDetails": {"id": f"partywall/{relative_uri(shown(report.estate, 100) or 'estate')}/"},
        "originalUriBaseIds": {"INPUT": {"description": {"text": "The folder or file that was scanned; where it lay does not matter."}}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report, numbers, places)],
        "artifacts": [_artifact(row) for row in report.documents],
        "results": list(results[:MOST_RESULTS]),
        "properties": _properties(report, len(results)),
    }


def _driver(report: Report, rules: list[dict[str, Json]]) -> dict[str, Json]:
    return {
        "name": "partywall",
        "organization": "partywall",
        "version": report.tool_version,
        "semanticVersion": report.tool_version,
        "shortDescription": {"text": "Checks that nobody reaches through the wall between tenants of a shared SageMaker HyperPod estate."},
        "rules": list(rules),
        "notifications": [plain_descriptor(*words) for words in NOTIFICATIONS],
    }


def _invocation(report: Report, numbers: dict[str, int], places: Places) -> dict[str, Json]:
    # A gap is no failed run: GitHub refuses a file whose executionSuccessful is false, and with it the findings.
    return without_nothing(
        {
            "executionSuccessful": True,
            "exitCode": report.exit_code,
            "exitCodeDescription": f"verdict {report.verdict.value}",
            "startTimeUtc": report.started,
            "endTimeUtc": report.finished,
            "toolExecutionNotifications": [
                *(_notification(gap, numbers, places) for gap in report.gaps),
                *(_assumption(text) for text in report.assumptions),
            ],
        }
    )


def _notification(gap: OpenQuestion, numbers: dict[str, int], places: Places) -> dict[str, Json]:
    place = places.of_gap(gap)
    what = gap.what or "Something was not read"
    text = f"{what}. {gap.remedy}" if gap.remedy else what
    first = next((rule for rule in gap.rules if rule in numbers), None)
    return without_nothing(
        {
            "descriptor": {"id": "not-read", "index": 0},
            "associatedRule": None if first is None else {"id": first, "index": numbers[first]},
            "level": "warning" if words.is_open(gap) else "note",
            "message": {"text": plain_message(text)},
            "locations": None if place is None else [{"physicalLocation": physical(place, places)}],
            "properties": {"source": shown(gap.source), "reason": gap.reason, "direction": gap.direction, "rules": list(gap.rules)},
        }
    )


def _assumption(text: str) -> dict[str, Json]:
    return {"descriptor": {"id": "assumed", "index": 1}, "level": "note", "message": {"text": plain_message(text)}}


def _artifact(row: DocumentRow) -> dict[str, Json]:
    return {
        "location": {"uri": relative_uri(row.name), "uriBaseId": "INPUT"},
        "hashes": {"sha-256": row.sha256},
        "properties": without_nothing(
            {"kind": row.kind, "how": row.how, "at": row.at, "by": row.by and shown(row.by), "request": row.request and shown(row.request)}
        ),
    }


def _properties(report: Report, results: int) -> dict[str, Json]:
    return without_nothing(
        {
            "verdict": report.verdict.value,
            "summary": shown(report.summary, 1000),
            "estate": shown(report.estate),
            "covers": list(report.covers),
            "complete": report.complete,
            "asOf": report.as_of,
            "snapshot": report.snapshot,
            "parameters": {name: shown(value) for name, value in report.parameters.items()},
            "levels": level_of(report),
            "resultsLeftOut": results - MOST_RESULTS if results > MOST_RESULTS else None,
        }
    )


REPORT = ReportFormat("sarif", ".sarif", render)
