"""Who comes in as whom, and what access policies give."""

from collections.abc import Mapping

import pytest

from partywall.model.document import Direction, Document, Gap
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Named
from partywall.model.node import Kind, Node
from partywall.model.thing import Standing
from partywall.resolve.eks import RESOLVER, dangling
from tests.unit.kube import CLUSTER, binding, document, edges, facts, gaps, inside, namespace, parsed, role, said, things

ROLE = "arn:aws:iam::111122223333:role/vision-people"
SSO = "arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/us-east-2/AWSReservedSSO_Team_0123456789abcdef"
NAMESPACES = namespace("vision") + namespace("vision-dev") + namespace("speech")


def cluster(mode: str = "API") -> Document:
    return document("aws:eks:describe-cluster", {"cluster": {"name": "lab", "accessConfig": {"authenticationMode": mode}}})


def listed(*arns: str) -> Document:
    return document("aws:eks:list-access-entries", {"accessEntries": list(arns)})


def entry(arn: str = ROLE, *groups: str, username: str = "", kind: str = "STANDARD") -> Document:
    value = {"clusterName": "lab", "principalArn": arn, "kubernetesGroups": list(groups), "username": username, "type": kind}
    return document("aws:eks:describe-access-entry", {"accessEntry": value})


def policies(arn: str = ROLE, /, **scopes: list[str] | None) -> Document:
    """Associate policies; None is the whole cluster."""
    items: list[Json] = [
        {
            "policyArn": f"arn:aws:eks::aws:cluster-access-policy/{name}",
            "accessScope": {"type": "cluster" if scope is None else "namespace", "namespaces": list(scope or [])},
        }
        for name, scope in scopes.items()
    ]
    return document(
        "aws:eks:list-associated-access-policies", {"clusterName": "lab", "principalArn": arn, "associatedAccessPolicies": items}
    )


def account(*arns: str) -> Document:
    """List all roles of the account; each trusts nobody."""
    trust: Mapping[str, Json] = {"Version": "2012-10-17", "Statement": []}
    roles: list[Json] = [
        {
            "RoleName": arn.rsplit("/", 1)[-1],
            "Arn": arn,
            "AssumeRolePolicyDocument": trust,
            "RolePolicyList": [],
            "AttachedManagedPolicies": [],
        }
        for arn in arns
    ]
    value: Json = {"UserDetailList": [], "GroupDetailList": [], "RoleDetailList": roles, "Policies": []}
    return document("aws:iam:get-account-authorization-details", value)


def aws_auth(rows: str) -> str:
    return f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: aws-auth, namespace: kube-system}}\ndata:\n  mapRoles: |\n{rows}"


ROW = "    - rolearn: arn:aws:iam::111122223333:role/AWSReservedSSO_Team_0123456789abcdef\n      username: team\n      groups: [team]\n"


def test_an_entry_enters_as_its_groups() -> None:
    assert said(RESOLVER, entry(ROLE, "team")) == {"role:vision-people enters as group:team"}


def test_the_masters_group_is_the_administrator() -> None:
    found = said(RESOLVER, entry(ROLE, "system:masters"))

    assert {"role:vision-people becomes administrator of cluster_admin:*", "role:vision-people read secrets namespaces:*"} <= found


def test_an_entry_of_nodes_belongs_to_the_platform() -> None:
    (thing,) = things(RESOLVER, entry(ROLE, "system:nodes", kind="EC2_LINUX"))

    assert (thing.node.name, thing.standing) == (ROLE, Standing.PLATFORM)


def test_a_role_whose_trust_is_unread_acts_by_itself_and_one_that_is_read_does_not() -> None:
    assert [thing.starts for thing in things(RESOLVER, entry())] == [True]
    assert things(RESOLVER, entry(), account(ROLE)) == []


@pytest.mark.parametrize(
    ("policy", "some", "none"),
    [
        ("AmazonEKSClusterAdminPolicy", "becomes administrator of cluster_admin:*", "nothing is missing"),
        ("AmazonEKSAdminViewPolicy", "read secrets namespaces:*", "create workloads"),
        ("AmazonEKSAdminPolicy", "create pods/exec namespaces:*", "rewrites roles"),
        ("AmazonEKSEditPolicy", "impersonates namespaces:*", "requests tokens of"),
        ("AmazonEKSViewPolicy", "read pod logs namespaces:*", "secrets"),
        ("AmazonEKSSecretReaderPolicy", "read secrets namespaces:*", "list pods"),
        ("AmazonSagemakerHyperpodTrainingPolicy", "create workloads namespaces:*", "secrets"),
        ("AmazonSagemakerHyperpodInferencePolicy", "create workloads namespaces:*", "create pods/exec"),
        ("AmazonSagemakerHyperpodSpacePolicy", "create workloads namespaces:*", "read pod logs"),
        ("AmazonSagemakerHyperpodUserClusterPolicy", "list names namespaces:*", "list pods"),
    ],
)
def test_what_each_policy_gives_in_the_whole_cluster(policy: str, some: str, none: str) -> None:
    found = said(RESOLVER, NAMESPACES, policies(**{policy: None}))

    assert f"role:vision-people {some}" in found
    assert not any(none in text for text in found)


