"""Encodings, broken files and what YAML and JSON hide."""

from pathlib import Path

import pytest

from partywall.files import ReadSettings, read
from partywall.files.broken import BrokenFileError
from partywall.files.json_text import load_json
from partywall.files.yaml_text import compose, load_yaml
from partywall.model.document import Direction, Reason
from partywall.model.evidence import Json
from tests.unit.files.folders import gap_texts, kinds, namespace, only, reading, write

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: hyperpod-ns-vision\n"


def from_yaml(text: str) -> list[Json]:
    return load_yaml(compose(text))


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(NAMESPACE.encode(), id="utf-8"),
        pytest.param(b"\xef\xbb\xbf" + NAMESPACE.encode(), id="utf-8 with a mark"),
        pytest.param(NAMESPACE.encode("utf-16"), id="utf-16 little endian"),
        pytest.param(b"\xfe\xff" + NAMESPACE.encode("utf-16-be"), id="utf-16 big endian"),
        pytest.param(NAMESPACE.replace("\n", "\r\n").encode(), id="crlf"),
        pytest.param(NAMESPACE.rstrip("\n").encode(), id="no final newline"),
        pytest.param(("---\n# by hand\n---\n" + NAMESPACE + "---\n").encode(), id="empty documents around it"),
    ],
)
def test_one_object_is_the_same_in_every_encoding(tmp_path: Path, raw: bytes) -> None:
    document = only(tmp_path, {"ns.yaml": raw})

    assert (document.kind, document.value) == ("kubernetes", namespace("hyperpod-ns-vision"))


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        pytest.param(b'{"a": "\xff"}', "a.json:1: not UTF-8: byte offset 7: invalid start byte", id="no utf-8"),
        pytest.param(b"\xff\xfe{\x00\x00", "a.json: not UTF-16: byte offset 4: truncated data", id="half a character"),
        pytest.param(
            b"{\x00}\x00", "a.json: holds a NUL character at character offset 1; UTF-16 needs a byte order mark", id="utf-16 without a mark"
        ),
        pytest.param(b"\xff\xfe\x00\x00{\x00\x00\x00", "a.json: written in UTF-32 (byte offset 0)", id="utf-32"),
        pytest.param(
            b'{"Roles": [\n  {"RoleName": ', "a.json:2:16: not JSON: Expecting value (the file seems to be cut off)", id="cut off"
        ),
        pytest.param(b'{"a": 1,\n "b": {"a": 2, "a": 3}}', "a.json:2:16: the key 'a' stands twice in one object", id="a key twice"),
        pytest.param(b"[" * 5000, "a.json:1:1: nested deeper than 200 levels", id="an endless nest"),
        pytest.param(b"[" * 900 + b"]" * 900, "a.json:1:1: nested deeper than 200 levels", id="a deep nest"),
        pytest.param(b'["\\ud800"]', "a.json:1:3: half of a surrogate pair in a string", id="half a pair"),
    ],
)
def test_a_broken_json_file_is_a_gap_with_its_place(tmp_path: Path, raw: bytes, told: str) -> None:
    found = reading(tmp_path, {"a.json": raw})

    (gap,) = found.gaps
    assert found.documents == ()
    assert gap.what == told
    assert (gap.reason, gap.direction) == (Reason.UNPARSABLE, Direction.EVERYWHERE)
    assert gap.remedy


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("kind: A\nspec:\n\tb: 1\n", "a.yaml:3:1: not YAML: found character that cannot start any token", id="a tab"),
        pytest.param("a: 1\nb: 2\na: 3\n", "a.yaml:3:1: the key 'a' stands twice in one mapping", id="a key twice"),
        pytest.param("a: *nowhere\n", "a.yaml:1:4: not YAML: found undefined alias", id="an unknown alias"),
        pytest.param("a: &a\n- *a\n", "a.yaml:1:4: an alias leads back to the value that holds it", id="a circle"),
        pytest.param(
            "a: !!python/object/apply:os.system [ls]\n",
            "a.yaml:1:4: the tag !!python/object/apply:os.system would make an object",
            id="code",
        ),
        pytest.param("? [a, b]\n: 1\n", "a.yaml:1:3: a key that is a list or a mapping", id="a list as key"),
        pytest.param("a: {<<: word}\n", "a.yaml:1:9: a merge key (<<) takes mappings only", id="merging a word"),
    ],
)
def test_a_broken_yaml_file_is_a_gap_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    assert gap_texts(reading(tmp_path, {"a.yaml": text})) == [told]


def test_aliases_that_grow_without_bound_are_refused() -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]

    with pytest.raises(BrokenFileError, match="write out to more than 2000000 values"):
        from_yaml("\n".join(rows))


