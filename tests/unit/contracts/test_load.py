"""tenants.yaml and contracts as files that people write by hand."""

from datetime import date

import pytest

from partywall.contracts.load import load
from partywall.errors import TenancyError
from partywall.model.evidence import Evidence
from partywall.model.node import Kind
from partywall.model.tenancy import Borrow, ClaimSource, Selector, Status
from tests.unit.contracts.written import CLUSTER, document, tenants, tenants_text


def refused(*texts: str) -> list[str]:
    """Return the lines of the error that these files make."""
    with pytest.raises(TenancyError) as caught:
        load([document("tenants.yaml" if number == 0 else f"contracts/{number}.yaml", text) for number, text in enumerate(texts)])
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("line", "key", "kinds", "name"),
    [
        ("namespaces: [train]", "namespaces", (Kind.NAMESPACE,), "train"),
        ("buckets: [b]", "buckets", (Kind.BUCKET,), "b"),
        ("buckets: [b/]", "buckets", (Kind.BUCKET,), "b"),
        ("buckets: ['b/*']", "buckets", (Kind.BUCKET,), "b"),
        ("buckets: [b/p]", "buckets", (Kind.PREFIX,), "b/p/"),
        ("buckets: ['b/p/*']", "buckets", (Kind.PREFIX,), "b/p/"),
        ("buckets: ['s3://b/p/q/']", "buckets", (Kind.PREFIX,), "b/p/q/"),
        ("buckets: ['arn:aws:s3:::b/p/*']", "buckets", (Kind.PREFIX,), "b/p/"),
        ("file_systems: [fs-0123]", "file_systems", (Kind.FILE_SYSTEM,), "fs-0123"),
        ("file_systems: ['fs-0123:/']", "file_systems", (Kind.FILE_SYSTEM,), "fs-0123"),
        ("file_systems: ['fs-0123:/vision/']", "file_systems", (Kind.DIRECTORY,), "fs-0123:/vision"),
        (
            "file_systems: ['arn:aws:fsx:us-east-2:111122223333:file-system/fs-0123']",
            "file_systems",
            (Kind.FILE_SYSTEM,),
            "fs-0123",
        ),
        ("users: [v-ana]", "users", (Kind.OS_USER,), "v-ana"),
        ("users: ['arn:aws:iam::111122223333:user/ana']", "users", (Kind.IAM_USER,), "arn:aws:iam::111122223333:user/ana"),
        ("human_roles: ['arn:aws:iam::111122223333:role/a']", "human_roles", (Kind.ROLE,), "arn:aws:iam::111122223333:role/a"),
        (
            "repositories: [111122223333.dkr.ecr.us-east-2.amazonaws.com/vision/train:v1]",
            "repositories",
            (Kind.REPOSITORY,),
            "arn:aws:ecr:us-east-2:111122223333:repository/vision/train",
        ),
    ],
)
def test_each_key_means_canonical_nodes(line: str, key: str, kinds: tuple[Kind, ...], name: str) -> None:
    (claim,) = tenants(f"tenants:\n  - name: vision\n    {line}\n").claims

    assert (claim.owners, claim.field, claim.source) == (("vision",), key, ClaimSource.TENANTS)
    assert claim.selector == Selector(kinds, name)


def test_a_claim_knows_its_place_and_line() -> None:
    (claim,) = tenants("tenants:\n  - name: vision\n    namespaces:\n      - train\n").claims

    assert claim.at == Evidence("tenants.yaml", "/tenants/0/namespaces/0")
    assert claim.line == 6


def test_a_namespace_may_be_of_one_cluster() -> None:
    (claim,) = tenants("tenants: [{name: vision, namespaces: [capacity/train]}]").claims

    assert claim.selector == Selector((Kind.NAMESPACE,), "train", "*/capacity")


@pytest.mark.parametrize("written", ['"2026-06-30"', "2026-06-30"])
def test_a_date_may_be_quoted_or_not(written: str) -> None:
    assert tenants(f"as_of: {written}").as_of == date(2026, 6, 30)


