"""Find rules and report formats: built in, installed by others, or in a folder.

A pack is any package whose modules hold rules. It is walked, and whatever is a Rule is a rule.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

from partywall.errors import UsageError
from partywall.model.report import ReportFormat
from partywall.model.rule import Rule

RULES = "partywall.rule_packs"
REPORTS = "partywall.reports"


def rules(folders: Sequence[str] = ()) -> tuple[Rule, ...]:
    """Return the rules of all installed packs and of these folders, by id.

    Raises UsageError where two rules share an id or a folder holds no package.
    """
    packages = [import_module(entry.value) for entry in sorted(entry_points(group=RULES), key=lambda entry: entry.name)]
    packages += [_from_folder(Path(folder)) for folder in folders]
    by_id: dict[str, Rule] = {}
    for rule in rules_in(packages):
        other = by_id.setdefault(rule.id, rule)
        if other is not rule:
            raise UsageError(f"two rules are called {rule.id}: {other.module} and {rule.module}; give one of them a new id")
    return tuple(by_id[key] for key in sorted(by_id))


def rules_in(packages: Iterable[ModuleType]) -> Iterator[Rule]:
    """Walk packages and yield every rule once, where it was made."""
    for package in packages:
        for module in _modules(package):
            for value in vars(module).values():
                if isinstance(value, Rule) and value.module == module.__name__:
                    yield value


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for found in sorted(walk_packages(package.__path__, f"{package.__name__}."), key=lambda found: found.name):
        yield import_module(found.name)


def _from_folder(folder: Path) -> ModuleType:
    if not (folder / "__init__.py").is_file():
        raise UsageError(f"{folder}: no rule pack; a pack is a folder with an __init__.py and modules that hold rules")
    parent = str(folder.resolve().parent)
    if parent not in sys.path:
        sys.path.insert(0, parent)
    return import_module(folder.resolve().name)


def report_format(name: str) -> ReportFormat:
    """Return one report format. Raises UsageError that names the known ones."""
    entry = next(iter(entry_points(group=REPORTS, name=name)), None)
    if entry is None:
        known = ", ".join(sorted(entry.name for entry in entry_points(group=REPORTS)))
        raise UsageError(f"no report format is called {name}; choose from {known}")
    found = entry.load()
    if not isinstance(found, ReportFormat):
        raise UsageError(f"{entry.value}: no report format; it must be a partywall.api.ReportFormat")
    return found
