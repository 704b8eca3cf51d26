"""Jobs that start past every quota."""

import pytest

from partywall.model.document import Assumption, Direction, Gap
from partywall.model.edge import Certainty, Edge
from partywall.model.evidence import Evidence
from partywall.model.node import Kind
from partywall.model.tenancy import Contract, Scheduling, Status
from partywall.model.thing import Standing, Thing
from tests.unit.kueue.world import SPACES, compute, config, door, facts_of, may, queue, said

OWN = "{matchLabels: {kubernetes.io/metadata.name: NAME}}"
QUEUES = SPACES + "".join(queue(f"{name}-cq", OWN.replace("NAME", name)) + door(name, f"{name}-cq") for name in ("vision", "nlp"))
JOBS = may("nlp", "batch", "jobs")
OFF = "manageJobsWithoutQueueName: false\nintegrations: {frameworks: [batch/job]}"
ON = "manageJobsWithoutQueueName: true\nintegrations: {frameworks: [batch/job]}"


def test_where_kueue_leaves_them_alone_they_take_the_clusters_capacity() -> None:
    found = compute(QUEUES + JOBS + config(OFF))

    assert ("nlp", "consume capacity of", "*") in found


def test_the_switch_is_the_lever_for_everybody_and_closes_it() -> None:
    facts = facts_of(QUEUES + JOBS + config(OFF))
    edges = said(facts, Edge)
    assert edges[0].lever.change is not None

    assert {edge.lever.name for edge in edges} == {"manageJobsWithoutQueueName"}
    assert said(facts.patched(edges[0].lever.change), Edge) == []


def test_the_capacity_stands_over_the_queues_and_each_lies_in_its_namespace() -> None:
    capacity, *queues = said(facts_of(QUEUES), Thing)

    assert (capacity.node.kind, capacity.standing) == (Kind.CAPACITY, Standing.SCOPE)
    assert [(thing.node.name, thing.parent.name if thing.parent else "") for thing in queues] == [
        ("vision-cq", "vision"),
        ("nlp-cq", "nlp"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(QUEUES + JOBS + config(ON), id="all jobs are held"),
        pytest.param(QUEUES + JOBS + may("nlp", "", "pods") + config(ON.replace("batch/job", "batch/job, pod")), id="pods are held too"),
        pytest.param(QUEUES + JOBS.replace("create", "get") + config(ON), id="looking at jobs starts none"),
        pytest.param(SPACES + JOBS + config(OFF), id="no queue, no quota"),
    ],
)
def test_stays_quiet(text: str) -> None:
    assert compute(text) == []


def test_a_kind_without_its_integration_gets_round_the_switch() -> None:
    (edge,) = said(facts_of(QUEUES + may("nlp", "", "pods") + config(ON)), Edge)

    assert edge.note == "by pods that name no queue"
    assert edge.lever.name == "integrations.frameworks"


def test_a_namespace_that_the_selector_leaves_out_gets_round_it() -> None:
    text = QUEUES + JOBS + config(f"{ON}\nmanagedJobsNamespaceSelector: {{matchLabels: {{team: vision}}}}")

    assert {edge.lever.name for edge in said(facts_of(text), Edge)} == {"managedJobsNamespaceSelector"}


def test_a_local_queue_named_default_takes_them_in() -> None:
    text = SPACES + queue("nlp-cq") + door("nlp", "nlp-cq", "default") + JOBS + config(OFF)

    assert compute(text) == []


def test_an_admission_policy_that_speaks_of_the_label_makes_it_unknown() -> None:
    gate = """
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demand-queue}
spec: {validations: [{expression: "'kueue.x-k8s.io/queue-name' in object.metadata.labels"}]}
---
"""
    edge = said(facts_of(QUEUES + JOBS + config(OFF) + gate), Edge)[0]

    assert edge.certainty is Certainty.UNKNOWN
    assert edge.note.endswith("ValidatingAdmissionPolicy demand-queue may demand a queue")


MANAGER = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: kueue-controller-manager, namespace: kueue-system}
spec: {template: {spec: {containers: [{name: manager}]}}}
---
"""


def test_without_the_configuration_of_what_runs_the_capacity_is_in_question() -> None:
    (gap,) = said(facts_of(QUEUES + JOBS + MANAGER), Gap)

    assert (gap.direction, gap.nodes[0].kind) == (Direction.INCOMING, Kind.CAPACITY)
    assert gap.remedy == "kubectl get configmap -n kueue-system kueue-manager-config -o json"


def test_a_contract_with_terms_of_scheduling_puts_the_configuration_in_question() -> None:
    at = Evidence("contracts/nlp.yaml", "")
    signed = Contract("nlp", Status.APPROVED, at, at.document, "", {}, {}, scheduling=Scheduling(at, lend="none"))

    assert [gap.direction for gap in said(facts_of(QUEUES + JOBS, signed), Gap)] == [Direction.INCOMING]


def test_where_nothing_of_kueue_was_given_but_queues_it_is_assumed_and_said() -> None:
    facts = facts_of(QUEUES + JOBS)

    assert said(facts, Gap) == []
    assert [each.text for each in said(facts, Assumption)] == [
        "Kueue on capacity holds jobs that name no queue: its configuration was not given, nor anything that runs it"
    ]


def test_a_configuration_that_is_no_yaml_is_a_gap_and_no_traceback() -> None:
    assert said(facts_of(QUEUES + JOBS + config("integrations: [")), Gap) != []
