"""What random IAM cases are made of: few names, so that they collide."""

from collections.abc import Sequence

HERE, THERE, MANAGEMENT = "111122223333", "444455556666", "777788889999"
ORG = "o-quay"

# What is asked for: an action and resources that it takes ({a} is the resource's account).
ASKED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("s3:GetObject", ("arn:aws:s3:::lake/vision/a.csv", "arn:aws:s3:::lake/speech/b:c.csv", "arn:aws:s3:::lake2/vision/a.csv")),
    ("s3:PutObject", ("arn:aws:s3:::lake/vision/a.csv", "arn:aws:s3:::lake/ana/x")),
    ("s3:ListBucket", ("arn:aws:s3:::lake", "arn:aws:s3:::lake2")),
    ("kms:Decrypt", ("arn:aws:kms:us-east-1:{a}:key/k1", "arn:aws:kms:us-west-2:{a}:key/k2")),
    ("sts:AssumeRole", ("arn:aws:iam::{a}:role/gate", "arn:aws:iam::{a}:role/team/beta")),
    ("sqs:SendMessage", ("arn:aws:sqs:us-east-1:{a}:jobs", "arn:aws:sqs:us-east-1:{a}:jobs-vision")),
    ("secretsmanager:GetSecretValue", ("arn:aws:secretsmanager:us-east-1:{a}:secret:vision-Ab12Cd",)),
    ("sagemaker:DescribeCluster", ("arn:aws:sagemaker:us-east-1:{a}:cluster/c1",)),
    (
        "iam:PassRole",
        ("arn:aws:iam::{a}:role/gate", "arn:aws:iam::{a}:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_Ops_0a1b2c3d4e5f6a7b"),
    ),
    ("iam:PutRolePolicy", ("arn:aws:iam::{a}:role/gate", "arn:aws:iam::{a}:role/aws-service-role/x.amazonaws.com/AWSServiceRoleForX")),
)
WITHOUT_RESOURCE = ("s3:ListAllMyBuckets", "ec2:DescribeInstances", "sts:GetCallerIdentity")
ACTION_PATTERNS = (
    "*",
    "s3:*",
    "S3:get*",
    "s3:?utObject",
    "kms:D*",
    "sts:*",
    "sqs:Send*",
    "iam:P*",
    "s3:GetObject",
    "ec2:Describe*",
    "sagemaker:*",
)
RESOURCE_PATTERNS = (
    "*",
    "arn:aws:s3:::lake*",
    "arn:aws:s3:::lake/*",
    "arn:aws:s3:::lake/vision/*",
    "arn:aws:s3:::*/*.csv",
    "arn:aws:s3:::lak?/*",
    "arn:aws:s3:::lake/${aws:PrincipalTag/team}/*",
    "arn:aws:s3:::lake/${aws:username}/*",
    "arn:aws:s3:::lake/${aws:PrincipalTag/none, 'vision'}/*",
    "arn:aws:s3:::lake/${aws:PrincipalTag/none}/*",
    "arn:aws:kms:*:{a}:key/*",
    "arn:aws:kms:us-*-2:{a}:key/k?",
    "arn:aws:iam::{a}:role/*",
    "arn:aws:iam::*:role/g?te",
    "arn:aws:sqs:us-east-1:{a}:jobs*",
    "arn:aws:sqs:us-east-1:{a}:jobs-${aws:PrincipalTag/team}",
)
# Variables stand for values of the request; `*` in a tag is a character.
TAGS = ("vision", "speech", "v*", "Vision")
TEAM_TESTS = (
    "vision",
    "speech",
    "v*",
    "?ision",
    "${aws:PrincipalTag/site}",
    "${aws:ResourceTag/team}",
    "${aws:PrincipalTag/none, 'vision'}",
    "v${*}",
)
ARNS = ("arn:aws:s3:::lake", "arn:aws:sqs:us-east-1:111122223333:jobs", "arn:aws:iam::111122223333:role/alpha")
ARN_TESTS = (*ARNS, "arn:aws:s3:::l*", "arn:aws:iam::*:role/*", "arn:aws:sqs:us-*:111122223333:jobs", "arn:aws:*:*:*:*")
PATHS = (f"{ORG}/r-1/ou-a/", f"{ORG}/r-1/ou-b/", "o-other/r-2/")
TIMES = ("2026-11-30T12:00:00Z", "2026-11-30T12:00:00.5Z", "2026-12-01T00:00:00Z", "2026-11-30T14:00:00+02:00")
BLOBS = ("QmluYXJ5", "dmlzaW9u")

