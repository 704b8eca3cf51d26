"""Write what was read as a snapshot: a folder that appears complete or not at all, and is never changed afterwards."""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import partywall
from partywall.errors import OutputError
from partywall.snapshot.form import MANIFEST, SCHEMA, Plain, canonical, file_name_of, plain_document, plain_gap, sha256_of
from partywall.snapshot.reading import Reading


def write(reading: Reading, folder: Path, previous: Path | None = None) -> None:
    """Write a snapshot; `previous` is the snapshot before this one, whose manifest's hash goes into this one's.

    Raises OutputError where the folder holds something already or cannot be written.
    """
    files = _files(reading)
    manifest = _manifest(reading, files, previous)
    if _holds(folder, manifest):
        return
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _appear(folder, {**files, MANIFEST: manifest})
    except OSError as error:
        raise OutputError(f"{folder}: the snapshot could not be written: {error.strerror}; name a folder that you may write to") from error


def _holds(folder: Path, manifest: bytes) -> bool:
    """Tell whether the folder is this very snapshot already; anything else in it is left alone."""
    if not folder.exists() and not folder.is_symlink():
        return False
    if not folder.is_dir() or any(folder.iterdir()):
        own = folder / MANIFEST
        if own.is_file() and own.read_bytes() == manifest:
            return True
        raise OutputError(f"{folder}: there is something already, and a snapshot is never written over; name a new or an empty folder")
    return False


def _appear(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files beside the place and move them there in one step."""
    workshop = Path(tempfile.mkdtemp(prefix=".partywall-", dir=folder.parent))
    try:
        for name, raw in files.items():
            with (workshop / name).open("wb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
        workshop.rename(folder)
    finally:
        shutil.rmtree(workshop, ignore_errors=True)


def _files(reading: Reading) -> dict[str, bytes]:
    """Return the lines of each file: one file an operation and scope, one line a document."""
    lines: dict[str, list[bytes]] = {}
    for document in reading.documents:
        lines.setdefault(file_name_of(document), []).append(canonical(plain_document(document)) + b"\n")
    return {name: b"".join(lines[name]) for name in sorted(lines)}


def _manifest(reading: Reading, files: Mapping[str, bytes], previous: Path | None) -> bytes:
    documents = reading.documents
    withheld = {entry.document: entry.values for entry in reading.withheld}
    found: dict[str, Plain] = {
        "schema": SCHEMA,
        "tool": f"partywall {partywall.__version__}",
        "taken": reading.taken,
        "previous": sha256_of((previous / MANIFEST).read_bytes()) if previous else None,
        "identities": sorted({document.provenance.by for document in documents if document.provenance.by}),
        "calls": dict(sorted(Counter(document.kind for document in documents).items())),
        "pages": len(documents),
        "documents": [
            {
                "name": document.name,
                "file": file_name_of(document),
                "original_sha256": document.sha256,
                "text_sha256": sha256_of(document.text.encode()),
                "withheld": withheld.get(document.name, 0),
            }
            for document in documents
        ],
        "withheld_elsewhere": [
            [entry.document, entry.values] for entry in reading.withheld if entry.document not in {document.name for document in documents}
        ],
        "files": [{"name": name, "sha256": sha256_of(raw), "bytes": len(raw)} for name, raw in files.items()],
        "gaps": [plain_gap(gap) for gap in reading.gaps],
    }
    return canonical({**found, "seal": sha256_of(canonical(found))}) + b"\n"
