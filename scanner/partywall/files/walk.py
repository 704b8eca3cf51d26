"""The files of a folder: in a fixed order, without hidden ones, and never outside of it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from partywall.model.document import Direction, Gap, Reason

_SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "__MACOSX"})
_SKIPPED_FILES = frozenset({"Thumbs.db", "desktop.ini"})


@dataclass(frozen=True, slots=True)
class Found:
    """One file: its name relative to the input, with `/` between folders, and where it lies."""

    name: str
    path: Path


def files_below(root: Path) -> Iterator[Found | Gap]:
    """Yield the files below a folder in the order of their names; links that lead out of it, or nowhere, are gaps."""
    yield from _below(root, root.resolve(), "")


def _below(folder: Path, root: Path, prefix: str) -> Iterator[Found | Gap]:
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: printable(entry.name))
    except OSError as error:
        yield _gap(prefix.rstrip("/") or ".", f"the folder could not be opened: {error.strerror}", "give yourself the right to read it")
        return
    for entry in entries:
        if not entry.name.startswith("."):
            yield from _entry(entry, root, prefix + printable(entry.name))


def _entry(entry: Path, root: Path, name: str) -> Iterator[Found | Gap]:
    if entry.is_symlink():
        told = _link(entry, root)
        if told:
            yield _gap(name, told, "put the file itself into the folder")
        elif entry.is_file():
            yield Found(name, entry)
        # A link to a folder inside the input is passed over: its files are met in their own place.
    elif entry.is_dir():
        if entry.name not in _SKIPPED_FOLDERS:
            yield from _below(entry, root, name + "/")
    elif entry.is_file():
        if entry.name not in _SKIPPED_FILES:
            yield Found(name, entry)
    else:
        yield _gap(name, "it is no file (a pipe, a socket or a device)", "put the file itself into the folder")


def _link(entry: Path, root: Path) -> str:
    try:
        target = entry.resolve(strict=True)
    except (OSError, RuntimeError):
        return "a link that leads nowhere or in a circle"
    return "" if target.is_relative_to(root) else "a link that leads out of the folder; it was not followed"


def printable(name: str) -> str:
    """Return a file name as text that can be written anywhere, also where its bytes are not UTF-8."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _gap(name: str, why: str, remedy: str) -> Gap:
    return Gap(source=name, what=f"{name}: {why}", reason=Reason.UNPARSABLE, direction=Direction.EVERYWHERE, remedy=remedy)
