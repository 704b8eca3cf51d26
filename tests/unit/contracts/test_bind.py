"""Whose a node is, and how it stands to the tenants."""

from collections.abc import Iterable

import pytest

from partywall.contracts.bind import Bound, bind
from partywall.contracts.load import load
from partywall.model.evidence import Evidence
from partywall.model.node import Kind, Node
from partywall.model.tenancy import PLATFORM, Tenancy
from partywall.model.thing import Cover, Standing, Thing
from tests.unit.contracts.written import CLUSTER, document, tenants, tenants_text

AT = Evidence("k8s.yaml", "/0")
TWO = "tenants:\n  - name: a\n    {}\n  - name: b\n    {}\n"


def bound(node: Node, tenancy: Tenancy, *things: Thing, also: Iterable[Node] = (), memberships: Iterable[tuple[Node, Node]] = ()) -> Bound:
    return bind((node, *also), things, tenancy, memberships=memberships)


def owners(node: Node, tenancy: Tenancy, *things: Thing, also: Iterable[Node] = ()) -> tuple[str, ...]:
    return bound(node, tenancy, *things, also=also).ownership[node].owners


def role(name: str, account: str = "111122223333") -> Node:
    return Node(Kind.ROLE, account, f"arn:aws:iam::{account}:role/{name}")


def of_cluster(kind: Kind, name: str = "*") -> Node:
    return Node(kind, CLUSTER, name)


@pytest.mark.parametrize(
    ("claims", "node"),
    [
        pytest.param("namespaces: [train]", of_cluster(Kind.NAMESPACE, "train"), id="exact"),
        pytest.param("namespaces: ['tr*n']", of_cluster(Kind.NAMESPACE, "train"), id="glob"),
        pytest.param("namespaces: ['*in']", of_cluster(Kind.NAMESPACE, "train"), id="glob in front"),
        pytest.param("namespaces: [capacity/train]", of_cluster(Kind.NAMESPACE, "train"), id="on its cluster"),
        pytest.param("namespaces: [train]", of_cluster(Kind.SERVICE_ACCOUNT, "train/job"), id="service account inside"),
        pytest.param("namespaces: [train]", of_cluster(Kind.PODS, "train/app=x"), id="pods inside"),
        pytest.param("namespaces: [train]", of_cluster(Kind.LOCAL_QUEUE, "train/q"), id="local queue inside"),
        pytest.param("buckets: [x]", Node(Kind.PREFIX, "", "x/p/q/"), id="prefix of a bucket"),
        pytest.param("buckets: [x/p]", Node(Kind.PREFIX, "", "x/p/q/"), id="prefix of a prefix"),
        pytest.param("file_systems: [fs-1]", Node(Kind.DIRECTORY, "111122223333/us-east-2", "fs-1:/d/e"), id="directory"),
        pytest.param("file_systems: ['fs-1:/d']", Node(Kind.DIRECTORY, "", "fs-1:/d/e"), id="directory in a directory"),
        pytest.param('accounts: ["111122223333"]', role("x"), id="role of an account"),
        pytest.param('accounts: ["111122223333"]', Node(Kind.LOG_GROUP, "111122223333/us-east-2", "/x"), id="log group of an account"),
        pytest.param("workload_roles: ['arn:aws:iam::*:role/team-*']", role("team-x"), id="glob over ARNs"),
        pytest.param("workload_roles: [x]", role("path/x"), id="role by its bare name"),
        pytest.param("workload_roles: ['arn:aws:iam::111122223333:role/x']", role("path/x"), id="role by its ARN without path"),
        pytest.param("keys: [1234]".replace("1234", "'1234'"), Node(Kind.KEY, "1", "arn:aws:kms:us-east-2:1:key/1234"), id="key by id"),
        pytest.param(
            "secrets: [vision/db]",
            Node(Kind.SECRET, "1", "arn:aws:secretsmanager:us-east-2:1:secret:vision/db-AbCdEf"),
            id="secret by name",
        ),
        pytest.param(
            "repositories: [vision/train]",
            Node(Kind.REPOSITORY, "1", "arn:aws:ecr:us-east-2:1:repository/vision/train"),
            id="repository by name",
        ),
    ],
)
def test_a_claim_finds_its_things_and_what_is_inside(claims: str, node: Node) -> None:
    assert owners(node, tenants(TWO.format(claims, "projects: [p]"))) == ("a",)