def test_empty_lists_and_sections_are_as_good_as_absent() -> None:
    tenancy = tenants("tenants: [{name: vision, keys: , buckets: []}]\nplatform:\nshared:\ncontracts:\n")

    assert (tenancy.tenants, tenancy.claims, tenancy.contracts) == (("vision",), (), ())


def test_a_contract_in_tenants_yaml_is_approved_unless_it_says_otherwise() -> None:
    tenancy = tenants("tenants: [{name: a}, {name: b}]\ncontracts: [{tenant: a}, {tenant: b, status: draft}]")

    assert [contract.status for contract in tenancy.contracts] == [Status.APPROVED, Status.DRAFT]


def test_a_contract_of_its_own_file_is_read_with_its_places() -> None:
    text = """
        schema: partywall/contract/v1
        tenant: vision
        status: approved
        cluster: {name: capacity, account: "111122223333", region: us-east-2, orchestrator: EKS}
        roles: {workload: {train/trainer: {role: "arn:aws:iam::111122223333:role/w"}}}
        scheduling: {guaranteed: {memory: 64Gi}, borrow: {limit: 50%}, exceptions: [{what: borrow more, until: 2026-12-31}]}
        approvals: [{tenant: platform, lane: data, things: {buckets: [b]}, until: 2027-01-01, by: leads}]
        """

    (contract,) = load([document("contracts/vision.yaml", text)]).contracts

    assert contract.cluster == CLUSTER
    assert contract.place("roles.workload.train/trainer.role") == Evidence("contracts/vision.yaml", "/roles/workload/train~1trainer/role")
    assert contract.scheduling is not None
    assert contract.scheduling.guaranteed == {"memory": 64 * 2**30}
    assert (contract.scheduling.borrow, contract.scheduling.borrow_limit) == (Borrow.LIMITED, "50%")
    (approval,) = contract.approvals
    assert (approval.grantor, approval.guest, approval.until, approval.by) == ("vision", "platform", date(2027, 1, 1), "leads")


def test_several_contracts_in_one_file_have_their_number_in_front() -> None:
    text = "schema: partywall/contract/v1\ntenant: a\nstatus: approved\n---\nschema: partywall/contract/v1\ntenant: b\nstatus: draft\n"

    tenancy = load([document("contracts.yaml", text)])

    assert [contract.at.pointer for contract in tenancy.contracts] == ["/0", "/1"]
    assert tenancy.tenants == ("a",)


def test_a_draft_claims_nothing() -> None:
    text = "schema: partywall/contract/v1\ntenant: vision\nstatus: draft\nscope: {namespaces: [train]}\n"

    tenancy = load([document("contract.yaml", text)])

    assert (tenancy.claims, tenancy.approvals, tenancy.tenants) == ((), (), ())


def test_a_group_in_the_rights_of_two_contracts_is_shared() -> None:
    rights = "rights: [{group: auditors, can: [view]}]"

    tenancy = tenants(f"tenants: [{{name: a}}, {{name: b}}]\ncontracts:\n  - {{tenant: a, {rights}}}\n  - {{tenant: b, {rights}}}\n")

    assert {(claim.owners, claim.shared, claim.source) for claim in tenancy.claims} == {(("a", "b"), True, ClaimSource.RIGHTS)}


