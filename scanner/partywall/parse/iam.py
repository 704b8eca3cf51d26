"""IAM's answers: the whole account at once, or principal by principal."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from partywall.model.arn import account_of, last_name
from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact, Listed
from partywall.model.facts_iam import (
    Attachment,
    AttachmentsListed,
    BarePolicy,
    Holder,
    HolderKind,
    IdentityProvider,
    InlineNames,
    InlinePolicy,
    ManagedPolicy,
    Policy,
    Principal,
)
from partywall.model.verbs import Lane
from partywall.parse.organizations import PARSERS as ORGANIZATION_PARSERS
from partywall.parse.policy import policy
from partywall.parse.policy_json import below, entries, rows, tags, text, texts

Parsed: TypeAlias = Fact | Gap
Parser: TypeAlias = Callable[[Document], Iterator[Parsed]]

_DETAILS = (
    ("RoleDetailList", HolderKind.ROLE, "RolePolicyList"),
    ("UserDetailList", HolderKind.USER, "UserPolicyList"),
    ("GroupDetailList", HolderKind.GROUP, "GroupPolicyList"),
)
_IAM_LANES = (Lane.ACT, Lane.VIEW, Lane.DATA, Lane.IDENTITY)


def account_details(doc: Document) -> Iterator[Parsed]:
    """Read `get-account-authorization-details`."""
    top = entries(doc.value)
    accounts: list[str] = []
    for key, kind, inline in _DETAILS:
        for item, at in below(doc.value, doc.at(), key):
            holder = _holder(kind, item, doc)
            if holder is None:
                yield _nameless(doc, at, key)
                continue
            accounts.append(holder.account)
            yield _principal(holder, item, at, read=True)
            yield from _inline_list(holder, item, at, inline)
            yield from _attachments(holder, item, at, "AttachedManagedPolicies")
    yield from _managed(doc)
    yield from _completeness(doc, top, accounts)


def _completeness(doc: Document, top: Mapping[str, Json], accounts: list[str]) -> Iterator[Parsed]:
    account = accounts[0] if accounts else doc.origin.account
    if top.get("IsTruncated") is True:
        what = f"the page ends early (IsTruncated): principals of account {account or '?'} are missing"
        yield Gap(
            doc.name,
            what,
            Reason.ABSENT,
            Direction.EVERYWHERE,
            (),
            _IAM_LANES,
            "aws iam get-account-authorization-details",
            doc.at("/IsTruncated"),
        )
    elif account and "RoleDetailList" in top:
        yield Listed("Role", account, doc.at("/RoleDetailList"))
        if "UserDetailList" in top:
            yield Listed("User", account, doc.at("/UserDetailList"))


def _nameless(doc: Document, at: Evidence, what: str) -> Gap:
    return Gap(doc.name, f"an entry of {what} has no name", Reason.UNPARSABLE, Direction.EVERYWHERE, (), _IAM_LANES, "", at)


def _holder(kind: HolderKind, item: Mapping[str, Json], doc: Document) -> Holder | None:
    name = text(item.get(f"{kind.value.title()}Name")) or last_name(text(item.get("Arn")))
    account = account_of(text(item.get("Arn"))) or doc.origin.account
    return Holder(kind, account, name) if name else None


def _principal(holder: Holder, item: Mapping[str, Json], at: Evidence, *, read: bool) -> Principal:
    trust = item.get("AssumeRolePolicyDocument")
    place = at.below("AssumeRolePolicyDocument")
    boundary = text(entries(item.get("PermissionsBoundary")).get("PermissionsBoundaryArn"))
    profiles = tuple(text(profile.get("Arn")) for profile in map(entries, rows(item.get("InstanceProfileList"))))
    return Principal(
        holder=holder,
        arn=text(item.get("Arn")) or f"arn:aws:iam::{holder.account}:{holder.kind.value}{text(item.get('Path')) or '/'}{holder.name}",
        at=at,
        trust=policy(f"trust policy of role {holder.name}", trust, place) if trust is not None else None,
        tags=tags(item["Tags"]) if "Tags" in item else {} if read else None,
        boundary=boundary or None,
        groups=texts(item.get("GroupList")),
        policies_read=read,
        id=text(item.get(f"{holder.kind.value.title()}Id")),
        profiles=profiles,
    )


def _inline_list(holder: Holder, item: Mapping[str, Json], at: Evidence, key: str) -> Iterator[InlinePolicy]:
    for row, place in below(item, at, key):
        yield _inline(holder, text(row.get("PolicyName")), row.get("PolicyDocument"), place)


def _inline(holder: Holder, name: str, value: Json, at: Evidence) -> InlinePolicy:
    return InlinePolicy(holder, policy(name, value, at.below("PolicyDocument")), at)


def _attachments(holder: Holder, value: Json, at: Evidence, key: str) -> Iterator[Attachment]:
    for row, place in below(value, at, key):
        yield Attachment(holder, text(row.get("PolicyArn")), place)


def _managed(doc: Document) -> Iterator[ManagedPolicy]:
    for item, at in below(doc.value, doc.at(), "Policies"):
        arn = text(item.get("Arn"))
        versions = list(below(item, at, "PolicyVersionList"))
        older = tuple(_version(arn, version, place) for version, place in versions if version.get("IsDefaultVersion") is not True)
        for version, place in versions:
            if version.get("IsDefaultVersion") is True:
                yield ManagedPolicy(arn, _version(arn, version, place), place, older)


def _version(arn: str, version: Mapping[str, Json], place: Evidence) -> Policy:
    return policy(arn.rsplit("/", 1)[-1], version.get("Document"), place.below("Document"))


def one_principal(doc: Document) -> Iterator[Parsed]:
    """Read `get-role` and `get-user`."""
    for key, kind in (("Role", HolderKind.ROLE), ("User", HolderKind.USER)):
        if key in entries(doc.value):
            yield from _listed_principal(doc, kind, entries(entries(doc.value)[key]), doc.at(f"/{key}"))


def _listed_principal(doc: Document, kind: HolderKind, item: Mapping[str, Json], at: Evidence) -> Iterator[Parsed]:
    holder = _holder(kind, item, doc)
    yield _nameless(doc, at, kind.value) if holder is None else _principal(holder, item, at, read=False)


def listed_principals(doc: Document) -> Iterator[Parsed]:
    """Read `list-roles` and `list-users`: complete listings, without policies and (as the API documents) without tags and boundaries."""
    accounts: list[str] = []
    for key, kind in (("Roles", HolderKind.ROLE), ("Users", HolderKind.USER)):
        for item, at in below(doc.value, doc.at(), key):
            yield from _listed_principal(doc, kind, item, at)
            accounts.append(account_of(text(item.get("Arn"))))
    account = accounts[0] if accounts else doc.origin.account
    if account and entries(doc.value).get("IsTruncated") is not True:
        yield Listed("Role" if "Roles" in entries(doc.value) else "User", account, doc.at())


def one_inline(doc: Document) -> Iterator[Parsed]:
    """Read `get-role-policy`, `get-user-policy`, `get-group-policy`."""
    holder = _subject(doc, entries(doc.value))
    if holder is None:
        yield _subjectless(doc)
        return
    yield _inline(holder, text(entries(doc.value).get("PolicyName")), entries(doc.value).get("PolicyDocument"), doc.at())


def inline_names(doc: Document) -> Iterator[Parsed]:
    """Read `list-role-policies` and its siblings."""
    holder = _subject(doc, {})
    yield InlineNames(holder, texts(entries(doc.value).get("PolicyNames")), doc.at("/PolicyNames")) if holder else _subjectless(doc)


def listed_attachments(doc: Document) -> Iterator[Parsed]:
    """Read `list-attached-role-policies` and its siblings."""
    holder = _subject(doc, {})
    if holder is None:
        yield _subjectless(doc)
        return
    yield from _attachments(holder, doc.value, doc.at(), "AttachedPolicies")
    yield AttachmentsListed(holder, doc.at("/AttachedPolicies"))


def _subject(doc: Document, item: Mapping[str, Json]) -> Holder | None:
    """Find whom an answer speaks of: it says so itself, or the document's subject does (a name or an ARN)."""
    for kind in HolderKind:
        name = text(item.get(f"{kind.value.title()}Name"))
        if name:
            return Holder(kind, doc.origin.account, name)
    subject = doc.origin.subject or doc.key
    kind = next((kind for kind in HolderKind if kind.value in doc.kind), HolderKind.ROLE)
    return Holder(kind, account_of(subject) or doc.origin.account, subject.rsplit("/", 1)[-1]) if subject else None


