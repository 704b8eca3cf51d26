"""Capacity, sharing and isolation of a contract beside what is real."""

from datetime import date

import pytest

from partywall.contracts.compare.scheduling import in_force
from partywall.contracts.difference import Difference
from partywall.model.document import Gap
from partywall.model.facts import Listed
from partywall.model.facts_kubernetes import ClusterNode, Namespace
from partywall.model.facts_kueue import ClusterQueue, ComputeQuota, Preemption, SchedulerConfig, Strategy
from partywall.model.tenancy import Borrow
from tests.unit.contracts.comparing import AT, DAY, DOOR, OWN, compared, group, queue, texts, workload
from tests.unit.contracts.written import CLUSTER, tenants


@pytest.mark.parametrize(
    ("terms", "mine", "expected"),
    [
        pytest.param("guaranteed: {nvidia.com/gpu: 64}", queue("qa"), [], id="guaranteed as approved"),
        pytest.param(
            "guaranteed: {nvidia.com/gpu: 80}",
            queue("qa"),
            ["the contract of a guarantees 80 nvidia.com/gpu; cluster queue qa has 64"],
            id="less than guaranteed",
        ),
        pytest.param("borrow: none", queue("qa"), [], id="borrows nothing"),
        pytest.param(
            "borrow: none",
            queue("qa", borrowing=None),
            ["cluster queue qa of a may borrow without limit; the contract says none"],
            id="borrows",
        ),
        pytest.param("borrow: unlimited", queue("qa", borrowing=None), [], id="borrows without limit"),
        pytest.param("borrow: {limit: 50%}", queue("qa", borrowing=32), [], id="borrows half"),
        pytest.param(
            "borrow: {limit: 50%}",
            queue("qa", borrowing=64),
            ["cluster queue qa of a may borrow up to 64 nvidia.com/gpu; the contract says 50% of what is guaranteed"],
            id="borrows more than half",
        ),
        pytest.param("borrow: {limit: {nvidia.com/gpu: 8}}", queue("qa", borrowing=8), [], id="borrows so many"),
        pytest.param("lend: none", queue("qa", lending=0), [], id="lends nothing"),
        pytest.param("lend: none", queue("qa"), ["cluster queue qa of a lends: unlimited; the contract says none"], id="lends"),
        pytest.param("lend: reclaimable", queue("qa", preemption=Preemption(reclaim="Any")), [], id="gets back what it lends"),
        pytest.param(
            "lend: reclaimable",
            queue("qa"),
            ["cluster queue qa of a lends: unlimited; the contract says reclaimable"],
            id="cannot get it back",
        ),
        pytest.param("preempt: never", queue("qa"), [], id="never preempts"),
        pytest.param(
            "preempt: never",
            queue("qa", preemption=Preemption(within="LowerPriority")),
            ["cluster queue qa of a preempts its own tasks: lower-priority; the contract says never"],
            id="preempts",
        ),
    ],
)
def test_scheduling_of_a_queue(terms: str, mine: ClusterQueue, expected: list[str]) -> None:
    assert texts(compared(f"scheduling: {{{terms}}}", mine, queue("qb", borrowing=None), DOOR)) == expected


def test_what_nobody_may_borrow_is_lent_to_nobody() -> None:
    assert compared("scheduling: {lend: none}", queue("qa"), queue("qb", borrowing=0), DOOR) == []


def test_scheduling_without_any_queue_is_not_judged() -> None:
    (found,) = compared("scheduling: {borrow: none}")

    assert isinstance(found, Gap)


def test_a_cluster_without_a_queue_of_the_tenant_keeps_no_guarantee() -> None:
    (text,) = texts(compared("scheduling: {guaranteed: {nvidia.com/gpu: 1}}", queue("qb"), Listed("ClusterQueue", CLUSTER, AT)))

    assert text == "the contract of a has terms of scheduling, and no queue or compute quota of cluster capacity is a's"


@pytest.mark.parametrize(
    ("strategy", "terms", "expected"),
    [
        (Strategy.DONT_LEND, "borrow: none, lend: none", []),
        (Strategy.LEND, "borrow: none, lend: reclaimable", []),
        (Strategy.LEND_AND_BORROW, "borrow: {limit: 50%}, lend: reclaimable", []),
        (Strategy.LEND, "lend: none", ["compute quota cq of a lends: reclaimable; the contract says none"]),
        (
            Strategy.LEND_AND_BORROW,
            "borrow: none",
            ["compute quota cq of a may borrow up to 1 ml.p5.48xlarge; the contract says none"],
        ),
    ],
)
def test_scheduling_of_a_compute_quota(strategy: Strategy, terms: str, expected: list[str]) -> None:
    quota = ComputeQuota(CLUSTER, "cq", "a", True, strategy, None, {}, "Never", {"ml.p5.48xlarge": 2}, 0, "", "", AT)
    own = "tenants:\n  - {name: a, namespaces: [hyperpod-ns-a]}\n"

    assert texts(compared(f"scheduling: {{{terms}}}", quota, own=own)) == expected