@pytest.mark.parametrize(
    ("body", "line"),
    [
        pytest.param("tenant: []", "tenants.yaml:3:1: `tenant` is not known; did you mean `tenants`?", id="misspelt at the top"),
        pytest.param(
            "tenants:\n  - name: a\n    namespace: [x]\n",
            "tenants.yaml:5:5: `namespace` is not known in `tenants.0`; did you mean `namespaces`?",
            id="misspelt below",
        ),
        pytest.param(
            "tenants: [{name: a, namespaces: train}]",
            "tenants.yaml:3:33: `tenants.0.namespaces` is one text; write a list of names, such as [train]",
            id="no list",
        ),
        pytest.param(
            "tenants: [{name: a, accounts: [011122223333]}]",
            "tenants.yaml:3:32: `tenants.0.accounts.0` is a number, and a number loses its leading zeros; "
            'write all 12 digits in quotes, such as "011122223333"',
            id="account without quotes",
        ),
        pytest.param(
            'tenants: [{name: a, accounts: ["1234"]}]',
            "tenants.yaml:3:32: `tenants.0.accounts.0` is `1234`; write an AWS account id: 12 digits in quotes",
            id="short account",
        ),
        pytest.param(
            "tenants: [{name: platform}]",
            "tenants.yaml:3:18: `tenants.0.name` is `platform`; write the name of a tenant (not platform, shared, nobody or outside)",
            id="reserved name",
        ),
        pytest.param(
            "tenants:\n  - name: a\n    buckets: [x]\n    buckets: [y]\n",
            "tenants.yaml:6:5: `buckets` is written twice, here and in line 5; keep one of them or join the two",
            id="a key twice",
        ),
        pytest.param(
            "tenants: [{name: a}, {name: a}]",
            "tenants.yaml:3:29: tenant `a` is written twice, here and as entry 1; join the two",
            id="a tenant twice",
        ),
        pytest.param(
            "as_of: 2026-02-30",
            'tenants.yaml:3:8: `as_of` is `2026-02-30`; write a date written YEAR-MONTH-DAY, such as "2026-06-30"',
            id="no such day",
        ),
        pytest.param(
            "tenants: [{name: a}]\ncontracts: [{tenant: a, status: approve}]",
            "tenants.yaml:4:33: `contracts.0.status` is `approve`; write draft, approved or retired (did you mean `approved`?)",
            id="misspelt word",
        ),
        pytest.param(
            "tenants: [{name: a}]\ncontracts: [{tenant: a, scheduling: {lend: no}}]",
            "tenants.yaml:4:44: `contracts.0.scheduling.lend` is `no`; write none, reclaimable or unlimited (did you mean `none`?)",
            id="a word that YAML takes for a truth value",
        ),
        pytest.param(
            "tenants: [{name: a}, {name: b}]\ncontracts: [{tenant: a, approvals: [{tenant: zz, lane: data, things: {buckets: [x]}}]}]",
            "tenants.yaml:4:46: no tenant is called `zz`; tenants are a, b",
            id="unknown guest",
        ),
        pytest.param(
            "tenants: [{name: a}, {name: b}]\ncontracts: [{tenant: a, approvals: [{tenant: b, lane: data, things: {}}]}]",
            "tenants.yaml:4:69: `contracts.0.approvals.0.things` is too short; write things by kind, such as {buckets: [name]}",
            id="approval of nothing",
        ),
        pytest.param(
            "tenants: [{name: a}, {name: b}]\n"
            "contracts: [{tenant: a, approvals: [{tenant: b, lane: data, things: {buckets: [x]}, until: }]}]",
            'tenants.yaml:4:92: `contracts.0.approvals.0.until` is empty; write a date written YEAR-MONTH-DAY, such as "2026-06-30"',
            id="an end that was never filled in",
        ),
        pytest.param(
            "tenants: [{name: a}]\ncontracts: [{tenant: aa}]",
            "tenants.yaml:4:22: no tenant of this file is called `aa`; tenants are a",
            id="a contract for nobody",
        ),
        pytest.param(
            "tenants: [{name: a}]\nshared: [{tenants: [a, c], buckets: [x]}]",
            "tenants.yaml:4:24: no tenant is called `c`; tenants are a",
            id="shared with nobody",
        ),
    ],
)
def test_a_mistake_is_named_with_its_place_and_its_remedy(body: str, line: str) -> None:
    assert refused(tenants_text(body)) == [line]


