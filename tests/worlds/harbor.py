"""The demo estate, and the committed table of what must come out of it, with all its files and with each of them missing."""

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path

import yaml

from partywall.config import ScanSettings
from partywall.engine.scan import scan
from partywall.files import ReadSettings, read
from partywall.model.report import Finding, Report
from partywall.packs import rules

WORLDS = Path(__file__).resolve().parents[2] / "fixtures" / "worlds"
HARBOR = WORLDS / "harbor"
MENDED = WORLDS / "harbor-mended"
TABLE = WORLDS / "harbor.files.yaml"
NOW = "2026-11-30T00:00:00Z"

Pairs = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Intended:
    """A finding that the estate was built for, by its short name."""

    name: str
    kind: str
    rule: str
    lane: str
    pairs: Pairs
    file: str
    contract: str = ""
    field: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """What must happen when one file is not there."""

    name: str
    kind: str
    becomes: str
    lost: frozenset[str]
    gained: tuple[str, ...] = field(default=())


def looked_at(folder: Path, *, prove: int = 0) -> Report:
    """Scan a folder on the estate's own day, without proofs unless they are asked for."""
    return scan(read(folder, ReadSettings(now=NOW)), rules(), ScanSettings(now=date(2026, 11, 30), prove=prove)).report


@cache
def harbor() -> Report:
    """Return the report of harbor as it is."""
    return looked_at(HARBOR)


def intended() -> tuple[Intended, ...]:
    """Read the table's findings."""
    return tuple(_intended(name, row) for name, row in _table()["findings"].items())


def missing() -> tuple[Missing, ...]:
    """Read the table's files."""
    return tuple(
        Missing(name, str(row["class"]), str(row["becomes"]), frozenset(_words(row["lost"])), tuple(_words(row.get("gained"))))
        for name, row in _table()["files"].items()
    )


def _table() -> Mapping[str, Mapping[str, Mapping[str, object]]]:
    loaded: Mapping[str, Mapping[str, Mapping[str, object]]] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    return loaded


def _intended(name: str, row: Mapping[str, object]) -> Intended:
    return Intended(
        name=name,
        kind=str(row["kind"]),
        rule=str(row.get("rule", "")),
        lane=str(row["lane"]),
        pairs=_pairs(row),
        file=str(row["file"]),
        contract=str(row.get("contract", "")),
        field=str(row.get("field", "")),
        subject=str(row.get("subject", "")),
    )


def _pairs(row: Mapping[str, object]) -> Pairs:
    """Return the pairs as written, else everybody in `from` with everybody in `to`."""
    written = row.get("pairs")
    if isinstance(written, list):
        return frozenset((str(a), str(b)) for a, b in written)
    return frozenset((a, b) for a in _words(row.get("from")) for b in _words(row.get("to")))


def _words(value: object) -> Sequence[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def is_it(finding: Finding, wanted: Intended) -> bool:
    """Tell whether a finding is the intended one: by rule, lane, cause and, for a difference, contract and field."""
    if (finding.rule, finding.lane, finding.cause.document) != (wanted.rule, wanted.lane, wanted.file):
        return False
    if finding.drift is not None:
        same = (finding.source.tenant, finding.drift.field) == (wanted.contract, wanted.field)
        return same and finding.target.node.startswith(wanted.subject)
    return frozenset((pair.source, pair.target) for pair in finding.pairs) == wanted.pairs


def name_of(finding: Finding) -> str:
    """Return the short name of one of harbor's own findings."""
    names = [wanted.name for wanted in intended() if is_it(finding, wanted)]
    return names[0] if names else f"{finding.rule}: {finding.message}"


def files_of(folder: Path) -> list[str]:
    """Return the files below a folder, relative to it."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def without(name: str, into: Path) -> Path:
    """Make harbor again without one file; the others are links where the disk allows it."""
    for each in files_of(HARBOR):
        if each != name:
            target = into / each
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(HARBOR / each, target)
            except OSError:
                shutil.copyfile(HARBOR / each, target)
    return into
