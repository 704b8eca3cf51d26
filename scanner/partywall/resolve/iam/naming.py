"""The nodes of IAM's things."""

from partywall.model.arn import account_of
from partywall.model.facts_iam import HolderKind, Principal
from partywall.model.node import Kind, Node

ANYONE = Node(Kind.ANYONE, "", "anyone")
_KINDS = {HolderKind.ROLE: Kind.ROLE, HolderKind.USER: Kind.IAM_USER, HolderKind.GROUP: Kind.IAM_GROUP}
SSO_PATH = "/aws-reserved/sso.amazonaws.com/"
SERVICE_PATH = "/aws-service-role/"


def node_of(principal: Principal) -> Node:
    """Return the node of a principal."""
    return Node(_KINDS[principal.holder.kind], principal.holder.account, principal.arn)


def role_node(arn: str) -> Node:
    """Return the node of a role that is known by its ARN only."""
    return Node(Kind.ROLE, account_of(arn), arn)


def account_node(account: str) -> Node:
    """Return the node of an account."""
    return Node(Kind.ACCOUNT, "", account)


def service_node(name: str) -> Node:
    """Return the node of an AWS service."""
    return Node(Kind.SERVICE, "", name)


def permission_set_of(role_name: str) -> str:
    """Return the permission set of a provisioned role, `AWSReservedSSO_<set>_<16 hex>`, or an empty text.

    Identity Center user guide, "Referencing permission sets in resource policies, Amazon EKS Cluster config maps, and AWS KMS key
    policies".
    """
    if not role_name.startswith("AWSReservedSSO_"):
        return ""
    name, _, suffix = role_name.removeprefix("AWSReservedSSO_").rpartition("_")
    return name if len(suffix) == 16 else ""


def stable_name(role_name: str) -> str:
    """Return a role's name without a generated suffix."""
    found = permission_set_of(role_name)
    return f"AWSReservedSSO_{found}" if found else role_name
