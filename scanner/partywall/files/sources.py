"""sources.yaml: what the user knows about files that do not say it themselves.

schema: partywall/sources/v1
files:
  - match: "prod/kms-*.json"      # below the folder of sources.yaml; `*` stays in one folder, `**` crosses folders; later entries win
    account: "111122223333"
    region: us-east-2
    cluster: capacity             # a name, or account/region/name
    subject: 1234abcd-12ab-34cd-56ef-1234567890ab
    at: "2026-11-30T10:00:00Z"    # when, by whom and with which request the file was taken
    by: arn:aws:sts::111122223333:assumed-role/Reader/audit
    request: aws kms get-key-policy --key-id ...
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from partywall.files.positions import line_of
from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Json

FIELDS = ("account", "region", "cluster", "subject", "at", "by", "request")
_KNOWN = ("match", *FIELDS)


@dataclass(frozen=True, slots=True)
class Source:
    """What one entry says about the files that it matches."""

    pattern: re.Pattern[str]
    said: Mapping[str, str] = field(default_factory=dict)


def sources_of(documents: Sequence[Document]) -> tuple[list[Source], list[Gap]]:
    """Return the entries of every sources.yaml, and gaps for what is wrong in them."""
    sources: list[Source] = []
    gaps: list[Gap] = []
    for document in documents:
        if document.kind == "partywall:sources":
            for found in _entries(document):
                if isinstance(found, Source):
                    sources.append(found)
                else:
                    gaps.append(found)
    return sources, gaps


def said_about(name: str, sources: Sequence[Source]) -> dict[str, str]:
    """Return what the entries say about one file; later ones win."""
    said: dict[str, str] = {}
    for source in sources:
        if source.pattern.fullmatch(re.sub(r"~\d+$", "", name)):
            said.update(source.said)
    return said


def _entries(document: Document) -> Iterator[Source | Gap]:
    files = document.value.get("files") if isinstance(document.value, dict) else None
    if not isinstance(files, list):
        yield _wrong(document, "", "`files` must be a list of entries with `match`")
        return
    for index, entry in enumerate(files):
        if not isinstance(entry, dict) or not isinstance(entry.get("match"), str):
            yield _wrong(document, f"/files/{index}", "an entry needs `match`, a pattern of file names")
            continue
        unknown = [key for key in entry if key not in _KNOWN]
        for key in unknown:
            near = get_close_matches(key, _KNOWN, 1)
            yield _wrong(document, f"/files/{index}/{key}", f"unknown key {key!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        yield Source(
            _pattern(document.folder, str(entry["match"])), {key: _word(entry[key]) for key in FIELDS if entry.get(key) is not None}
        )


def _word(value: Json) -> str:
    return f"{value:012d}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _pattern(folder: str, match: str) -> re.Pattern[str]:
    parts = [
        {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(part, re.escape(part))
        for part in re.split(r"(\*\*/|\*\*|\*|\?)", match)
    ]
    return re.compile((re.escape(folder) + "/" if folder else "") + "".join(parts))


def _wrong(document: Document, pointer: str, why: str) -> Gap:
    line = line_of(document.text, document.form, pointer)
    return Gap(
        source=document.name,
        what=f"{document.name}:{line}: {why}",
        reason=Reason.UNPARSABLE,
        direction=Direction.EVERYWHERE,
        remedy=f"keys of an entry are {', '.join(_KNOWN)}",
        at=document.at(pointer),
    )
