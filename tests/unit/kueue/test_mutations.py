"""Broken Kueue objects: each is a gap that names it, none is a crash, and no other object says anything else for it."""

import copy
import math
from collections.abc import Iterator
from typing import Any

import pytest

from partywall.model.document import Direction, Document, Form, Gap, Origin
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Facts
from partywall.model.facts_kueue import ClusterQueue, Cohort
from partywall.parse.kubernetes import parse
from partywall.resolve.kueue import resolve
from partywall.resolve.kueue.forecast import Batch, field, first
from partywall.resolve.kueue.queues import queues
from tests.unit.kueue.world import CLUSTER

API = "kueue.x-k8s.io/v1beta2"
WRONG: tuple[Any, ...] = (
    7,
    1.5,
    True,
    "x y",
    "",
    [],
    [None],
    [[]],
    {"a": None},
    {"a": {"b": []}},
    "9" * 400,
    -1,
    math.nan,
    math.inf,
    10**30,
)


def queue(name: str, cohort: str) -> dict[str, Any]:
    resource = {"name": "gpu", "nominalQuota": "4", "borrowingLimit": "2", "lendingLimit": "3"}
    return {
        "apiVersion": API,
        "kind": "ClusterQueue",
        "metadata": {"name": name},
        "spec": {
            "cohortName": cohort,
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": name}},
            "queueingStrategy": "BestEffortFIFO",
            "stopPolicy": "None",
            "preemption": {
                "withinClusterQueue": "LowerPriority",
                "reclaimWithinCohort": "Any",
                "borrowWithinCohort": {"policy": "LowerPriority", "maxPriorityThreshold": 5},
            },
            "fairSharing": {"weight": "1"},
            "resourceGroups": [{"coveredResources": ["gpu"], "flavors": [{"name": "p5", "resources": [resource]}]}],
        },
    }


