"""The demo estate's report, as the engine makes it."""

from datetime import date
from functools import cache
from pathlib import Path

from partywall.api import Report
from partywall.config import ScanSettings
from partywall.engine.scan import scan
from partywall.files import ReadSettings, read
from partywall.packs import rules

WORLDS = Path(__file__).resolve().parents[2] / "fixtures" / "worlds"


@cache
def report(world: str) -> Report:
    """Return the report of one of the worlds."""
    reading = read(WORLDS / world, ReadSettings(now="2026-11-30T00:00:00Z"))
    return scan(reading, rules(), ScanSettings(now=date(2026, 11, 30))).report
