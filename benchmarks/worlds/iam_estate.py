"""Roles, resources and their policies for the IAM benchmarks: ten kinds of roles for each tenant, the same for the same seed.

Permissions boundaries, tag conditions, policy variables, and a policy on most resources.
"""

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


def policy(*statements: Mapping[str, object]) -> dict[str, object]:
    """Return a policy document."""
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
            "RolePolicyList": [{"PolicyName": "tenant", "PolicyDocument": policy(*self._statements(tenant, kind, account))}],
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
            return policy({"Effect": "Allow", "Principal": {"Service": service}, "Action": ["sts:AssumeRole", "sts:TagSession"]})
        if kind == "ps":
            provider = f"arn:aws:iam::{account}:saml-provider/AWSSSO_{account}_DO_NOT_DELETE"
            audience = {"StringEquals": {"SAML:aud": "https://signin.aws.amazon.com/saml"}}
            statement = {"Effect": "Allow", "Principal": {"Federated": provider}, "Action": ["sts:AssumeRoleWithSAML", "sts:TagSession"]}
            return policy({**statement, "Condition": audience})
        trusted = self.chance.choice([f"arn:aws:iam::{account}:root", self.role_arn(tenant, "exec")])
        statement = {"Effect": "Allow", "Principal": {"AWS": trusted}, "Action": "sts:AssumeRole"}
        if kind == "bridge":
            neighbour = self.role_arn((tenant - 1) % self.tenants, "bridge")
            return policy(statement, {"Effect": "Allow", "Principal": {"AWS": neighbour}, "Action": ["sts:AssumeRole", "sts:TagSession"]})
        return policy(statement)

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
                return policy(
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
                return policy(*statements)
            case "secret" if tenant % 2:
                named = {"ArnLike": {"aws:PrincipalArn": [f"arn:aws:iam::*:role/team{tenant}-*"]}}
                return policy(
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
                return policy({"Effect": "Allow", "Principal": "*", "Action": pull, "Condition": inside})
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
            "arn:aws:iam::aws:policy/ReadOnlyAccess": policy(
                _allow([*looking, "eks:List*", "logs:Get*", "ecr:Describe*", "kms:Describe*"])
            ),
            "arn:aws:iam::aws:policy/AdministratorAccess": policy(_allow("*")),
            "arn:aws:iam::aws:policy/AmazonSageMakerFullAccess": policy(
                _allow(["sagemaker:*"]),
                _allow(["iam:PassRole"], "arn:aws:iam::*:role/*AmazonSageMaker*", passed),
                _allow(["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], sagemaker),
                _allow(["ecr:*", "logs:CreateLogGroup", "logs:PutLogEvents", "ec2:CreateNetworkInterface"]),
            ),
            f"arn:aws:iam::{account}:policy/TenantBoundary": policy(
                _allow(bounds),
                _allow(["iam:PassRole"], "*", _ABAC),
                {"Effect": "Deny", "Action": ["iam:*Policy*", "s3:PutBucketPolicy"], "Resource": "*"},
            ),
            f"arn:aws:iam::{account}:policy/RegionsOnly": policy(
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
