"""Laws of the door, tried on many inputs."""

import json
from collections.abc import Iterator

import yaml
from hypothesis import given
from hypothesis import strategies as st

from partywall.files.broken import BrokenFileError
from partywall.files.load import load_file, value_of
from partywall.files.positions import Positions, Steps
from partywall.files.yaml_text import compose, load_yaml
from partywall.model.document import Form
from partywall.model.evidence import Json

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
leaves = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | words
values: st.SearchStrategy[Json] = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4), max_leaves=20
)
NAMES = (
    "a.json",
    "a.yaml",
    "a.txt",
    "tenants.yaml",
    "slurm.conf",
    "aws-eks-list-access-entries--k.json",
    "kubectl-get-pods.json",
    "a",
    "x/Chart.yaml",
)
PIECES = (
    b'{"apiVersion": "v1", "kind": "List", "items": [',
    b'{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "a"}, "spec": {"containers": [{"env": [{"name": "A", "value": "b"}]}]}}',
    b"kind: Secret\napiVersion: v1\nmetadata: {name: a}\ndata:\n  k: |\n    x\n",
    b"---\n",
    b"&a [*a]",
    b"<<: {a: 1}\n",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"]}",
    b"{{- if x }}",
    b"Account|User\na|b\n",
    b"ClusterName=a\nStoragePass=b\n",
    b"An error occurred (AccessDenied) when calling the GetRole operation: no",
    b"\r\n",
    b"\x00",
    b"!Sub x",
    b'"a": 1e999,',
    b"==== START logs for container a of pod b ====\n",
)


def leaves_of(value: Json, at: Steps = ()) -> Iterator[tuple[Steps, Json]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves_of(part, (*at, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves_of(part, (*at, str(index)))
    yield at, value


@given(values, st.sampled_from([None, 0, 2]))
def test_every_pointer_into_json_leads_to_its_value(value: Json, indent: int | None) -> None:
    text = "\n " + json.dumps(value, indent=indent)
    places = Positions(text, Form.JSON)

    for steps, part in leaves_of(value):
        span = places.find(steps)
        assert span is not None
        assert json.loads(text[span.start : span.end]) == part


@given(values)
def test_yaml_gives_back_what_was_written(value: Json) -> None:
    text = yaml.safe_dump({"root": value}, allow_unicode=True)

    assert load_yaml(compose(text)) == [{"root": value}]


@given(st.sampled_from(NAMES), st.lists(st.sampled_from(PIECES) | st.binary(max_size=6), max_size=6).map(b"".join))
def test_any_bytes_become_documents_or_a_broken_file(name: str, raw: bytes) -> None:
    try:
        loaded = load_file(name, raw, frozenset({"x"}))
    except BrokenFileError as broken:
        assert broken.why
        return
    assert loaded
    for entry in loaded:
        document = entry.document
        again = value_of(document.text, document.form, document.kind, document.name)
        assert document.value == again or document.text == ""


@given(st.dictionaries(words, words, min_size=1, max_size=4), st.sampled_from(["json", "yaml"]))
def test_nothing_of_a_secret_is_left_and_no_line_moves(data: dict[str, str], form: str) -> None:
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "a"},
        "data": {key: f"hunter2\n{word}" for key, word in data.items()},
    }
    whole = {
        "apiVersion": "v1",
        "kind": "List",
        "items": [secret, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "last-one"}}],
    }
    text = json.dumps(whole, indent=1) if form == "json" else yaml.safe_dump(whole, allow_unicode=True)

    (entry,) = load_file(f"a.{form}", text.encode(), frozenset())

    kept = entry.document.text
    assert "hunter2" not in kept
    assert kept[: kept.index("last-one")].count("\n") == text[: text.index("last-one")].count("\n")
