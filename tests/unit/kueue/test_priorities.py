"""Who evicts whose jobs by naming a class of priority; who may evict whom and how much is lent, in words."""

from partywall.model.edge import Certainty, Edge
from partywall.model.facts import Facts
from partywall.resolve.kueue.forecast import field
from partywall.resolve.kueue.queues import queues
from tests.unit.kueue.world import CLUSTER, SPACES, door, facts_of, queue, said

PREEMPTION = "{withinClusterQueue: LowerPriority, reclaimWithinCohort: LowerPriority, borrowWithinCohort: {policy: LowerPriority}}"


def classes(*values: int) -> str:
    head = "apiVersion: kueue.x-k8s.io/v1beta1\nkind: WorkloadPriorityClass\nmetadata: {name: c%s}\nvalue: %s\n---\n"
    return "".join(head % (value, value) for value in values)


def outranked(text: str) -> list[Edge]:
    return [edge for edge in said(facts_of(text), Edge) if edge.verb == "outranks the jobs of"]


SHARED = SPACES + queue("common", preemption="{withinClusterQueue: LowerPriority}") + door("nlp", "common") + door("vision", "common")


def test_in_a_shared_queue_each_may_outrank_the_other() -> None:
    found = outranked(SHARED + classes(1, 10))

    assert sorted((edge.source.name, edge.target.name) for edge in found) == [("nlp", "vision"), ("vision", "nlp")]
    assert found[0].note == f"by class c10, through LocalQueue {found[0].source.name}/common: jobs of lower priority in the same queue"
    assert found[0].lever.change is not None


def test_one_class_outranks_nobody() -> None:
    assert outranked(SHARED + classes(10)) == []
    assert outranked(SHARED + classes(10, 10)) == []


def test_a_queue_that_never_evicts_is_no_way() -> None:
    assert outranked(SHARED.replace("withinClusterQueue: LowerPriority", "withinClusterQueue: Never") + classes(1, 10)) == []


def test_an_admission_policy_that_speaks_of_the_label_leaves_it_open() -> None:
    gate = """
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: classes}
spec: {validations: [{expression: "object.metadata.labels['kueue.x-k8s.io/priority-class'] == 'c1'"}]}
---
"""
    found = outranked(SHARED + classes(1, 10) + gate)

    assert {edge.certainty for edge in found} == {Certainty.UNKNOWN}
    assert found[0].note.endswith("; ValidatingAdmissionPolicy classes may forbid it")


def test_whoever_evicts_in_order_to_borrow_outranks_the_lender_and_taking_back_does_not() -> None:
    teams = queue("a", cohort="all", preemption=PREEMPTION) + queue("b", cohort="all", preemption="{reclaimWithinCohort: Any}")
    found = outranked(SPACES + teams + door("nlp", "a") + door("vision", "b") + classes(1, 10))

    assert [(edge.source.name, edge.target.name) for edge in found] == [("nlp", "b")]
    assert found[0].note.endswith(": jobs of lower priority, while b uses more than its quota")


def test_every_right_to_evict_says_its_condition() -> None:
    cohorts = "".join(
        f"apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {{name: {name}}}\nspec: {{parentName: top}}\n---\n"
        for name in ("x", "y")
    )
    threshold = PREEMPTION.replace("policy: LowerPriority", "policy: LowerPriority, maxPriorityThreshold: 5")
    facts = facts_of(SPACES + cohorts + queue("a", cohort="x", preemption=threshold) + queue("b", cohort="y"))
    (rights,) = field(queues(facts, CLUSTER), facts).rights.values()

    assert [str(right) for right in rights] == [
        "jobs of lower priority in the same queue",
        "jobs of lower priority, while b and cohort y use more than their quota, while a stays within its own",
        "jobs of lower priority, while b and cohort y use more than their quota, while cohort x stays within its own",
        "jobs of lower priority and at most 5, while b and cohort y use more than their quota",
    ]


def test_fair_sharing_leaves_only_its_own_right() -> None:
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kueue-manager-config, namespace: kueue-system}\ndata:\n"
    config += "  controller_manager_config.yaml: |\n    apiVersion: config.kueue.x-k8s.io/v1beta1\n    fairSharing: {enable: true}\n---\n"
    facts: Facts = facts_of(SPACES + config + queue("a", cohort="all", preemption="{reclaimWithinCohort: Any}") + queue("b", cohort="all"))
    (rights,) = field(queues(facts, CLUSTER), facts).rights.values()

    assert [str(right) for right in rights] == [
        "jobs of any priority, while b uses more than its quota, where the share of the taker is the smaller one"
    ]