STRINGS = ("StringEquals", "StringNotEquals", "StringLike", "StringNotLike", "StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase")
ORDERS = ("Equals", "NotEquals", "LessThan", "LessThanEquals", "GreaterThan", "GreaterThanEquals")
NUMBERS = tuple(f"Numeric{order}" for order in ORDERS)
DATES = tuple(f"Date{order}" for order in ORDERS)
ARN_OPERATORS = ("ArnEquals", "ArnLike", "ArnNotEquals", "ArnNotLike")
# Each key: operators that suit it, values of a request, values of a policy.
KEYS: tuple[tuple[str, Sequence[str], Sequence[str], Sequence[str]], ...] = (
    ("aws:PrincipalTag/team", STRINGS, TAGS, TEAM_TESTS),
    ("aws:principaltag/Site", STRINGS, ("vision", "quay"), TEAM_TESTS),
    ("aws:ResourceTag/team", STRINGS, TAGS, (*TEAM_TESTS, "${aws:PrincipalTag/team}")),
    ("aws:RequestedRegion", STRINGS, ("us-east-1", "us-west-2"), ("us-east-1", "us-*", "eu-west-1")),
    ("aws:SourceVpc", STRINGS, ("vpc-1", "vpc-2"), ("vpc-1", "vpc-?")),
    ("aws:PrincipalOrgID", STRINGS, (ORG, "o-other"), (ORG, "o-other")),
    ("aws:MultiFactorAuthAge", NUMBERS, ("10", "300"), ("10", "60.0", "3600")),
    ("aws:CurrentTime", DATES, TIMES, (*TIMES, "2026-11-30", "1796040000")),
    ("aws:MultiFactorAuthPresent", ("Bool",), ("true", "false"), ("true", "false")),
    ("aws:SecureTransport", ("Bool",), ("true", "false"), ("true", "false")),
    (
        "aws:SourceIp",
        ("IpAddress", "NotIpAddress"),
        ("10.1.2.3", "192.0.2.7", "2001:db8::7"),
        ("10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "10.1.2.0/24"),
    ),
    ("aws:SourceArn", ARN_OPERATORS, ARNS, ARN_TESTS),
    ("aws:PrincipalTag/blob", ("BinaryEquals",), BLOBS, BLOBS),
)
# Keys that AWS sets itself: conditions only.
OWN_KEYS: tuple[tuple[str, Sequence[str], Sequence[str]], ...] = (
    (
        "aws:PrincipalArn",
        (*ARN_OPERATORS, "StringLike"),
        ("arn:aws:iam::*:role/*", "arn:aws:iam::111122223333:role/alpha", "arn:aws:iam::111122223333:user/*"),
    ),
    ("aws:PrincipalAccount", STRINGS[:4], (HERE, THERE, "${aws:ResourceAccount}")),
    ("aws:ResourceAccount", STRINGS[:4], (HERE, THERE, "${aws:PrincipalAccount}")),
    ("aws:username", STRINGS, ("ana", "a*")),
    ("aws:PrincipalType", STRINGS[:2], ("User", "AssumedRole")),
)
SET_KEYS: tuple[tuple[str, Sequence[Sequence[str]], Sequence[str]], ...] = (
    ("aws:TagKeys", (("team",), ("team", "site"), ("cost", "Team"), ()), ("team", "site", "t*", "cost")),
    ("aws:PrincipalOrgPaths", ((PATHS[0],), (PATHS[0], PATHS[2])), (*PATHS, f"{ORG}/*", f"{ORG}/r-1/ou-?/")),
)
ROLE_ARNS = (f"arn:aws:iam::{HERE}:role/alpha", f"arn:aws:iam::{HERE}:role/team/beta")
SESSIONS = {f"arn:aws:sts::{HERE}:assumed-role/{arn.rsplit('/', 1)[1]}/s1": arn for arn in ROLE_ARNS}
USERS = (f"arn:aws:iam::{HERE}:user/ana", f"arn:aws:iam::{HERE}:user/div/bo")
FEDERATED = f"arn:aws:sts::{HERE}:federated-user/visitor"
SERVICES = ("pods.eks.amazonaws.com", "s3.amazonaws.com")
PROVIDER = f"arn:aws:iam::{HERE}:oidc-provider/oidc.example"
LINKED = f"arn:aws:iam::{HERE}:role/aws-service-role/x.amazonaws.com/AWSServiceRoleForX"
CALLERS = (*ROLE_ARNS, *SESSIONS, *SESSIONS, *USERS, USERS[0], FEDERATED, SERVICES[0], "anonymous")
RARE_CALLERS = (LINKED, f"arn:aws:iam::{HERE}:root", SERVICES[1])
