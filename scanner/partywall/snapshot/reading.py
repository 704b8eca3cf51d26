"""What was read, whatever door it came through."""

from dataclasses import dataclass

from partywall.model.document import Document, Gap


@dataclass(frozen=True, slots=True)
class Withheld:
    """How many values were taken out of a document before it was kept."""

    document: str
    values: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: documents in the order of their names, gaps, when it was taken, and what was withheld at the door."""

    documents: tuple[Document, ...]
    gaps: tuple[Gap, ...]
    taken: str = ""
    withheld: tuple[Withheld, ...] = ()
