"""Contracts beside reality, field by field."""

from collections.abc import Iterable
from datetime import date

import pytest

from partywall.contracts.bind import bind
from partywall.contracts.compare import compare, not_compared
from partywall.contracts.compare.scheduling import in_force
from partywall.contracts.difference import FIELDS, Difference, Drift
from partywall.contracts.load import load
from partywall.model.document import Gap
from partywall.model.edge import Edge, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Facts, Listed
from partywall.model.facts_data import BucketTags
from partywall.model.facts_datazone import ProjectConnection
from partywall.model.facts_eks import (
    AccessEntry,
    AccessEntryName,
    AssociationsRead,
    AuthenticationMode,
    EksCluster,
    MappedPrincipal,
    PodIdentity,
    PodIdentityName,
)
from partywall.model.facts_iam import Holder, HolderKind, Principal
from partywall.model.facts_kubernetes import ClusterNode, Namespace, Workload
from partywall.model.facts_kueue import ClusterQueue, ComputeQuota, LocalQueue, Preemption, Quota, SchedulerConfig, Strategy
from partywall.model.facts_slurm import Association
from partywall.model.facts_studio import HyperPodCluster, InstanceGroup, StudioDomain
from partywall.model.node import Kind, Node
from partywall.model.tenancy import Borrow, Orchestrator
from tests.unit.contracts.written import CLUSTER, ROLE, document, tenants, tenants_text

DAY = date(2026, 11, 30)
AT = Evidence("real.json", "/0")
OWN = "tenants:\n  - {name: a, namespaces: [train], kubernetes_groups: [team-a]}\n  - {name: b, namespaces: [other]}\n"
SET_ROLE = "arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/us-east-2/AWSReservedSSO_team-a_"


def compared(contract: str, *facts: Fact, own: str = OWN, edges: Iterable[Edge] = (), sees: Iterable[str] = ()) -> list[Difference | Gap]:
    tenancy = tenants(f"{own}contracts:\n  - {{tenant: a, {contract}}}\n")
    ownership = bind([], [], tenancy).ownership
    found = list(compare(tenancy, Facts(facts), ownership, DAY, does=lambda _: edges, sees=lambda _: sees))
    assert all(each.field in FIELDS for each in found if isinstance(each, Difference))
    return found


def texts(found: list[Difference | Gap]) -> list[str]:
    return [each.text if isinstance(each, Difference) else each.what for each in found]


def entry(arn: str, *groups: str) -> AccessEntry:
    return AccessEntry(CLUSTER, arn, "", groups, "STANDARD", AT)


def principal(arn: str) -> Principal:
    return Principal(Holder(HolderKind.ROLE, "111122223333", arn.rsplit("/", 1)[-1]), arn, AT)


ENTRIES = Listed("AccessEntry", CLUSTER, AT)
ROLES = Listed("Role", "111122223333", AT)
ACCESS = f"roles: {{access: '{ROLE.format('access')}'}}"


def test_an_access_role_with_an_entry_is_as_approved() -> None:
    assert compared(ACCESS, entry(ROLE.format("access")), ENTRIES, principal(ROLE.format("access")), ROLES) == []


def test_an_approved_access_role_without_an_entry_is_drift() -> None:
    (found,) = compared(ACCESS, entry(ROLE.format("other")), ENTRIES)

    assert isinstance(found, Difference)
    assert (found.tenant, found.field, found.kind) == ("a", "roles.access", Drift.NOT_REAL)
    assert found.at == Evidence("tenants.yaml", "/contracts/0/roles/access")
    assert found.real_at == (AT,)
    assert found.text == f"the contract of a approves {ROLE.format('access')}, which has no access entry in cluster capacity"


def test_an_entry_with_the_suffix_of_an_earlier_assignment_is_one_difference() -> None:
    old, new = SET_ROLE + "0123456789abcdef", SET_ROLE + "fedcba9876543210"

    found = compared(f"roles: {{access: '{new}'}}", entry(old, "team-a"), ENTRIES, principal(new), ROLES)

    assert texts(found) == [
        f"the contract of a approves {new}, which has no access entry in cluster capacity; the entry names {old}, which does not exist"
    ]


