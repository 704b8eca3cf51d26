"""Small situations with a known answer: scan a folder and hold its report against `expected.yaml`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import yaml

from partywall.config import ScanSettings
from partywall.engine.scan import Scan, scan
from partywall.files import ReadSettings, read
from partywall.model.report import Finding
from partywall.packs import rules

NOW = "2026-11-30T00:00:00Z"


@dataclass(frozen=True, slots=True)
class Expected:
    """What must come out: a verdict, a finding for every path and drift, none for `never`."""

    verdicts: frozenset[str]
    paths: tuple[Mapping[str, object], ...]
    never: tuple[Mapping[str, object], ...]
    drift: tuple[Mapping[str, str], ...]


def scanned(folder: Path) -> Scan:
    """Scan a folder with the built-in rules, on a fixed day."""
    return scan(read(folder, ReadSettings(now=NOW)), rules(), ScanSettings(now=date(2026, 11, 30)))


def expected(folder: Path) -> Expected:
    """Read a situation's answer."""
    said = yaml.safe_load((folder / "expected.yaml").read_text(encoding="utf-8"))
    drift = said.get("drift", [])
    also = said.get("also", [])
    return Expected(
        frozenset([said["verdict"], *([also] if isinstance(also, str) else also)]),
        tuple(said.get("paths", ())),
        tuple(said.get("never", ())),
        tuple([drift] if isinstance(drift, Mapping) else drift),
    )


def complaints(folder: Path) -> Iterator[str]:
    """Yield what a scan of a situation gets wrong."""
    wanted, report = expected(folder), scanned(folder).report
    if report.verdict.value not in wanted.verdicts:
        yield f"verdict {report.verdict.value}, expected {' or '.join(sorted(wanted.verdicts))}"
    for path in wanted.paths:
        if not list(_matching(report.findings, path)):
            yield f"nothing found for {dict(path)}"
    for path in wanted.never:
        yield from (f"must not be found: {dict(path)}: {finding.rule} {finding.message}" for finding in _matching(report.findings, path))
    for drift in wanted.drift:
        found = [f for f in report.findings if f.drift and f.drift.field == drift["field"] and f.source.tenant == drift["tenant"]]
        if not found:
            yield f"no drift found for {dict(drift)}"


def _matching(findings: Iterable[Finding], path: Mapping[str, object]) -> Iterator[Finding]:
    targets, lanes = _words(path.get("to")), _words(path.get("lane"))
    for finding in findings:
        if lanes and finding.lane not in lanes:
            continue
        if any(pair.source == path["from"] and (not targets or pair.target in targets) for pair in finding.pairs):
            yield finding


def _words(value: object) -> frozenset[str]:
    return frozenset([value] if isinstance(value, str) else value if isinstance(value, list) else ())


def folders(root: Path) -> list[Path]:
    """Return the situations below a folder."""
    return sorted(path.parent for path in root.glob("*/expected.yaml"))
