"""Small estates in which one principal has just the rights of a path, and what it gets to there."""

from collections.abc import Iterable, Sequence
from typing import Any

from partywall.model.edge import Edge
from partywall.model.facts import Facts
from partywall.model.node import Kind, Node
from partywall.resolve.data import RESOLVER as DATA
from partywall.resolve.iam import RESOLVER as IAM
from partywall.resolve.iam.catalogue import Path, catalogue
from partywall.resolve.studio import RESOLVER as STUDIO
from tests.unit.aws import ACCOUNT, CLUSTER, REGION, Json, account, allow, answer, arn, cluster, facts, policy, role, trust

OWN = f"arn:aws:iam::{ACCOUNT}:policy/own"
PROVIDER = f"arn:aws:iam::{ACCOUNT}:saml-provider/corporate"
SERVICES = sorted({path.service for path in catalogue().paths if path.service})
USER = f"arn:aws:iam::{ACCOUNT}:user/ana"
ASKERS = (arn("start"), USER)
KEY = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/0a1b2c3d"
SECRET = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:team-1a2b3c"
ROOT = trust({"AWS": f"arn:aws:iam::{ACCOUNT}:root"})


def own_policy() -> Json:
    """Write a managed policy that allows nothing, with an older version that allows everything."""
    present = {"VersionId": "v2", "IsDefaultVersion": True, "Document": policy(allow("sts:GetCallerIdentity"))}
    older = {"VersionId": "v1", "IsDefaultVersion": False, "Document": policy(allow("*"))}
    return {"PolicyName": "own", "Arn": OWN, "PolicyVersionList": [present, older]}


def user(name: str, statements: Sequence[Json], groups: Sequence[str], attached: Sequence[str]) -> dict[str, Any]:
    return {
        "UserName": name,
        "Arn": f"arn:aws:iam::{ACCOUNT}:user/{name}",
        "GroupList": list(groups),
        "AttachedManagedPolicies": [{"PolicyArn": found} for found in attached],
        "UserPolicyList": [{"PolicyName": "p", "PolicyDocument": policy(*statements)}] if statements else [],
        "Tags": [],
    }


def group(name: str) -> dict[str, Any]:
    return {"GroupName": name, "Arn": f"arn:aws:iam::{ACCOUNT}:group/{name}", "GroupPolicyList": [], "AttachedManagedPolicies": []}


def details(statements: Sequence[Json], services: Iterable[str], *, owns: bool = True, more: Sequence[Json] = ()) -> Any:
    """Write an account in which role `start` and user `ana` have the same rights, and role `target` admits some services.

    They hold the managed policy of `target` too, if it is to be their own.
    """
    held = [OWN] if owns else []
    trusts = [*(trust({"Service": name}, ["sts:AssumeRole", "sts:TagSession"]) for name in services), ROOT]
    target = {**role("target", trusts=[*trusts, trust({"Federated": PROVIDER}, "sts:AssumeRoleWithSAML")], attached=[OWN])}
    target["InstanceProfileList"] = [{"Arn": f"arn:aws:iam::{ACCOUNT}:instance-profile/target"}]
    start = role("start", *statements, trusts=[trust({"AWS": arn("nobody")})], attached=held)
    users = [user("ana", statements, ["ops"], held), user("bo", [], [], [])]
    return account(target, start, *more, users=users, groups=[group("ops"), group("admins")], policies=[own_policy()])


def plain(path: Path, statements: Sequence[Json], services: Iterable[str]) -> list[Edge]:
    """Return what start and ana get to in an account with nothing else in it."""
    return _from_askers((IAM,), facts(details(statements, services, owns=_owns(path))))


def full(path: Path, statements: Sequence[Json]) -> list[Edge]:
    """Return what start and ana get to in an account with a HyperPod cluster, Studio, DataZone and data with tags."""
    services = [path.service] if path.service else []
    known = facts(details(statements, services, owns=_owns(path), more=_others()), cluster(), *_documents(path), named=_named())
    return _from_askers((IAM, STUDIO, DATA), known)


def _from_askers(resolvers: Iterable[Any], known: Facts) -> list[Edge]:
    found = [edge for resolver in resolvers for edge in resolver.resolve(known) if isinstance(edge, Edge)]
    return [edge for edge in found if edge.source.name in ASKERS]


