"""Roles, entries, namespaces and data of a contract beside what is real."""

import pytest

from partywall.contracts.difference import Difference, Drift
from partywall.model.document import Gap
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Listed
from partywall.model.facts_eks import (
    AccessEntryName,
    AccessPolicy,
    AssociationsRead,
    AuthenticationMode,
    EksCluster,
    MappedPrincipal,
    PodIdentityName,
)
from partywall.model.facts_kubernetes import Namespace
from partywall.model.facts_studio import StudioDomain
from tests.unit.contracts.comparing import (
    ACCESS,
    AT,
    ENTRIES,
    NAMESPACES,
    OWN,
    ROLES,
    SET_ROLE,
    WORKLOAD,
    compared,
    edge,
    entry,
    pod_identity,
    principal,
    texts,
)
from tests.unit.contracts.written import CLUSTER, ROLE


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


def test_a_permission_set_whose_entry_leads_nowhere_can_do_nothing() -> None:
    role = SET_ROLE + "0123456789abcdef"
    listed = (ENTRIES, *(Listed(kind, CLUSTER, AT) for kind in ("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding")))
    asked = "rights: [{group: team-a, can: [view], where: train}]"
    told = ["team-a of a may view by its contract and can do nothing in cluster capacity"]

    assert texts(compared(asked, entry(role, "x"), *listed, AssociationsRead(CLUSTER, role, AT), edges=[edge("enters as")])) == told
    assert compared(asked, entry(role, "x"), *listed, edges=[edge("enters as")]) == []
    assert compared(asked, entry(role, "x"), *listed, AssociationsRead(CLUSTER, role, AT), edges=[edge("list pods")]) == []


def test_a_bucket_is_looked_for_in_the_clusters_account_where_no_other_is_named() -> None:
    listed = (Namespace(CLUSTER, "train", {}, AT), Listed("Bucket", "111122223333", AT))
    text = "bucket x, which the contract of a names, is not among the buckets of account 111122223333"

    assert texts(compared("data: {buckets: [x]}", *listed)) == [text]
    assert compared("data: {buckets: [x]}", *listed, own=OWN.replace("name: a,", 'name: a, accounts: ["444455556666"],')) == []


def test_an_approved_namespace_without_any_grant_is_drift_where_another_has_one() -> None:
    role = ROLE.format("access")
    there = (Namespace(CLUSTER, "train", {}, AT), Namespace(CLUSTER, "eval", {}, AT), Listed("Namespace", CLUSTER, AT))
    entered = (entry(role, "team-a"), AssociationsRead(CLUSTER, role, AT), ENTRIES)
    asked = f"roles: {{access: '{role}'}}, scope: {{namespaces: [train, eval]}}"

    def found(*policies: AccessPolicy) -> list[str]:
        own = OWN.replace("[train]", "[train, eval]")
        return texts(compared(asked, *there, *entered, *policies, own=own))

    def policy(*namespaces: str) -> AccessPolicy:
        return AccessPolicy(CLUSTER, role, "AmazonEKSEditPolicy", not namespaces, namespaces, AT)

    assert found(policy("train")) == ["the contract of a approves namespace eval, and no access entry of a was given anything there"]
    assert found(policy("train", "ev*")) == []
    assert found(policy()) == []
    assert found() == []
