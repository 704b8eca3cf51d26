"""Clusters, rights, dates and Slurm of a contract beside what is real."""

import pytest

from partywall.contracts.bind import bind
from partywall.contracts.compare import compare, not_compared
from partywall.contracts.load import load
from partywall.model.document import Gap
from partywall.model.facts import Facts
from partywall.model.facts_data import BucketTags
from partywall.model.facts_eks import (
    EksCluster,
)
from partywall.model.facts_kubernetes import Namespace
from partywall.model.facts_slurm import Association
from partywall.model.node import Kind, Node
from tests.unit.contracts.comparing import (
    ACCESS,
    AT,
    DAY,
    ENTRIES,
    OWN,
    SLURM_OWN,
    SLURM_ROWS,
    association,
    compared,
    connection,
    edge,
    entry,
    pod_identity,
    texts,
)
from tests.unit.contracts.written import CLUSTER, ROLE, document, tenants, tenants_text


def test_the_cluster_of_the_contract_is_the_real_one() -> None:
    cluster = EksCluster(CLUSTER, "", "1.33", "", None, None, (), "", AT)

    assert compared('cluster: {name: capacity, account: "111122223333", region: us-east-2, orchestrator: eks}', cluster) == []
    assert texts(compared('cluster: {name: capacity, account: "444455556666", orchestrator: slurm}', cluster)) == [
        "the contract of a names account 444455556666 for cluster capacity, which is in 111122223333",
        "the contract of a says that cluster capacity is run by slurm, and eks runs it",
    ]


def test_a_cluster_of_which_nothing_was_read_is_not_judged() -> None:
    contract = 'cluster: {name: capacity, account: "111122223333", region: us-east-2, orchestrator: eks}'

    assert [type(each) for each in compared(contract)] == [Gap]
    assert compared(contract, Namespace(CLUSTER, "train", {}, AT)) == []


def test_a_contract_without_a_cluster_is_not_judged_where_several_could_be_meant() -> None:
    other = CLUSTER.replace("capacity", "second")
    second = '{name: second, account: "111122223333", region: us-east-2, orchestrator: eks}'
    tenancy = load([document("t.yaml", tenants_text(f"{OWN}contracts: [{{tenant: a, {ACCESS}}}]").replace("}]", "}, " + second + "]", 1))])

    found = list(compare(tenancy, Facts([Namespace(CLUSTER, "x", {}, AT), Namespace(other, "x", {}, AT)]), {}, DAY))

    assert texts(found) == ["`roles` of the contract of a cannot be judged: the contract names no cluster, and several clusters were read"]


@pytest.mark.parametrize(
    ("can", "verb", "expected"),
    [
        ("[view]", "list pods", []),
        ("[view]", "create workloads", ["team-a of a may view by its contract, and has more: create workloads namespace/train"]),
        ("[view, submit]", "create workloads", []),
        (
            "[submit]",
            "change network rules of",
            ["team-a of a may submit by its contract, and has more: change network rules of namespace/train"],
        ),
        ("[admin]", "change network rules of", []),
    ],
)
def test_a_group_may_do_no_more_than_its_rights_even_at_home(can: str, verb: str, expected: list[str]) -> None:
    assert texts(compared(f"rights: [{{group: team-a, can: {can}, where: train}}]", edges=[edge(verb)])) == expected


def test_visibility_names_each_tenant_that_is_seen_too_much() -> None:
    assert texts(compared("visibility: {tasks: own}", sees=["a", "b"])) == ["a can look at the tasks of b; its contract says own"]
    assert compared("visibility: {tasks: [b]}", sees=["b"]) == []
    assert compared("visibility: {tasks: all}", sees=["b"]) == []


def test_labels_and_tags_attribute_cost_as_the_contract_says() -> None:
    own = "tenants:\n  - {name: a, namespaces: [train], buckets: [x]}\n"
    facts = (Namespace(CLUSTER, "train", {"team": "b"}, AT), BucketTags("x", {}, AT))

    assert texts(compared("cost: {labels: {team: a}, tags: {team: a}}", *facts, own=own)) == [
        "namespace train of a has label team=b; the contract says a",
        "bucket x of a has tag team=(none); the contract says a",
    ]


def test_a_projects_connection_uses_the_approved_role() -> None:
    contract = f"project: {{domain: dzd_1, id: p1}}, {ACCESS}"
    facts = (entry(ROLE.format("access")), ENTRIES)

    assert compared(contract, connection("p1", ROLE.format("access")), *facts) == []
    assert texts(compared(contract, connection("p1", ROLE.format("x")), *facts)) == [
        f"connection c-1 of project p1 uses access role {ROLE.format('x')}; the contract of a approves {ROLE.format('access')}"
    ]


