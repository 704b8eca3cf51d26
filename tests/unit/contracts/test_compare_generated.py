"""What task governance made beside its compute quotas and its cluster policy."""

from dataclasses import replace

import pytest

from partywall.model.facts import Fact, Listed
from partywall.model.facts_kueue import ClusterQueue, ComputeQuota, Preemption, Quota, SchedulerConfig, Strategy, WorkloadPriority
from tests.unit.contracts.comparing import AT, compared, texts
from tests.unit.contracts.written import CLUSTER

OWN = "tenants:\n  - {name: a, namespaces: [hyperpod-ns-a]}\n  - {name: b, namespaces: [hyperpod-ns-b]}\n"
QUOTA = ComputeQuota(
    CLUSTER, "qa", "a", True, Strategy.LEND_AND_BORROW, 50, {}, "LowerPriority", {"ml.p5.48xlarge": 2}, 0, "", "", AT, "Created"
)
QUEUE = ClusterQueue(
    CLUSTER,
    QUOTA.queue,
    None,
    "pool",
    (Quota("p5", "nvidia.com/gpu", 16, 8, None),),
    Preemption("LowerPriority", "Any"),
    False,
    AT,
)
LISTED = Listed("ClusterQueue", CLUSTER, AT)


def said(*facts: Fact) -> list[str]:
    return [
        text
        for text in texts(compared("visibility: {tasks: own}", *facts, own=OWN))
        if "compute quota" in text or "WorkloadPriority" in text
    ]


def with_quota(nominal: float = 16, borrowing: float | None = 8, lending: float | None = None) -> ClusterQueue:
    return replace(QUEUE, quotas=(Quota("p5", "nvidia.com/gpu", nominal, borrowing, lending),))


def test_a_queue_that_says_what_its_quota_says_is_no_drift() -> None:
    assert said(QUOTA, QUEUE, LISTED) == []


@pytest.mark.parametrize(
    ("queue", "subject"),
    [
        pytest.param(with_quota(nominal=40), "nominal nvidia.com/gpu is 40, compute quota qa says 16", id="more"),
        pytest.param(with_quota(lending=0.0), "lending is off, compute quota qa says on", id="keeps all"),
        pytest.param(with_quota(borrowing=0.0), "borrowing is off, compute quota qa says on", id="borrows nothing"),
        pytest.param(with_quota(borrowing=None), "borrowing limit of nvidia.com/gpu is none, compute quota qa says 8", id="borrows all"),
        pytest.param(with_quota(borrowing=12), "borrowing limit of nvidia.com/gpu is 12, compute quota qa says 8", id="borrows more"),
        pytest.param(
            replace(QUEUE, preemption=Preemption("Never", "Any")),
            "preemption of its own tasks is off, compute quota qa says on",
            id="never preempts",
        ),
    ],
)
def test_what_was_changed_by_hand_is_said(queue: ClusterQueue, subject: str) -> None:
    assert said(QUOTA, queue, LISTED) == [f"cluster queue hyperpod-ns-a-clusterqueue of a was changed: {subject}"]


def test_a_limit_that_is_only_rounded_is_no_drift() -> None:
    third = replace(QUOTA, borrow_limit=33)

    assert said(third, with_quota(borrowing=5), LISTED) == []


def test_a_quota_without_its_queue_is_said_where_queues_were_listed() -> None:
    assert said(QUOTA, LISTED) == ["compute quota qa of a has no cluster queue hyperpod-ns-a-clusterqueue"]
    assert said(QUOTA) == []


def test_a_quota_that_is_switched_off_leaves_no_queue_in_force() -> None:
    off = replace(QUOTA, enabled=False)

    assert said(off, QUEUE) == [
        "compute quota qa of a is switched off, and cluster queue hyperpod-ns-a-clusterqueue still admits jobs",
    ]
    assert said(off, replace(QUEUE, stopped=True)) == []


def test_a_quota_whose_update_failed_is_said() -> None:
    failed = replace(QUOTA, status="UpdateFailed")

    assert said(failed, QUEUE) == ["compute quota qa of a is UpdateFailed: what the cluster holds may be older"]


def test_another_teams_quota_is_not_this_contracts_business() -> None:
    assert said(replace(QUOTA, team="b"), LISTED) == []


POLICY = SchedulerConfig(CLUSTER, "policy", (("inference", 90), ("training", 60)), True, False, "", AT)
CLASSES = Listed("WorkloadPriorityClass", CLUSTER, AT)


def ranked(name: str, value: int) -> WorkloadPriority:
    return WorkloadPriority(CLUSTER, f"{name}-priority", value, AT)


def test_classes_in_the_order_of_their_weights_are_no_drift() -> None:
    assert said(QUOTA, QUEUE, POLICY, CLASSES, ranked("inference", 900), ranked("training", 600)) == []


def test_classes_in_another_order_are_said() -> None:
    (text,) = said(QUOTA, QUEUE, POLICY, CLASSES, ranked("inference", 10), ranked("training", 600))

    assert text == ("WorkloadPriorityClass training-priority (600) does not rank below inference-priority (10), as policy policy says")


def test_a_class_that_is_gone_is_said() -> None:
    (text,) = said(QUOTA, QUEUE, POLICY, CLASSES, ranked("inference", 900))

    assert text == "policy policy has class training, and the cluster no WorkloadPriorityClass training-priority"
