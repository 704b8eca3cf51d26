"""The whole answer for programs: JSON report, version 1, described by schemas/report-v1.schema.json and docs/report-json.md."""

import json
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from partywall.api import (
    Accepted,
    AssessedRow,
    Cause,
    Cell,
    DocumentRow,
    Finding,
    Fix,
    Hop,
    OpenQuestion,
    Place,
    Report,
    ReportFormat,
    RuleRow,
    Way,
)
from partywall_reports.escape import unicode_text

SCHEMA = "partywall/report/v1"
# Long lists of small things: one line each, so that a difference between two reports is a line.
ROWS = frozenset({"tenants", "matrix", "assessed", "accepted", "above", "guessed", "documents", "rules"})

Json: TypeAlias = bool | int | str | list["Json"] | dict[str, "Json"] | None


def render(report: Report) -> str:
    """Return the report as JSON, in ASCII, with a newline at its end."""
    fields = (f" {json.dumps(name)}: {_written(name, _clean(value))}" for name, value in _report(report).items())
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _written(name: str, value: Json) -> str:
    if name in ROWS and isinstance(value, list) and value:
        return "[\n  " + ",\n  ".join(json.dumps(row) for row in value) + "\n ]"
    return json.dumps(value, indent=1).replace("\n", "\n ")


def _report(report: Report) -> dict[str, Json]:
    return {
        "schema": SCHEMA,
        "tool": {
            "name": "partywall",
            "version": report.tool_version,
            "tables": [{"name": table.name, "date": table.date} for table in report.tables],
        },
        "estate": report.estate,
        "started": report.started,
        "finished": report.finished,
        "as_of": report.as_of,
        "as_of_source": report.as_of_source,
        "parameters": dict(report.parameters),
        "verdict": report.verdict.value,
        "summary": report.summary,
        "covers": _texts(report.covers),
        "complete": report.complete,
        "gate_failed": report.gate_failed,
        "exit_code": report.exit_code,
        "snapshot": report.snapshot,
        "tenants": [{"name": tenant.name, "owns": _numbers(tenant.owns), "guessed": tenant.guessed} for tenant in report.tenants],
        "owners": _texts(report.owners),
        "matrix": [_cell(cell) for cell in report.matrix],
        "findings": [_finding(finding) for finding in report.findings],
        "gaps": [_gap(gap) for gap in report.gaps],
        "assumptions": _texts(report.assumptions),
        "assessed": [
            {"layer": row.layer, "kind": row.kind, "scope": row.scope, "state": row.state, "objects": row.objects}
            for row in report.assessed
        ],
        "population": _numbers(report.population),
        "accepted": [_accepted(row) for row in report.accepted],
        "above": [{"node": row.node, "owner": row.owner, "how": row.how} for row in report.above],
        "guessed": [{"node": guess.node, "owner": guess.owner, "why": guess.why} for guess in report.guessed],
        "documents": [_document(row) for row in report.documents],
        "rules": [_rule(row) for row in report.rules],
    }


def _finding(finding: Finding) -> dict[str, Json]:
    return {
        "id": finding.id,
        "rule": finding.rule,
        "name": finding.name,
        "lane": finding.lane,
        "severity": finding.severity.word,
        "certainty": finding.certainty,
        "verdict": finding.verdict.value,
        "message": finding.message,
        "pairs": [{"from": pair.source, "to": pair.target} for pair in finding.pairs],
        "from": {"tenant": finding.source.tenant, "node": finding.source.node},
        "to": {"tenant": finding.target.tenant, "node": finding.target.node},
        "path": _path(finding.path),
        "examples": [_path(example) for example in finding.examples],
        "cause": _cause(finding.cause),
        "alternatives": _texts(finding.alternatives),
        "consequences": {
            "count": finding.consequences.count,
            "lanes": _texts(finding.consequences.lanes),
            "owners": _texts(finding.consequences.owners),
            "examples": _texts(finding.consequences.examples),
        },
        "fix": _fix(finding.fix),
        "counts": {
            "pairs": finding.counts.pairs,
            "edges": finding.counts.edges,
            "sources": finding.counts.sources,
            "targets": finding.counts.targets,
        },
        "fingerprint": finding.fingerprint,
        **_drift(finding),
    }


def _drift(finding: Finding) -> dict[str, Json]:
    if finding.drift is None:
        return {}
    drift = finding.drift
    return {"contract": drift.contract, "field": drift.field, "approved": drift.approved, "real": drift.real}


