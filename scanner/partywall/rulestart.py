"""Start a rule: a module whose page waits to be written, and a test that fails until it is."""

import re
from collections.abc import Iterable
from pathlib import Path

from partywall.errors import UsageError
from partywall.model.verbs import VERBS

HUNDREDS = {"act": 1, "view": 2, "data": 3, "network": 4, "compute": 5, "identity": 6, "drift": 7}
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")

MODULE = '''"""{title}."""

from partywall.api import {imports}, Severity, rule


@rule(id="{id}", name="{name}", severity=Severity.HIGH, asks={asks})
def {function}({argument}) -> str:
    """TODO: what is true when it fires.

    Why it matters: TODO.

    Fix: TODO.

    Blind spots: TODO.
    """
    return f"{sentence}"
'''

TEST = '''"""{title}."""

from partywall.testing import {helper}
from {package}.{lane}.{function} import {function}


def test_it_is_found() -> None:
    assert "TODO" not in {function}.page.text
'''


def start(lane: str, name: str, into: Path, taken: Iterable[str]) -> list[Path]:
    """Write a rule's module and test. Raises UsageError for a bad name, or where one of the files exists."""
    if not NAME.fullmatch(name) or name.startswith(("no-", "ensure-", "disallow-")):
        raise UsageError(
            f"{name}: say what is wrong in small words joined by -, as in exec-into-foreign-pods; never no-, ensure- or disallow-"
        )
    function = name.replace("-", "_")
    module = into / "rules" / "partywall_rules" / lane / f"{function}.py"
    test = into / "tests" / "rules" / lane / f"test_{function}.py"
    for path in (module, test):
        if path.exists():
            raise UsageError(f"{path}: exists already; choose another name")
    words = {
        "title": name.replace("-", " ").capitalize(),
        "id": next_id(lane, taken),
        "name": name,
        "function": function,
        "lane": lane,
        "package": "partywall_rules",
    }
    module.parent.mkdir(parents=True, exist_ok=True)
    test.parent.mkdir(parents=True, exist_ok=True)
    module.write_text(MODULE.format(**words, **_question(lane)), encoding="utf-8")
    test.write_text(TEST.format(**words, helper="drifts" if lane == "drift" else "findings"), encoding="utf-8")
    return [module, test]


def next_id(lane: str, taken: Iterable[str]) -> str:
    """Return the id after the last one that is taken in a lane."""
    hundred = HUNDREDS[lane]
    numbers = [int(each[2:]) for each in taken if re.fullmatch(rf"PW{hundred}\d\d", each)]
    return f"PW{max(numbers, default=hundred * 100) + 1}"


def _question(lane: str) -> dict[str, str]:
    if lane == "drift":
        return {
            "imports": "Difference, Differences",
            "asks": 'Differences("FIELD")',
            "argument": "difference: Difference",
            "sentence": "{difference.text}",
        }
    verb = next(verb.name for verb in VERBS.values() if verb.lane.value == lane and not verb.nature)
    return {
        "imports": "Crossing, Crossings",
        "asks": f'Crossings("{verb}")',
        "argument": "crossing: Crossing",
        "sentence": "{crossing.source} TODO {crossing.target}",
    }