def test_a_compute_quota_given_in_accelerators_is_compared_with_gpus() -> None:
    quota = ComputeQuota(CLUSTER, "cq", "a", True, Strategy.LEND, None, {}, "Never", {"ml.p5.48xlarge/accelerators": 24}, 0, "", "", AT)
    own = "tenants:\n  - {name: a, namespaces: [hyperpod-ns-a]}\n"

    assert texts(compared("scheduling: {guaranteed: {nvidia.com/gpu: 32}}", quota, own=own)) == [
        "the contract of a guarantees 32 nvidia.com/gpu; compute quota cq has 24"
    ]


def test_an_exception_covers_its_field_until_its_day() -> None:
    live = "scheduling: {borrow: none, exceptions: [{what: borrow without limit, until: 2026-11-30, by: leads}]}"
    over = live.replace("2026-11-30", "2026-11-29")

    assert compared(live, queue("qa", borrowing=None), DOOR) == []
    assert [each.field for each in compared(over, queue("qa", borrowing=None), DOOR) if isinstance(each, Difference)] == [
        "scheduling.borrow",
        "scheduling.exceptions",
    ]
    assert compared(over, queue("qa"), DOOR) == []


def test_priority_classes_both_ways() -> None:
    config = SchedulerConfig(CLUSTER, "policy", (("training", 100),), None, None, "", AT)

    found = compared(
        "scheduling: {priority_classes: [training, urgent]}", config, workload("train", priority="vip"), workload("other", priority="x")
    )

    assert texts(found) == [
        "priority class urgent, which the contract of a approves, is not in the policy of cluster capacity",
        "Pod train/p of a runs with priority class vip, which the contract does not approve",
    ]


def test_dedicated_nodes_are_shared_with_nobody() -> None:
    shared = (workload("train", node="n1"), workload("other", node="n1"), workload("other", node="n2"))

    assert texts(compared("isolation: dedicated-nodes", *shared)) == [
        "other/p of b runs on node n1, where a runs too; the contract says dedicated nodes"
    ]
    assert isinstance(compared("isolation: dedicated-nodes", workload("train"))[0], Gap)
    assert compared("isolation: shared", *shared) == []


def test_a_dedicated_cluster_holds_no_other_tenant() -> None:
    (text,) = texts(compared("isolation: dedicated-cluster", Namespace(CLUSTER, "train", {}, AT), Namespace(CLUSTER, "other", {}, AT)))

    assert text == "cluster capacity is dedicated to a by its contract, and namespace other of b is in it"


def test_a_compute_quota_of_whole_instances_is_compared_with_their_gpus() -> None:
    own = "tenants:\n  - {name: a, namespaces: [hyperpod-ns-a]}\n"

    def found(**resources: float) -> list[str]:
        given = {name.replace("_", "."): amount for name, amount in resources.items()}
        quota = ComputeQuota(CLUSTER, "cq", "a", True, Strategy.LEND, None, {}, "Never", given, 0, "", "", AT)
        return texts(compared("scheduling: {guaranteed: {nvidia.com/gpu: 32}}", quota, own=own))

    assert found(ml_p5_48xlarge=4) == []
    assert found(ml_p5_48xlarge=3) == ["the contract of a guarantees 32 nvidia.com/gpu; compute quota cq has 24"]
    assert found(ml_trn1_32xlarge=2) == [
        "`scheduling.guaranteed` of the contract of a cannot be judged: compute quota cq of a is not given in nvidia.com/gpu"
    ]


def test_dedicated_nodes_have_a_taint() -> None:
    def node(*effects: str) -> ClusterNode:
        return ClusterNode(CLUSTER, "n1", {}, tuple(("team", "a", effect) for effect in effects), AT)

    told = "no node of cluster capacity has a taint that keeps other pods away; the contract of a says dedicated nodes"

    assert texts(compared("isolation: dedicated-nodes", node("PreferNoSchedule"))) == [told]
    assert texts(compared("isolation: dedicated-nodes", group())) == [told]
    assert compared("isolation: dedicated-nodes", node(), node("NoSchedule")) == []
    assert compared("isolation: dedicated-nodes", group("NoExecute")) == []


def test_an_exception_sets_its_terms_aside_until_its_day() -> None:
    terms = "scheduling: {borrow: none, lend: none, exceptions: [{what: borrow without limit, until: 2026-11-30, by: leads}]}"
    (contract,) = tenants(f"{OWN}contracts:\n  - {{tenant: a, {terms}}}\n").contracts

    def held(day: date) -> tuple[object, object]:
        scheduling = in_force(contract, day).scheduling
        return (scheduling.borrow, scheduling.lend) if scheduling else (None, None)

    assert held(DAY) == (None, "none")
    assert held(date(2026, 12, 1)) == (Borrow.NONE, "none")