def test_a_namespace_scope_gives_that_namespace() -> None:
    found = said(RESOLVER, NAMESPACES, policies(AmazonEKSEditPolicy=["vision"]))

    assert "role:vision-people create workloads namespace:vision" in found
    assert all(text.endswith("namespace:vision") for text in found)


def test_a_glob_is_a_scope_over_the_namespaces_that_it_matches() -> None:
    given = (NAMESPACES, policies(AmazonEKSViewPolicy=["vision*"]))

    assert "role:vision-people list pods namespaces:vision*" in said(RESOLVER, *given)
    assert inside(RESOLVER, "contains", *given) == {"vision", "vision-dev"}


def test_cluster_admin_policy_inside_a_namespace_is_no_administrator() -> None:
    assert not any("cluster_admin" in text for text in said(RESOLVER, NAMESPACES, policies(AmazonEKSClusterAdminPolicy=["vision"])))


def test_a_policy_that_we_do_not_know_is_unknown_and_never_nothing() -> None:
    found = said(RESOLVER, NAMESPACES, policies(AmazonNewPolicy=["vision"]))

    assert found == {
        "role:vision-people create workloads namespace:vision (unknown)",
        "role:vision-people list pods namespace:vision (unknown)",
        "role:vision-people read secrets namespace:vision (unknown)",
    }


def test_moving_the_lever_of_one_namespace_leaves_the_other() -> None:
    given = facts(NAMESPACES, policies(AmazonEKSSecretReaderPolicy=["vision", "speech"]))
    first, second = edges(RESOLVER, given)

    assert first.lever.change is not None
    assert [edge.target for edge in edges(RESOLVER, given.patched(first.lever.change))] == [second.target]


def test_the_lever_of_an_identity_center_role_keeps_its_name_when_the_role_is_made_again() -> None:
    (edge,) = edges(RESOLVER, facts(entry(SSO, "team")))

    assert edge.lever.name.endswith("/AWSReservedSSO_Team team")


def test_in_mode_api_the_config_map_does_not_count() -> None:
    assert said(RESOLVER, cluster("API"), aws_auth(ROW)) == set()


def test_in_mixed_mode_both_count_and_a_row_finds_the_role_with_its_path() -> None:
    found = said(RESOLVER, cluster("API_AND_CONFIG_MAP"), account(SSO, ROLE), entry(ROLE, "one"), aws_auth(ROW))

    assert found == {
        "role:vision-people enters as group:one",
        "role:aws-reserved/sso.amazonaws.com/us-east-2/AWSReservedSSO_Team_0123456789abcdef enters as group:team",
    }


def test_in_mixed_mode_the_entry_wins_over_the_row_of_the_same_principal() -> None:
    found = said(RESOLVER, cluster("API_AND_CONFIG_MAP"), entry(SSO, "by-entry"), aws_auth(ROW))

    assert {text.rsplit(" ", 1)[-1] for text in found} == {"group:by-entry"}


def test_in_mode_config_map_entries_do_not_count() -> None:
    found = said(RESOLVER, cluster("CONFIG_MAP"), entry(ROLE, "one"), policies(AmazonEKSViewPolicy=None), aws_auth(ROW))

    assert {text.rsplit(" ", 1)[-1] for text in found} == {"group:team"}


def test_without_the_cluster_a_row_beside_entries_is_unknown() -> None:
    assert any(text.endswith("group:team (unknown)") for text in said(RESOLVER, entry(ROLE, "one"), aws_auth(ROW)))


def test_a_row_that_cannot_be_read_is_a_gap() -> None:
    (gap,) = [item for item in parsed(aws_auth("    - not a row\n")) if isinstance(item, Gap)]

    assert gap.what == "a row of aws-auth mapRoles that cannot be read"


def test_an_entry_of_a_role_that_does_not_exist_enters_nowhere_and_dangles() -> None:
    given = (listed(ROLE), entry(ROLE, "team"), policies(AmazonEKSEditPolicy=None), account())

    assert said(RESOLVER, NAMESPACES, *given) == set()
    assert [one.principal for one in dangling(facts(*given))] == [ROLE]
    assert gaps(RESOLVER, *given) == []


def test_a_listed_entry_without_its_two_answers_is_two_gaps_on_its_role() -> None:
    found = gaps(RESOLVER, listed(ROLE))

    assert [gap.source for gap in found] == ["eks:describe-access-entry", "eks:list-associated-access-policies"]
    assert {gap.direction for gap in found} == {Direction.OUTGOING}
    assert {node.name for gap in found for node in gap.nodes} == {ROLE}
    assert found[0].remedy.startswith(f"aws eks describe-access-entry --cluster-name lab --principal-arn {ROLE} ")


def test_an_entry_with_both_answers_is_no_gap() -> None:
    assert gaps(RESOLVER, cluster(), listed(ROLE), entry(ROLE), policies(ROLE)) == []


