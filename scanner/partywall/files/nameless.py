"""Clusters without a name: objects of a cluster in an input that names no cluster anywhere."""

from collections.abc import Iterator, Mapping, Sequence

from partywall.model.document import Document
from partywall.model.evidence import Evidence, Json

NAMELESS = "//cluster"


def nameless_scopes(documents: Sequence[Document]) -> Mapping[str, str]:
    """Return a scope for each document of a cluster, for use where no cluster is named.

    It is one cluster for the whole input, unless folders at the top hold one object (the same kind, namespace and name) each: those are
    copies of different clusters.
    """
    told = [document for document in documents if document.kind == "kubernetes" or document.kind.startswith("slurm:")]
    tops = {document.name: document.name.partition("/")[0] if "/" in document.name else "" for document in told}
    apart = "" not in tops.values() and _repeat_themselves(told, tops)
    return {name: f"//{top}" if apart else NAMELESS for name, top in tops.items()}


def _repeat_themselves(documents: Sequence[Document], tops: Mapping[str, str]) -> bool:
    seen: dict[tuple[str, str, str], str] = {}
    for document in documents:
        for thing in identities(document.value) if document.kind == "kubernetes" else ():
            if seen.setdefault(thing, tops[document.name]) != tops[document.name]:
                return True
    return False


def identities(value: Json) -> Iterator[tuple[str, str, str]]:
    """Yield kind, namespace and name of every object of a document."""
    for item, _ in placed_objects_of(value, Evidence("", "")):
        metadata = item.get("metadata")
        if isinstance(metadata, dict) and isinstance(metadata.get("name"), str):
            yield str(item.get("kind")), str(metadata.get("namespace", "")), str(metadata["name"])


def placed_objects_of(value: Json, at: Evidence) -> Iterator[tuple[Mapping[str, Json], Evidence]]:
    """Yield the objects of a document with their places: itself, the items of a List, the parts of an array."""
    if isinstance(value, list):
        for index, part in enumerate(value):
            yield from placed_objects_of(part, at.below(index))
    elif isinstance(value, dict):
        items = value.get("items")
        if isinstance(items, list) and str(value.get("kind")).endswith("List"):
            yield from placed_objects_of(items, at.below("items"))
        else:
            yield value, at
