"""Names that were chosen to break a report stay text, from the file to every format."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.unit.engine.folders import BOTH, TENANTS, folder

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>"
HOSTILE = {
    "markup": MARKUP,
    "ansi": "\x1b[2J\x1b[31mred\x1b]8;;https://evil.example\x07",
    "newlines": "first\nsecond\r\nthird\u2028fourth",
    "long": "x" * 10_000,
    "bidi": "abc\u202efdp.exe",
    "template": "{{ 7*7 }}{% raw %}",
    "markdown": "[click](https://evil.example) `code` **bold** | table |",
    "formula": "=HYPERLINK('https://evil.example')",
}
FORMATS = ("json", "sarif", "html", "terminal")


def estate(into: Path, name: str) -> Path:
    """Bind a group with a hostile name, in a hostile role binding, to a role in another team's namespace."""
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": name, "namespace": "maple", "labels": {"team": name}},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "edit"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": name}],
    }
    tenants = yaml.safe_load(TENANTS)
    tenants["tenants"][0]["kubernetes_groups"] = [name]
    k8s = f"{BOTH}---\n{yaml.safe_dump(binding, allow_unicode=False)}"
    return folder(into, tenants=yaml.safe_dump(tenants, allow_unicode=False), k8s=k8s)


def reports(path: Path, into: Path) -> tuple[dict[str, str], str]:
    """Scan in a process of its own; return the reports and what stood on the screen."""
    into.mkdir()
    outputs = [word for name in FORMATS for word in ("-o", f"{name}={into / name}")]
    command = [sys.executable, "-m", "partywall.cli", "scan", str(path), *outputs, "-v"]
    done = subprocess.run(command, env={**os.environ, "PYTHONUTF8": "1"}, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode in (1, 3), done.stderr
    return {name: (into / name).read_text(encoding="utf-8") for name in FORMATS}, done.stderr


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_name_stays_text_in_every_format(kind: str, tmp_path: Path) -> None:
    made, screen = reports(estate(tmp_path / "in", HOSTILE[kind]), tmp_path / "out")

    assert json.loads(made["json"])["verdict"] == "breach"
    assert json.loads(made["sarif"])["version"] == "2.1.0"
    for text in (*made.values(), screen):
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    assert "<script>alert" not in made["html"]
    assert "<img src=x" not in made["html"]
    assert 'href="https://evil.example' not in made["html"]
    assert "{{ 7*7 }}" in made["html"] or kind != "template"
    assert max(map(len, screen.splitlines())) <= 400


def test_the_whole_name_is_in_the_machine_formats(tmp_path: Path) -> None:
    """Shortened for people, whole for programs."""
    made, screen = reports(estate(tmp_path / "in", HOSTILE["long"]), tmp_path / "out")

    assert "x" * 10_000 in made["json"]
    assert "x" * 10_000 not in screen


def test_hostile_file_names_are_told_and_break_nothing(tmp_path: Path) -> None:
    path = estate(tmp_path / "in", "orchid-team")
    (path / "a\x1b[31m<b>name\n.json").write_text("{ not json", encoding="utf-8")
    (path / f"{'long' * 50}.yaml").write_text("a: [", encoding="utf-8")

    made, screen = reports(path, tmp_path / "out")

    assert json.loads(made["json"])["verdict"] == "breach"
    assert len([gap for gap in json.loads(made["json"])["gaps"] if gap["reason"] == "unparsable"]) == 2
    assert "\x1b" not in "".join((*made.values(), screen))
    assert "<b>name" not in made["html"]