def test_contradictory_claims_of_one_file_name_both_lines() -> None:
    body = "tenants:\n  - name: a\n    buckets: [x/p]\n  - name: b\n    buckets:\n      - x/p/\n"

    assert refused(tenants_text(body)) == [
        "tenants.yaml:8:9: `x/p/` belongs to b here and to a in line 5; keep one of the two, or name it under `shared`"
    ]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("tenants: [{name: a, buckets: [x]}, {name: b, buckets: [x]}]\nshared: [{tenants: [a, b], buckets: [x]}]", id="shared"),
        pytest.param("tenants: [{name: a, buckets: [x]}, {name: b, buckets: ['x*']}]", id="a glob over it"),
        pytest.param("tenants: [{name: a, buckets: [x]}, {name: b, buckets: [x/b/]}]", id="a part of it"),
        pytest.param("tenants: [{name: a, namespaces: [x]}, {name: b, namespaces: [other/x]}]", id="on one cluster"),
        pytest.param("tenants: [{name: a, human_roles: [r], workload_roles: [r]}]", id="one tenant twice"),
        pytest.param("tenants: [{name: a, buckets: [x]}]\ncontracts: [{tenant: a, data: {buckets: [x]}}]", id="and its contract"),
    ],
)
def test_no_contradiction(body: str) -> None:
    assert tenants(body).tenants


def test_all_mistakes_of_all_files_are_shown_together() -> None:
    contract = "schema: partywall/contract/v1\ntenant: a\nstat: approved\n"

    assert refused(tenants_text("bogus: 1"), contract) == [
        "contracts/1.yaml:1:1: `status` is missing; say draft, approved or retired; a draft approves nothing",
        "contracts/1.yaml:3:1: `stat` is not known; did you mean `status`?",
        "tenants.yaml:3:1: `bogus` is not known; known here: schema, as_of, clusters, tenants, platform, shared, contracts",
    ]


def test_broken_yaml_is_named_with_its_place() -> None:
    assert refused("schema: partywall/tenants/v1\ntenants: [\n") == [
        "tenants.yaml:3:1: this is not YAML: did not find expected node content; mend the line or quote the text"
    ]


@pytest.mark.parametrize(
    "bomb",
    [
        pytest.param("a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\n" + "".join(
            f"{chr(99 + n)}: &{chr(99 + n)} [{', '.join([f'*{chr(98 + n)}'] * 8)}]\n" for n in range(9)
        ), id="anchors that unfold to a giant"),
        pytest.param("a: &a [*a]\n", id="a list that holds itself"),
    ],
)  # fmt: skip
def test_an_anchor_bomb_is_refused(bomb: str) -> None:
    (line,) = refused("schema: partywall/tenants/v1\n" + bomb)

    assert line.startswith("tenants.yaml:1:1: anchors make this text contain itself, or unfold to a giant")


def test_merge_keys_are_followed() -> None:
    body = "tenants:\n  - &base {name: a, buckets: [x]}\n  - {<<: *base, name: b, buckets: [y]}\n"

    assert [(claim.owners, claim.selector.name) for claim in tenants(body).claims] == [(("a",), "x"), (("b",), "y")]


def test_another_version_of_the_schema_is_refused() -> None:
    assert refused("schema: partywall/tenants/v2\n") == [
        "tenants.yaml:1:9: `schema` is `partywall/tenants/v2`; write partywall/tenants/v1, which is what this version reads"
    ]


def test_a_wrong_account_in_a_contract_does_not_take_its_namespaces_away() -> None:
    head = "schema: partywall/contract/v1\ntenant: a\nstatus: approved\n"
    contract = head + 'cluster: {name: capacity, account: "999999999999"}\nscope: {namespaces: [x]}\n'

    tenancy = load([document("tenants.yaml", tenants_text("tenants: [{name: a}]")), document("a.yaml", contract)])

    assert [claim.selector for claim in tenancy.claims] == [Selector((Kind.NAMESPACE,), "x", "*/capacity")]


def test_a_contract_without_a_cluster_means_the_one_that_its_fields_fit() -> None:
    batch = '{name: batch, account: "111122223333", region: us-east-2, orchestrator: slurm}'
    scopes = "{tenant: a, scope: {namespaces: [x]}}, {tenant: a, scope: {slurm_accounts: [a]}}, {tenant: a}"
    body = f"tenants: [{{name: a}}]\ncontracts: [{scopes}]\n"

    tenancy = load([document("tenants.yaml", tenants_text(body).replace("}]", "}, " + batch + "]", 1))])

    assert [contract.cluster for contract in tenancy.contracts] == [CLUSTER, "111122223333/us-east-2/batch", ""]
