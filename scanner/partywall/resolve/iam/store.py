"""Tables that travel with the package as zip files of small entries: opened when first asked, one entry inflated at a time."""

from functools import cache
from importlib.resources import files
from io import BytesIO
from zipfile import ZipFile


@cache
def _archive(table: str) -> ZipFile:
    return ZipFile(BytesIO((files(__package__) / "tables" / f"{table}.zip").read_bytes()))


def entry(table: str, name: str) -> str:
    """Return the text of an entry, which must exist."""
    return _archive(table).read(name).decode()
