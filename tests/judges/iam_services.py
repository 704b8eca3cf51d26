"""Rules of single services, as the judge of IAM reads them (pages: `tests/judges/iam.py`)."""

import re
from collections.abc import Mapping
from typing import Any

from tests.judges.iam_operators import OPERATORS, operator
from tests.judges.iam_statements import ACCOUNT, DIRECT, NOBODY, NOTHING, Naming, Votes, statements
from tests.judges.iam_words import TYPES, Caller, Json, Request, is_pattern, texts

ALWAYS_ALLOWED = "sts:getcalleridentity"
# RCP, "List of AWS services that support RCPs", as of October 2026.
RCP_SERVICES = frozenset(
    {
        *("aoss", "appconfig", "appstream", "autoscaling", "autoscaling-plans", "budgets", "clouddirectory", "cloudfront"),
        *("cloudsearch", "cloudtrail-data", "codeartifact", "codebuild", "codecommit", "codepipeline"),
        *("cognito-identity", "cognito-idp", "comprehend", "comprehendmedical", "compute-optimizer"),
        *("cost-optimization-hub", "dax", "dsql", "dynamodb", "ecr", "ecr-public", "events", "firehose", "fis", "fms", "gamelift"),
        *("health", "inspector-scan", "kendra", "kinesisvideo", "kms", "logs", "memorydb", "networkmonitor", "notifications"),
        *("opensearch", "pca-connector-ad", "personalize", "polly", "pricing", "resource-groups", "rolesanywhere", "s3"),
        *("secretsmanager", "servicediscovery", "signin", "sqs", "sts", "support", "swf", "textract", "timestream-influxdb"),
        *("transcribe", "transfer", "translate", "wafv2", "workspaces", "xray"),
    }
)
NOT_UNDER_RCP = frozenset({"kms:retiregrant"})
TRUST_ACTIONS = frozenset(
    {"sts:assumerole", "sts:assumerolewithsaml", "sts:assumerolewithwebidentity", "sts:tagsession", "sts:setsourceidentity"}
)
# Actions of IAM that change a role, a role of AWS's, a managed policy.
ROLE_CHANGES = re.compile(
    r"iam:((attach|delete|detach|put)rolepolicy|(create|delete|update)role|(delete|put)rolepermissionsboundary|updateassumerolepolicy)"
)
RESERVED_CHANGES = re.compile(ROLE_CHANGES.pattern + r"|iam:((create|delete)servicelinkedrole|passrole|(un)?tagrole|updateroledescription)")
MANAGED_POLICY_CHANGES = re.compile(r"iam:((create|delete)policy(version)?|setdefaultpolicyversion|(un)?tagpolicy)")
ALIAS_CHANGES = frozenset({"kms:createalias", "kms:updatealias", "kms:deletealias"})


def impossible(request: Request) -> bool:
    """Whether the service refuses this whatever policies say: roles of Identity Center and of services, AWS's own policies and aliases."""
    action, resource = request.action, request.resource
    if RESERVED_CHANGES.fullmatch(action) and re.fullmatch(r"arn:[^:]+:iam::\d+:role/aws-reserved/.*", resource):
        return True
    if ROLE_CHANGES.fullmatch(action) and re.fullmatch(r"arn:[^:]+:iam::\d+:role/aws-service-role/.*", resource):
        return True
    if MANAGED_POLICY_CHANGES.fullmatch(action) and re.fullmatch(r"arn:[^:]+:iam::aws:policy/.*", resource):
        return True
    if action in ALIAS_CHANGES and re.fullmatch(r"arn:[^:]+:kms:[^:]*:[^:]*:alias/aws/.*", resource):
        return True
    # id_roles_use_passrole.html: a role is passed within its account.
    return action == "iam:passrole" and request.account != request.who.account


def sole_root(request: Request) -> bool:
    """KMS, and roles' trust: identity policies alone reach nothing here, the resource's own policy must let them."""
    if request.action in TRUST_ACTIONS:
        return ":role/" in request.resource or is_pattern(request.resource)
    return request.action.startswith("kms:") and not request.wildcard_only and ":alias/" not in request.resource