def _subjectless(doc: Document) -> Gap:
    remedy = "name the file `...--ROLE.json`, or list it in sources.yaml"
    return Gap(
        doc.name,
        "the answer does not say whose policies it lists",
        Reason.AMBIGUOUS,
        Direction.EVERYWHERE,
        (),
        _IAM_LANES,
        remedy,
        doc.at(),
    )


def managed_version(doc: Document) -> Iterator[Parsed]:
    """Read `get-policy-version`: the policy, by ARN or by name, is the document's subject."""
    subject = doc.origin.subject or doc.key
    arn = f"arn:aws:iam::{doc.origin.account}:policy/{subject}" if subject and ":" not in subject else subject
    version = entries(entries(doc.value).get("PolicyVersion"))
    at = doc.at("/PolicyVersion")
    found: Policy = policy(arn.rsplit("/", 1)[-1], version.get("Document"), at.below("Document"))
    if arn.startswith("arn:"):
        yield ManagedPolicy(arn, found, at)
    else:
        yield BarePolicy(found, arn, doc.origin.account, at)


def bare_policy(doc: Document) -> Iterator[Parsed]:
    """Read a policy document that stands alone: kept, since a file of that name may say what it belongs to."""
    yield BarePolicy(
        policy(doc.origin.subject or doc.name, doc.value, doc.at()), doc.origin.subject or doc.key, doc.origin.account, doc.at()
    )


