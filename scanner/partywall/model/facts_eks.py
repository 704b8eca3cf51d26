"""What EKS says of a cluster: its doors, and the roles of its service accounts. `cluster` is the canonical scope `account/region/name`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from partywall.model.evidence import Evidence, Json
from partywall.model.node import Kind, Node


class AuthenticationMode(StrEnum):
    """Which stores of principals count (EKS user guide, "Grant IAM users and roles access to Kubernetes APIs")."""

    API = "API"
    API_AND_CONFIG_MAP = "API_AND_CONFIG_MAP"
    CONFIG_MAP = "CONFIG_MAP"


@dataclass(frozen=True, slots=True)
class EksCluster:
    """A cluster; `mode` and `public` are None where the answer does not say."""

    cluster: str
    arn: str
    version: str
    issuer: str
    mode: AuthenticationMode | None
    public: bool | None
    cidrs: tuple[str, ...]
    role_arn: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class AccessEntryName:
    """A principal that the list of access entries names."""

    cluster: str
    principal: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class AccessEntry:
    """An access entry: which user name and groups a principal gets. `places` are those of the groups."""

    cluster: str
    principal: str
    username: str
    groups: tuple[str, ...]
    type: str
    at: Evidence
    places: tuple[Evidence, ...] = ()
    arn: str = ""


@dataclass(frozen=True, slots=True)
class AssociationsRead:
    """The access policies of a principal's entry were read, so that those facts are all of them."""

    cluster: str
    principal: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """An access policy that is associated with an entry; `namespaces` are names or globs, empty for the whole cluster."""

    cluster: str
    principal: str
    policy: str
    cluster_wide: bool
    namespaces: tuple[str, ...]
    at: Evidence


@dataclass(frozen=True, slots=True)
class MappedPrincipal:
    """A row of the `aws-auth` ConfigMap; its ARN has no path. `account` marks a row of `mapAccounts`."""

    cluster: str
    principal: str
    username: str
    groups: tuple[str, ...]
    at: Evidence
    account: bool = False


@dataclass(frozen=True, slots=True)
class PodIdentityName:
    """An association that a list names; its role is in the answer of `describe-pod-identity-association` only."""

    cluster: str
    namespace: str
    service_account: str
    association: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class PodIdentity:
    """A Pod Identity association: the role that pods of a service account get, and the target role that it goes on to."""

    cluster: str
    namespace: str
    service_account: str
    association: str
    role_arn: str
    target_role_arn: str
    policy: str
    session_tags: bool
    external_id: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class Addon:
    """An EKS add-on. `values` is None where its configuration was not shown, empty where it is the default."""

    cluster: str
    name: str
    version: str
    values: Mapping[str, Json] | None
    role_arn: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class IdentityProvider:
    """An OIDC provider that signs people in to the cluster."""

    cluster: str
    name: str
    issuer: str
    groups_claim: str
    groups_prefix: str
    username_prefix: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """Nodes that EKS makes: which role they have."""

    cluster: str
    name: str
    role_arn: str
    at: Evidence
    labels: Mapping[str, str] = field(default_factory=dict)


def principal_node(arn: str) -> Node:
    """Return the node of an IAM role or user."""
    words = arn.split(":", 5)
    account = words[4] if len(words) > 5 else ""
    resource = words[5] if len(words) > 5 else ""
    return Node(Kind.IAM_USER if resource.startswith("user/") else Kind.ROLE, account, arn)
