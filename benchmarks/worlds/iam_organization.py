"""The organization of the IAM benchmarks, written as the files that partywall reads.

    python benchmarks/worlds/iam_organization.py FOLDER [--roles N] [--resources N] [--accounts N]

Service control policies on three levels, resource control policies, and every answer of `aws` that its resources need.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from worlds.iam_estate import MANAGEMENT, ORGANIZATION, REGION, Estate, Resource, policy

FULL = policy({"Effect": "Allow", "Action": "*", "Resource": "*"})
SERVICE_CONTROLS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "p-FullAWSAccess": ("everywhere", FULL),
    "p-wharfrgn1": (
        "root",
        policy(
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
        policy(
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
        policy(
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
    "p-RCPFullAWSAccess": ("everywhere", policy({"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"})),
    "p-wharfrcp1": (
        "root",
        policy(
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


def write(folder: Path, estate: Estate) -> None:
    """Write the organization below a folder, which need not exist."""
    _organization(estate, folder / MANAGEMENT)
    for account in estate.accounts:
        _write(folder / account, "aws-iam-get-account-authorization-details", estate.details(account), indent=None)
    _stores(estate, folder)


def main() -> None:
    """Write an organization."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--roles", type=int, default=5000)
    ask.add_argument("--resources", type=int, default=2000)
    ask.add_argument("--accounts", type=int, default=4)
    asked = ask.parse_args()
    write(asked.folder, Estate(asked.roles, asked.resources, asked.accounts))


if __name__ == "__main__":
    main()
