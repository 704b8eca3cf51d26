"""What IAM Identity Center says: people, groups, permission sets, assignments."""

from dataclasses import dataclass
from enum import StrEnum

from partywall.model.evidence import Evidence
from partywall.model.facts_iam import Policy


class Assignee(StrEnum):
    """Who gets an assignment."""

    USER = "USER"
    GROUP = "GROUP"


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of Identity Center and its identity store."""

    arn: str
    store: str
    account: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class PermissionSet:
    """A permission set's name; `name` is empty where only its ARN was listed."""

    arn: str
    name: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class PermissionSetInline:
    """The inline policy of a permission set."""

    permission_set: str
    policy: Policy
    at: Evidence


@dataclass(frozen=True, slots=True)
class PermissionSetAttachment:
    """A policy of a permission set: an AWS managed one by ARN, or a customer's by name and path.

    `boundary`: it limits instead of granting.
    """

    permission_set: str
    arn: str
    path: str
    name: str
    boundary: bool
    at: Evidence


@dataclass(frozen=True, slots=True)
class Assignment:
    """A person or group may sign in to an account with a permission set."""

    permission_set: str
    account: str
    assignee: Assignee
    assignee_id: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class Entitlement:
    """A person or group may sign in to a role directly (account access, no permission set)."""

    role_arn: str
    assignee: Assignee
    assignee_id: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class StoreUser:
    """A user of an identity store."""

    store: str
    id: str
    name: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class StoreGroup:
    """A group of an identity store. `provisioned`: an identity provider made it."""

    store: str
    id: str
    name: str
    provisioned: bool
    at: Evidence


@dataclass(frozen=True, slots=True)
class Membership:
    """A user is in a group, both by id."""

    store: str
    group_id: str
    user_id: str
    at: Evidence