def test_merge_keys_that_grow_without_bound_are_refused() -> None:
    rows = ["a0: &a0 {x: 1, y: 2}"] + [f"a{n}: &a{n}\n  <<: [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 20)]

    with pytest.raises(BrokenFileError, match="write out to more than"):
        from_yaml("\n".join(rows))


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 20_000 + "x", "\n".join(" " * n + "k:" for n in range(3_000))])
def test_deep_yaml_is_refused_without_a_crash(text: str) -> None:
    with pytest.raises(BrokenFileError, match=r"nest|depth"):
        from_yaml(text)


def test_a_merge_key_gives_way_to_own_keys_and_to_earlier_mappings() -> None:
    (value,) = from_yaml("one: &one {a: 1, b: 1}\ntwo: &two {b: 2, c: 2}\nall: {<<: [*one, *two], a: 0}\n")

    assert isinstance(value, dict)
    assert value["all"] == {"a": 0, "b": 1, "c": 2}


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("2026-11-30", "2026-11-30"),
        ("1:30", "1:30"),
        ("012345670123", "012345670123"),
        ("111122223333", 111122223333),
        ("0644", 0o644),
        ("yes", True),
        ("y", "y"),
        ("~", None),
        (".nan", ".nan"),
        (".inf", ".inf"),
        ("1e3", 1000.0),
        ("=", "="),
        ("!Ref Vpc", {"Ref": "Vpc"}),
        ("!GetAtt Role.Arn", {"Fn::GetAtt": ["Role", "Arn"]}),
        ("!Sub '${A}-b'", {"Fn::Sub": "${A}-b"}),
        ("$NAMESPACE", "$NAMESPACE"),
        ('"{{SessionName}}"', "{{SessionName}}"),
    ],
)
def test_scalars_are_what_kubernetes_and_cloudformation_make_of_them(scalar: str, value: Json) -> None:
    assert from_yaml(f"a: {scalar}\n") == [{"a": value}]


def test_keys_are_their_own_text() -> None:
    assert from_yaml("on: 1\n8080: 2\n0x10: 3\n") == [{"on": 1, "8080": 2, "0x10": 3}]


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_none_stays_a_word(word: str) -> None:
    assert load_json(f'{{"a": {word}}}')[0].value == {"a": word}


def test_a_template_is_named_and_no_gap(tmp_path: Path) -> None:
    found = reading(
        tmp_path,
        {
            "chart/Chart.yaml": "apiVersion: v2\nname: team\nversion: 0.1.0\n",
            "chart/values.yaml": "replicas: 1\n",
            "chart/templates/role.yaml": "{{- if .Values.rbac }}\nkind: Role\n{{- end }}\n",
            "loose.yaml": "kind: Role\nrules: {{ .Values.rules | toYaml }}\n",
            "slurm.conf": "ClusterName={{ name }}\n{% if x %}\nPartitionName=a\n{% endif %}\nsome text\nmore text\n",
            "kustomization.yaml": "resources:\n- ns.yaml\n",
        },
    )

    assert found.gaps == ()
    assert kinds(found) == {
        "chart/Chart.yaml": "iac:helm",
        "chart/values.yaml": "iac:helm",
        "chart/templates/role.yaml": "iac:helm",
        "loose.yaml": "iac:helm",
        "slurm.conf": "iac:jinja",
        "kustomization.yaml": "unknown",
    }


def test_infrastructure_as_code_is_named(tmp_path: Path) -> None:
    found = reading(
        tmp_path,
        {
            "plan.json": {"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {}, "resource_changes": []},
            "main.tf": 'resource "aws_iam_role" "a" {}\n',
            "empty.tf": "",
            "stack.yaml": "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  A:\n    Type: AWS::S3::Bucket\n    Name: !Ref N\n",
            "synth.json": {"Resources": {"A": {"Type": "AWS::IAM::Role"}}},
            "k.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a]\n",
        },
    )

    assert found.gaps == ()
    assert kinds(found) == {
        "plan.json": "iac:terraform-plan",
        "main.tf": "iac:terraform",
        "empty.tf": "iac:terraform",
        "stack.yaml": "iac:cloudformation",
        "synth.json": "iac:cloudformation",
        "k.yaml": "iac:kustomize",
    }
    assert {document.text for document in found.documents} == {""}


def test_an_unknown_file_is_listed_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    found = reading(
        tmp_path,
        {"README.md": "# notes\npassword: hunter2\n", "logo.png": b"\x89PNG\r\n\x1a\n\xff", "x.json": {"a": 1}, "e.yaml": "# nothing\n"},
    )

    assert found.gaps == ()
    assert set(kinds(found).values()) == {"unknown"}
    assert {document.text for document in found.documents} == {""}


def test_a_file_too_large_to_read_is_a_gap(tmp_path: Path) -> None:
    found = read(write(tmp_path, {"k8s.yaml": NAMESPACE}), ReadSettings(most_yaml_bytes=10))

    assert gap_texts(found) == ["k8s.yaml: 68 bytes are more than the 10 that are read"]
