"""One file: its text, and the values in it, each recognised."""

import hashlib
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from partywall.files.broken import BrokenFileError
from partywall.files.decode import decode, lines_of
from partywall.files.dump_text import is_cluster_dump, without_logs
from partywall.files.iac_shapes import belongs_to_chart, iac_text
from partywall.files.json_text import elements, load_json
from partywall.files.kubernetes_shapes import completed
from partywall.files.names import command_named, key_of, kind_of_operation, said_kind
from partywall.files.recognise import UNKNOWN, Recognised, recognise_text, recognise_value
from partywall.files.redact import redacted
from partywall.files.said_errors import NOTHING, SaidError, said_error
from partywall.files.yaml_text import compose, load_yaml
from partywall.model.document import Document, Form, Reason
from partywall.model.evidence import Json

_YAML = re.compile(r"(?i)\.ya?ml$")
_JSON = re.compile(r"(?i)\.json$")
_TERRAFORM = re.compile(r"(?i)\.(?:tf|tfvars|hcl|tf\.json)$")
# A file with such an ending, or with none, is meant as text; a picture or an archive among them is not.
_TEXTUAL = re.compile(r"(?i)\.(?:json|ya?ml|txt|conf|cfg|out|log|tf|tfvars)$|(?:^|/)[^./]+$")
_YAML_INSIDE = re.compile(r"^(?:apiVersion|schema|kind|AWSTemplateFormatVersion):", re.MULTILINE)
_EMPTY = "the file is empty: the command printed nothing, so it failed"
_PROSE = re.compile(r"(?i)\.(?:md|rst|adoc|html?|sh|py|go|tpl|gotmpl|dot|xml|ipynb|csv)$")


@dataclass(frozen=True, slots=True)
class Loaded:
    """One document, and what keeps it from being taken at face value: rival kinds, or an error text in the place of an answer."""

    document: Document
    rivals: tuple[str, ...] = ()
    why: str = ""
    withheld: int = 0
    error: SaidError | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """One value of a text, with where it stands."""

    value: Json
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _File:
    """A file on its way to documents."""

    name: str
    text: str
    sha256: str


def load_file(name: str, raw: bytes, charts: Set[str]) -> list[Loaded]:
    """Return the documents of one file; most hold one. Raises where the file is broken."""
    sha256 = hashlib.sha256(raw).hexdigest()
    try:
        file = _File(name, decode(raw), sha256)
    except BrokenFileError:
        if _could_matter(name, raw):
            raise
        return [_nothing_kept(_File(name, "", sha256), UNKNOWN)]
    if belongs_to_chart(name, charts):
        return [_nothing_kept(file, "iac:helm")]
    if _TERRAFORM.search(name):
        return [_nothing_kept(file, "iac:terraform")]
    if _PROSE.search(name):
        return [_nothing_kept(file, iac_text(file.text) if name.endswith(("tpl", "gotmpl")) else UNKNOWN)]
    return _load_text(file)


def _could_matter(name: str, raw: bytes) -> bool:
    """Tell whether a file that is not in a known encoding could be an answer; notes and pictures are not."""
    if not _TEXTUAL.search(name):
        return False
    text = raw.decode("utf-8", "replace")
    structured = bool(_YAML.search(name) or _JSON.search(name) or _YAML_INSIDE.search(text) or text.lstrip()[:1] in {"{", "["})
    return structured or "\0" in text or bool(said_kind(name)) or recognise_text(lines_of(text)) != UNKNOWN


def _load_text(file: _File) -> list[Loaded]:
    error = said_error(file.text)
    if error is not None:
        return [_refused(file, error)]
    if not file.text.strip():
        return [_empty(file)]
    if is_cluster_dump(file.text):
        file = _File(file.name, without_logs(file.text), file.sha256)
    if file.text.lstrip()[0] in "{[" or _JSON.search(file.name):
        try:
            return _from_json(file)
        except BrokenFileError:
            if _JSON.search(file.name) or not (_YAML.search(file.name) or _YAML_INSIDE.search(file.text) or iac_text(file.text)):
                raise
    if _YAML.search(file.name) or _YAML_INSIDE.search(file.text):
        return _from_yaml(file)
    return [_from_text(file)]


def _refused(file: _File, error: SaidError) -> Loaded:
    kind = error.nothing_set or said_kind(file.name) or kind_of_operation(error.operation) or UNKNOWN
    value = value_of(file.text, Form.TEXT, kind, file.name)
    document = Document(file.name, kind, Form.TEXT, value, file.text, file.sha256, folder=_folder(file.name), key=key_of(file.name))
    return Loaded(document, error=None if error.nothing_set else error)


def _empty(file: _File) -> Loaded:
    """Take an empty file for what its name says was asked: the command failed, since it printed nothing. Others say nothing."""
    kind = said_kind(file.name)
    return (
        _refused(file, SaidError(Reason.ABSENT, _EMPTY if command_named(file.name) else "the file holds nothing"))
        if kind
        else _nothing_kept(file, UNKNOWN)
    )


