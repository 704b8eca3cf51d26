"""IAM Identity Center: permission sets, assignments, people and groups."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact, Listed
from partywall.model.facts_identity_center import (
    Assignee,
    Assignment,
    Entitlement,
    Instance,
    Membership,
    PermissionSet,
    PermissionSetAttachment,
    PermissionSetInline,
    StoreGroup,
    StoreUser,
)
from partywall.model.verbs import Lane
from partywall.parse.policy import policy
from partywall.parse.policy_json import below, entries, rows, text

Parsed: TypeAlias = Fact | Gap
Parser: TypeAlias = Callable[[Document], Iterator[Parsed]]


def instances(doc: Document) -> Iterator[Parsed]:
    """Read `list-instances`."""
    for item, at in below(doc.value, doc.at(), "Instances"):
        yield Instance(text(item.get("InstanceArn")), text(item.get("IdentityStoreId")), text(item.get("OwnerAccountId")), at)


def permission_sets(doc: Document) -> Iterator[Parsed]:
    """Read `list-permission-sets`: ARNs only."""
    for number, arn in enumerate(rows(entries(doc.value).get("PermissionSets"))):
        yield PermissionSet(text(arn), "", doc.at(f"/PermissionSets/{number}"))


def permission_set(doc: Document) -> Iterator[Parsed]:
    """Read `describe-permission-set`."""
    found = entries(entries(doc.value).get("PermissionSet"))
    yield PermissionSet(text(found.get("PermissionSetArn")), text(found.get("Name")), doc.at("/PermissionSet"))


def _subject(doc: Document) -> str:
    return doc.origin.subject or doc.key


def inline_policy(doc: Document) -> Iterator[Parsed]:
    """Read `get-inline-policy-for-permission-set`: JSON in a text, empty where there is none."""
    found = entries(doc.value).get("InlinePolicy")
    yield Listed("PermissionSetInline", _subject(doc), doc.at("/InlinePolicy"))
    if found:
        yield PermissionSetInline(_subject(doc), policy("AwsSSOInlinePolicy", found, doc.at("/InlinePolicy")), doc.at("/InlinePolicy"))


def managed_policies(doc: Document) -> Iterator[Parsed]:
    """Read `list-managed-policies-in-permission-set`."""
    yield Listed("PermissionSetManaged", _subject(doc), doc.at("/AttachedManagedPolicies"))
    for item, at in below(doc.value, doc.at(), "AttachedManagedPolicies"):
        yield PermissionSetAttachment(_subject(doc), text(item.get("Arn")), "", text(item.get("Name")), boundary=False, at=at)


def customer_policies(doc: Document) -> Iterator[Parsed]:
    """Read `list-customer-managed-policy-references-in-permission-set`: by name and path, found in each account."""
    yield Listed("PermissionSetCustomer", _subject(doc), doc.at("/CustomerManagedPolicyReferences"))
    for item, at in below(doc.value, doc.at(), "CustomerManagedPolicyReferences"):
        yield PermissionSetAttachment(_subject(doc), "", text(item.get("Path")) or "/", text(item.get("Name")), boundary=False, at=at)


def boundary(doc: Document) -> Iterator[Parsed]:
    """Read `get-permissions-boundary-for-permission-set`."""
    found = entries(entries(doc.value).get("PermissionsBoundary"))
    reference = entries(found.get("CustomerManagedPolicyReference"))
    at = doc.at("/PermissionsBoundary")
    if found:
        yield PermissionSetAttachment(
            _subject(doc),
            text(found.get("ManagedPolicyArn")),
            text(reference.get("Path")) or "/",
            text(reference.get("Name")),
            boundary=True,
            at=at,
        )


def assignments(doc: Document) -> Iterator[Parsed]:
    """Read `list-account-assignments` and `list-account-assignments-for-principal`."""
    for item, at in below(doc.value, doc.at(), "AccountAssignments"):
        assignee = _assignee(item.get("PrincipalType"))
        if assignee is None:
            what = f"an assignment to a principal of type {text(item.get('PrincipalType')) or '?'}"
            yield Gap(doc.name, what, Reason.UNEVALUABLE, Direction.EVERYWHERE, (), (Lane.IDENTITY,), "", at)
            continue
        account = text(item.get("AccountId")) or doc.origin.account
        yield Assignment(text(item.get("PermissionSetArn")), account, assignee, text(item.get("PrincipalId")), at)


def _assignee(value: Json) -> Assignee | None:
    return Assignee(str(value)) if value in ("USER", "GROUP") else None


def entitlements(doc: Document) -> Iterator[Parsed]:
    """Read `account-access list-entitlements` and `get-entitlement`: a role given to a person or group without a permission set."""
    found = [*below(doc.value, doc.at(), "entitlements"), *below(doc.value, doc.at(), "Entitlements")]
    one = entries(doc.value).get("entitlement")
    if one is not None:
        found.append((entries(one), doc.at("/entitlement")))
    for item, at in found:
        yield _entitlement(doc, {key[:1].lower() + key[1:]: value for key, value in item.items()}, at)


def _entitlement(doc: Document, item: Mapping[str, Json], at: Evidence) -> Parsed:
    principal = {key[:1].lower() + key[1:]: value for key, value in entries(item.get("principal")).items()}
    role = text(item.get("roleArn")) or text(entries(item.get("role")).get("roleArn"))
    kind = text(item.get("principalType")) or text(principal.get("type")) or text(principal.get("principalType"))
    who = text(item.get("principalId")) or text(principal.get("id")) or text(principal.get("principalId"))
    assignee = _assignee(kind.upper())
    if not role or assignee is None or not who:
        return Gap(
            doc.name,
            "an entitlement whose role or principal cannot be read",
            Reason.UNPARSABLE,
            Direction.EVERYWHERE,
            (),
            (Lane.IDENTITY,),
            "",
            at,
        )
    return Entitlement(role, assignee, who, at)


def users(doc: Document) -> Iterator[Parsed]:
    """Read `identitystore list-users`."""
    for item, at in below(doc.value, doc.at(), "Users"):
        yield StoreUser(text(item.get("IdentityStoreId")), text(item.get("UserId")), text(item.get("UserName")), at)


def user(doc: Document) -> Iterator[Parsed]:
    """Read `identitystore describe-user`."""
    item = entries(doc.value)
    yield StoreUser(text(item.get("IdentityStoreId")), text(item.get("UserId")), text(item.get("UserName")), doc.at())


def groups(doc: Document) -> Iterator[Parsed]:
    """Read `identitystore list-groups`."""
    for item, at in below(doc.value, doc.at(), "Groups"):
        yield _group(item, at)
        store = text(item.get("IdentityStoreId"))
        if store and at == doc.at("/Groups/0"):
            yield Listed("IdentityGroup", store, doc.at("/Groups"))


def group(doc: Document) -> Iterator[Parsed]:
    """Read `identitystore describe-group`."""
    yield _group(entries(doc.value), doc.at())


def _group(item: Mapping[str, Json], at: Evidence) -> StoreGroup:
    return StoreGroup(
        text(item.get("IdentityStoreId")), text(item.get("GroupId")), text(item.get("DisplayName")), bool(rows(item.get("ExternalIds"))), at
    )


def memberships(doc: Document) -> Iterator[Parsed]:
    """Read `identitystore list-group-memberships`."""
    for item, at in below(doc.value, doc.at(), "GroupMemberships"):
        member = text(entries(item.get("MemberId")).get("UserId"))
        yield Membership(text(item.get("IdentityStoreId")), text(item.get("GroupId")), member, at)


PARSERS: Mapping[str, Parser] = {
    "aws:sso-admin:list-instances": instances,
    "aws:sso-admin:list-permission-sets": permission_sets,
    "aws:sso-admin:list-permission-sets-provisioned-to-account": permission_sets,
    "aws:sso-admin:describe-permission-set": permission_set,
    "aws:sso-admin:get-inline-policy-for-permission-set": inline_policy,
    "aws:sso-admin:list-managed-policies-in-permission-set": managed_policies,
    "aws:sso-admin:list-customer-managed-policy-references-in-permission-set": customer_policies,
    "aws:sso-admin:get-permissions-boundary-for-permission-set": boundary,
    "aws:sso-admin:list-account-assignments": assignments,
    "aws:sso-admin:list-account-assignments-for-principal": assignments,
    "aws:account-access:list-entitlements": entitlements,
    "aws:account-access:get-entitlement": entitlements,
    "aws:identitystore:list-users": users,
    "aws:identitystore:describe-user": user,
    "aws:identitystore:list-groups": groups,
    "aws:identitystore:describe-group": group,
    "aws:identitystore:list-group-memberships": memberships,
    "aws:identitystore:list-group-memberships-for-member": memberships,
}
