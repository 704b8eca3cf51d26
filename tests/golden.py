"""Golden reports of the demo estate and its mended twin: `make golden` (python tests/golden.py --write) makes them anew.

They are looked at in every change: what a report says differently must be meant.
"""

import argparse
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from partywall.config import ScanSettings
from partywall.engine.scan import scan
from partywall.files import ReadSettings, read
from partywall.packs import report_format, rules

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
WORLDS = ("harbor", "harbor-mended")
FORMATS = {"json": "json", "sarif": "sarif", "html": "html", "terminal": "txt"}
NOW = "2026-11-30T00:00:00Z"


def reports(world: str) -> Iterator[tuple[str, str]]:
    """Yield the file name and text of every report of a world."""
    reading = read(ROOT / "fixtures" / "worlds" / world, ReadSettings(now=NOW))
    report = scan(reading, rules(), ScanSettings(now=date(2026, 11, 30))).report
    for name, suffix in FORMATS.items():
        yield f"{world}.{suffix}", report_format(name).render(report)


def main() -> int:
    """Write the golden reports, or say which differ."""
    parser = argparse.ArgumentParser(description="Golden reports of the demo estate.")
    parser.add_argument("--write", action="store_true", help="write them instead of comparing")
    wanted = parser.parse_args()
    GOLDEN.mkdir(exist_ok=True)
    stale = []
    for name, text in (pair for world in WORLDS for pair in reports(world)):
        path, made = GOLDEN / name, text.encode("utf-8", "backslashreplace")
        if wanted.write:
            path.write_bytes(made)
        elif not path.is_file() or path.read_bytes() != made:
            stale.append(name)
    for name in stale:
        sys.stderr.write(f"tests/golden/{name} differs; look at the change and run make golden\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
