"""Access points, exported directories, mounts, log groups, accounting secrets."""

import json
from typing import Any

import pytest

from partywall.model.document import Document
from partywall.model.node import Kind
from partywall.model.thing import Standing, Thing
from partywall.resolve.data import RESOLVER
from tests.unit.aws import ACCOUNT, OTHER, REGION, Json, account, allow, answer, arn, bucket, facts, lines, policy, role, trust

POINT = f"arn:aws:s3:{REGION}:{ACCOUNT}:accesspoint/vision"
POINTS = answer("s3control:list-access-points", {"AccessPointList": [{"Name": "vision", "Bucket": "vision-data", "AccessPointArn": POINT}]})
SYSTEM = f"arn:aws:elasticfilesystem:{REGION}:{ACCOUNT}:file-system/fs-0a1b2c3d"


def bucket_policy(*statements: Json) -> Document:
    return answer("s3api:get-bucket-policy", {"Policy": json.dumps(policy(*statements))}, subject="vision-data")


def through(*statements: Json, bucket_says: Document) -> list[str]:
    known = facts(account(role("nlp", *statements)), POINTS, bucket_says)
    return [line for line in lines(RESOLVER, known) if line.startswith("role:nlp read")]


def test_a_bucket_may_leave_the_decision_to_its_access_points() -> None:
    left = trust("*", "s3:*", Resource="arn:aws:s3:::vision-data/*", Condition={"StringEquals": {"s3:DataAccessPointAccount": ACCOUNT}})
    by_point = allow("s3:GetObject", f"{POINT}/object/*")

    assert "role:nlp read bucket:vision-data" in through(by_point, bucket_says=bucket_policy(left))
    assert through(by_point, bucket_says=bucket_policy()) == []


@pytest.mark.parametrize(
    ("kind", "who", "expected"),
    [
        ("IAM", arn("nlp"), ["role:nlp read prefix:vision-data/public/"]),
        ("IAM", arn("poor"), []),
        ("DIRECTORY_GROUP", "g-1", ["identity-group:g-1 read prefix:vision-data/public/"]),
    ],
)
def test_an_access_grant_reaches_what_no_policy_names(kind: str, who: str, expected: list[str]) -> None:
    row = {
        "AccessGrantId": "a",
        "GrantScope": "s3://vision-data/public/*",
        "Permission": "READ",
        "Grantee": {"GranteeType": kind, "GranteeIdentifier": who},
    }
    listed = answer("s3control:list-access-grants", {"AccessGrantsList": [row]})
    known = facts(account(role("nlp", allow("s3:GetDataAccess")), role("poor")), listed)

    assert lines(RESOLVER, known) == expected


def test_what_is_exported_to_a_bucket_is_read_there() -> None:
    link = {
        "AssociationId": "dra-1",
        "FileSystemId": "fs-0a1b2c3d",
        "FileSystemPath": "/vision",
        "DataRepositoryPath": "s3://nlp-data/in",
        "S3": {"AutoExportPolicy": {"Events": ["NEW", "CHANGED"]}},
    }
    listed = answer("fsx:describe-data-repository-associations", {"Associations": [link]})
    found = lines(RESOLVER, facts(account(role("nlp", allow("s3:GetObject", "arn:aws:s3:::nlp-data/*"))), listed))

    assert "role:nlp read directory:fs-0a1b2c3d:/vision" in found


def efs(**more: Any) -> list[Document]:
    point = {
        "AccessPointId": "fsap-1",
        "FileSystemId": "fs-0a1b2c3d",
        "RootDirectory": {"Path": "/vision"},
        "AccessPointArn": f"{SYSTEM}-ap",
    }
    systems = {"FileSystems": [{"FileSystemId": "fs-0a1b2c3d", "FileSystemArn": SYSTEM, "OwnerId": ACCOUNT, **more}]}
    return [answer("efs:describe-file-systems", systems), answer("efs:describe-access-points", {"AccessPoints": [point]})]


def test_an_access_point_condition_bounds_a_mount_to_its_directory() -> None:
    bounded = allow(
        "elasticfilesystem:ClientMount", SYSTEM, Condition={"StringEquals": {"elasticfilesystem:AccessPointArn": f"{SYSTEM}-ap"}}
    )

    assert lines(RESOLVER, facts(account(role("a", bounded)), *efs())) == ["role:a mount directory:fs-0a1b2c3d:/vision"]
    assert lines(RESOLVER, facts(account(role("b", allow("elasticfilesystem:ClientMount"))), *efs())) == [
        "role:b mount file-system:fs-0a1b2c3d"
    ]


def test_a_file_system_policy_for_everybody_is_for_whoever_reaches_it() -> None:
    default = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "elasticfilesystem:ClientMount"}
    open_to_mounts = answer("efs:describe-file-system-policy", {"FileSystemId": "fs-0a1b2c3d", "Policy": json.dumps(policy(default))})

    assert lines(RESOLVER, facts(account(role("a")), *efs(), open_to_mounts)) == []


def test_a_log_group_of_a_cluster_holds_what_is_its_tenants() -> None:
    group = f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:/aws/containerinsights/capacity/application"
    listed = answer("logs:describe-log-groups", {"logGroups": [{"logGroupName": group.rpartition(":")[2], "arn": f"{group}:*"}]})
    known = facts(
        account(role("nlp", allow("logs:GetLogEvents", f"{group}:log-stream:*")), role("x", allow("logs:GetLogEvents"), account=OTHER)),
        listed,
    )
    (thing,) = [found for found in RESOLVER.resolve(known) if isinstance(found, Thing) and found.node.kind is Kind.LOG_GROUP]

    assert thing.standing is Standing.SCOPE
    assert lines(RESOLVER, known) == ["role:nlp read logs log-group:/aws/containerinsights/capacity/application"]


def test_bucket_tags_decide_an_attribute_condition() -> None:
    own = allow("s3:GetObject", "*", Condition={"StringEquals": {"aws:ResourceTag/team": "${aws:PrincipalTag/team}"}})
    tagged = answer("s3api:get-bucket-tagging", {"TagSet": [{"Key": "team", "Value": "vision"}]}, subject="vision-data")

    def reached(team: str) -> list[str]:
        return lines(RESOLVER, facts(account(role("r", own, tags={"team": team})), tagged, named=[bucket("vision-data")]))

    assert reached("vision") == ["role:r read bucket:vision-data"]
    assert reached("nlp") == []


def test_a_read_of_a_secret_needs_its_key_too() -> None:
    key = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/11111111-2222-3333-4444-555555555555"
    secret = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:vision/db-AbCdEf"
    listed = answer("secretsmanager:list-secrets", {"SecretList": [{"ARN": secret, "Name": "vision/db", "KmsKeyId": key}]})
    closed = answer("kms:get-key-policy", {"Policy": json.dumps(policy(trust({"AWS": arn("vision")}, "kms:*", Resource="*")))}, subject=key)
    reader = role("nlp", allow(["secretsmanager:GetSecretValue", "kms:Decrypt"]))

    assert lines(RESOLVER, facts(account(reader), listed, closed)) == []
    assert lines(RESOLVER, facts(account(reader), listed)) == ["role:nlp read secret value secret:db-AbCdEf"]
