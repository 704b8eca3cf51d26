"""The reports of the demo estate are byte for byte those that were looked at."""

import pytest

from tests.golden import FORMATS, GOLDEN, WORLDS, reports


@pytest.mark.parametrize("world", WORLDS)
def test_the_reports_are_those_that_were_looked_at(world: str) -> None:
    stale = [name for name, text in reports(world) if (GOLDEN / name).read_bytes() != text.encode("utf-8", "backslashreplace")]

    assert stale == [], "look at what changed, then run `make golden`"


def test_no_golden_report_is_left_over() -> None:
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted(f"{world}.{suffix}" for world in WORLDS for suffix in FORMATS.values())