def test_an_entry_of_a_role_that_is_gone_is_drift() -> None:
    role = ROLE.format("access")

    (text,) = texts(compared(ACCESS, entry(role), ENTRIES, ROLES))

    assert text == f"role {role}, which the contract of a approves for cluster capacity, does not exist; its access entry lets nobody in"


def test_a_further_entry_of_the_tenant_is_drift_unless_its_group_has_rights() -> None:
    facts = (entry(ROLE.format("access")), entry(ROLE.format("more"), "team-a"), entry(ROLE.format("stranger"), "x"), ENTRIES)

    (text,) = texts(compared(ACCESS, *facts))

    assert text == f"{ROLE.format('more')} of a has an access entry in cluster capacity that its contract does not name"
    assert compared(f"{ACCESS}, rights: [{{group: team-a, can: [submit]}}]", *facts) == []


def test_aws_auth_counts_without_paths_unless_the_mode_says_that_it_does_not() -> None:
    arn = "arn:aws:iam::111122223333:role/path/access"
    row = MappedPrincipal(CLUSTER, ROLE.format("access"), "u", ("g",), AT)
    cluster = EksCluster(CLUSTER, "", "1.33", "", AuthenticationMode.API, True, (), "", AT)

    assert compared(f"roles: {{access: '{arn}'}}", row, ENTRIES, principal(arn)) == []
    assert len(compared(f"roles: {{access: '{arn}'}}", row, cluster, ENTRIES, principal(arn))) == 1


def test_without_any_entries_the_field_is_not_judged_and_the_remedy_is_named() -> None:
    (found,) = compared(ACCESS)

    assert isinstance(found, Gap)
    assert (found.remedy, found.lanes) == ("aws eks list-access-entries --cluster-name capacity", ())
    assert found.what == "`roles.access` of the contract of a cannot be judged: no access entries of cluster capacity were read"


def test_entries_that_may_not_be_all_of_them_do_not_prove_an_absence() -> None:
    (found,) = compared(ACCESS, AccessEntryName(CLUSTER, ROLE.format("x"), AT))

    assert isinstance(found, Gap)


def pod_identity(account: str, role: str, target: str = "") -> PodIdentity:
    namespace, name = account.split("/")
    return PodIdentity(CLUSTER, namespace, name, "a-1", role, target, "", True, "", AT)


WORKLOAD = f"roles: {{workload: {{train/job: {{role: '{ROLE.format('w')}'}}}}}}"


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        pytest.param((pod_identity("train/job", ROLE.format("w")),), [], id="as approved"),
        pytest.param(
            (pod_identity("train/job", ROLE.format("x")),),
            [f"service account train/job of a gets role {ROLE.format('x')}; the contract approves {ROLE.format('w')}"],
            id="another role",
        ),
        pytest.param(
            (Listed("PodIdentity", CLUSTER, AT),),
            [f"service account train/job of a gets no role; the contract approves {ROLE.format('w')}"],
            id="no role",
        ),
        pytest.param(
            (
                pod_identity("train/job", ROLE.format("w")),
                pod_identity("train/new", ROLE.format("n")),
                pod_identity("other/x", ROLE.format("o")),
            ),
            [f"service account train/new of a gets role {ROLE.format('n')}, and the contract names no role for it"],
            id="a further account",
        ),
        pytest.param(
            (PodIdentityName(CLUSTER, "train", "job", "a-1", AT), Listed("PodIdentity", CLUSTER, AT)),
            [
                "`roles.workload` of the contract of a cannot be judged: "
                "the association of service account train/job was listed and not described"
            ],
            id="listed only",
        ),
        pytest.param(
            (Namespace(CLUSTER, "train", {}, AT),),
            ["`roles.workload` of the contract of a cannot be judged: the Pod Identity associations of cluster capacity were not read"],
            id="not read",
        ),
    ],
)
def test_workload_roles(facts: tuple[Fact, ...], expected: list[str]) -> None:
    assert texts(compared(WORKLOAD, *facts)) == expected


