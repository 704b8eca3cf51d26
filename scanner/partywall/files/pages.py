"""Listings that say of themselves that they go on elsewhere."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from partywall.files.gaps import blinds
from partywall.files.kubernetes_shapes import listing_cut_short
from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Json

# IAM and KMS say so in a flag, the others by printing a token (AWS CLI v2 User Guide, "Pagination"; the CLI itself merges the pages).
_FLAGS = ("IsTruncated", "Truncated")
_TOKENS = ("NextToken", "nextToken", "NextMarker", "nextMarker")


def incomplete_listings(documents: Sequence[Document]) -> Iterator[Gap]:
    """Yield a gap for every listing whose last page is not among the documents."""
    aws = sorted(
        (document for document in documents if document.kind.startswith("aws:") and isinstance(document.value, dict)), key=_listing
    )
    for _, pages in groupby(aws, key=_listing):
        yield from _missing(list(pages))
    for document in documents:
        left = listing_cut_short(document.value) if document.kind == "kubernetes" else ""
        if left:
            yield _gap(document, f"the List goes on: {left} were left out", "run kubectl get without --limit")


def _listing(document: Document) -> tuple[str, str, str, str, str]:
    return document.kind, document.folder, document.origin.cluster, document.origin.subject, document.key if not _number(document) else ""


def _missing(pages: Sequence[Document]) -> Iterator[Gap]:
    open_pages = [page for page in pages if goes_on(page.value)]
    if not open_pages:
        return
    numbers = sorted(number for page in pages if (number := _number(page)) is not None)
    holes = bool(numbers) and numbers != list(range(numbers[0], numbers[0] + len(numbers)))
    if len(open_pages) == len(pages) or holes:
        yield _gap(
            open_pages[-1],
            "the listing goes on, and its next page is not here",
            "run the command again without --max-items and --no-paginate",
        )


def goes_on(answer: Json) -> bool:
    """Tell whether an answer says that there are more pages."""
    if not isinstance(answer, Mapping):
        return False
    flags = [answer[flag] for flag in _FLAGS if flag in answer]
    return any(flag is True for flag in flags) if flags else any(answer.get(token) for token in _TOKENS)


def is_page(document: Document) -> bool:
    """Tell whether an answer is a page of a longer one, by a token for the next or by a number in its name."""
    return goes_on(document.value) or _number(document) is not None


def _number(document: Document) -> int | None:
    found = re.search(r"(?:page|part)?[-_.~](\d{1,4})(?:\.json)?$", document.name)
    return int(found[1]) if found else None


def _gap(document: Document, why: str, remedy: str) -> Gap:
    return Gap(
        source=document.name,
        what=f"{document.name}: {why}",
        reason=Reason.ABSENT,
        direction=Direction.EVERYWHERE,
        lanes=blinds(document.kind).lanes,
        remedy=remedy,
        at=document.at(""),
    )
