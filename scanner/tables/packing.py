"""Write tables as zip files of small entries: the same content gives the same bytes, and a reader inflates only the entry it asks for."""

import argparse
import zipfile
from collections.abc import Mapping
from pathlib import Path

TABLES = Path(__file__).resolve().parents[1] / "partywall/resolve/iam/tables"
EPOCH = (1980, 1, 1, 0, 0, 0)


def pack(path: Path, entries: Mapping[str, str]) -> None:
    """Write the entries, sorted by name."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in sorted(entries.items()):
            info = zipfile.ZipInfo(name, EPOCH)
            info.external_attr = 0o644 << 16
            archive.writestr(info, text, compress_type=zipfile.ZIP_DEFLATED, compresslevel=9)
    print(f"{path.name}: {path.stat().st_size:,} bytes, {len(entries)} entries")


def wants_to_write(what: str) -> bool:
    """Read the command line: nothing is written without --write."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--write", action="store_true", required=True, help="write the table into the package")
    return bool(parser.parse_args().write)
