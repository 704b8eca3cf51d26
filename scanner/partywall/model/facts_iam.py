"""What IAM and Organizations say: principals, policies, attachments, providers."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from partywall.model.evidence import Evidence


class Effect(StrEnum):
    """What a statement does."""

    ALLOW = "Allow"
    DENY = "Deny"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One line of a Condition block: `operator` and `key` as written, any of `values`."""

    operator: str
    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrincipalName:
    """One principal of a resource policy: its kind (`AWS`, `Service`, `Federated`, `CanonicalUser`, or `*`) and its name."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement. Actions are as written, without stray blanks.

    `broken` says why it cannot be evaluated, `is_told` whether its effect was read all the same; `content` is its canonical JSON.
    `variables` tells whether `${...}` is expanded: only with Version 2012-10-17
    (IAM user guide, "IAM JSON policy elements: Version").
    """

    at: Evidence
    effect: Effect
    content: str
    sid: str = ""
    actions: tuple[str, ...] = ()
    not_actions: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    not_resources: tuple[str, ...] = ()
    principals: tuple[PrincipalName, ...] = ()
    not_principals: tuple[PrincipalName, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    variables: bool = True
    broken: str = ""
    is_told: bool = True


@dataclass(frozen=True, slots=True)
class Policy:
    """One policy document."""

    name: str
    statements: tuple[Statement, ...]
    at: Evidence


class HolderKind(StrEnum):
    """What policies can be attached to."""

    ROLE = "role"
    USER = "user"
    GROUP = "group"


@dataclass(frozen=True, slots=True, order=True)
class Holder:
    """Whoever holds identity policies; a name is unique within its account and kind, whatever its path."""

    kind: HolderKind
    account: str
    name: str


@dataclass(frozen=True, slots=True)
class Principal:
    """A role, user or group. `policies_read`: everything that is attached to it is among the facts.

    `trust` is a role's trust policy (None: not read).
    `boundary` is the ARN of its permissions boundary, `tags` is None where tags were not read, `groups` are a user's.
    """

    holder: Holder
    arn: str
    at: Evidence
    trust: Policy | None = None
    tags: Mapping[str, str] | None = None
    boundary: str | None = None
    groups: tuple[str, ...] = ()
    policies_read: bool = False
    id: str = ""
    profiles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InlinePolicy:
    """A policy that stands inside its holder."""

    holder: Holder
    policy: Policy
    at: Evidence


@dataclass(frozen=True, slots=True)
class Attachment:
    """A managed policy that is attached to a holder."""

    holder: Holder
    arn: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class InlineNames:
    """The complete list of the names of a holder's inline policies."""

    holder: Holder
    names: tuple[str, ...]
    at: Evidence


@dataclass(frozen=True, slots=True)
class AttachmentsListed:
    """The complete list of a holder's attachments was read."""

    holder: Holder
    at: Evidence


@dataclass(frozen=True, slots=True)
class ManagedPolicy:
    """A managed policy with its default version; `older` are its other versions, None where they were not read."""

    arn: str
    policy: Policy
    at: Evidence
    older: tuple[Policy, ...] | None = None


@dataclass(frozen=True, slots=True)
class IdentityProvider:
    """An OIDC or SAML provider of an account."""

    account: str
    arn: str
    at: Evidence
    url: str = ""
    audiences: tuple[str, ...] = ()


class ControlKind(StrEnum):
    """The two kinds of organization policies that limit access."""

    SERVICE = "SERVICE_CONTROL_POLICY"
    RESOURCE = "RESOURCE_CONTROL_POLICY"


@dataclass(frozen=True, slots=True)
class ControlPolicy:
    """A service or resource control policy."""

    id: str
    name: str
    kind: ControlKind
    at: Evidence
    policy: Policy | None = None
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ControlTarget:
    """A control policy is attached to an account, an organizational unit or the root.

    `listed`: it stands in the complete list of the target's policies of this kind.
    """

    policy: str
    target: str
    at: Evidence
    kind: ControlKind | None = None
    listed: bool = False


@dataclass(frozen=True, slots=True)
class OrganizationParent:
    """An account or organizational unit stands below a unit or the root."""

    child: str
    parent: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class OrganizationAccount:
    """An account is a member of the organization."""

    account: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class Organization:
    """The organization that accounts belong to."""

    id: str
    management_account: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class BarePolicy:
    """A policy document that does not say what it is attached to."""

    policy: Policy
    subject: str
    account: str
    at: Evidence
