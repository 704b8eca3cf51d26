"""Pointers lead to lines."""

import json
import time

import pytest

from partywall.files.positions import line_of
from partywall.model.document import Form

JSON = """{
  "Roles": [
    {"RoleName": "a"},
    {
      "RoleName": "b",
      "a/b~c": {"x": 1},
      "empty": {}, "list": []
    }
  ]
}
"""
YAML = """# first
base: &base
  image: a
  command: >
    two
    lines
---

---
kind: List
items:
- metadata:
    name: a
  <<: {merged: 1}
- "metadata": {name: "b"}
"""


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 1),
        ("/Roles", 2),
        ("/Roles/0", 3),
        ("/Roles/0/RoleName", 3),
        ("/Roles/1", 4),
        ("/Roles/1/RoleName", 5),
        ("/Roles/1/a~1b~0c/x", 6),
        ("/Roles/1/list/0", 7),
        ("/Roles/1/absent/deeper", 4),
        ("/Roles/7", 2),
        ("/Roles/x", 2),
        ("/absent", 1),
    ],
)
def test_a_pointer_into_json_leads_to_its_line(pointer: str, line: int) -> None:
    assert line_of(JSON, Form.JSON, pointer) == line
    assert line_of(JSON.replace("\n", "\r\n"), Form.JSON, pointer) == line


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 2),
        ("/0", 2),
        ("/0/base/image", 3),
        ("/0/base/command", 4),
        ("/1", 10),
        ("/1/items/0/metadata/name", 13),
        ("/1/items/0/merged", 14),
        ("/1/items/1", 15),
        ("/1/items/1/metadata/name", 15),
        ("/1/absent", 10),
    ],
)
def test_a_pointer_into_yaml_counts_the_documents_that_hold_something(pointer: str, line: int) -> None:
    assert line_of(YAML, Form.YAML, pointer) == line


def test_a_lone_yaml_document_is_no_array() -> None:
    assert line_of("---\n---\na: 1\nb:\n  c: 2\n", Form.YAML, "/b/c") == 5


def test_json_values_in_a_row_are_an_array() -> None:
    assert line_of('{"a": 1}\n{"a":\n 2}\n', Form.JSON, "/1/a") == 2


@pytest.mark.parametrize(("pointer", "line"), [("L2", 2), ("", 1), ("L9", None), ("L0", None), ("/a", None)])
def test_a_text_is_pointed_into_by_its_lines(pointer: str, line: int | None) -> None:
    assert line_of("one\ntwo\n", Form.TEXT, pointer) == line


def test_many_pointers_into_a_large_document_take_a_moment() -> None:
    roles = [
        {"RoleName": f"role-{n}", "Tags": [{"Key": "k", "Value": "v" * 40}] * 6, "Policies": [{"Statement": [{"Effect": "Allow"}] * 8}]}
        for n in range(9_000)
    ]
    text = json.dumps({"RoleDetailList": roles}, indent=1)
    assert len(text) > 8_000_000
    begin = time.process_time()

    lines = [line_of(text, Form.JSON, f"/RoleDetailList/{n}/Policies/0/Statement/7") for n in range(0, 9_000, 9)]

    assert time.process_time() - begin < 3
    assert lines == sorted(set(lines), key=lines.index)
    assert text.splitlines()[(lines[5] or 0) - 1].strip() == "{"
