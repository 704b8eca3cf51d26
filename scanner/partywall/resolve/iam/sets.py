"""Provisioned roles of accounts whose details were not read: what their permission sets grant.

Identity Center user guide, "Permission sets": a set becomes a role in each account to which it is assigned, with the set's inline policy,
its AWS managed policies, and customer managed policies found in the account by path and name.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from partywall.model.arn import account_of, last_name
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Named
from partywall.model.facts_eks import AccessEntry, AccessEntryName
from partywall.model.facts_iam import Attachment, Holder, HolderKind, InlinePolicy, Policy, Principal
from partywall.model.facts_identity_center import Assignment, PermissionSet, PermissionSetAttachment, PermissionSetInline
from partywall.model.node import Kind
from partywall.resolve.iam.naming import permission_set_of

_PARTS = ("PermissionSetInline", "PermissionSetManaged", "PermissionSetCustomer")
SET_FACTS: tuple[type, ...] = (Assignment, PermissionSet, PermissionSetInline, PermissionSetAttachment, AccessEntry, AccessEntryName, Named)


@dataclass(frozen=True, slots=True)
class Provisioned:
    """A role as its permission set makes it, with its policies as if they were read in its account."""

    principal: Principal
    inline: tuple[InlinePolicy, ...]
    attached: tuple[Attachment, ...]


def provisioned(facts: Facts) -> Iterator[Provisioned]:
    """Yield the provisioned roles that other documents name, in accounts whose roles were not listed, as far as their sets were read."""
    sets = {found.name: found for found in facts.of(PermissionSet) if found.name}
    inline = {found.permission_set: found for found in facts.of(PermissionSetInline)}
    attached: dict[str, list[PermissionSetAttachment]] = {}
    for found in facts.of(PermissionSetAttachment):
        attached.setdefault(found.permission_set, []).append(found)
    known = {principal.arn for principal in facts.of(Principal)}
    for arn, at in _roles(facts).items():
        permission_set = sets.get(permission_set_of(last_name(arn)))
        if permission_set is None or arn in known or facts.listed("Role", account_of(arn)):
            continue
        read = [facts.listed(kind, permission_set.arn) for kind in _PARTS]
        if any(read):
            made = _made(arn, at, inline.get(permission_set.arn), attached.get(permission_set.arn, []))
            yield replace(made, principal=replace(made.principal, policies_read=all(read)))


def _roles(facts: Facts) -> Mapping[str, Evidence]:
    found: dict[str, Evidence] = {}
    for entry in facts.of(AccessEntry):
        found.setdefault(entry.principal, entry.at)
    for listed in facts.of(AccessEntryName):
        found.setdefault(listed.principal, listed.at)
    for named in facts.of(Named):
        if named.node.kind is Kind.ROLE:
            found.setdefault(named.node.name, named.at)
    return {arn: at for arn, at in found.items() if permission_set_of(last_name(arn))}


def _made(arn: str, at: Evidence, inline: PermissionSetInline | None, attached: list[PermissionSetAttachment]) -> Provisioned:
    holder = Holder(HolderKind.ROLE, account_of(arn), last_name(arn))
    boundary = next((found.arn or _customer_arn(holder, found) for found in attached if found.boundary), None)
    # Identity Center keeps the trust policy of its roles; who is assigned enters them.
    principal = Principal(holder, arn, at, trust=Policy("trust policy", (), at), boundary=boundary, policies_read=True)
    grants = tuple(Attachment(holder, found.arn or _customer_arn(holder, found), found.at) for found in attached if not found.boundary)
    return Provisioned(principal, (InlinePolicy(holder, inline.policy, inline.at),) if inline else (), grants)


def _customer_arn(holder: Holder, found: PermissionSetAttachment) -> str:
    return f"arn:aws:iam::{holder.account}:policy{found.path}{found.name}"