def _path(path: Iterable[Hop]) -> list[Json]:
    return [_hop(hop) for hop in path]


def _hop(hop: Hop) -> dict[str, Json]:
    return {
        "source": hop.source,
        "source_owner": hop.source_owner,
        "verb": hop.verb,
        "target": hop.target,
        "target_owner": hop.target_owner,
        "certainty": hop.certainty,
        **_known(condition=hop.condition, note=hop.note or None),
        **_residual(hop),
        "cut": hop.cut,
        "evidence": [_place(place) for place in hop.evidence],
    }


def _residual(hop: Hop) -> dict[str, Json]:
    if hop.residual is None:
        return {}
    terms: list[Json] = [{"text": term.text, "control": term.control} for term in hop.terms]
    return {"residual": _plain(hop.residual), "terms": terms}


def _plain(value: object) -> Json:
    match value:
        case Mapping():
            return {str(name): _plain(item) for name, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case bool():
            return value
        case _:
            return str(value)


def _place(place: Place) -> dict[str, Json]:
    return {"document": place.document, "pointer": place.pointer, **_known(line=place.line)}


def _cause(cause: Cause) -> dict[str, Json]:
    return {"kind": cause.kind, "document": cause.document, "pointer": cause.pointer, **_known(line=cause.line), "text": cause.text}


def _fix(fix: Fix) -> dict[str, Json]:
    return {
        "text": fix.text,
        "proved": fix.proved,
        "evaluated": fix.evaluated,
        "closes": [_way(way) for way in fix.closes],
        "stays": [_way(way) for way in fix.stays],
        "approved": [_way(way) for way in fix.approved],
        "opens": [_way(way) for way in fix.opens],
    }


def _way(way: Way) -> dict[str, Json]:
    return {
        "from": way.source,
        "to": way.target,
        "lane": way.lane,
        "node": way.node,
        "path": _path(way.path),
        **_known(finding=way.finding),
    }


def _cell(cell: Cell) -> dict[str, Json]:
    return {
        "from": cell.source,
        "to": cell.target,
        "lane": cell.lane,
        "state": cell.state.value,
        "findings": _texts(cell.findings),
        **_known(by_way_of=cell.by_way_of or None),
    }


def _gap(gap: OpenQuestion) -> dict[str, Json]:
    return {
        "source": gap.source,
        "what": gap.what,
        "reason": gap.reason,
        "direction": gap.direction,
        "rules": _texts(gap.rules),
        "cells": _texts(gap.cells),
        "remedy": gap.remedy,
        "place": None if gap.place is None else _place(gap.place),
    }


def _assessed(row: AssessedRow) -> dict[str, Json]:
    return {"layer": row.layer, "kind": row.kind, "scope": row.scope, "state": row.state, "objects": row.objects}


def _accepted(row: Accepted) -> dict[str, Json]:
    return {
        "kind": row.kind,
        "grantor": row.grantor,
        "guest": row.guest,
        "lane": row.lane,
        "what": row.what,
        "until": row.until,
        "by": row.by,
        "place": _place(row.place),
    }


def _document(row: DocumentRow) -> dict[str, Json]:
    return {
        "name": row.name,
        "kind": row.kind,
        "sha256": row.sha256,
        "provenance": {"how": row.how, **_known(at=row.at, by=row.by, request=row.request)},
        "redacted": row.redacted,
    }


def _rule(row: RuleRow) -> dict[str, Json]:
    return {
        "id": row.id,
        "name": row.name,
        "version": row.version,
        "verdict": row.verdict.value,
        "asked": row.asked,
        "clear": row.clear,
        "unknown": row.unknown,
        "severity": row.severity.word,
        "title": row.title,
        "why": row.why,
        "fix": row.fix,
        "blind_spots": row.blind_spots,
    }


def _known(**fields: str | int | None) -> dict[str, Json]:
    return {name: value for name, value in fields.items() if value is not None}


def _texts(values: Iterable[str]) -> list[Json]:
    return list(values)


def _numbers(values: Mapping[str, int]) -> dict[str, Json]:
    return dict(values)


def _clean(value: Json) -> Json:
    match value:
        case str():
            return unicode_text(value)
        case list():
            return [_clean(item) for item in value]
        case dict():
            return {unicode_text(name): _clean(item) for name, item in value.items()}
        case _:
            return value


REPORT = ReportFormat("json", ".json", render)
