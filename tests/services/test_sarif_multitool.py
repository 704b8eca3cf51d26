"""SARIF as its own validator and its JSON Schema see it. The validator ends with 0 whatever it finds, so its output is read."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import validators

from partywall.api import Report
from partywall_reports import sarif
from tests.services.estate import report
from tests.unit.reports.hostile import TEXTS
from tests.unit.reports.sample import ALL, full, respelled

pytestmark = pytest.mark.service

REPORTS: dict[str, Callable[[], Report]] = {
    **ALL,
    "hostile": lambda: respelled(
        full(), lambda named: TEXTS["link"] + TEXTS["markup"] + TEXTS["placeholder"] + TEXTS["newlines"] + TEXTS["surrogate"]
    ),
    "harbor": lambda: report("harbor"),
    "harbor-mended": lambda: report("harbor-mended"),
}
# Why it may stay: the project has no address of its own to give.
ALLOWED = re.compile(r"warning SARIF2005: .*informationUri")


@pytest.fixture(scope="module")
def multitool(service: Callable[[str], str]) -> str:
    return os.environ.get("PARTYWALL_SARIF_MULTITOOL") or service("sarif-multitool")


@pytest.mark.parametrize("kind", ["Sarif", "Gh", "Ghas"])
def test_the_validator_finds_no_error(kind: str, multitool: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.sarif" for name in REPORTS]
    for path, make in zip(paths, REPORTS.values(), strict=True):
        path.write_text(sarif.render(make()), "utf-8")

    told = subprocess.run(
        [multitool, "validate", *map(str, paths), "--rule-kind", kind],
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert f"{len(paths)} files scanned" in told.stdout, told.stdout + told.stderr
    assert [
        line for line in told.stdout.splitlines() if re.search(r"\b(error|warning) [A-Z]+\d+:", line) and not ALLOWED.search(line)
    ] == []


@pytest.mark.parametrize("name", REPORTS)
def test_a_log_is_as_the_schema_says(name: str, multitool: str) -> None:
    (path,) = (folder / "sarif-2.1.0.json" for folder in _packages(multitool) if (folder / "sarif-2.1.0.json").is_file())
    schema = json.loads(path.read_text("utf-8-sig"))

    errors = validators.validator_for(schema)(schema).iter_errors(json.loads(sarif.render(REPORTS[name]())))

    assert [f"{error.json_path}: {error.message[:200]}" for error in errors] == []


def _packages(multitool: str) -> list[Path]:
    """Return the folders of the npm packages beside the program: one of them carries the schema."""
    modules = next(folder for folder in Path(multitool).absolute().parents if folder.name == "node_modules")
    return sorted((modules / "@microsoft").iterdir())