def _from_json(file: _File) -> list[Loaded]:
    parts = [_Part(found.value, found.start, found.end) for found in load_json(file.text)]
    if len(parts) == 1 and isinstance(parts[0].value, list):
        return _array(file, parts[0])
    return _documents(file, Form.JSON, parts)


def _array(file: _File, whole: _Part) -> list[Loaded]:
    """Take an array of answers (`jq -s` over a shell loop's output) apart; any other array is one value."""
    recognised = recognise_value(whole.value, file.name)
    answers = whole.value if isinstance(whole.value, list) else []
    if recognised.kind != UNKNOWN or all(recognise_value(answer, file.name).kind == UNKNOWN for answer in answers):
        return [_document(file, Form.JSON, whole.value, recognised)]
    return _documents(
        file, Form.JSON, [_Part(found.value, found.start, found.end) for found in elements(file.text, whole.start, whole.end)]
    )


def _from_yaml(file: _File) -> list[Loaded]:
    try:
        nodes = compose(file.text)
        values = load_yaml(nodes)
    except BrokenFileError:
        kind = iac_text(file.text)
        if not kind:
            raise
        return [_nothing_kept(file, kind)]
    parts = [_Part(value, node.start_mark.index, node.end_mark.index) for value, node in zip(values, nodes, strict=True)]
    return _documents(file, Form.YAML, parts)


def _from_text(file: _File) -> Loaded:
    kind = recognise_text(lines_of(file.text))
    if kind == UNKNOWN:
        return _unknown(file, iac_text(file.text) or UNKNOWN)
    return _document(file, Form.TEXT, None, Recognised(kind))


def _documents(file: _File, form: Form, parts: Sequence[_Part]) -> list[Loaded]:
    """Keep objects of Kubernetes together, as an array; other values of one file are documents of their own, `NAME~1`, `NAME~2`..."""
    recognised = [recognise_value(part.value, file.name) for part in parts]
    kinds = {found.kind for found in recognised}
    if not parts:
        return [_empty(file)]
    if kinds == {UNKNOWN} and not any(found.rivals for found in recognised):
        return [_unknown(file, UNKNOWN)]
    if len(parts) == 1:
        return [_document(file, form, parts[0].value, recognised[0])]
    if kinds == {"kubernetes"}:
        return [_document(file, form, [part.value for part in parts], recognised[0])]
    return [
        _document(_cut(file, part, number), form, part.value, found)
        for number, (part, found) in enumerate(zip(parts, recognised, strict=True), start=1)
    ]


def _cut(file: _File, part: _Part, number: int) -> _File:
    """Return one part of a file, on the lines and at the column where it stands there."""
    line_start = file.text.rfind("\n", 0, part.start) + 1
    lead = "\n" * file.text.count("\n", 0, part.start) + " " * (part.start - line_start)
    return _File(f"{file.name}~{number}", lead + file.text[part.start : part.end], file.sha256)


def _document(file: _File, form: Form, value: Json, recognised: Recognised) -> Loaded:
    if recognised.kind.startswith("iac:") or (recognised.kind == UNKNOWN and not recognised.rivals):
        return _unknown(file, recognised.kind)
    value = completed(value, file.name) if recognised.kind == "kubernetes" else value
    text, withheld = redacted(file.text, form, value, recognised.kind)
    if withheld or form is Form.TEXT:
        value = value_of(text, form, recognised.kind, file.name)
    document = Document(file.name, recognised.kind, form, value, text, file.sha256, folder=_folder(file.name), key=key_of(file.name))
    return Loaded(document, recognised.rivals, recognised.why, withheld)


def value_of(text: str, form: Form, kind: str, name: str) -> Json:
    """Return the value of a document's text: the same at the door and from a snapshot."""
    if form is Form.TEXT:
        return NOTHING.get(kind, {}) if kind.startswith("aws:") else list(lines_of(text))
    values = load_yaml(compose(text)) if form is Form.YAML else [found.value for found in load_json(text)]
    value = values[0] if len(values) == 1 else values
    return completed(value, name) if kind == "kubernetes" else value


def _unknown(file: _File, kind: str) -> Loaded:
    """Return a document that is only listed; but what is named after a command and is not its output was meant to say something."""
    named = command_named(file.name) if kind == UNKNOWN else ""
    if named:
        raise BrokenFileError(
            f"not what `{named}` prints",
            remedy=f"write the output of `{named}` unchanged{' (--output json)' if named[:3] == 'aws' else ''}",
        )
    return _nothing_kept(file, kind)


def _nothing_kept(file: _File, kind: str) -> Loaded:
    """Return a document of which only the name and the hash are kept: nothing reads it, so nothing of it goes into a snapshot."""
    return Loaded(Document(file.name, kind, Form.TEXT, [], "", file.sha256, folder=_folder(file.name), key=key_of(file.name)))


def _folder(name: str) -> str:
    return name.rpartition("/")[0]