@pytest.mark.parametrize(
    ("claims", "node"),
    [
        pytest.param("namespaces: [train]", of_cluster(Kind.NAMESPACE, "trains"), id="another name"),
        pytest.param("namespaces: [other/train]", of_cluster(Kind.NAMESPACE, "train"), id="another cluster"),
        pytest.param("buckets: [x/p]", Node(Kind.PREFIX, "", "x/pq/"), id="a prefix is a folder"),
        pytest.param("namespaces: ['t[r]ain']", of_cluster(Kind.NAMESPACE, "train"), id="a bracket is a bracket"),
    ],
)
def test_nobody_owns_what_nobody_claims(claims: str, node: Node) -> None:
    found = bound(node, tenants(TWO.format(claims, "projects: [p]")))

    assert found.ownership[node].owners == ()
    assert found.standing[node] is Standing.OWNED


@pytest.mark.parametrize(
    ("of_a", "of_b"),
    [
        pytest.param("namespaces: [train]", "namespaces: ['*']", id="exact before glob"),
        pytest.param("namespaces: ['tra*']", "namespaces: ['t*']", id="longer before shorter"),
        pytest.param("namespaces: [capacity/train]", "namespaces: [train]", id="one cluster before any"),
    ],
)
def test_the_most_specific_claim_wins(of_a: str, of_b: str) -> None:
    node = of_cluster(Kind.NAMESPACE, "train")

    assert (
        owners(node, tenants(TWO.format(of_a, of_b)))
        == owners(node, tenants(TWO.format(of_b, of_a).replace("name: a", "name: x").replace("name: b", "name: a")))
        == ("a",)
    )


def test_a_claim_on_a_part_wins_inside_it() -> None:
    tenancy = tenants(TWO.format("buckets: [x]", "buckets: [x/b/]"))

    assert owners(Node(Kind.PREFIX, "", "x/b/deep/"), tenancy) == ("b",)
    assert owners(Node(Kind.PREFIX, "", "x/c/"), tenancy) == ("a",)


def test_a_container_is_also_of_those_who_own_what_is_inside() -> None:
    tenancy = tenants(TWO.format("buckets: [x]", "buckets: [x/b/]"))
    bucket = Node(Kind.BUCKET, "", "x")

    found = bound(bucket, tenancy)

    assert (found.ownership[bucket].owners, found.standing[bucket]) == (("a", "b"), Standing.SCOPE)
    assert found.ownership[bucket].why == "tenants.yaml:5 claims buckets x for a; inside it: s3://x/b/ of b"


def test_a_file_system_in_a_region_is_also_of_those_who_own_a_directory_named_without_one() -> None:
    system = Node(Kind.FILE_SYSTEM, "111122223333/us-east-2", "fs-1")

    assert owners(system, tenants(TWO.format("file_systems: ['fs-1:/a']", "file_systems: ['fs-1:/b']"))) == ("a", "b")


def test_a_parent_account_of_slurm_is_its_childrens_owners_too_and_only_its_own_start_there() -> None:
    tenancy = tenants(TWO.format("slurm_accounts: [a]", "slurm_accounts: [b]"))
    top, child = of_cluster(Kind.SLURM_ACCOUNT, "a"), of_cluster(Kind.SLURM_ACCOUNT, "b")
    grandchild = of_cluster(Kind.SLURM_ACCOUNT, "b2")

    found = bound(top, tenancy, Thing(child, AT, parent=top), Thing(grandchild, AT, parent=child))

    assert found.ownership[top].owners == ("a", "b")
    assert found.starters[top] == ("a",)
    assert found.ownership[grandchild].owners == ("b",)


def test_a_circle_of_parents_ends() -> None:
    one, two = of_cluster(Kind.SLURM_ACCOUNT, "one"), of_cluster(Kind.SLURM_ACCOUNT, "two")

    assert owners(one, tenants(""), Thing(one, AT, parent=two), Thing(two, AT, parent=one)) == ()


def test_shared_things_are_home_for_all_of_their_owners() -> None:
    node = Node(Kind.BUCKET, "", "common")
    tenancy = tenants(TWO.format("buckets: [common]", "buckets: [common]") + "shared: [{tenants: [a, b], buckets: [common]}]")

    found = bound(node, tenancy)

    assert (found.ownership[node].owners, found.standing[node], found.ownership[node].disputed) == (("a", "b"), Standing.OWNED, ())


