"""Our reading of Kueue against what real Kueue 0.12.3 and 0.19.2 did."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from partywall.model.document import Gap, Origin
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Facts
from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_kueue import ClusterQueue, Cohort, KueueConfig
from partywall.parse.kubernetes import kinds
from partywall.parse.kubernetes_objects import group_of
from partywall.resolve.kueue.parties import parties, shared
from partywall.resolve.kueue.queues import queues
from partywall.resolve.kueue.unheld import is_held

VERSIONS = ("0.12.3", "0.19.2")
CLUSTER = "111122223333/us-east-2/lab"
HERE = Evidence("live", "")
KINDS = {"Job": ("batch", "jobs"), "Pod": ("", "pods"), "Deployment": ("apps", "deployments")}
LABELLED = LabelSelector((("managed", "yes"),))
SETTINGS: Mapping[str, tuple[bool, LabelSelector | None, tuple[str, ...]]] = {
    "job integration only": (False, None, ("batch/job",)),
    "jobs without a queue name managed": (True, None, ("batch/job",)),
    "managed only where labelled": (True, LABELLED, ("batch/job",)),
    "selector without the switch": (False, LABELLED, ("batch/job",)),
    "pods and deployments too": (False, None, ("batch/job", "pod", "deployment")),
    "everything managed": (True, None, ("batch/job", "pod", "deployment")),
}


@pytest.fixture(scope="module")
def live(shared: Path) -> Path:
    folder = shared / "vectors/k8s/kueue-live"
    if not folder.is_dir():
        pytest.skip("no recordings of real Kueue beside the repository")
    return folder


def facts_of(objects: list[Mapping[str, Any]]) -> list[Fact | Gap]:
    table = kinds()
    found: list[Fact | Gap] = []
    for obj in objects:
        for parser in table.get((group_of(obj), obj["kind"]), ()):
            found += parser(obj, HERE, Origin(cluster=CLUSTER))
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_what_names_no_queue_is_held_where_it_really_was(live: Path, version: str) -> None:
    matrix = json.loads((live / f"matrix-{version}.json").read_text())
    unsure = 0
    for row in matrix["ways_round"]:
        if row["queueName"] is None:
            switch, selector, frameworks = SETTINGS[row["setting"]]
            config = KueueConfig(CLUSTER, switch, selector, frameworks, "v1beta1", HERE)
            ours = is_held(config, KINDS[row["kind"]], row["namespaceLabels"], "default" in row["localQueues"])
            unsure += ours is None

            assert ours in (None, row["held"]), row

    assert unsure == 2


@pytest.mark.parametrize("version", VERSIONS)
def test_cluster_queues_join_the_cohort_that_was_stored(live: Path, version: str) -> None:
    matrix = json.loads((live / f"matrix-{version}.json").read_text())
    seen = 0
    for case in matrix["validation"]:
        if case["object"]["kind"] == "ClusterQueue" and case["accepted"]:
            (queue,) = (fact for fact in facts_of([case["object"]]) if isinstance(fact, ClusterQueue))
            stored = case["stored"]
            seen += 1

            assert queue.cohort == stored.get("cohort", stored.get("cohortName", ""))
            assert (queue.namespaces is None) == (stored.get("namespaceSelector") is None)
            assert queue.preemption.reclaim == stored["preemption"]["reclaimWithinCohort"]

    assert seen > 15


@pytest.mark.parametrize("version", VERSIONS)
def test_a_selector_that_kueue_refuses_is_a_gap(live: Path, version: str) -> None:
    matrix = json.loads((live / f"matrix-{version}.json").read_text())
    refused = [case["object"] for case in matrix["validation"] if case["case"].startswith("selector") and not case["accepted"]]

    assert len(refused) == 2
    assert all(isinstance(fact, Gap) for obj in refused for fact in facts_of([obj]))


class Lived:
    """A world that was run: who was admitted beyond their own quota, and who could have been by our reading."""

    def __init__(self, world: Mapping[str, Any]) -> None:
        self.world = world
        found = [fact for fact in facts_of(world["objects"]) if not isinstance(fact, Gap)]
        facts = Facts(found)
        self.here = queues(facts, CLUSTER)
        self.cohorts = {cohort.name: cohort for cohort in facts.of(Cohort)}
        self.parties = {party.queue: party for party in parties(self.here, facts.of(Cohort))}

    def queue_of(self, team: str) -> ClusterQueue | None:
        namespace = f"{team}-{self.world['world']}"
        door = next((door for door in self.here.doors if door.namespace == namespace), None)
        return None if door is None else self.here.queues.get(door.queue)

    def nominal(self, queue: ClusterQueue) -> float:
        return sum(quota.nominal or 0 for quota in queue.quotas)

    def may_borrow(self, queue: ClusterQueue) -> bool:
        mine = self.parties.get(queue.name)
        return mine is not None and any(any(shared(mine, other, self.cohorts)) for other in self.parties.values())


def lived(live: Path, version: str) -> Iterator[Lived]:
    for line in (live / f"worlds-{version}.jsonl").read_text().splitlines():
        yield Lived(json.loads(line))


@pytest.mark.parametrize("version", VERSIONS)
def test_nobody_was_admitted_to_a_queue_that_we_say_shuts_them_out(live: Path, version: str) -> None:
    seen = 0
    for world in lived(live, version):
        for team in world.world["steps"][-1]["then"]:
            queue = world.queue_of(team)
            if queue is not None and world.here.admits(queue, f"{team}-{world.world['world']}") is False:
                seen += 1

                assert world.world["steps"][-1]["then"][team]["admitted"] == 0

    assert seen > 0


@pytest.mark.parametrize("version", VERSIONS)
def test_who_came_first_and_wanted_more_got_more_exactly_where_we_say_that_they_may_borrow(live: Path, version: str) -> None:
    borrowed = kept = 0
    for world in lived(live, version):
        first = world.world["steps"][0]
        team, queue = first["team"], world.queue_of(first["team"])
        if queue is None or not world.here.admits(queue, f"{team}-{world.world['world']}") or first["jobs"] <= world.nominal(queue):
            continue
        more = first["then"][team]["admitted"] > world.nominal(queue)
        borrowed, kept = borrowed + more, kept + (not more)

        assert world.may_borrow(queue) == more, world.world["world"]

    assert borrowed > 5
    assert kept > 5