def test_studio_roles_both_ways() -> None:
    domain = StudioDomain("d-1", "s", "111122223333", "us-east-2", "", ROLE.format("studio"), "", "", AT)
    own = "tenants:\n  - {name: a, studio_roles: ['" + ROLE.format("studio") + "']}\n"

    found = compared(f"roles: {{studio: ['{ROLE.format('old')}']}}", domain, own=own)

    assert [(each.subject, each.kind) for each in found if isinstance(each, Difference)] == [
        (ROLE.format("old"), Drift.NOT_REAL),
        (ROLE.format("studio"), Drift.NOT_APPROVED),
    ]


NAMESPACES = Listed("Namespace", CLUSTER, AT)


@pytest.mark.parametrize(
    ("approved", "facts", "expected"),
    [
        pytest.param("[train]", (Namespace(CLUSTER, "train", {}, AT), NAMESPACES), [], id="as approved"),
        pytest.param("['tr*']", (Namespace(CLUSTER, "train", {}, AT), NAMESPACES), [], id="by a glob"),
        pytest.param(
            "[train, gone]",
            (Namespace(CLUSTER, "train", {}, AT), NAMESPACES),
            ["namespace gone, which the contract of a approves, does not exist in cluster capacity"],
            id="not there",
        ),
        pytest.param(
            "[]",
            (Namespace(CLUSTER, "train", {}, AT), Namespace(CLUSTER, "other", {}, AT)),
            ["namespace train of a is in cluster capacity, and its contract does not name it"],
            id="not approved",
        ),
        pytest.param(
            "[gone]",
            (entry("x"),),
            ["`scope.namespaces` of the contract of a cannot be judged: the namespaces of cluster capacity were not listed"],
            id="not listed",
        ),
    ],
)
def test_namespaces(approved: str, facts: tuple[Fact, ...], expected: list[str]) -> None:
    assert texts(compared(f"scope: {{namespaces: {approved}}}", *facts)) == expected


def test_data_that_tenants_yaml_gives_and_no_contract_names() -> None:
    own = "tenants:\n  - {name: a, buckets: [x, y/p/, z]}\n"

    (text,) = texts(compared("data: {buckets: [x, y]}", own=own))

    assert text == "z belongs to a by tenants.yaml, and its contract does not name it"


def queue(
    name: str, nominal: float = 64, borrowing: float | None = 0, lending: float | None = None, preemption: Preemption | None = None
) -> ClusterQueue:
    quota = Quota("p5", "nvidia.com/gpu", nominal, borrowing, lending)
    return ClusterQueue(CLUSTER, name, None, "pool", (quota,), preemption or Preemption(), False, AT)


DOOR = LocalQueue(CLUSTER, "train", "lq", "qa", AT)


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


def workload(namespace: str, *, node: str = "", priority: str = "") -> Workload:
    labels = {"kueue.x-k8s.io/priority-class": priority} if priority else {}
    return Workload(CLUSTER, namespace, "Pod", "p", {}, "default", False, (), AT, node_name=node, object_labels=labels)


def test_priority_classes_both_ways() -> None:
    config = SchedulerConfig(CLUSTER, "policy", (("training", 100),), None, None, "", AT)

    found = compared(
        "scheduling: {priority_classes: [training, urgent]}", config, workload("train", priority="vip"), workload("other", priority="x")
    )

    assert texts(found) == [
        "priority class urgent, which the contract of a approves, is not in the policy of cluster capacity",
        "Pod train/p of a runs with priority class vip, which the contract does not approve",
    ]


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


def edge(verb: str) -> Edge:
    lever = Lever(Move.REMOVE, "RoleBinding", CLUSTER, "x", (AT,), "remove it")
    return Edge(Node(Kind.GROUP, CLUSTER, "team-a"), verb, Node(Kind.NAMESPACE, CLUSTER, "train"), (AT,), lever)


@pytest.mark.parametrize(
    ("can", "verb", "expected"),
    [
        ("[view]", "list pods", []),
        ("[view]", "create workloads", ["team-a of a may view by its contract and can create workloads namespace/train"]),
        ("[view, submit]", "create workloads", []),
        ("[submit]", "change network rules of", ["team-a of a may submit by its contract and can change network rules of namespace/train"]),
        ("[admin]", "change network rules of", []),
    ],
)
def test_a_group_may_do_no_more_than_its_rights_even_at_home(can: str, verb: str, expected: list[str]) -> None:
    assert texts(compared(f"rights: [{{group: team-a, can: {can}, where: train}}]", edges=[edge(verb)])) == expected