def test_two_files_that_claim_one_thing_are_a_dispute_and_share_it() -> None:
    texts = (f"schema: partywall/contract/v1\ntenant: {name}\nstatus: approved\ndata: {{buckets: [x]}}\n" for name in ("a", "b"))
    tenancy = load([document(f"{number}.yaml", text) for number, text in enumerate(texts)])
    node = Node(Kind.BUCKET, "", "x")

    found = bound(node, tenancy)

    assert (found.ownership[node].owners, found.standing[node]) == (("a", "b"), Standing.OWNED)
    assert [claim.owners for claim in found.ownership[node].disputed] == [("a",), ("b",)]
    assert bound(Node(Kind.PREFIX, "", "x/p/"), tenancy).ownership[Node(Kind.PREFIX, "", "x/p/")].disputed == ()


def test_a_contract_and_tenants_yaml_that_disagree_are_a_dispute() -> None:
    contract = "schema: partywall/contract/v1\ntenant: b\nstatus: approved\nscope: {namespaces: [train]}\n"
    tenancy = load(
        [document("tenants.yaml", tenants_text(TWO.format("namespaces: [train]", "projects: [p]"))), document("b.yaml", contract)]
    )
    node = of_cluster(Kind.NAMESPACE, "train")

    assert {claim.owners for claim in bound(node, tenancy).ownership[node].disputed} == {("a",), ("b",)}


def test_what_a_retired_contract_named_stays_its_tenants_until_somebody_else_claims_it() -> None:
    retired = "schema: partywall/contract/v1\ntenant: a\nstatus: retired\nscope: {namespaces: [train]}\n"
    renewed = "schema: partywall/contract/v1\ntenant: b\nstatus: approved\nscope: {namespaces: [train]}\n"
    node = of_cluster(Kind.NAMESPACE, "train")

    assert owners(node, load([document("a.yaml", retired)])) == ("a",)
    assert owners(node, load([document("a.yaml", retired), document("b.yaml", renewed)])) == ("b",)


@pytest.mark.parametrize(
    "node",
    [
        of_cluster(Kind.NAMESPACE, "kube-system"),
        of_cluster(Kind.SERVICE_ACCOUNT, "kube-system/aws-node"),
        of_cluster(Kind.GROUP, "system:masters"),
        of_cluster(Kind.USER, "system:kube-scheduler"),
        of_cluster(Kind.CLUSTER_ADMIN),
        of_cluster(Kind.SLURM_ACCOUNT, "root"),
        of_cluster(Kind.OS_USER, "slurm"),
        role("aws-service-role/eks.amazonaws.com/AWSServiceRoleForAmazonEKS"),
        Node(Kind.ACCOUNT, "", "111122223333"),
    ],
    ids=str,
)
def test_what_systems_reserve_is_the_platforms(node: Node) -> None:
    found = bound(node, tenants(""))

    assert (found.ownership[node].owners, found.standing[node]) == ((PLATFORM,), Standing.PLATFORM)


def test_a_platforms_account_makes_no_forgotten_team_the_platform() -> None:
    tenancy = tenants('platform: {accounts: ["111122223333"]}')

    assert owners(of_cluster(Kind.NAMESPACE, "forgotten"), tenancy) == owners(of_cluster(Kind.GROUP, "forgotten"), tenancy) == ()
    assert owners(role("x"), tenancy) == (PLATFORM,)


def test_a_claim_beats_what_is_reserved() -> None:
    assert owners(of_cluster(Kind.NAMESPACE, "cert-manager"), tenants(TWO.format("namespaces: [cert-manager]", "projects: [p]"))) == ("a",)


def test_a_foreign_account_is_outside_and_starts_unless_a_tenant_claims_it() -> None:
    foreign = Node(Kind.ACCOUNT, "", "999999999999")

    found = bound(foreign, tenants(""))
    claimed = bound(foreign, tenants('tenants: [{name: a, accounts: ["999999999999"]}]'))

    assert (found.standing[foreign], found.starts[foreign], found.ownership[foreign].owners) == (Standing.OUTSIDE, True, ())
    assert (claimed.standing[foreign], claimed.starts[foreign], claimed.ownership[foreign].owners) == (Standing.OWNED, False, ("a",))


