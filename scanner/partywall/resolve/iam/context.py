"""What is known of a request: the condition keys, and who decides the others."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from partywall.model.atom import Control

# Keys that whoever sends the request fills in (IAM user guide, "AWS global condition context keys"; STS and OIDC sections of the
# service authorization reference).
_CALLER = (
    "aws:requesttag/",
    "aws:tagkeys",
    "aws:useragent",
    "aws:referer",
    "sts:rolesessionname",
    "sts:externalid",
    "sts:sourceidentity",
    "aws:sourceidentity",
    "sts:transitivetagkeys",
    "sts:durationseconds",
    "aws:rolesessionname",
    "aws:userid",
    "kms:viaservice",
    "kms:encryptioncontext",
    "kms:grantoperations",
    "kms:granteeprincipal",
    "kms:grantisforawsresource",
    "s3:prefix",
    "s3:delimiter",
    "s3:max-keys",
    "s3:x-amz-",
    "s3:object-lock",
    "s3:signatureversion",
    "s3:authtype",
    "secretsmanager:versionstage",
    "secretsmanager:versionid",
    "iam:associatedresourcearn",
    "iam:policyarn",
    "iam:permissionsboundary",
    "sagemaker:instancetypes",
    "sagemaker:vpc",
    "sagemaker:owneruserprofilearn",
    "eks:",
    "ssm:sessiondocumentaccesscheck",
)
# Keys that the surroundings of the caller decide: network, time, the way of signing in, the organization of an account.
_ENVIRONMENT = (
    "aws:sourceip",
    "aws:vpcsourceip",
    "aws:sourcevpc",
    "aws:sourcevpce",
    "aws:vpce",
    "aws:multifactorauth",
    "aws:currenttime",
    "aws:epochtime",
    "aws:tokenissuetime",
    "aws:ec2instancesource",
    "ec2:roledelivery",
    "ec2:sourceinstancearn",
    "aws:requestedregion",
    "aws:principalorg",
    "aws:resourceorg",
)
# Keys that AWS always sets; unknown is not absent (IAM user guide, "AWS global condition context keys").
ALWAYS_SET = frozenset(
    {
        "aws:requestedregion",
        "aws:principalarn",
        "aws:principalaccount",
        "aws:currenttime",
        "aws:epochtime",
        "aws:securetransport",
        "aws:userid",
    }
)
# A request that a principal sends itself does not come through a service.
_DIRECT: Mapping[str, tuple[str, ...]] = {
    "aws:principalisawsservice": ("false",),
    "aws:viaawsservice": ("false",),
    "aws:securetransport": ("true",),
    "aws:calledvia": (),
    "aws:calledviafirst": (),
    "aws:calledvialast": (),
    "aws:principalservicename": (),
    "aws:principalservicenameslist": (),
    "aws:sourcearn": (),
    "aws:sourceaccount": (),
    "aws:sourceorgid": (),
    "aws:federatedprovider": (),
}
# A request straight to a bucket names no access point.
NO_ACCESS_POINT: Mapping[str, "Value"] = {"s3:dataaccesspointaccount": (), "s3:dataaccesspointarn": (), "s3:accesspointnetworkorigin": ()}
_RESOURCE_TAG = re.compile(r"^[a-z0-9-]+:(?:resourcetag|existingobjecttag)/(.+)$", re.IGNORECASE)
_PRINCIPAL_TAG = re.compile(r"^aws:principaltag/(.+)$", re.IGNORECASE)


def control_of(key: str) -> Control:
    """Tell who decides a key that the snapshot does not know."""
    low = key.lower()
    if low.startswith(_CALLER):
        return Control.CALLER
    return Control.ENVIRONMENT if low.startswith(_ENVIRONMENT) else Control.UNKNOWN


def is_resource_tag(key: str) -> bool:
    """Tell whether a key speaks of a tag of the resource."""
    return _RESOURCE_TAG.match(key) is not None


@dataclass(frozen=True, slots=True)
class SessionTags:
    """What is known of a principal's tags. `free`: whoever enters may set any that is not pinned; its control says by whom."""

    tags: Mapping[str, str] | None
    free: Control | None = None
    pinned: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Open:
    """A key whose value is not known, and who decides it. `always`: it is in every request, only its value is open."""

    control: Control
    always: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """A key whose value the caller may choose within a region (a glob)."""

    region: str


Value: TypeAlias = tuple[str, ...] | Open | Chosen


@dataclass(frozen=True, slots=True)
class Context:
    """The keys of one request. `known` has lower-case keys; an empty tuple says that the key is absent.

    `closed`: there are no other keys in the request.
    """

    known: Mapping[str, Value] = field(default_factory=dict)
    session: SessionTags = SessionTags(None)
    resource_tags: Mapping[str, str] | None = None
    closed: bool = False

    def value(self, key: str) -> Value:
        """Return what is known of a key; names of keys are not case-sensitive, names of tags in them are taken so too."""
        low = key.lower()
        if low in self.known:
            return _present(low, self.known[low])
        if self.closed:
            return ()
        tag = _PRINCIPAL_TAG.match(key)
        if tag:
            return _session_tag(self.session, tag.group(1))
        tag = _RESOURCE_TAG.match(key)
        if tag:
            return _tag(self.resource_tags, tag.group(1), Control.UNKNOWN)
        if low in _DIRECT:
            return _DIRECT[low]
        return Open(control_of(key), low in ALWAYS_SET)

    def with_keys(self, keys: Mapping[str, Value]) -> "Context":
        """Return the context of a request that also fills in these keys."""
        return replace(self, known={**self.known, **keys})


def _present(key: str, value: Value) -> Value:
    return Open(value.control, always=True) if isinstance(value, Open) and key in ALWAYS_SET else value


def _session_tag(session: SessionTags, name: str) -> Value:
    low = name.lower()
    if low in session.pinned:
        return session.pinned[low]
    if session.free is not None:
        return Open(session.free)
    return _tag(session.tags, name, Control.UNKNOWN)


def _tag(tags: Mapping[str, str] | None, name: str, control: Control) -> Value:
    if tags is None:
        return Open(control)
    low = name.lower()
    return next(((value,) for key, value in tags.items() if key.lower() == low), ())
