"""What services refuse or grant whatever the policies say.

IAM user guide, "AWS managed policies" (they cannot be changed), Identity Center user guide, "Permission sets" (the roles that it makes
cannot be changed in IAM), IAM user guide, "Using service-linked roles", KMS developer guide, "Aliases", STS API, "GetCallerIdentity" (no
permission is needed, and none can be taken away).
"""

from collections.abc import Mapping

from partywall.model.arn import account_of, arn_part, resource_of
from partywall.resolve.iam.globs import is_wild
from partywall.resolve.iam.naming import SERVICE_PATH
from partywall.resolve.iam.statements import Request

ALWAYS_ALLOWED = frozenset({"sts:getcalleridentity"})
# What nobody but the service that made them does to the roles of Identity Center and of services.
_ROLE_CHANGES = frozenset(
    {
        "iam:attachrolepolicy",
        "iam:createrole",
        "iam:deleterole",
        "iam:deleterolepermissionsboundary",
        "iam:deleterolepolicy",
        "iam:detachrolepolicy",
        "iam:putrolepermissionsboundary",
        "iam:putrolepolicy",
        "iam:updateassumerolepolicy",
        "iam:updaterole",
    }
)
# Roles of Identity Center are neither passed nor tagged.
_RESERVED_CHANGES = _ROLE_CHANGES | {
    "iam:createservicelinkedrole",
    "iam:deleteservicelinkedrole",
    "iam:passrole",
    "iam:tagrole",
    "iam:untagrole",
    "iam:updateroledescription",
}
_POLICY_CHANGES = frozenset(
    {
        "iam:createpolicy",
        "iam:createpolicyversion",
        "iam:deletepolicy",
        "iam:deletepolicyversion",
        "iam:setdefaultpolicyversion",
        "iam:tagpolicy",
        "iam:untagpolicy",
    }
)
_TRUST = frozenset({"sts:assumerole", "sts:assumerolewithsaml", "sts:assumerolewithwebidentity", "sts:tagsession", "sts:setsourceidentity"})
_ALIAS_CHANGES = frozenset({"kms:createalias", "kms:updatealias", "kms:deletealias"})
# Services whose resources carry no policies of their own, with the types of resources that do (IAM user guide, "AWS services that work with
# IAM", column "Resource-based policies"; for SageMaker AI the operations of its API that set or read a policy, and what it lets AWS RAM
# share; as of 2026-11). The list may only be too short: a service that is not in it may have a policy that was not read.
_WITHOUT_POLICIES: Mapping[str, tuple[str, ...]] = {
    "ecs": (),
    "eks": (),
    "fsx": (),
    "iam": (),
    "sagemaker": ("feature-group/", "hub/", "hub-content/", "lineage-group/", "mlflow-", "model-package", "partner-app/", "pipeline/"),
    "sts": (),
}


def may_be_forbidden(action: str) -> bool:
    """Tell whether a service refuses an action on some resources whatever the policies say."""
    return action in _RESERVED_CHANGES or action in _POLICY_CHANGES or action in _ALIAS_CHANGES or action == "iam:passrole"


def forbidden(request: Request, account: str) -> str:
    """Return why a service refuses a request of an account's principal whatever the policies say, or an empty text."""
    action, arn = request.action, request.region
    if action in _RESERVED_CHANGES and ":role/aws-reserved/" in arn:
        return "roles that Identity Center made cannot be changed or passed"
    if action in _ROLE_CHANGES and f":role{SERVICE_PATH}" in arn:
        return "roles that a service made for itself cannot be changed"
    if action == "iam:passrole" and account_of(arn).isdigit() and account_of(arn) != account:
        return "a role is passed within its own account only"
    if action in _POLICY_CHANGES and arn_part(arn, 2) == "iam" and account_of(arn) == "aws":
        return "policies that AWS manages cannot be changed"
    if action in _ALIAS_CHANGES and resource_of(arn).startswith("alias/aws/"):
        return "aliases of keys that AWS manages cannot be changed"
    return ""


def sole_policy(request: Request) -> bool:
    """Tell whether the resource's own policy must let the caller in: role trust policies and key policies are roots of their own.

    IAM user guide, "How IAM roles differ from resource-based policies"; KMS developer guide, "Key policies in AWS KMS".
    """
    if request.action in _TRUST:
        return ":role/" in request.region or is_wild(request.region)
    return request.action.startswith("kms:") and not request.wildcard_only and ":alias/" not in request.region


def may_carry_policy(request: Request) -> bool:
    """Tell whether what a request asks for may have a policy of its own; trust policies are those of roles, for STS alone."""
    if request.action in _TRUST:
        return True
    service = arn_part(request.region, 2) or request.action.partition(":")[0]
    if request.wildcard_only or service not in _WITHOUT_POLICIES:
        return not request.wildcard_only
    carrying = _WITHOUT_POLICIES[service]
    return bool(carrying) and (is_wild(request.region) or resource_of(request.region).startswith(carrying))
