"""Profiles, sessions on nodes, clusters, doors, projects."""

import json
from typing import Any

import pytest

from partywall.model.document import Document
from partywall.model.evidence import Evidence
from partywall.model.facts_eks import AccessEntry
from partywall.model.node import Kind, Node
from partywall.resolve.studio import RESOLVER
from tests.unit.aws import ACCOUNT, CLUSTER, REGION, Json, account, allow, answer, arn, cluster, edges, facts, gaps, lines, role

START = allow("ssm:StartSession")
AT = Evidence("aws.json", "")


def hyperpod(orchestrator: Json | None = None, name: str = "capacity") -> Document:
    group = {"InstanceGroupName": "g", "ExecutionRole": arn("node"), "LifeCycleConfig": {"SourceS3Uri": "s3://scripts/base/"}}
    value = {"ClusterArn": f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:cluster/abc123def456", "ClusterName": name, "InstanceGroups": [group]}
    return answer("sagemaker:describe-cluster", {**value, "Orchestrator": orchestrator} if orchestrator else value)


EKS = hyperpod({"Eks": {"ClusterArn": f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/capacity"}}, "pod")
SLURM = hyperpod()


def preferences(**inputs: Any) -> Document:
    content = json.dumps({"schemaVersion": "1.0", "sessionType": "Standard_Stream", "inputs": inputs})
    return answer("ssm:get-document", {"Name": "SSM-SessionManagerRunShell", "DocumentType": "Session", "Content": content})


def of(name: str, *documents: Document, **more: Any) -> list[str]:
    return [line.removeprefix(f"role:{name} ") for line in lines(RESOLVER, facts(*documents, **more)) if line.startswith(f"role:{name} ")]


@pytest.mark.parametrize(
    "resource",
    [
        "*",
        f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:cluster/abc123def456",
        "arn:aws:ssm:*:*:managed-instance/sagemaker-cluster:*",
        f"arn:aws:ssm:{REGION}:{ACCOUNT}:managed-instance/*",
    ],
)
def test_a_session_on_nodes_of_eks_is_one_on_all_tenants(resource: str) -> None:
    assert of("nlp", account(role("nlp", allow("ssm:StartSession", resource))), EKS) == ["open session on nodes:*"]


def test_a_session_on_another_cluster_is_not() -> None:
    assert (
        of("nlp", account(role("nlp", allow("ssm:StartSession", f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:cluster/zzz999zzz999"))), EKS) == []
    )


def test_the_cluster_tag_of_the_nodes_is_known() -> None:
    def tagged(name: str) -> Json:
        return allow("ssm:StartSession", "*", Condition={"StringEquals": {"ssm:resourceTag/sagemaker:cluster-name": name}})

    assert of("nlp", account(role("nlp", tagged("pod"))), EKS) == ["open session on nodes:*"]
    assert of("nlp", account(role("nlp", tagged("other"))), EKS) == []


def test_commands_are_roots_whatever_run_as_says() -> None:
    assert of("nlp", account(role("nlp", allow("ssm:SendCommand"))), SLURM, preferences(runAsEnabled=True)) == ["send command to nodes:*"]


def test_run_as_makes_the_session_the_os_user_of_the_tag() -> None:
    only = allow("ssm:StartSession", f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:cluster/abc123def456")
    documents = account(role("nlp", only, tags={"SSMSessionRunAs": "n-bo"})), SLURM, preferences(runAsEnabled=True)

    assert of("nlp", *documents) == ["logs in as os-user:n-bo"]


def test_without_a_tag_the_default_user_counts_and_without_that_nothing_starts() -> None:
    only = allow("ssm:StartSession", f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:cluster/abc123def456")
    nlp = account(role("nlp", only))

    assert of("nlp", nlp, SLURM, preferences(runAsEnabled=True, runAsDefaultUser="visitor")) == ["logs in as os-user:visitor"]
    assert of("nlp", nlp, SLURM, preferences(runAsEnabled=True)) == []


def test_a_user_with_sudo_is_every_user_of_the_node() -> None:
    only = allow("ssm:StartSession", f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:cluster/abc123def456")
    documents = account(role("nlp", only, tags={"SSMSessionRunAs": "ubuntu"})), SLURM, preferences(runAsEnabled=True)

    assert of("nlp", *documents) == ["logs in as os-user:ubuntu", "open session on nodes:*"]


def test_run_as_that_is_off_gives_the_node_and_turning_it_on_closes_that() -> None:
    known = facts(
        account(role("nlp", allow("ssm:StartSession", "arn:aws:ssm:*:*:managed-instance/*"))), SLURM, preferences(runAsEnabled=False)
    )
    (edge,) = [edge for edge in edges(RESOLVER, known) if edge.verb == "open session on"]

    assert edge.lever.text == "turn on Run As in the Session Manager preferences"
    assert edge.lever.change is not None
    assert not [found for found in edges(RESOLVER, known.patched(edge.lever.change)) if found.verb == "open session on"]


def test_preferences_that_nobody_read_leave_it_unknown() -> None:
    assert of("nlp", account(role("nlp", START)), SLURM) == ["open session on nodes:* (unknown)"]


def test_tags_from_identity_center_are_a_gap() -> None:
    sso = role(
        "aws-reserved/sso.amazonaws.com/AWSReservedSSO_Team_0123456789abcdef",
        allow("ssm:StartSession", "arn:aws:ssm:*:*:managed-instance/*"),
    )
    found = gaps(RESOLVER, facts(account(sso), SLURM, preferences(runAsEnabled=True)))

    assert [gap.reason.value for gap in found] == ["unevaluable"]


@pytest.mark.parametrize("action", ["sagemaker:UpdateCluster", "sagemaker:UpdateClusterSoftware"])
def test_changing_the_cluster_is_running_on_its_nodes(action: str) -> None:
    assert of("nlp", account(role("nlp", allow(action))), EKS) == ["update cluster nodes:*"]


def test_quotas_are_changed_by_whoever_may_update_them() -> None:
    assert of("nlp", account(role("nlp", allow("sagemaker:UpdateComputeQuota"))), EKS) == ["change quota of capacity:*"]


def test_nodes_run_as_their_instance_groups_role() -> None:
    assert "nodes:* runs as role:node" in lines(RESOLVER, facts(EKS))


DOOR = ("eks:CreateAccessEntry", "eks:AssociateAccessPolicy")


def test_an_entry_and_a_policy_of_ones_own_give_the_cluster() -> None:
    assert of("nlp", account(role("nlp", allow(DOOR))), cluster()) == ["becomes administrator of cluster-admin:*"]


def test_a_policy_alone_is_enough_for_whoever_has_an_entry() -> None:
    entry = AccessEntry(CLUSTER, arn("nlp"), "", (), "STANDARD", AT)

    assert of("nlp", account(role("nlp", allow("eks:AssociateAccessPolicy"))), cluster()) == []
    assert of("nlp", account(role("nlp", allow("eks:AssociateAccessPolicy"))), cluster(), more=[entry]) == [
        "becomes administrator of cluster-admin:*"
    ]


def test_a_policy_condition_bounds_what_one_can_give_oneself() -> None:
    view = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy"
    bounded = allow("eks:AssociateAccessPolicy", "*", Condition={"ArnEquals": {"eks:policyArn": view}})

    assert of("nlp", account(role("nlp", allow("eks:CreateAccessEntry"), bounded)), cluster()) == []


def test_a_namespace_condition_bounds_it_to_the_namespace() -> None:
    scoped = {"StringEquals": {"eks:accessScope": "namespace"}, "ForAllValues:StringEquals": {"eks:namespaces": ["vision"]}}
    bounded = allow("eks:AssociateAccessPolicy", "*", Condition=scoped)
    named = [Node(Kind.NAMESPACE, CLUSTER, "vision"), Node(Kind.NAMESPACE, CLUSTER, "nlp")]

    found = of("nlp", account(role("nlp", allow("eks:CreateAccessEntry"), bounded)), cluster(), named=named)
    assert found == ["becomes administrator of namespace:vision"]


def test_an_own_entry_joins_any_group_but_those_of_the_system() -> None:
    entry = AccessEntry(CLUSTER, arn("vision"), "", ("team-vision",), "STANDARD", AT)

    assert of("nlp", account(role("nlp", allow("eks:CreateAccessEntry"))), cluster(), more=[entry]) == [
        "creates access entry for group:team-vision"
    ]


def test_managed_calls_through_another_service_open_no_door() -> None:
    via = allow(DOOR, "*", Condition={"ForAnyValue:StringEquals": {"aws:CalledVia": "emr-containers.amazonaws.com"}})

    assert of("nlp", account(role("nlp", via)), cluster()) == []


def profile(name: str, execution_role: str = "", user: str = "") -> Document:
    value: dict[str, Any] = {
        "DomainId": "d-1",
        "UserProfileName": name,
        "UserProfileArn": f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:user-profile/d-1/{name}",
        "UserSettings": {"ExecutionRole": execution_role} if execution_role else {},
    }
    return answer("sagemaker:describe-user-profile", {**value, "SingleSignOnUserValue": user} if user else value, subject=name)


def domain(execution_role: str) -> Document:
    arn_of_domain = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:domain/d-1"
    return answer(
        "sagemaker:describe-domain",
        {"DomainId": "d-1", "DomainArn": arn_of_domain, "DefaultUserSettings": {"ExecutionRole": execution_role}},
    )


def test_a_profile_runs_as_its_own_role_before_the_domains_default() -> None:
    found = lines(RESOLVER, facts(domain(arn("default")), profile("ana", arn("vision"), "ana"), profile("bo")))

    assert found == [
        "person:ana signs in as user-profile:d-1/ana",
        "user-profile:d-1/ana runs as role:vision",
        "user-profile:d-1/bo runs as role:default",
    ]


def test_a_presigned_address_takes_another_profile() -> None:
    presign = allow("sagemaker:CreatePresignedDomainUrl", f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:user-profile/d-1/*")

    assert of("nlp", account(role("nlp", presign)), profile("ana", arn("vision"))) == ["takes the profile of user-profile:d-1/ana"]
    assert of("vision", account(role("vision", presign)), profile("ana", arn("vision"))) == []


def connection(project: str, access_role: str, scope: str = "PROJECT") -> Json:
    properties = {"hyperPodProperties": {"clusterName": "capacity", "orchestrator": "EKS"}}
    endpoint = {"awsLocation": {"accessRole": access_role, "awsAccountId": ACCOUNT, "awsRegion": REGION}}
    return {
        "connectionId": f"c-{project}",
        "domainId": "dzd_1",
        "projectId": project,
        "scope": scope,
        "type": "HYPERPOD",
        "props": properties,
        "physicalEndpoints": [endpoint],
        "name": f"to-{project}",
    }


def test_one_access_role_serves_two_projects() -> None:
    listed = answer("datazone:list-connections", {"items": [connection("4vision", arn("access")), connection("4nlp", arn("access"))]})

    assert lines(RESOLVER, facts(listed)) == ["project:4nlp assumes role:access", "project:4vision assumes role:access"]


def test_a_connection_of_the_domain_serves_every_project() -> None:
    projects = answer(
        "datazone:list-projects", {"items": [{"domainId": "dzd_1", "id": name, "name": name} for name in ("4vision", "4nlp")]}
    )
    listed = answer("datazone:list-connections", {"items": [connection("4vision", arn("access"), "DOMAIN")]})

    assert lines(RESOLVER, facts(projects, listed)) == ["project:4nlp assumes role:access", "project:4vision assumes role:access"]


def test_members_join_their_project() -> None:
    listed = answer("datazone:list-connections", {"items": [connection("4vision", arn("access"))]})
    members = answer(
        "datazone:list-project-memberships",
        {"members": [{"memberDetails": {"group": {"groupId": "g-1"}}, "designation": "PROJECT_OWNER"}]},
        subject="4vision",
    )

    assert "identity-group:g-1 joins project:4vision" in lines(RESOLVER, facts(listed, members))
