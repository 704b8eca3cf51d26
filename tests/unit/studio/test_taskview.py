"""The task view of Studio on EKS: whose tasks an execution role shows."""

import pytest

from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Facts, Listed
from partywall.model.facts_eks import AccessEntry, AccessPolicy, AssociationsRead
from partywall.model.facts_kubernetes import Binding, Namespace, Role, Rule, Subject, SubjectKind
from partywall.model.facts_studio import StudioDomain, UserProfile
from partywall.resolve.iam.estate import estate
from partywall.resolve.studio.taskview import TaskView, View, task_view_edges, task_views
from tests.unit.aws import ACCOUNT, CLUSTER, REGION, Json, account, allow, arn, cluster, facts, role

AT = Evidence("aws.json", "")
MAY = allow("eks:AccessKubernetesApi", f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/capacity")
SPACES = [Namespace(CLUSTER, name, {"kubernetes.io/metadata.name": name}, AT) for name in ("vision", "vision-dev", "speech")]
DOMAIN = StudioDomain("d-1", "d-1", ACCOUNT, REGION, "", arn("default"), "", "", AT)
PROFILE = UserProfile("d-1", "ana", ACCOUNT, REGION, arn("vision"), "", True, AT)
READ_ALL = [Listed("AccessEntry", CLUSTER, AT), Listed("ClusterRoleBinding", CLUSTER, AT)]
GROUP = Subject(SubjectKind.GROUP, "vision-people")
SAMPLE = (
    Rule(("get", "list"), ("",), ("pods",)),
    Rule(("get", "list"), ("",), ("events",)),
    Rule(("get",), ("apiextensions.k8s.io",), ("customresourcedefinitions",)),
)


def entry(*groups: str) -> list[Fact]:
    return [AccessEntry(CLUSTER, arn("vision"), "", groups, "STANDARD", AT), AssociationsRead(CLUSTER, arn("vision"), AT)]


def policy(name: str, *namespaces: str) -> AccessPolicy:
    return AccessPolicy(CLUSTER, arn("vision"), name, not namespaces, namespaces, AT)


def bound(rules: tuple[Rule, ...], namespace: str = "", name: str = "viewer") -> list[Fact]:
    kind = "Role" if namespace else "ClusterRole"
    return [Role(CLUSTER, namespace, name, rules, AT), Binding(CLUSTER, namespace, name, kind, name, (GROUP,), AT)]


def known(*more: Fact, policies: Json = MAY) -> Facts:
    return facts(account(role("vision", policies), role("default")), cluster(), more=[*SPACES, *READ_ALL, DOMAIN, PROFILE, *more])


def view(*more: Fact, policies: Json = MAY) -> TaskView:
    world = known(*more, policies=policies)
    (found,) = (each for each in task_views(world, estate(world)) if each.role == arn("vision"))
    return found


def test_without_the_right_to_ask_nothing_is_shown() -> None:
    found = view(*entry(), policy("AmazonEKSViewPolicy"), policies=allow("eks:DescribeCluster"))

    assert (found.view, found.why) == (View.NONE, "its policies do not allow eks:AccessKubernetesApi")


def test_without_an_entry_nothing_is_shown() -> None:
    found = view()

    assert (found.view, found.why) == (View.NONE, "it has no door to the cluster")


def test_an_entry_that_nothing_was_given_to_shows_nothing() -> None:
    assert view(*entry("vision-people")).view is View.NONE


def test_a_policy_with_a_namespace_restricts_the_view_to_it() -> None:
    found = view(*entry(), policy("AmazonSagemakerHyperpodTrainingPolicy", "vision"))

    assert (found.view, found.namespaces) == (View.RESTRICTED, ("vision",))
    assert found.users == ("profile d-1/ana",)


def test_a_pattern_shows_every_namespace_that_it_matches() -> None:
    assert view(*entry(), policy("AmazonSagemakerHyperpodTrainingPolicy", "vision*")).namespaces == ("vision", "vision-dev")


@pytest.mark.parametrize("name", ["AmazonSagemakerHyperpodTrainingPolicy", "AmazonEKSAdminViewPolicy", "AmazonEKSClusterAdminPolicy"])
def test_a_policy_for_the_whole_cluster_shows_all(name: str) -> None:
    found = view(*entry(), policy(name))

    assert (found.view, found.why) == (View.UNRESTRICTED, f"{name} in the whole cluster")


def test_the_names_that_every_user_may_list_are_no_tasks() -> None:
    assert view(*entry(), policy("AmazonSagemakerHyperpodUserClusterPolicy")).view is View.NONE


def test_a_policy_that_nobody_knows_leaves_it_open() -> None:
    assert view(*entry(), policy("AmazonBrandNewPolicy", "vision")).view is View.UNKNOWN


def test_what_is_surely_unrestricted_is_so_beside_a_policy_that_nobody_knows() -> None:
    assert view(*entry(), policy("AmazonBrandNewPolicy", "vision"), policy("AmazonEKSViewPolicy")).view is View.UNRESTRICTED


def test_the_sample_of_aws_for_a_restricted_view_is_found_under_any_name() -> None:
    found = view(*entry("vision-people"), *bound(SAMPLE, name="our-own-name"))

    assert found.view is View.UNRESTRICTED
    assert found.why == "our-own-name, AWS's sample for a restricted view, which is bound for the whole cluster"


def test_the_same_rules_in_a_namespace_are_a_restriction() -> None:
    found = view(*entry("vision-people"), *bound(SAMPLE, "vision"))

    assert (found.view, found.namespaces) == (View.RESTRICTED, ("vision",))


def test_the_group_of_masters_shows_all() -> None:
    assert view(*entry("system:masters")).why == "group system:masters"


def test_policies_that_were_not_read_leave_it_open() -> None:
    only = [AccessEntry(CLUSTER, arn("vision"), "", (), "STANDARD", AT)]

    assert (view(*only).view, view(*only).why) == (View.UNKNOWN, "the access policies of its entry were not read")


def test_a_role_that_was_not_read_leaves_it_open() -> None:
    world = facts(cluster(), more=[*SPACES, *READ_ALL, PROFILE, *entry(), policy("AmazonEKSViewPolicy")])
    (found,) = task_views(world, estate(world))

    assert (found.view, found.why) == (View.UNKNOWN, "its policies were not read")


def test_the_domains_role_and_that_of_its_spaces_count_too() -> None:
    spaces = StudioDomain("d-2", "d-2", ACCOUNT, REGION, "", "", arn("default"), "", AT)
    world = known(spaces)
    (found,) = (each for each in task_views(world, estate(world)) if each.role == arn("default"))

    assert found.users == ("domain d-1", "spaces of domain d-2")


def test_what_is_shown_is_an_edge_with_the_grant_as_its_lever() -> None:
    world = known(*entry(), policy("AmazonSagemakerHyperpodTrainingPolicy", "speech"))
    (edge,) = task_view_edges(world, estate(world))

    assert isinstance(edge, Edge)
    assert (edge.verb, edge.target.name) == ("sees in Studio the tasks of", "speech")
    assert edge.note == "Studio of profile d-1/ana, by AmazonSagemakerHyperpodTrainingPolicy in speech"
    assert edge.lever.kind == "AccessPolicy"