def test_a_glob_over_namespaces_is_a_scope_of_the_owners_of_all_it_covers() -> None:
    tenancy = tenants(TWO.format("namespaces: [team-a]", "namespaces: [team-b, other]"))
    scope = of_cluster(Kind.NAMESPACES, "team-*")
    whole = of_cluster(Kind.NAMESPACES)

    found = bound(scope, tenancy, also=(whole, of_cluster(Kind.NAMESPACE, "kube-system")))

    assert (found.ownership[scope].owners, found.standing[scope]) == (("a", "b"), Standing.SCOPE)
    assert found.ownership[whole].owners == ("a", "b", PLATFORM)


def test_a_scope_covers_named_things_that_no_other_document_lists() -> None:
    nodes = of_cluster(Kind.NODES)
    thing = Thing(nodes, AT, covers=(Cover(Kind.NAMESPACE, CLUSTER),))

    found = bound(nodes, tenants(TWO.format("namespaces: [train]", "projects: [p]")), thing)

    assert (found.ownership[nodes].owners, found.standing[nodes]) == (("a", PLATFORM), Standing.SCOPE)


def test_a_scope_may_have_members_one_by_one() -> None:
    scope = of_cluster(Kind.SLURM_JOBS)
    member = of_cluster(Kind.OS_USER, "v-ana")
    tenancy = load([document("t.yaml", "schema: partywall/tenants/v1\ntenants: [{name: a, users: [v-ana]}]\n")])

    assert owners(scope, tenancy, Thing(scope, AT, members=(member,))) == ("a",)


def test_a_place_is_nobodys_even_where_its_account_is_somebodys() -> None:
    domain = Node(Kind.STUDIO_DOMAIN, "111122223333/us-east-2", "d-1")

    found = bound(domain, tenants('tenants: [{name: a, accounts: ["111122223333"]}]'))

    assert (found.standing[domain], found.ownership[domain].owners) == (Standing.PLACE, ())


def test_a_person_belongs_to_the_owners_of_the_persons_groups() -> None:
    ana = Node(Kind.PERSON, "d-1", "ana")
    groups = [Node(Kind.IDENTITY_GROUP, "d-1", name) for name in ("team-a", "operators", "everybody", "unknown")]
    tenancy = tenants(
        TWO.format("identity_groups: [team-a, everybody]", "identity_groups: [everybody]")
        + "platform: {identity_groups: [operators]}\nshared: [{tenants: [a, b], identity_groups: [everybody]}]"
    )

    found = bound(ana, tenancy, memberships=[(ana, group) for group in groups])

    assert found.ownership[ana].owners == ("a", PLATFORM)
    assert found.starts[ana]


def test_a_group_may_be_claimed_by_the_id_that_stands_behind_its_name() -> None:
    group = Node(Kind.IDENTITY_GROUP, "d-1", "team-a")
    tenancy = tenants(TWO.format("identity_groups: [11111111-2222]", "projects: [p]"))

    assert bind([group], [], tenancy, aliases={group: ("11111111-2222",)}).ownership[group].owners == ("a",)


def test_a_role_starts_only_where_a_resolver_says_so() -> None:
    tenancy = tenants(TWO.format("workload_roles: [x]", "projects: [p]"))

    assert not bound(role("x"), tenancy).starts[role("x")]
    assert bound(role("x"), tenancy, Thing(role("x"), AT, starts=True)).starters[role("x")] == ("a",)


def test_why_names_the_line_the_claim_and_the_way_in() -> None:
    tenancy = tenants(TWO.format("namespaces: [train]", "projects: [p]"))
    node = of_cluster(Kind.SERVICE_ACCOUNT, "train/job")

    assert bound(node, tenancy).ownership[node].why == "tenants.yaml:5 claims namespaces train for a; inside namespace/train"


def test_the_order_of_nodes_does_not_matter() -> None:
    tenancy = tenants(TWO.format("buckets: [x]", "buckets: [x/b/]"))
    nodes = [Node(Kind.BUCKET, "", "x"), Node(Kind.PREFIX, "", "x/b/"), Node(Kind.PREFIX, "", "x/b/c/")]

    assert bind(nodes, [], tenancy).ownership == bind(nodes[::-1], [], tenancy).ownership