def test_mixed_mode_without_the_config_map_is_a_gap_unless_config_maps_were_listed() -> None:
    maps = document("kubernetes", {"apiVersion": "v1", "kind": "ConfigMapList", "items": []})

    assert [gap.source for gap in gaps(RESOLVER, cluster("API_AND_CONFIG_MAP"))] == ["kubernetes:configmaps"]
    assert gaps(RESOLVER, cluster("API_AND_CONFIG_MAP"), maps) == []


BOUND = (
    NAMESPACES
    + role("dev", "list pods", "vision")
    + binding("dev", "Role/dev", "User:arn:aws:sts::111122223333:assumed-role/vision-people/ana", "vision")
)


def test_a_user_of_a_session_name_is_whoever_names_the_session_so() -> None:
    (edge,) = edges(RESOLVER, facts(BOUND, entry(ROLE)))

    assert edge.condition is not None
    assert edge.condition.text == "the session of role vision-people is named ana"
    assert edge.condition.control == "caller"


def test_a_user_of_another_role_is_nobody_here() -> None:
    assert said(RESOLVER, BOUND, entry("arn:aws:iam::111122223333:role/speech-people")) == set()


def test_a_fixed_user_name_is_sure() -> None:
    bound = NAMESPACES + role("dev", "list pods", "vision") + binding("dev", "Role/dev", "User:ana", "vision")

    assert said(RESOLVER, bound, entry(ROLE, username="ana")) == {"role:vision-people enters as user:ana"}


def test_whoever_has_an_entry_is_among_all_who_are_signed_in() -> None:
    bound = NAMESPACES + role("dev", "list pods") + binding("dev", "ClusterRole/dev", "Group:system:authenticated")

    assert said(RESOLVER, bound, entry(ROLE)) == {"role:vision-people enters as all_authenticated:*"}


def test_a_group_that_only_known_doors_lead_to_does_not_act_by_itself() -> None:
    bound = NAMESPACES + role("dev", "list pods", "vision") + binding("dev", "Role/dev", "Group:team", "vision")
    closed = (bound, cluster(), listed(ROLE), entry(ROLE, "team"), policies(ROLE), account(ROLE))
    named = Named(Node(Kind.GROUP, CLUSTER, "team"), Evidence("tenants.yaml", "/tenants/0"))

    assert [(thing.node.name, thing.starts) for thing in things(RESOLVER, *closed)] == [("team", False)]
    assert things(RESOLVER, *closed, more=(named,)) == []
    assert things(RESOLVER, bound, cluster(), entry(ROLE, "team"), account(ROLE)) == []


WRITER = (
    namespace("kube-system") + role("maps", "patch configmaps", "kube-system") + binding("maps", "Role/maps", "Group:team", "kube-system")
)


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        ("API", set()),
        ("API_AND_CONFIG_MAP", {"group:team becomes administrator of cluster_admin:*"}),
        ("CONFIG_MAP", {"group:team becomes administrator of cluster_admin:*"}),
        ("", {"group:team becomes administrator of cluster_admin:* (unknown)"}),
    ],
)
def test_who_may_write_the_config_map_is_an_administrator_where_it_is_read(mode: str, found: set[str]) -> None:
    assert said(RESOLVER, WRITER, cluster(mode)) == found


def test_a_user_whom_no_door_makes_comes_by_one_that_was_not_shown() -> None:
    closed = (cluster(), listed(ROLE), entry(ROLE, username="ana"), policies(ROLE), account(ROLE))

    def starting(user: str) -> list[bool | None]:
        bound = NAMESPACES + role("dev", "list pods", "vision") + binding("dev", "Role/dev", f"User:{user}", "vision")
        return [thing.starts for thing in things(RESOLVER, bound, *closed)]

    assert starting("ana") == [False]
    assert starting("bo") == []
    assert starting("'*'") == [False]


def test_rights_of_two_groups_of_one_principal_add_up() -> None:
    group = "rbac.authorization.k8s.io"
    text = NAMESPACES + role("binder", f"bind clusterroles {group}") + binding("binder", "ClusterRole/binder", "Group:one")
    text += role("writer", f"create clusterrolebindings {group}") + binding("writer", "ClusterRole/writer", "Group:two")

    assert "role:vision-people rewrites roles of cluster_admin:*" in said(RESOLVER, text, entry(ROLE, "one", "two"))
    assert "role:vision-people rewrites roles of cluster_admin:*" not in said(RESOLVER, text, entry(ROLE, "one"))


def test_roles_of_nodes_by_the_config_map_and_of_the_control_plane_are_the_platforms() -> None:
    rows = f"    - rolearn: {ROLE}\n      username: 'system:node:x'\n      groups: [system:bootstrappers, system:nodes]\n"
    plane = document("aws:eks:describe-cluster", {"cluster": {"name": "lab", "roleArn": "arn:aws:iam::111122223333:role/plane"}})

    found = {thing.node.name for thing in things(RESOLVER, aws_auth(rows), plane) if thing.standing is Standing.PLATFORM}

    assert found == {ROLE, "arn:aws:iam::111122223333:role/plane"}
