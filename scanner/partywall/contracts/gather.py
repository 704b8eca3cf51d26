"""Finding tenancy files among others, for the commands that need no cluster and no account."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from partywall.contracts.load import CONTRACT_KIND, TENANTS_KIND
from partywall.errors import TenancyError, UsageError
from partywall.model.document import Document, Form

_ENDINGS = (".yaml", ".yml", ".json")
_MARKS = (("partywall/contract", CONTRACT_KIND), ("partywall/tenants", TENANTS_KIND))


def tenancy_files(paths: Iterable[Path]) -> tuple[Document, ...]:
    """Return the tenancy documents in files and below folders; a file that is named must be one."""
    found: dict[str, Document] = {}
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")
        for document in _below(path) if path.is_dir() else (_named(path),):
            found.setdefault(document.name, document)
    return tuple(found.values())


def _named(path: Path) -> Document:
    text = _text(path)
    return _document(path, text) or Document(str(path), TENANTS_KIND, Form.YAML, None, text, "")


def _below(folder: Path) -> Iterator[Document]:
    """Yield the tenancy files below a folder; other files are nobody's business here."""
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix in _ENDINGS and path.is_file() and not hidden:
            document = _document(path, _text(path))
            if document is not None:
                yield document


def _document(path: Path, text: str) -> Document | None:
    """Return a document when its text speaks of one of the two schemas, so that a broken one is found too."""
    head = [line for line in text.splitlines() if "schema" in line]
    for mark, kind in _MARKS:
        if any(mark in line for line in head):
            form = Form.JSON if path.suffix == ".json" else Form.YAML
            return Document(str(path), kind, form, None, text, "")
    return None


def _text(path: Path) -> str:
    content = path.read_bytes()
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise TenancyError(f"{path}: byte {error.start} is not {encoding.removesuffix('-sig').upper()}; save the file as UTF-8") from error