def takes_rcp(action: str) -> bool:
    """RCP: only listed services, and of KMS all but kms:RetireGrant."""
    return action.split(":")[0] in RCP_SERVICES and action not in NOT_UNDER_RCP


def linked_to_service(who: Caller) -> bool:
    """SCP, RCP: neither limits service-linked roles. A session's ARN has no path, so its reserved name must do."""
    return ":role/aws-service-role/" in who.role or who.name.startswith("AWSServiceRoleFor")


# BPA: keys that, with a fixed value, keep a grant to everybody from being public.
FIXING_KEYS = re.compile(
    r"aws:(source(ip|arn|vpc|vpce|owner|account)|userid|principal(orgid|orgpaths|arn|account))"
    r"|s3:(dataaccesspoint(arn|account)|x-amz-server-side-encryption-aws-kms-key-id)"
)


def fixed(name: str, values: Any) -> bool:
    found = operator(name)
    if found is None or found[2] or found[0] == "ForAllValues" or found[1] == "Null" or OPERATORS[found[1]][1]:
        return False
    return not any(sign in text for text in texts(values) or ["*"] for sign in ("*", "?", "${")) and not {"0.0.0.0/0", "::/0"} & set(
        texts(values) or ()
    )


def is_public(document: Any) -> bool:
    """BPA, "The meaning of public": an Allow to everybody that no fixed value of a listed key narrows."""
    for statement in (statements(document) or ([], False))[0]:
        if not isinstance(statement, dict) or statement.get("Effect") != "Allow":
            continue
        who = statement.get("Principal")
        everybody = "NotPrincipal" in statement or who == "*" or (isinstance(who, dict) and "*" in (texts(who.get("AWS")) or ()))
        block = statement.get("Condition")
        lines = list(block.items()) if isinstance(block, dict) else []
        tests = [(name, key, values) for name, keys in lines if isinstance(keys, dict) for key, values in keys.items()]
        if everybody and not any(FIXING_KEYS.fullmatch(key.lower()) and fixed(name, values) for name, key, values in tests):
            return True
    return False


def shut_by_block(case: Json, request: Request) -> bool:
    """BPA, RestrictPublicBuckets: a bucket with a public policy refuses who is outside its account, but for services of AWS."""
    if not (case.get("settings") or {}).get("blockPublicAccess") or not request.action.startswith("s3:"):
        return False
    return request.who.kind != "service" and request.who.account != request.account and is_public(case.get("resourcePolicy"))


ACL_ACTIONS: Mapping[str, frozenset[str]] = {
    "READ": frozenset({"s3:listbucket", "s3:listbucketversions", "s3:listbucketmultipartuploads", "s3:getobject", "s3:getobjectversion"}),
    "WRITE": frozenset({"s3:putobject", "s3:deleteobject"}),
    "READ_ACP": frozenset({"s3:getbucketacl", "s3:getobjectacl"}),
    "WRITE_ACP": frozenset({"s3:putbucketacl", "s3:putobjectacl"}),
}


def acl_names(grantee: str, who: Caller, settings: Json) -> Naming:
    if grantee in ("everyone", "authenticated"):
        # IgnorePublicAcls comes with Block Public Access.
        shut = settings.get("blockPublicAccess") or (grantee == "authenticated" and who.kind == "anonymous")
        return NOBODY if shut else (True, DIRECT)
    return (True, ACCOUNT) if grantee == who.account and who.kind in TYPES else NOBODY


def acl_votes(case: Json, request: Request) -> Votes:
    """S3: acl-overview.html. `settings.acl` lists {"grantee": account or everyone or authenticated, "permission": ...}."""
    settings = case.get("settings") or {}
    if settings.get("objectOwnership") == "BucketOwnerEnforced" or not request.action.startswith("s3:"):
        return NOTHING
    found = [
        acl_names(grant["grantee"], request.who, settings)
        for grant in settings.get("acl") or ()
        if request.action in ACL_ACTIONS.get(grant["permission"], frozenset().union(*ACL_ACTIONS.values()))
    ]
    return Votes(False, (True, DIRECT) in found, False, (True, ACCOUNT) in found)
