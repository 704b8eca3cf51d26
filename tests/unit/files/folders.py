"""Small folders for the tests of the door."""

import json
from collections.abc import Mapping
from pathlib import Path

from partywall.files import Reading, ReadSettings, read
from partywall.model.document import Document
from partywall.model.evidence import Json

NOW = ReadSettings(now="2026-11-30T10:00:00Z")


def write(folder: Path, files: Mapping[str, object]) -> Path:
    """Write files: bytes and text as they are, anything else as JSON."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_bytes((content if isinstance(content, str) else json.dumps(content, indent=2)).encode())
    return folder


def reading(folder: Path, files: Mapping[str, object]) -> Reading:
    return read(write(folder, files), NOW)


def only(folder: Path, files: Mapping[str, object]) -> Document:
    """Return the one document of a folder without gaps."""
    found = reading(folder, files)
    assert found.gaps == ()
    (document,) = found.documents
    return document


def kinds(found: Reading) -> dict[str, str]:
    return {document.name: document.kind for document in found.documents}


def gap_texts(found: Reading) -> list[str]:
    return [gap.what for gap in found.gaps]


def namespace(name: str) -> dict[str, Json]:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


CLUSTER: dict[str, Json] = {
    "cluster": {
        "name": "capacity",
        "arn": "arn:aws:eks:us-east-2:111122223333:cluster/capacity",
        "roleArn": "arn:aws:iam::111122223333:role/capacity-control-plane",
    }
}