def _owns(path: Path) -> bool:
    """Tell whether a path is about policies that the asker holds itself."""
    return all(need.on != "policy of another" for need in path.needs)


def yields(path: Path, found: Iterable[Edge]) -> bool:
    """Tell whether what a path yields is among the edges, for each of the askers that could have it."""
    return any(edge.verb == path.verb and edge.target.kind.value == path.target for edge in found)


def _others() -> list[Json]:
    team = {"StringEquals": {"aws:ResourceTag/team": "${aws:PrincipalTag/team}"}}
    abac = allow(["s3:GetObject", "secretsmanager:GetSecretValue", "kms:Decrypt"], Condition=team)
    return [role("abac", abac), *(role(name, trusts=[ROOT]) for name in ("nodes", "studio", "environment", "domain", "access"))]


def _named() -> list[Node]:
    return [
        Node(Kind.NAMESPACE, CLUSTER, "vision"),
        Node(Kind.BUCKET, "", "capacity-data"),
        Node(Kind.KEY, ACCOUNT, KEY),
        Node(Kind.SECRET, ACCOUNT, SECRET),
    ]


def _documents(path: Path) -> list[Any]:
    entered = [_entry(asker) for asker in ASKERS] if path.conditions.get("entered") else []
    return [*entered, _entry(arn("other"), "team-b"), *_hyperpod(slurm=bool(path.conditions.get("run_as"))), *_studio(), *_datazone()]


def _entry(principal: str, *groups: str) -> Any:
    value = {"accessEntry": {"clusterName": "capacity", "principalArn": principal, "kubernetesGroups": list(groups), "type": "STANDARD"}}
    return answer("eks:describe-access-entry", value, subject=principal.rsplit("/", 1)[-1])


def _hyperpod(*, slurm: bool) -> list[Any]:
    home = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}"
    orchestrator = {"Slurm": {}} if slurm else {"Eks": {"ClusterArn": f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/capacity"}}
    nodes = {
        "InstanceGroupName": "workers",
        "ExecutionRole": arn("nodes"),
        "LifeCycleConfig": {"SourceS3Uri": "s3://lifecycle/scripts"},
    }
    described = {
        "ClusterArn": f"{home}:cluster/abcdefghijkl",
        "ClusterName": "pod",
        "Orchestrator": orchestrator,
        "InstanceGroups": [nodes],
    }
    preferences = {"Name": "SSM-SessionManagerRunShell", "DocumentType": "Session", "Content": '{"inputs": {"runAsEnabled": true}}'}
    return [answer("sagemaker:describe-cluster", described), answer("ssm:get-document", preferences)]


def _studio() -> list[Any]:
    home = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}"
    domain = {"DomainArn": f"{home}:domain/d-1", "DomainId": "d-1", "DefaultUserSettings": {"ExecutionRole": arn("studio")}}
    profile = {"DomainId": "d-1", "UserProfileArn": f"{home}:user-profile/d-1/vi", "UserProfileName": "vi", "UserSettings": {}}
    space = {
        "DomainId": "d-1",
        "SpaceName": "lab",
        "SpaceArn": f"{home}:space/d-1/lab",
        "OwnershipSettings": {"OwnerUserProfileName": "vi"},
        "SpaceSharingSettings": {"SharingType": "Private"},
    }
    return [
        answer("sagemaker:describe-domain", domain),
        answer("sagemaker:describe-user-profile", profile),
        answer("sagemaker:describe-space", space),
    ]


def _datazone() -> list[Any]:
    domain = {"id": "dzd-1", "arn": f"arn:aws:datazone:{REGION}:{ACCOUNT}:domain/dzd-1", "domainExecutionRole": arn("domain")}
    environment = {
        "domainId": "dzd-1",
        "projectId": "p-1",
        "id": "e-1",
        "awsAccountId": ACCOUNT,
        "provisionedResources": [{"value": arn("environment")}],
    }
    connection = {
        "domainId": "dzd-1",
        "connectionId": "c-1",
        "projectId": "p-1",
        "type": "HYPERPOD",
        "physicalEndpoints": [{"awsLocation": {"accessRole": arn("access"), "awsAccountId": ACCOUNT}}],
    }
    return [
        answer("datazone:get-domain", domain),
        answer("datazone:get-project", {"domainId": "dzd-1", "id": "p-1", "name": "vision"}),
        answer("datazone:get-environment", environment),
        answer("datazone:get-connection", connection),
    ]
