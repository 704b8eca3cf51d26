"""An organization for the IAM benchmarks, written as the files that partywall reads.

    python benchmarks/worlds/iam_estate.py FOLDER [--roles N] [--resources N] [--accounts N]

Ten kinds of roles for each tenant, permissions boundaries, tag conditions, policy variables, service control policies on three levels,
resource control policies, and a policy on most resources. `questions.json` lists the resources and the actions that the benchmark asks
about; the same seed gives the same bytes.
"""

import argparse
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SEED = 20261201
REGION = "us-east-2"
ORGANIZATION = "o-wharf0001a"
MANAGEMENT = "100000000000"
KINDS = ("exec", "ps", "pod", "hyperpod", "ci", "data", "lambda", "admin", "audit", "bridge")
_SERVICES: Mapping[str, str] = {
    "exec": "sagemaker.amazonaws.com",
    "pod": "pods.eks.amazonaws.com",
    "hyperpod": "sagemaker.amazonaws.com",
    "lambda": "lambda.amazonaws.com",
}
_BOUNDED = frozenset({"exec", "pod", "hyperpod"})
_ABAC = {"StringEquals": {"aws:ResourceTag/team": "${aws:PrincipalTag/team}"}}

ACTION_COUNT = 300


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource that the benchmark asks about; `policy_of` names whose policy guards it."""

    kind: str
    arn: str
    account: str
    tenant: int
    policy_of: str


def actions() -> dict[str, list[str]]:
    """Return three hundred sensitive actions by service; each is asked of every resource of its service."""
    found: dict[str, list[str]] = {}
    for line in Path(__file__).with_name("iam_actions.txt").read_text().splitlines():
        service, names = line.split(": ")
        found.setdefault(service, []).extend(f"{service}:{name}" for name in names.split())
    spare = sum(map(len, found.values())) - ACTION_COUNT
    found["sagemaker"] = found["sagemaker"][: len(found["sagemaker"]) - spare]
    return found


def _policy(*statements: Mapping[str, object]) -> dict[str, object]:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def _allow(what: str | Sequence[str], on: str | Sequence[str] = "*", when: Mapping[str, object] | None = None) -> dict[str, object]:
    return {"Effect": "Allow", "Action": what, "Resource": on, **({"Condition": when} if when else {})}


class Estate:
    """The organization, made once from the seed."""

    def __init__(self, roles: int, resources: int, accounts: int) -> None:
        self.chance = random.Random(SEED)
        self.tenants = max(4, roles // 10)
        self.accounts = [f"2000000000{number:02d}" for number in range(1, accounts + 1)]
        self.role_count = roles
        self.roles = [self._role(number) for number in range(roles)]
        self.resources = self._resources(resources)

    def home(self, tenant: int) -> str:
        """Return the account of a tenant."""
        return self.accounts[tenant % len(self.accounts)]

    def role_arn(self, tenant: int, kind: str) -> str:
        """Return the ARN of a tenant's role of a kind."""
        return f"arn:aws:iam::{self.home(tenant)}:role/{self._path(kind)}{self._role_name(tenant, kind)}"

    def _path(self, kind: str) -> str:
        return f"aws-reserved/sso.amazonaws.com/{REGION}/" if kind == "ps" else ""

    def _role_name(self, tenant: int, kind: str) -> str:
        return f"AWSReservedSSO_Team{tenant}_{tenant:016x}" if kind == "ps" else f"team{tenant}-{kind}"

    def _role(self, number: int) -> dict[str, object]:
        tenant, kind = number // len(KINDS) % self.tenants, KINDS[number % len(KINDS)]
        account = self.home(tenant)
        attached = self._attached(number, kind, account)
        role: dict[str, object] = {
            "Path": f"/{self._path(kind)}",
            "RoleName": self._role_name(tenant, kind),
            "RoleId": f"AROA{number:017d}",
            "Arn": self.role_arn(tenant, kind),
            "CreateDate": "2026-01-01T00:00:00+00:00",
            "AssumeRolePolicyDocument": self._trust(tenant, kind, account),
            "InstanceProfileList": [],
            "RolePolicyList": [{"PolicyName": "tenant", "PolicyDocument": _policy(*self._statements(tenant, kind, account))}],
            "AttachedManagedPolicies": [{"PolicyName": arn.rsplit("/", 1)[1], "PolicyArn": arn} for arn in attached],
            "Tags": [{"Key": "team", "Value": f"team{tenant}"}, {"Key": "kind", "Value": kind}],
            "RoleLastUsed": {},
        }
        if kind in _BOUNDED:
            boundary = f"arn:aws:iam::{account}:policy/TenantBoundary"
            role["PermissionsBoundary"] = {"PermissionsBoundaryType": "Policy", "PermissionsBoundaryArn": boundary}
        return role

    def _attached(self, number: int, kind: str, account: str) -> list[str]:
        found = [f"arn:aws:iam::{account}:policy/RegionsOnly"]
        if kind in {"exec", "hyperpod"}:
            found.append("arn:aws:iam::aws:policy/AmazonSageMakerFullAccess")
        if kind == "audit":
            found.append("arn:aws:iam::aws:policy/ReadOnlyAccess")
        if kind == "admin" and number % 500 == 7:
            found.append("arn:aws:iam::aws:policy/AdministratorAccess")
        return found

    def _trust(self, tenant: int, kind: str, account: str) -> dict[str, object]:
        service = _SERVICES.get(kind)
        if service:
            return _policy({"Effect": "Allow", "Principal": {"Service": service}, "Action": ["sts:AssumeRole", "sts:TagSession"]})
        if kind == "ps":
            provider = f"arn:aws:iam::{account}:saml-provider/AWSSSO_{account}_DO_NOT_DELETE"
            audience = {"StringEquals": {"SAML:aud": "https://signin.aws.amazon.com/saml"}}
            statement = {"Effect": "Allow", "Principal": {"Federated": provider}, "Action": ["sts:AssumeRoleWithSAML", "sts:TagSession"]}
            return _policy({**statement, "Condition": audience})
        trusted = self.chance.choice([f"arn:aws:iam::{account}:root", self.role_arn(tenant, "exec")])
        statement = {"Effect": "Allow", "Principal": {"AWS": trusted}, "Action": "sts:AssumeRole"}
        if kind == "bridge":
            neighbour = self.role_arn((tenant - 1) % self.tenants, "bridge")
            return _policy(statement, {"Effect": "Allow", "Principal": {"AWS": neighbour}, "Action": ["sts:AssumeRole", "sts:TagSession"]})
        return _policy(statement)

    def _statements(self, tenant: int, kind: str, account: str) -> list[dict[str, object]]:
        bucket = f"arn:aws:s3:::wharf-team{tenant}-data"
        found = [
            _allow(["s3:GetObject", "s3:PutObject"], f"{bucket}/*"),
            _allow(["s3:ListBucket"], bucket),
            _allow(["kms:Decrypt", "kms:GenerateDataKey*"], f"arn:aws:kms:{REGION}:{account}:key/{tenant:08d}-*"),
            _allow(["secretsmanager:GetSecretValue"], "arn:aws:secretsmanager:*:*:secret:${aws:PrincipalTag/team}/*"),
            _allow(
                ["sagemaker:CreateTrainingJob", "sagemaker:Describe*", "sagemaker:List*", "sagemaker:CreatePresignedDomainUrl"], "*", _ABAC
            ),
        ]
        return [*found, *self._of_kind(tenant, kind, account)]

    def _of_kind(self, tenant: int, kind: str, account: str) -> list[dict[str, object]]:
        after = (tenant + 1) % self.tenants
        match kind:
            case "ci":
                passed = {"StringEquals": {"iam:PassedToService": "sagemaker.amazonaws.com"}}
                return [
                    _allow(["iam:PassRole"], f"arn:aws:iam::{account}:role/team{tenant}-*", passed),
                    _allow(["ecr:*"], f"arn:aws:ecr:{REGION}:{account}:repository/team{tenant}/*"),
                    _allow(["lambda:CreateFunction", "sagemaker:CreateNotebookInstance", "sagemaker:CreatePresignedNotebookInstanceUrl"]),
                ]
            case "bridge":
                return [
                    _allow(["sts:AssumeRole", "sts:TagSession"], f"{self.role_arn(after, 'bridge').rsplit('team', 1)[0]}team{after}-*"),
                    _allow(
                        ["s3:GetObject", "s3:ListBucket"],
                        [f"arn:aws:s3:::wharf-team{after}-data", f"arn:aws:s3:::wharf-team{after}-data/*"],
                    ),
                ]
            case "admin":
                return [
                    _allow(["iam:*Role*", "s3:*", "kms:*"], "*", _ABAC),
                    {
                        "Effect": "Deny",
                        "Action": ["s3:PutBucketPolicy", "kms:PutKeyPolicy"],
                        "Resource": "*",
                        "Condition": {"Bool": {"aws:MultiFactorAuthPresent": "false"}},
                    },
                ]
            case "data":
                return [
                    _allow(["fsx:*"], f"arn:aws:fsx:{REGION}:{account}:file-system/*", _ABAC),
                    _allow(["s3:Get*"], f"{'arn:aws:s3:::wharf-common'}*"),
                ]
            case "audit":
                return [{"Effect": "Deny", "Action": ["s3:GetObject*"], "NotResource": [f"arn:aws:s3:::wharf-team{tenant}-data/*"]}]
            case _:
                return [_allow(["fsx:Describe*", "eks:DescribeCluster", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"])]

    def _resources(self, count: int) -> list[Resource]:
        more = ("key", "secret", "repository", "role", "profile", "file-system")
        found: list[Resource] = []
        for tenant in range(self.tenants):
            found += [self._resource("bucket", tenant), self._resource("object", tenant)]
            found += [self._resource(more[(2 * tenant + one) % len(more)], tenant) for one in range(2)]
        while len(found) < count:
            found.append(self._resource("object", self.chance.randrange(self.tenants), len(found)))
        return [*found[: count - len(self.accounts)], *(self._resource("cluster", tenant) for tenant in range(len(self.accounts)))]

    def _resource(self, kind: str, tenant: int, number: int = 0) -> Resource:
        account = self.home(tenant)
        bucket = f"arn:aws:s3:::wharf-team{tenant}-data"
        arns = {
            "bucket": bucket,
            "object": f"{bucket}/runs/{number:06d}/weights.bin",
            "key": f"arn:aws:kms:{REGION}:{account}:key/{tenant:08d}-0000-4000-8000-{tenant:012d}",
            "secret": f"arn:aws:secretsmanager:{REGION}:{account}:secret:team{tenant}/tracker-aB3dE6",
            "repository": f"arn:aws:ecr:{REGION}:{account}:repository/team{tenant}/train",
            "role": self.role_arn(tenant, KINDS[tenant % len(KINDS)]),
            "profile": f"arn:aws:sagemaker:{REGION}:{account}:user-profile/d-wharf{account[-4:]}/team{tenant}",
            "file-system": f"arn:aws:fsx:{REGION}:{account}:file-system/fs-{tenant:017x}",
            "cluster": f"arn:aws:eks:{REGION}:{account}:cluster/wharf-{account[-2:]}",
        }
        return Resource(kind, arns[kind], account, tenant, bucket if kind == "object" else arns[kind])

    def guard(self, resource: Resource) -> dict[str, object] | None:
        """Return the policy of a resource, or None where it has none; roles keep theirs in the account's details."""
        tenant, account, arn = resource.tenant, resource.account, resource.arn
        root, own = f"arn:aws:iam::{account}:root", self.role_arn(tenant, "exec")
        neighbour = self.role_arn((tenant + 1) % self.tenants, "data")
        match resource.kind:
            case "bucket" if tenant % 4:
                tls = {"Bool": {"aws:SecureTransport": "false"}}
                return _policy(
                    {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": [arn, f"{arn}/*"], "Condition": tls},
                    {
                        "Effect": "Allow",
                        "Principal": {"AWS": [own, neighbour]},
                        "Action": ["s3:GetObject", "s3:ListBucket"],
                        "Resource": [arn, f"{arn}/*"],
                    },
                    {
                        "Effect": "Deny",
                        "Principal": "*",
                        "Action": ["s3:DeleteObject*", "s3:PutBucketPolicy"],
                        "Resource": [arn, f"{arn}/*"],
                        "Condition": {"StringNotEquals": {"aws:PrincipalTag/team": [f"team{tenant}", "platform"]}},
                    },
                )
            case "key":
                statements: list[dict[str, object]] = [
                    {"Effect": "Allow", "Principal": {"AWS": root}, "Action": "kms:*", "Resource": "*"},
                    {"Effect": "Allow", "Principal": {"AWS": neighbour}, "Action": ["kms:Decrypt"], "Resource": "*"},
                ]
                if tenant % 2:
                    statements[0] = {"Effect": "Allow", "Principal": {"AWS": own}, "Action": "kms:*", "Resource": "*"}
                return _policy(*statements)
            case "secret" if tenant % 2:
                named = {"ArnLike": {"aws:PrincipalArn": [f"arn:aws:iam::*:role/team{tenant}-*"]}}
                return _policy(
                    {
                        "Effect": "Allow",
                        "Principal": {"AWS": root},
                        "Action": "secretsmanager:GetSecretValue",
                        "Resource": "*",
                        "Condition": named,
                    }
                )
            case "repository" if tenant % 5:
                inside = {"StringEquals": {"aws:PrincipalOrgID": ORGANIZATION}}
                pull = ["ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"]
                return _policy({"Effect": "Allow", "Principal": "*", "Action": pull, "Condition": inside})
            case _:
                return None

    def managed(self, account: str) -> dict[str, dict[str, object]]:
        """Return the managed policies of an account by ARN."""
        passed = {"StringEquals": {"iam:PassedToService": "sagemaker.amazonaws.com"}}
        bounds = ["s3:*", "sagemaker:*", "eks:*", "kms:*", "logs:*", "ecr:*", "sts:AssumeRole", "secretsmanager:GetSecretValue", "fsx:*"]
        sagemaker = ["arn:aws:s3:::*SageMaker*", "arn:aws:s3:::*sagemaker*"]
        looking = [
            "s3:Get*",
            "s3:List*",
            "ec2:Describe*",
            "iam:Get*",
            "iam:List*",
            "sagemaker:Describe*",
            "sagemaker:List*",
            "eks:Describe*",
        ]
        return {
            "arn:aws:iam::aws:policy/ReadOnlyAccess": _policy(
                _allow([*looking, "eks:List*", "logs:Get*", "ecr:Describe*", "kms:Describe*"])
            ),
            "arn:aws:iam::aws:policy/AdministratorAccess": _policy(_allow("*")),
            "arn:aws:iam::aws:policy/AmazonSageMakerFullAccess": _policy(
                _allow(["sagemaker:*"]),
                _allow(["iam:PassRole"], "arn:aws:iam::*:role/*AmazonSageMaker*", passed),
                _allow(["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], sagemaker),
                _allow(["ecr:*", "logs:CreateLogGroup", "logs:PutLogEvents", "ec2:CreateNetworkInterface"]),
            ),
            f"arn:aws:iam::{account}:policy/TenantBoundary": _policy(
                _allow(bounds),
                _allow(["iam:PassRole"], "*", _ABAC),
                {"Effect": "Deny", "Action": ["iam:*Policy*", "s3:PutBucketPolicy"], "Resource": "*"},
            ),
            f"arn:aws:iam::{account}:policy/RegionsOnly": _policy(
                {
                    "Effect": "Deny",
                    "NotAction": ["iam:*", "sts:*", "organizations:*"],
                    "Resource": "*",
                    "Condition": {"StringNotEquals": {"aws:RequestedRegion": [REGION, "us-west-2"]}},
                }
            ),
        }

    def details(self, account: str) -> dict[str, object]:
        """Return `get-account-authorization-details` of an account."""
        versions = [
            {
                "PolicyName": arn.rsplit("/", 1)[1],
                "PolicyId": f"ANPA{number:017d}",
                "Arn": arn,
                "Path": "/",
                "DefaultVersionId": "v1",
                "AttachmentCount": 3,
                "PermissionsBoundaryUsageCount": 0,
                "IsAttachable": True,
                "CreateDate": "2026-01-01T00:00:00+00:00",
                "UpdateDate": "2026-01-01T00:00:00+00:00",
                "PolicyVersionList": [
                    {"Document": document, "VersionId": "v1", "IsDefaultVersion": True, "CreateDate": "2026-01-01T00:00:00+00:00"}
                ],
            }
            for number, (arn, document) in enumerate(self.managed(account).items())
        ]
        own = [role for role in self.roles if f"::{account}:" in str(role["Arn"])]
        return {"UserDetailList": [], "GroupDetailList": [], "RoleDetailList": own, "Policies": versions}


FULL = _policy({"Effect": "Allow", "Action": "*", "Resource": "*"})
SERVICE_CONTROLS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "p-FullAWSAccess": ("everywhere", FULL),
    "p-wharfrgn1": (
        "root",
        _policy(
            {
                "Effect": "Deny",
                "NotAction": ["iam:*", "sts:*", "organizations:*", "support:*"],
                "Resource": "*",
                "Condition": {
                    "StringNotEquals": {"aws:RequestedRegion": [REGION, "us-west-2"]},
                    "ArnNotLike": {"aws:PrincipalArn": "arn:aws:iam::*:role/break-glass-*"},
                },
            },
            {"Effect": "Deny", "Action": ["organizations:LeaveOrganization", "account:*"], "Resource": "*"},
        ),
    ),
    "p-wharfunit": (
        "unit",
        _policy(
            {
                "Effect": "Deny",
                "Action": ["iam:PutRolePolicy", "iam:AttachRolePolicy", "iam:UpdateAssumeRolePolicy", "iam:DeleteRole*"],
                "Resource": "arn:aws:iam::*:role/team*-exec",
                "Condition": {"ArnNotLike": {"aws:PrincipalArn": ["arn:aws:iam::*:role/team*-admin", "arn:aws:iam::*:role/platform-*"]}},
            },
            {
                "Effect": "Deny",
                "Action": ["s3:PutBucketTagging", "iam:TagRole", "iam:UntagRole", "sagemaker:AddTags", "sagemaker:DeleteTags"],
                "Resource": "*",
                "Condition": {"StringNotEquals": {"aws:PrincipalTag/kind": ["admin", "platform"]}},
            },
        ),
    ),
    "p-wharfacct": (
        "account",
        _policy(
            {"Effect": "Deny", "Action": ["eks:DeleteCluster", "eks:UpdateClusterConfig", "kms:ScheduleKeyDeletion"], "Resource": "*"},
            {
                "Effect": "Deny",
                "Action": "secretsmanager:*",
                "Resource": "*",
                "Condition": {"StringNotEqualsIfExists": {"aws:ResourceTag/team": "${aws:PrincipalTag/team}"}},
            },
        ),
    ),
}
RESOURCE_CONTROLS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "p-RCPFullAWSAccess": ("everywhere", _policy({"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"})),
    "p-wharfrcp1": (
        "root",
        _policy(
            {
                "Effect": "Deny",
                "Principal": "*",
                "Action": ["s3:*", "sts:*", "kms:*", "secretsmanager:*", "ecr:*"],
                "Resource": "*",
                "Condition": {
                    "StringNotEqualsIfExists": {"aws:PrincipalOrgID": ORGANIZATION},
                    "BoolIfExists": {"aws:PrincipalIsAWSService": "false"},
                },
            },
            {
                "Effect": "Deny",
                "Principal": "*",
                "Action": ["s3:PutBucketPolicy", "s3:PutBucketAcl"],
                "Resource": "*",
                "Condition": {"ArnNotLike": {"aws:PrincipalArn": ["arn:aws:iam::*:role/team*-admin", "arn:aws:iam::*:role/platform-*"]}},
            },
        ),
    ),
}


def _write(folder: Path, name: str, value: object, *, indent: int | None = 4) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(value, indent=indent) + "\n")


def _organization(estate: Estate, folder: Path) -> None:
    root, unit = "r-wh01", "ou-wh01-research1"
    _write(
        folder,
        "aws-organizations-describe-organization",
        {
            "Organization": {
                "Id": ORGANIZATION,
                "Arn": f"arn:aws:organizations::{MANAGEMENT}:organization/{ORGANIZATION}",
                "FeatureSet": "ALL",
                "MasterAccountArn": f"arn:aws:organizations::{MANAGEMENT}:account/{ORGANIZATION}/{MANAGEMENT}",
                "MasterAccountId": MANAGEMENT,
                "MasterAccountEmail": "wharf@example.com",
                "AvailablePolicyTypes": [],
            }
        },
    )
    _write(
        folder,
        "aws-organizations-list-accounts",
        {
            "Accounts": [
                {
                    "Id": account,
                    "Arn": f"arn:aws:organizations::{MANAGEMENT}:account/{ORGANIZATION}/{account}",
                    "Email": f"a{account}@example.com",
                    "Name": f"wharf-{account[-2:]}",
                    "Status": "ACTIVE",
                    "JoinedMethod": "CREATED",
                }
                for account in (MANAGEMENT, *estate.accounts)
            ]
        },
    )
    kinds = ("SERVICE_CONTROL_POLICY", "RESOURCE_CONTROL_POLICY")
    _write(
        folder,
        "aws-organizations-list-roots",
        {
            "Roots": [
                {
                    "Id": root,
                    "Arn": f"arn:aws:organizations::{MANAGEMENT}:root/{ORGANIZATION}/{root}",
                    "Name": "Root",
                    "PolicyTypes": [{"Type": kind, "Status": "ENABLED"} for kind in kinds],
                }
            ]
        },
    )
    _write(folder, f"aws-organizations-list-parents--{unit}", {"Parents": [{"Id": root, "Type": "ROOT"}]})
    for account in estate.accounts:
        _write(folder, f"aws-organizations-list-parents--{account}", {"Parents": [{"Id": unit, "Type": "ORGANIZATIONAL_UNIT"}]})
    _write(folder, f"aws-organizations-list-parents--{MANAGEMENT}", {"Parents": [{"Id": root, "Type": "ROOT"}]})
    for kind, controls in zip(kinds, (SERVICE_CONTROLS, RESOURCE_CONTROLS), strict=True):
        for name, (level, document) in controls.items():
            aws_managed = level == "everywhere"
            summary = {
                "Id": name,
                "Arn": f"arn:aws:organizations::{'aws' if aws_managed else MANAGEMENT}:policy/{name}",
                "Name": name.removeprefix("p-"),
                "Description": "",
                "Type": kind,
                "AwsManaged": aws_managed,
            }
            _write(
                folder,
                f"aws-organizations-describe-policy--{name}",
                {"Policy": {"PolicySummary": summary, "Content": json.dumps(document)}},
            )
            places = {
                "root": [(root, "ROOT")],
                "unit": [(unit, "ORGANIZATIONAL_UNIT")],
                "account": [(one, "ACCOUNT") for one in estate.accounts],
            }
            where = [one for found in places.values() for one in found] if aws_managed else places[level]
            _write(
                folder,
                f"aws-organizations-list-targets-for-policy--{name}",
                {"Targets": [{"TargetId": target, "Arn": "", "Name": target, "Type": what} for target, what in where]},
            )


def _of(resources: Sequence[Resource], kind: str) -> list[Resource]:
    return [resource for resource in resources if resource.kind == kind]


def _stores(estate: Estate, folder: Path) -> None:
    for account in estate.accounts:
        own = [resource for resource in estate.resources if resource.account == account]
        here = folder / account
        _write(
            here,
            "aws-s3api-list-buckets",
            {
                "Buckets": [
                    {"Name": one.arn.split(":::")[1], "CreationDate": "2026-01-01T00:00:00+00:00", "BucketRegion": REGION}
                    for one in _of(own, "bucket")
                ],
                "Owner": {"ID": f"{int(account):064x}"},
            },
        )
        _write(here, "aws-kms-list-keys", {"Keys": [{"KeyId": one.arn.rsplit("/", 1)[1], "KeyArn": one.arn} for one in _of(own, "key")]})
        _write(
            here,
            "aws-secretsmanager-list-secrets",
            {"SecretList": [{"ARN": one.arn, "Name": one.arn.split(":secret:")[1][:-7], "Tags": _tags(one)} for one in _of(own, "secret")]},
        )
        _write(
            here,
            "aws-ecr-describe-repositories",
            {
                "repositories": [
                    {
                        "repositoryArn": one.arn,
                        "registryId": account,
                        "repositoryName": one.arn.split("repository/")[1],
                        "repositoryUri": f"{account}.dkr.ecr.{REGION}.amazonaws.com/{one.arn.split('repository/')[1]}",
                        "imageTagMutability": "MUTABLE",
                    }
                    for one in _of(own, "repository")
                ]
            },
        )
        for resource in own:
            _store(estate, resource, here)


def _tags(resource: Resource) -> list[dict[str, str]]:
    return [{"Key": "team", "Value": f"team{resource.tenant}"}]


def _store(estate: Estate, resource: Resource, folder: Path) -> None:
    name = resource.arn.rsplit("/", 1)[-1]
    if resource.kind == "bucket":
        _write(folder, f"aws-s3api-get-bucket-tagging--{resource.arn.split(':::')[1]}", {"TagSet": _tags(resource)})
    document = estate.guard(resource)
    if document is None:
        return
    said = json.dumps(document)
    match resource.kind:
        case "bucket":
            _write(folder, f"aws-s3api-get-bucket-policy--{resource.arn.split(':::')[1]}", {"Policy": said})
        case "key":
            _write(folder, f"aws-kms-get-key-policy--{name}", {"Policy": said, "PolicyName": "default"})
        case "secret":
            secret = resource.arn.split(":secret:")[1]
            _write(
                folder,
                f"aws-secretsmanager-get-resource-policy--{secret.replace('/', '-')}",
                {"ARN": resource.arn, "Name": secret[:-7], "ResourcePolicy": said},
            )
        case "repository":
            repository = resource.arn.split("repository/")[1]
            _write(
                folder,
                f"aws-ecr-get-repository-policy--{repository.replace('/', '-')}",
                {"registryId": resource.account, "repositoryName": repository, "policyText": said},
            )


def write(folder: Path, *, roles: int = 5000, resources: int = 2000, accounts: int = 4) -> Path:
    """Write the organization below a folder, which need not exist."""
    estate = Estate(roles, resources, accounts)
    _organization(estate, folder / MANAGEMENT)
    for account in estate.accounts:
        _write(folder / account, "aws-iam-get-account-authorization-details", estate.details(account), indent=None)
    _stores(estate, folder)
    asked = {
        "region": REGION,
        "organization": ORGANIZATION,
        "actions": actions(),
        "resources": [
            {"kind": one.kind, "arn": one.arn, "account": one.account, "tags": {"team": f"team{one.tenant}"}, "policy_of": one.policy_of}
            for one in estate.resources
        ],
    }
    # Not below the folder that is read: it is no document of anybody's.
    path = folder.with_name(f"{folder.name}.questions.json")
    path.write_text(json.dumps(asked, indent=1) + "\n")
    return path


def main() -> None:
    """Write an organization."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--roles", type=int, default=5000)
    ask.add_argument("--resources", type=int, default=2000)
    ask.add_argument("--accounts", type=int, default=4)
    asked = ask.parse_args()
    write(asked.folder, roles=asked.roles, resources=asked.resources, accounts=asked.accounts)


if __name__ == "__main__":
    main()
