"""The line at which evidence stands, looked up only for what is printed."""

from collections.abc import Iterable

from partywall.files.positions import line_of
from partywall.model.document import Document
from partywall.model.evidence import Evidence


class Lines:
    """Looks up lines once each."""

    __slots__ = ("_documents", "_known")

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = {document.name: document for document in documents}
        self._known: dict[Evidence, int | None] = {}

    def line_of(self, at: Evidence) -> int | None:
        """Return the line (from 1) of evidence, or None where it cannot be told."""
        if at not in self._known:
            document = self._documents.get(at.document)
            self._known[at] = line_of(document.text, document.form, at.pointer) if document else None
        return self._known[at]
