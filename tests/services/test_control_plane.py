"""Our judges of RBAC and pod security beside a real API server, over random worlds that nobody has seen before the seed was chosen."""

from collections.abc import Callable

import pytest

from tests.services.compare_k8s import SIDE_BY_SIDE, Tally, compare_pods, compare_worlds, prepare
from tests.services.control_plane import ControlPlane

pytestmark = pytest.mark.service

WORLDS = 500
PODS = 240


@pytest.fixture(scope="module")
def plane(kubernetes: ControlPlane) -> ControlPlane:
    prepare(kubernetes)
    return kubernetes


def test_random_worlds_are_judged_as_the_server_judges_them(plane: ControlPlane, record_property: Callable[[str, object], None]) -> None:
    tally = Tally()

    for seed in range(0, WORLDS, SIDE_BY_SIDE):
        compare_worlds(plane, seed, tally)

    record_property("asked", dict(tally.counts))
    assert tally.differences == [], "\n\n".join(tally.differences[:3])
    assert tally.asked("decision") >= 10_000
    assert tally.asked("create") + tally.asked("update") >= 300
    for kind, least in (("decision: True", 1000), ("create: created", 20), ("create: escalation", 20), ("update: created", 5)):
        assert tally.counts[kind] >= least, dict(tally.counts)
    for kind in ("create: not authorized", "create: role not found", "create: aggregation", "update: escalation", "object: refused"):
        assert tally.counts[kind] >= 1, dict(tally.counts)


def test_random_pods_are_let_in_where_the_server_lets_them_in(plane: ControlPlane, record_property: Callable[[str, object], None]) -> None:
    tally = Tally()

    compare_pods(plane, range(PODS + 60), tally)

    record_property("asked", dict(tally.counts))
    assert tally.differences == [], "\n\n".join(tally.differences[:3])
    assert tally.counts["pod: valid"] >= PODS - 40
    assert tally.counts["pod security: created"] >= 200
    assert tally.asked("pod security") - tally.counts["pod security: created"] >= 200
