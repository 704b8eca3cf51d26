"""A folder, or one file, of what people already have: everything in it becomes documents and gaps."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from partywall.errors import TenancyError, UsageError
from partywall.files.broken import BrokenFileError
from partywall.files.gaps import ambiguous_gap, broken_gap, refusal_gap
from partywall.files.load import Loaded, load_file
from partywall.files.pages import incomplete_listings
from partywall.files.restore import restore
from partywall.files.scopes import place
from partywall.files.twins import differing_copies
from partywall.files.walk import Found, files_below, printable
from partywall.model.collector import paused
from partywall.model.document import Document, Gap
from partywall.snapshot import Reading, Withheld, is_snapshot


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """How to read. `now` is the time of reading, in UTC and ISO 8601; it dates what the user supplied without a date."""

    now: str = ""
    most_bytes: int = 512 * 1024 * 1024
    most_yaml_bytes: int = 64 * 1024 * 1024


__all__ = ["ReadSettings", "Reading", "Withheld", "read"]
_DEFAULT = ReadSettings()
_TENANCY = re.compile(rb"""schema["']?\s*:\s*["']?partywall/(?:tenants|contract)/""")
_HEAD = 4096


def read(path: Path, settings: ReadSettings = _DEFAULT) -> Reading:
    """Read a folder with all its subfolders, a single file, or a snapshot."""
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder; name the folder that holds what was gathered")
    if not path.is_dir() and not path.is_file():
        raise UsageError(f"{path}: neither a file nor a folder; save the output as a file first")
    if path.is_dir() and is_snapshot(path):
        return restore(path)
    found = list(files_below(path)) if path.is_dir() else [Found(printable(path.name), path)]
    files = [entry for entry in found if isinstance(entry, Found)]
    with paused():
        loaded, gaps = _load_all(files, _charts(files), settings)
        return settled(loaded, [*(entry for entry in found if isinstance(entry, Gap)), *gaps], settings)


def settled(loaded: Sequence[Loaded], gaps: Sequence[Gap], settings: ReadSettings) -> Reading:
    """Give each document its origin, and turn what cannot be taken at face value into gaps."""
    placed, unplaced = place(loaded)
    documents: list[Document] = []
    refusals: list[Gap] = []
    for entry in placed:
        if entry.error is not None:
            refusals.append(refusal_gap(entry))
        elif entry.rivals:
            refusals.append(ambiguous_gap(entry))
        else:
            documents.append(entry.document)
    kept = tuple(sorted(documents, key=lambda document: document.name))
    told = (*gaps, *unplaced, *refusals, *incomplete_listings(kept), *differing_copies(kept))
    withheld = tuple(
        sorted((Withheld(entry.document.name, entry.withheld) for entry in placed if entry.withheld), key=lambda entry: entry.document)
    )
    return Reading(kept, tuple(sorted(told, key=lambda gap: (gap.source, gap.what))), taken(kept, settings), withheld)


def taken(documents: Iterable[Document], settings: ReadSettings) -> str:
    """Return the newest time at which a document was taken, else the time of reading."""
    return max((document.provenance.at for document in documents if document.provenance.at), default=settings.now)


def _load_all(files: Sequence[Found], charts: Set[str], settings: ReadSettings) -> tuple[list[Loaded], list[Gap]]:
    loaded: list[Loaded] = []
    gaps: list[Gap] = []
    for file in files:
        try:
            loaded += load_file(file.name, _bytes(file, settings), charts)
        except BrokenFileError as broken:
            _refuse_broken_tenancy(file, broken)
            gaps.append(broken_gap(file.name, broken))
    return loaded, gaps


def _refuse_broken_tenancy(file: Found, broken: BrokenFileError) -> None:
    """Raise where the broken file is one of the user's own records: a scan without it would answer another question."""
    if broken.line is not None and _TENANCY.search(file.path.read_bytes()[:_HEAD]):
        raise TenancyError(f"{broken.place(file.name)}: {broken.why}; {broken.remedy}") from broken


def _bytes(file: Found, settings: ReadSettings) -> bytes:
    try:
        size = file.path.stat().st_size
        most = settings.most_yaml_bytes if file.name.lower().endswith((".yaml", ".yml")) else settings.most_bytes
        if size > most:
            raise BrokenFileError(
                f"{size} bytes are more than the {most} that are read", remedy="split it, or write YAML as JSON (-o json)"
            )
        return file.path.read_bytes()
    except OSError as error:
        raise BrokenFileError(f"could not be opened: {error.strerror}", remedy="give yourself the right to read it") from error


def _charts(files: Iterable[Found]) -> frozenset[str]:
    return frozenset(_folders_with_charts(files))


def _folders_with_charts(files: Iterable[Found]) -> Iterator[str]:
    for file in files:
        folder, _, own = file.name.rpartition("/")
        if own == "Chart.yaml":
            yield folder
