"""Every parser, by document kind."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from partywall.model.collector import paused
from partywall.model.document import Document, Gap
from partywall.model.facts import Fact, Facts
from partywall.parse import data, datazone, eks, governance, iam, identity_center, kubernetes, organizations, slurm, studio
from partywall.parse.joined import joined
from partywall.parse.unread import unread

Parser = Callable[[Document], Iterator[Fact | Gap]]

PARSERS: Mapping[str, Parser] = {
    kind: parser
    for module in (iam, identity_center, organizations, data, studio, datazone, eks, kubernetes, governance, slurm)
    for kind, parser in module.PARSERS.items()
}


def parse(documents: Iterable[Document]) -> tuple[Facts, tuple[Gap, ...]]:
    """Return the facts of all documents, and a gap for everything that could not be understood."""
    facts: list[Fact] = []
    gaps: list[Gap] = []
    with paused():
        for document in documents:
            for item in PARSERS.get(document.kind, unread)(document):
                if isinstance(item, Gap):
                    gaps.append(item)
                else:
                    facts.append(item)
        return Facts(joined(facts)), tuple(gaps)
