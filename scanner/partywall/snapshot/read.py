"""Read a snapshot back, and refuse one that is not what its manifest says."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from partywall.model.document import Gap
from partywall.snapshot.form import MANIFEST, SCHEMA, Plain, SnapshotError, Stored, canonical, gap_from, is_safe, sha256_of, stored_document
from partywall.snapshot.reading import Withheld

_ADVICE = "take it from where it was kept, or gather anew"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a snapshot holds: documents without their values, in the order of the manifest."""

    documents: tuple[Stored, ...]
    gaps: tuple[Gap, ...]
    taken: str
    withheld: tuple[Withheld, ...]


def is_snapshot(folder: Path) -> bool:
    """Tell whether a folder says of itself that it is a snapshot; other tools name a file manifest.json too."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return False
    with manifest.open("rb") as file:
        return b'"partywall/snapshot/' in file.read()


def load(folder: Path) -> Snapshot:
    """Return what a snapshot holds. Raises SnapshotError, which names the file, where anything differs from the manifest."""
    manifest = _manifest(folder / MANIFEST)
    try:
        wanted = [_entry(entry) for entry in _list(manifest, "documents")]
        stored = {document.name: document for entry in _list(manifest, "files") for document in _stored(folder, _entry(entry))}
        gaps = tuple(gap_from(_entry(gap)) for gap in _list(manifest, "gaps"))
        documents = tuple(_checked(folder, entry, stored) for entry in wanted)
        withheld = [Withheld(str(entry["name"]), _count(entry["withheld"])) for entry in wanted if entry["withheld"]]
        withheld += [Withheld(str(pair[0]), _count(pair[1])) for pair in _list(manifest, "withheld_elsewhere") if isinstance(pair, list)]
    except (KeyError, TypeError, ValueError) as error:
        raise SnapshotError(f"{folder / MANIFEST}: a part is missing or of another form ({error}); {_ADVICE}") from error
    return Snapshot(documents, gaps, str(manifest.get("taken", "")), tuple(withheld))


def _manifest(path: Path) -> Mapping[str, Plain]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise SnapshotError(f"{path}: the manifest cannot be read ({error}); {_ADVICE}") from error
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        told = found.get("schema") if isinstance(found, dict) else None
        raise SnapshotError(f"{path}: schema {told}; this version reads {SCHEMA}")
    seal = found.pop("seal", None)
    if seal != sha256_of(canonical(found)):
        raise SnapshotError(f"{path}: the manifest was changed after it was written; {_ADVICE}")
    return found


def _list(manifest: Mapping[str, Plain], key: str) -> Sequence[Plain]:
    found = manifest[key]
    if not isinstance(found, list):
        raise TypeError(f"{key} is no list")
    return found


def _entry(found: Plain) -> Mapping[str, Plain]:
    if not isinstance(found, dict):
        raise TypeError("an entry is no object")
    return found


def _count(found: Plain) -> int:
    if not isinstance(found, int):
        raise TypeError("a count is no number")
    return found


def _stored(folder: Path, entry: Mapping[str, Plain]) -> Iterator[Stored]:
    name = str(entry["name"])
    if not is_safe(name):
        raise SnapshotError(f"{folder / MANIFEST}: {name!r} is no name of a file in this folder; {_ADVICE}")
    path = folder / name
    if path.is_symlink() or not path.is_file():
        raise SnapshotError(f"{path}: missing; {_ADVICE}")
    raw = path.read_bytes()
    if sha256_of(raw) != entry["sha256"]:
        raise SnapshotError(f"{path}: changed after it was written (its SHA-256 is not the manifest's); {_ADVICE}")
    for line in raw.decode().splitlines():
        yield stored_document(line)


def _checked(folder: Path, entry: Mapping[str, Plain], stored: Mapping[str, Stored]) -> Stored:
    document = stored.get(str(entry["name"]))
    if document is None:
        raise SnapshotError(f"{folder / str(entry['file'])}: the document {entry['name']} is missing; {_ADVICE}")
    if document.sha256 != entry["original_sha256"] or sha256_of(document.text.encode()) != entry["text_sha256"]:
        raise SnapshotError(f"{folder / str(entry['file'])}: the document {document.name} is not the one of the manifest; {_ADVICE}")
    return document
