"""The house around the code: files stay small, paths in the pages exist, nothing of one machine gets in."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import partywall

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = frozenset({".venv", ".git", ".cache", ".hypothesis", ".ruff_cache", "__pycache__", "node_modules", "out", "dist", "build"})
LONGEST = 350
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
MAKE_TARGETS = (
    *("demo", "test", "check", "docs", "docs-check", "golden", "bench", "fuzz", "clean", "help"),
    *("fuzz-k8s", "kubelab", "vectors-iam", "vectors-k8s"),
)


def our_files(folder: Path = ROOT) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in NOT_OURS:
            continue
        if path.is_dir():
            yield from our_files(path)
        elif path.is_file():
            yield path


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_python_file_is_longer_than_a_reader_can_hold() -> None:
    long = {name_of(path): lines for path in our_files() if path.suffix == ".py" and (lines := text_of(path).count("\n")) > LONGEST}

    assert long == {}


def test_nothing_names_this_machine_or_a_package_registry() -> None:
    here = "" if ROOT.parent == Path("/") else f"{re.escape(str(ROOT.parent))}/|"
    forbidden = re.compile(rf"{here}/Users/\w|pypi\.org|pythonhosted\.|npmjs\.(?:org|com)")

    assert [name_of(path) for path in our_files() if forbidden.search(text_of(path))] == []


def test_nothing_broad_is_caught_and_nothing_is_silenced_without_its_code() -> None:
    reason = r"\d+(?:, ?[A-Z]+\d+)* - \w"
    caught = rf"except (?:Base)?Exception\b(?!.*# noqa: BLE{reason})|(?m:^\s*except:)"
    silenced = rf"# type: ignore(?!\[[\w-]+\]  # \w)|# noqa(?!: [A-Z]+{reason})"
    slip = re.compile(f"{caught}|{silenced}")
    own = Path(__file__).resolve()

    found = {
        name_of(path): slips for path in our_files() if path.suffix == ".py" and path != own and (slips := slip.findall(text_of(path)))
    }

    assert found == {}


def test_constraints_are_names_and_versions_only() -> None:
    lines = [line for line in text_of(ROOT / "constraints.txt").splitlines() if line and not line.startswith("#")]

    assert lines
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line)] == []


def test_the_makefile_has_every_target() -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):.*##", text_of(ROOT / "Makefile"), re.MULTILINE))

    assert targets == set(MAKE_TARGETS)


def test_the_workflow_runs_what_ci_runs() -> None:
    assert "run: .ci/run" in text_of(ROOT / ".github/workflows/ci.yml")
    assert "make test" in text_of(ROOT / ".ci/run")


def test_the_changelog_speaks_of_this_version() -> None:
    assert f"## {partywall.__version__}" in text_of(ROOT / "CHANGELOG.md")


def paths_named_in(page: Path) -> Iterator[str]:
    """Yield the repository paths in backticks: those that start at a folder of the root, or are a file of the root."""
    top = {path.name for path in ROOT.iterdir()} - NOT_OURS
    for quoted in re.findall(r"`([\w.*/{},-]+)`", text_of(page)):
        if quoted.split("/")[0] in top:
            yield quoted.rstrip("/")


@pytest.mark.parametrize("page", [pytest.param(page, id=name_of(page)) for page in PAGES])
def test_every_path_in_a_page_exists(page: Path) -> None:
    assert [path for path in paths_named_in(page) if not list(ROOT.glob(path))] == []


@pytest.mark.parametrize("page", [pytest.param(page, id=name_of(page)) for page in PAGES])
def test_every_link_in_a_page_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)|(?:src|srcset)=\"([^\"]+)\"", text_of(page))
    local = [target for pair in links for target in pair if target and "://" not in target]

    assert [target for target in local if not (page.parent / target).exists()] == []


SCHEMAS = {
    "scanner/partywall/contracts/schemas/tenants-v1.schema.json": "docs/tenancy.md",
    "scanner/partywall/contracts/schemas/contract-v1.schema.json": "docs/tenancy.md",
    "reports/partywall_reports/schemas/report-v1.schema.json": "docs/report-json.md",
}


def fields_of(schema: object) -> Iterator[str]:
    """Yield every field that a schema allows, at any depth."""
    if isinstance(schema, list):
        yield from (field for part in schema for field in fields_of(part))
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        yield from (field for part in schema.values() for field in fields_of(part))


@pytest.mark.parametrize(("schema", "page"), SCHEMAS.items())
def test_a_page_describes_every_field_of_its_schema(schema: str, page: str) -> None:
    quoted = re.findall(r"`([^`\n]+)`", text_of(ROOT / page))
    described = {word for part in quoted for word in re.findall(r"\w+", part)}

    assert sorted(set(fields_of(json.loads(text_of(ROOT / schema)))) - described) == []