def identity_providers(doc: Document) -> Iterator[Parsed]:
    """Read `list-open-id-connect-providers` and `list-saml-providers`."""
    for key in ("OpenIDConnectProviderList", "SAMLProviderList"):
        for item, at in below(doc.value, doc.at(), key):
            yield IdentityProvider(account_of(text(item.get("Arn"))), text(item.get("Arn")), at)


def identity_provider(doc: Document) -> Iterator[Parsed]:
    """Read `get-open-id-connect-provider`, which names its URL but not its ARN."""
    top = entries(doc.value)
    url = text(top.get("Url"))
    arn = f"arn:aws:iam::{doc.origin.account}:oidc-provider/{url}"
    yield IdentityProvider(doc.origin.account, arn, doc.at(), url, texts(top.get("ClientIDList")))


PARSERS: Mapping[str, Parser] = {
    "aws:iam:get-account-authorization-details": account_details,
    "aws:iam:get-role": one_principal,
    "aws:iam:get-user": one_principal,
    "aws:iam:list-roles": listed_principals,
    "aws:iam:list-users": listed_principals,
    "aws:iam:get-role-policy": one_inline,
    "aws:iam:get-user-policy": one_inline,
    "aws:iam:get-group-policy": one_inline,
    "aws:iam:list-role-policies": inline_names,
    "aws:iam:list-user-policies": inline_names,
    "aws:iam:list-group-policies": inline_names,
    "aws:iam:list-attached-role-policies": listed_attachments,
    "aws:iam:list-attached-user-policies": listed_attachments,
    "aws:iam:list-attached-group-policies": listed_attachments,
    "aws:iam:get-policy-version": managed_version,
    "aws:iam:policy": bare_policy,
    "aws:iam:list-open-id-connect-providers": identity_providers,
    "aws:iam:list-saml-providers": identity_providers,
    "aws:iam:get-open-id-connect-provider": identity_provider,
    **ORGANIZATION_PARSERS,
}
