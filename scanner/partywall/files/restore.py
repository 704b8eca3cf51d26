"""A snapshot through the same door as a folder."""

from pathlib import Path

from partywall.files.broken import BrokenFileError
from partywall.files.load import value_of
from partywall.model.document import Document
from partywall.snapshot import Reading, SnapshotError, load
from partywall.snapshot.form import Stored


def restore(folder: Path) -> Reading:
    """Return what a snapshot holds, equal to what was read when it was taken."""
    found = load(folder)
    return Reading(tuple(_document(folder, stored) for stored in found.documents), found.gaps, found.taken, found.withheld)


def _document(folder: Path, stored: Stored) -> Document:
    try:
        value = value_of(stored.text, stored.form, stored.kind, stored.name)
    except BrokenFileError as error:
        raise SnapshotError(f"{folder}: the document {error.place(stored.name)} cannot be read: {error.why}; gather anew") from error
    return Document(
        stored.name,
        stored.kind,
        stored.form,
        value,
        stored.text,
        stored.sha256,
        stored.folder,
        stored.key,
        stored.origin,
        stored.provenance,
    )