def test_visibility_names_each_tenant_that_is_seen_too_much() -> None:
    assert texts(compared("visibility: {tasks: own}", sees=["a", "b"])) == ["a can look at the tasks of b; its contract says own"]
    assert compared("visibility: {tasks: [b]}", sees=["b"]) == []
    assert compared("visibility: {tasks: all}", sees=["b"]) == []


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


def test_labels_and_tags_attribute_cost_as_the_contract_says() -> None:
    own = "tenants:\n  - {name: a, namespaces: [train], buckets: [x]}\n"
    facts = (Namespace(CLUSTER, "train", {"team": "b"}, AT), BucketTags("x", {}, AT))

    assert texts(compared("cost: {labels: {team: a}, tags: {team: a}}", *facts, own=own)) == [
        "namespace train of a has label team=b; the contract says a",
        "bucket x of a has tag team=(none); the contract says a",
    ]


def connection(project: str, role: str) -> ProjectConnection:
    return ProjectConnection(
        "dzd_1", "c-1", "hyperpod", project, False, "HYPERPOD", "capacity", "", "EKS", role, "", "111122223333", "us-east-2", AT
    )


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


def association(account: str, user: str = "", parent: str = "") -> Association:
    return Association(CLUSTER, account, user, "", parent, (), {}, AT)


SLURM_OWN = "tenants:\n  - {name: a, slurm_accounts: [vision, 'vision-*'], users: ['v-*']}\n"
SLURM_ROWS = (association("vision", parent="root"), association("dev", parent="vision"), association("vision", "v-ana"))


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


def group(*taints: str) -> HyperPodCluster:
    made = InstanceGroup("gpu", ROLE.format("node"), "", AT, taints)
    return HyperPodCluster("hp", "x", "", "111122223333", "us-east-2", Orchestrator.EKS, "", CLUSTER, (made,), AT)


def test_a_permission_set_whose_entry_leads_nowhere_can_do_nothing() -> None:
    role = SET_ROLE + "0123456789abcdef"
    listed = (ENTRIES, *(Listed(kind, CLUSTER, AT) for kind in ("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding")))
    asked = "rights: [{group: team-a, can: [view], where: train}]"
    told = ["team-a of a may view by its contract and can do nothing in cluster capacity"]

    assert texts(compared(asked, entry(role, "x"), *listed, AssociationsRead(CLUSTER, role, AT), edges=[edge("enters as")])) == told
    assert compared(asked, entry(role, "x"), *listed, edges=[edge("enters as")]) == []
    assert compared(asked, entry(role, "x"), *listed, AssociationsRead(CLUSTER, role, AT), edges=[edge("list pods")]) == []


def test_what_a_job_needs_is_part_of_submitting() -> None:
    assert compared("rights: [{group: team-a, can: [submit], where: train}]", edges=[edge("change"), edge("delete")]) == []
    assert len(compared("rights: [{group: team-a, can: [view], where: train}]", edges=[edge("change")])) == 1


def test_a_bucket_is_looked_for_in_the_clusters_account_where_no_other_is_named() -> None:
    listed = (Namespace(CLUSTER, "train", {}, AT), Listed("Bucket", "111122223333", AT))
    text = "bucket x, which the contract of a names, is not among the buckets of account 111122223333"

    assert texts(compared("data: {buckets: [x]}", *listed)) == [text]
    assert compared("data: {buckets: [x]}", *listed, own=OWN.replace("name: a,", 'name: a, accounts: ["444455556666"],')) == []


def test_an_exception_sets_its_terms_aside_until_its_day() -> None:
    terms = "scheduling: {borrow: none, lend: none, exceptions: [{what: borrow without limit, until: 2026-11-30, by: leads}]}"
    (contract,) = tenants(f"{OWN}contracts:\n  - {{tenant: a, {terms}}}\n").contracts

    def held(day: date) -> tuple[object, object]:
        scheduling = in_force(contract, day).scheduling
        return (scheduling.borrow, scheduling.lend) if scheduling else (None, None)

    assert held(DAY) == (None, "none")
    assert held(date(2026, 12, 1)) == (Borrow.NONE, "none")
