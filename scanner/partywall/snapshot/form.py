"""Documents and gaps as plain JSON, and back: the form of a snapshot on disk."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from partywall.errors import PartywallError
from partywall.model.document import Direction, Document, Form, Gap, Origin, Provenance, Reason
from partywall.model.evidence import Evidence
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane

SCHEMA = "partywall/snapshot/v1"
MANIFEST = "manifest.json"
Plain: TypeAlias = "str | int | Sequence[Plain] | Mapping[str, Plain] | None"
_SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,180}\.jsonl")


class SnapshotError(PartywallError):
    """A snapshot that cannot be trusted or read."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A document as it is kept: without its value, which is loaded from the text again."""

    name: str
    kind: str
    form: Form
    text: str
    sha256: str
    folder: str
    key: str
    origin: Origin
    provenance: Provenance


def sha256_of(raw: bytes) -> str:
    """Return the SHA-256 of bytes in hex."""
    return hashlib.sha256(raw).hexdigest()


def canonical(value: Plain) -> bytes:
    """Write a value the same way every time, in ASCII."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()


def file_name_of(document: Document) -> str:
    """Return the name of the file for an operation and a scope: plain letters only, so that no name leads anywhere else."""
    origin = document.origin
    scope = origin.cluster or "/".join(filter(None, (origin.account, origin.region)))
    words = re.sub(r"[^A-Za-z0-9._-]+", "_", "--".join(filter(None, (document.kind.replace(":", "-"), scope)))).strip("._-").lower()
    return f"{words[:150] if len(words) <= 150 else words[:140] + sha256_of(words.encode())[:10]}.jsonl"


def is_safe(name: str) -> bool:
    """Tell whether a file name of a manifest stays in its folder."""
    return _SAFE_NAME.fullmatch(name) is not None


def plain_document(document: Document) -> Plain:
    """Return a document as plain JSON."""
    origin, source = document.origin, document.provenance
    return {
        "name": document.name,
        "kind": document.kind,
        "form": document.form.value,
        "text": document.text,
        "sha256": document.sha256,
        "folder": document.folder,
        "key": document.key,
        "origin": {"account": origin.account, "region": origin.region, "cluster": origin.cluster, "subject": origin.subject},
        "provenance": {"how": source.how, "at": source.at, "by": source.by, "request": source.request},
    }


def stored_document(line: str) -> Stored:
    """Return a document from one line of a file."""
    found = json.loads(line)
    words = {key: found[key] for key in ("name", "kind", "text", "sha256", "folder", "key")}
    return Stored(**words, form=Form(found["form"]), origin=Origin(**found["origin"]), provenance=Provenance(**found["provenance"]))


def plain_gap(gap: Gap) -> Plain:
    """Return a gap as plain JSON."""
    return {
        "source": gap.source,
        "what": gap.what,
        "reason": gap.reason.value,
        "direction": gap.direction.value,
        "nodes": [[node.kind.value, node.scope, node.name] for node in gap.nodes],
        "lanes": [lane.value for lane in gap.lanes],
        "remedy": gap.remedy,
        "at": [gap.at.document, gap.at.pointer] if gap.at else None,
    }


def gap_from(found: Mapping[str, Plain]) -> Gap:
    """Return a gap from plain JSON."""
    nodes, lanes, at = found["nodes"], found["lanes"], found["at"]
    if not isinstance(nodes, list) or not isinstance(lanes, list):
        raise TypeError("nodes and lanes of a gap must be lists")
    return Gap(
        source=str(found["source"]),
        what=str(found["what"]),
        reason=Reason(str(found["reason"])),
        direction=Direction(str(found["direction"])),
        nodes=tuple(Node(Kind(kind), scope, name) for kind, scope, name in nodes),
        lanes=tuple(map(Lane, lanes)),
        remedy=str(found["remedy"]),
        at=Evidence(str(at[0]), str(at[1])) if isinstance(at, list) else None,
    )
