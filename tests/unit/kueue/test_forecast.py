"""What queues admit, in small: the judge and the recordings ask for the rest."""

from partywall.model.facts import Facts
from partywall.resolve.kueue.forecast import Batch, Bounds, Field, field, first, forecast
from partywall.resolve.kueue.queues import queues
from tests.unit.kueue.world import CLUSTER, SPACES, door, facts_of, queue

CHECK = """
apiVersion: kueue.x-k8s.io/v1beta1
kind: AdmissionCheck
metadata: {name: capacity}
spec: {controllerName: example.com/capacity}
status: {conditions: [{type: Active, status: '%s'}]}
---
"""


def shares(text: str) -> Field:
    facts: Facts = facts_of(text)
    return field(queues(facts, CLUSTER), facts)


def batch(namespace: str, jobs: int, priority: int = 0, size: float = 1.0) -> Batch:
    return Batch(namespace, namespace, "lq", jobs, priority, "gpu", size)


POOL = SPACES + queue("a", cohort="all", limits=", borrowingLimit: 4") + queue("b", cohort="all") + door("nlp", "a", "lq")


def test_the_limit_bounds_what_is_borrowed() -> None:
    assert first(shares(POOL), batch("nlp", 20)) == 12
    assert first(shares(POOL), batch("nlp", 20, size=5)) == 2


def test_what_needs_a_resource_without_quota_is_never_admitted() -> None:
    assert first(shares(POOL), Batch("nlp", "nlp", "lq", 3, 0, "efa")) == 0


def test_a_check_whose_controller_does_not_work_holds_up_everybody() -> None:
    checked = SPACES + queue("a", admissionChecks="[capacity]") + door("nlp", "a", "lq")

    assert first(shares(checked + CHECK % "True"), batch("nlp", 3)) == 3
    assert first(shares(checked + CHECK % "False"), batch("nlp", 3)) == 0


def test_a_queue_or_a_door_that_is_stopped_admits_nobody() -> None:
    assert first(shares(POOL.replace("clusterQueue: a}", "clusterQueue: a, stopPolicy: Hold}")), batch("nlp", 3)) == 0
    assert first(shares(SPACES + queue("a", stopPolicy="HoldAndDrain") + door("nlp", "a", "lq")), batch("nlp", 3)) == 0


def test_labels_that_were_not_read_leave_it_between_nothing_and_all() -> None:
    unread = queue("a", "{matchLabels: {team: nlp}}") + door("nlp", "a", "lq")
    (after,) = forecast(shares(unread), [batch("nlp", 3)])

    assert after.bounds == (Bounds(0, 3),)


def test_two_flavors_are_two_shares() -> None:
    two = SPACES + queue("a").replace(
        "flavors: [{name: p5, resources: [{name: gpu, nominalQuota: 8}]}]",
        "flavors: [{name: p5, resources: [{name: gpu, nominalQuota: 8}]}, {name: p4, resources: [{name: gpu, nominalQuota: 2}]}]",
    )

    assert first(shares(two + door("nlp", "a", "lq")), batch("nlp", 20)) == 10


def test_a_flavor_that_is_not_there_shuts_the_queue() -> None:
    other = "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ResourceFlavor\nmetadata: {name: p4}\nspec: {}\n---\n"

    assert first(shares(POOL + other), batch("nlp", 3)) == 0