@pytest.mark.parametrize(
    ("lifecycle", "expected"),
    [
        ("last_review: 2026-09-01, review_days: 90", []),
        (
            "last_review: 2026-08-31, review_days: 90",
            ["the contract of a was due for review on 2026-11-29: last reviewed on 2026-08-31, every 90 days"],
        ),
        ("review_days: 90", []),
        ("expires: 2026-11-30", []),
        ("expires: 2026-11-29", ["the contract of a ended on 2026-11-29; renew it, or retire it and take its access away"]),
    ],
)
def test_dates_are_judged_on_the_day_of_the_scan(lifecycle: str, expected: list[str]) -> None:
    assert texts(compared(f"lifecycle: {{{lifecycle}}}")) == expected


def test_a_retired_contract_that_is_still_connected_is_drift() -> None:
    contract = f"status: retired, retired: 2026-05-31, {ACCESS}, scope: {{namespaces: [train]}}"

    assert compared(contract, ENTRIES) == []
    assert texts(compared(contract, entry(ROLE.format("access")), pod_identity("train/job", "r"))) == [
        f"the contract of a is retired since 2026-05-31, and cluster capacity still lets {ROLE.format('access')} in",
        "the contract of a is retired since 2026-05-31, and service account train/job still gets role r",
    ]


@pytest.mark.parametrize(
    ("scope", "further", "expected"),
    [
        pytest.param("slurm_accounts: [vision], users: [v-ana]", (), [], id="as approved, with what lies below"),
        pytest.param("users: ['v-*']", (association("vision", "v-ben"),), [], id="by a glob"),
        pytest.param(
            "slurm_accounts: [vision, imaging]",
            (),
            ["Slurm account imaging, which the contract of a approves, is not on cluster capacity"],
            id="not there",
        ),
        pytest.param(
            "slurm_accounts: [vision], users: [v-ana]",
            (association("vision-more", parent="root"), association("vision", "v-ben")),
            [
                "Slurm account vision-more of a is on cluster capacity, and its contract does not name it",
                "user v-ben of a is on cluster capacity, and its contract does not name it",
            ],
            id="not approved",
        ),
        pytest.param(
            "slurm_qos: [high]",
            (),
            ["`scope.slurm_qos` of the contract of a cannot be judged: no QOS of cluster capacity was read"],
            id="not read",
        ),
    ],
)
def test_slurm_scope(scope: str, further: tuple[Association, ...], expected: list[str]) -> None:
    rows = (*SLURM_ROWS, *further)
    tenancy = tenants(f"{SLURM_OWN}contracts:\n  - {{tenant: a, cluster: {{name: capacity}}, scope: {{{scope}}}}}\n")
    nodes = [Node(Kind.OS_USER if row.user else Kind.SLURM_ACCOUNT, CLUSTER, row.user or row.account) for row in rows]

    assert texts(list(compare(tenancy, Facts(rows), bind(nodes, [], tenancy).ownership, DAY))) == expected


def test_cost_goes_to_an_account_that_is_there() -> None:
    assert texts(compared("cost: {slurm_account: other}", *SLURM_ROWS)) == [
        "Slurm account other, to which the contract of a attributes cost, is not on cluster capacity"
    ]


def test_a_retired_contract_whose_users_still_submit_is_drift() -> None:
    assert texts(compared("status: retired, scope: {slurm_accounts: [vision]}", *SLURM_ROWS)) == [
        "the contract of a is retired, and v-ana may still submit as account vision on cluster capacity"
    ]


def test_drafts_are_judged_by_nothing() -> None:
    assert compared(f"status: draft, {ACCESS}, lifecycle: {{expires: 2020-01-01}}", ENTRIES) == []


def test_an_approval_that_the_guest_signed_is_drift() -> None:
    own = OWN.replace("name: b", "name: b, buckets: [y]").replace("name: a", "name: a, buckets: [x]")
    contract = (
        "approvals: [{tenant: b, lane: data, things: {buckets: [x]}, by: b}, {tenant: b, lane: data, things: {buckets: [x]}, by: leads}]"
    )

    assert texts(compared(contract, own=own)) == ["b approved the reach of b into a's things, and belongs to b"]


def test_an_approval_of_what_is_not_ones_own_is_drift() -> None:
    own = "tenants:\n  - {name: a}\n  - {name: b}\n  - {name: c, buckets: [y]}\n"

    assert texts(compared("approvals: [{tenant: b, lane: data, things: {buckets: [y]}}]", own=own)) == [
        "a lets b reach y, which is c's to give; the entry approves nothing"
    ]


def test_what_is_recorded_and_not_compared_is_said() -> None:
    tenancy = tenants("tenants: [{name: a}]\ncontracts: [{tenant: a, workloads: [training], network: {egress: [x]}}]")

    assert [each.text for each in not_compared(tenancy)] == [
        "the contract of a holds in workloads, network: recorded, and compared with nothing"
    ]


def test_what_a_job_needs_is_part_of_submitting() -> None:
    assert compared("rights: [{group: team-a, can: [submit], where: train}]", edges=[edge("change"), edge("delete")]) == []
    assert len(compared("rights: [{group: team-a, can: [view], where: train}]", edges=[edge("change")])) == 1