def objects() -> list[dict[str, Any]]:
    """Write two teams below cohorts of their own, and a third that shares with nobody."""
    return [
        {"apiVersion": API, "kind": "Cohort", "metadata": {"name": "one"}, "spec": {"parentName": "top"}},
        {"apiVersion": API, "kind": "Cohort", "metadata": {"name": "top"}, "spec": {"fairSharing": {"weight": "1"}}},
        {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": "p5"}, "spec": {"nodeLabels": {"gpu": "p5"}}},
        {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": "urgent"}, "value": 100},
        {
            "apiVersion": API,
            "kind": "LocalQueue",
            "metadata": {"name": "lq", "namespace": "vision"},
            "spec": {"clusterQueue": "vision", "stopPolicy": "None"},
        },
        queue("vision", "one"),
        queue("speech", "top"),
        {**queue("robots", ""), "spec": {"resourceGroups": [], "namespaceSelector": {}}},
    ]


def leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from leaves(item, (*at, key))


def changed(value: Any, at: tuple[Any, ...], wrong: Any) -> Any:
    found = copy.deepcopy(value)
    inner = found
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = wrong
    return found


def read(items: list[Any]) -> list[Fact | Gap]:
    value = {"apiVersion": "v1", "kind": "List", "items": items}
    return list(parse(Document("queues.json", "kubernetes", Form.JSON, value, "", "", origin=Origin(cluster=CLUSTER))))


def mutations() -> Iterator[tuple[int, tuple[Any, ...], Any]]:
    for number, obj in enumerate(objects()):
        for at in leaves({key: value for key, value in obj.items() if key in ("spec", "value")}):
            yield from ((number, at, wrong) for wrong in WRONG)


MUTATIONS = list(mutations())


def by_place(found: list[Fact | Gap]) -> dict[str, list[str]]:
    said: dict[str, list[str]] = {}
    for item in found:
        at = item.at
        number = at.pointer.split("/")[2] if at is not None and at.pointer.count("/") > 1 else ""
        said.setdefault(number, []).append(repr(item))
    return said


def test_there_are_many() -> None:
    assert len(MUTATIONS) > 1000


@pytest.mark.parametrize("number", range(len(objects())))
def test_a_broken_object_is_read_or_a_gap_that_names_it_and_changes_no_other_object(number: int) -> None:
    whole, before = objects(), by_place(read(objects()))
    refused = 0
    for _, at, wrong in (each for each in MUTATIONS if each[0] == number):
        items = [*whole[:number], changed(whole[number], at, wrong), *whole[number + 1 :]]
        found = read(items)
        after = by_place(found)
        gaps = [item for item in found if isinstance(item, Gap)]
        refused += len(gaps)

        assert {key: value for key, value in after.items() if key != str(number)} == {
            key: value for key, value in before.items() if key != str(number)
        }, (at, wrong)
        assert after.get(str(number)), (at, wrong)
        for gap in gaps:
            assert whole[number]["kind"] in gap.what
            assert whole[number]["metadata"]["name"] in gap.what
            assert gap.direction is Direction.INCOMING
            assert gap.remedy
        list(resolve(Facts([item for item in found if not isinstance(item, Gap)])))
    assert refused > 10


@pytest.mark.parametrize(
    ("written", "stored"), [("4000m", 4.0), ("4e0", 4.0), ("0.004k", 4.0), ("+4", 4.0), ("4.", 4.0), (4, 4.0), ("1Ki", 1024.0), (".5", 0.5)]
)
def test_odd_notations_of_a_quantity_are_what_they_mean(written: Any, stored: float) -> None:
    obj = queue("vision", "one")
    obj["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0] = {"name": "gpu", "nominalQuota": written}
    (found,) = read([obj])[1:]

    assert isinstance(found, ClusterQueue)
    assert found.quotas[0].nominal == pytest.approx(stored)


@pytest.mark.parametrize("written", ["1E400", "9" * 30, 10**30, "5Ti5", "1e2.5", " 4", "4 ", "1,5", "0x10", "four", "-4", "-0.1"])
def test_what_is_no_quantity_is_refused_and_what_is_too_large_is_the_largest(written: Any) -> None:
    obj = queue("vision", "one")
    obj["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0] = {"name": "gpu", "nominalQuota": written}
    (found,) = read([obj])[1:]

    if isinstance(found, ClusterQueue):
        assert written in ("1E400", "9" * 30)
        assert found.quotas[0].nominal == float(2**63 - 1)
    else:
        assert isinstance(found, Gap)
        assert "ClusterQueue vision, which Kueue refuses" in found.what


def test_null_is_absence() -> None:
    obj = queue("vision", "one")
    obj["spec"] |= {"preemption": None, "fairSharing": None, "stopPolicy": None, "namespaceSelector": None}
    (found,) = read([obj])[1:]

    assert isinstance(found, ClusterQueue)
    assert (found.namespaces, found.stopped, found.preemption.within) == (None, False, "Never")


def test_cohorts_in_a_circle_are_a_gap_and_admit_nobody_while_others_go_on() -> None:
    items = objects()
    items[1]["spec"]["parentName"] = "one"
    found = read(items)
    facts = Facts([item for item in found if not isinstance(item, Gap)])
    gaps = [item for item in resolve(facts) if isinstance(item, Gap) and "hangs below itself" in item.what]

    assert len(facts.of(Cohort)) == 2
    assert [gap.what for gap in gaps] == [f"who shares with whom in cohort {name}, which hangs below itself" for name in ("one", "top")]
    assert {node.name for gap in gaps for node in gap.nodes} == {"vision", "speech"}
    here = field(queues(facts, CLUSTER), facts)
    assert first(here, Batch("vision", "vision", "lq", 3, 0, "gpu")) == 0


def test_a_thousand_cohorts_deep_is_read() -> None:
    chain = [
        {"apiVersion": API, "kind": "Cohort", "metadata": {"name": f"c{number}"}, "spec": {"parentName": f"c{number + 1}"}}
        for number in range(1000)
    ]
    facts = Facts([item for item in read([*chain, queue("vision", "c0"), queue("speech", "c999")]) if not isinstance(item, Gap)])

    assert [item for item in resolve(facts) if isinstance(item, Gap) and "below itself" in item.what] == []


def test_the_evidence_of_a_gap_is_the_object() -> None:
    obj = queue("vision", "one")
    obj["spec"]["stopPolicy"] = "Pause"
    (gap,) = (item for item in read([obj]) if isinstance(item, Gap))

    assert gap.at == Evidence("queues.json", "/items/0")
    assert gap.what == "ClusterQueue vision, which Kueue refuses (spec.stopPolicy is Pause, not one of None, Hold, HoldAndDrain)"
