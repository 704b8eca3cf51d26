"""Join principals with their policies, their groups' policies, and the ceilings above them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from partywall.model.arn import account_of
from partywall.model.atom import Control
from partywall.model.document import Direction, Gap, Reason
from partywall.model.facts import Facts, Listed
from partywall.model.facts_eks import EksCluster, PodIdentity
from partywall.model.facts_iam import (
    Attachment,
    AttachmentsListed,
    ControlKind,
    Holder,
    HolderKind,
    InlineNames,
    InlinePolicy,
    ManagedPolicy,
    Organization,
    Policy,
    Principal,
)
from partywall.model.facts_studio import HyperPodCluster
from partywall.model.node import Node
from partywall.model.verbs import Lane
from partywall.resolve.iam.context import Chosen, Context, Open, Value
from partywall.resolve.iam.controls import CONTROL_FACTS, Controls, controls
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.naming import node_of
from partywall.resolve.iam.pods import bare_rights, pod_rights
from partywall.resolve.iam.remarks import remarks
from partywall.resolve.iam.rights import Ceiling, Estate, Rights
from partywall.resolve.iam.session import session_tags
from partywall.resolve.iam.sets import SET_FACTS, provisioned
from partywall.resolve.iam.shipped import shipped_policy

# What `estate` reads; whoever asks it depends on all of them.
ESTATE_FACTS: tuple[type, ...] = (
    Principal,
    InlinePolicy,
    Attachment,
    AttachmentsListed,
    InlineNames,
    ManagedPolicy,
    *CONTROL_FACTS,
    Organization,
    EksCluster,
    PodIdentity,
    HyperPodCluster,
    Listed,
    *SET_FACTS,
)
POLICY_LANES = (Lane.ACT, Lane.DATA, Lane.IDENTITY)


@dataclass(frozen=True, slots=True)
class _Shelves:
    inline: Mapping[Holder, list[InlinePolicy]]
    attached: Mapping[Holder, list[Attachment]]
    managed: Mapping[str, ManagedPolicy]
    complete: frozenset[Holder]


@lru_cache(maxsize=2)
def estate(facts: Facts) -> Estate:
    """Join principals with their policies; several resolvers ask for the same facts one after the other."""
    shelves = _shelves(facts)
    service, resource = (controls(facts, kind) for kind in (ControlKind.SERVICE, ControlKind.RESOURCE))
    accounts = {*resource.above, *(principal.holder.account for principal in facts.of(Principal))}
    limits = {account: levels for account in sorted(accounts) if (levels := resource.levels(account))}
    organization = tuple(facts.of(Organization))
    groups = {principal.holder: principal for principal in facts.of(Principal) if principal.holder.kind is HolderKind.GROUP}
    found: dict[str, Rights] = {}
    gaps: list[Gap] = []
    extra: list[Rights] = []
    for principal in _merged(facts):
        rights = _rights(principal, shelves, groups, service, organization, limits)
        if principal.holder.kind is HolderKind.GROUP:
            extra.append(rights)
            continue
        found[principal.arn] = rights
        gaps.extend(_gaps(principal, rights.node, shelves, groups))
    gaps.extend(remarks((*found.values(), *extra)))
    listed = frozenset(account for account in {rights.account for rights in found.values()} if facts.listed("Role", account))
    pods = (*pod_rights(facts, found), *extra)
    found.update({rights.principal.arn: rights for rights in bare_rights(facts, found)})
    return Estate(found, tuple(gaps), listed, pods, _only_region(facts), limits)


def _only_region(facts: Facts) -> str:
    """Return the Region of all clusters of the input, where there is only one: where nobody says so, its stores are taken to be there."""
    found = {cluster.cluster.split("/")[1] for cluster in facts.of(EksCluster)} | {cluster.region for cluster in facts.of(HyperPodCluster)}
    return found.pop() if len(found) == 1 else ""


def _merged(facts: Facts) -> Iterator[Principal]:
    """Yield each principal once; the account's details say more than a listing, and `get-role` more than `list-roles`."""
    best: dict[str, Principal] = {}
    for principal in (*facts.of(Principal), *(found.principal for found in provisioned(facts))):
        known = best.get(principal.arn)
        if known is None or (principal.policies_read, principal.tags is not None) > (known.policies_read, known.tags is not None):
            best[principal.arn] = principal
    yield from best.values()


def _shelves(facts: Facts) -> _Shelves:
    inline: dict[Holder, list[InlinePolicy]] = {}
    made = list(provisioned(facts))
    for policy in (*facts.of(InlinePolicy), *(policy for found in made for policy in found.inline)):
        # An account's details and `get-role-policy` may both hold it.
        if all(known.policy.name != policy.policy.name for known in inline.get(policy.holder, ())):
            inline.setdefault(policy.holder, []).append(policy)
    attached: dict[Holder, list[Attachment]] = {}
    for attachment in (*facts.of(Attachment), *(attachment for found in made for attachment in found.attached)):
        if all(known.arn != attachment.arn for known in attached.get(attachment.holder, ())):
            attached.setdefault(attachment.holder, []).append(attachment)
    named = {
        names.holder
        for names in facts.of(InlineNames)
        if set(names.names) <= {policy.policy.name for policy in inline.get(names.holder, [])}
    }
    complete = {listing.holder for listing in facts.of(AttachmentsListed)} & named
    return _Shelves(inline, attached, {policy.arn: policy for policy in facts.of(ManagedPolicy)}, frozenset(complete))


def _rights(
    principal: Principal,
    shelves: _Shelves,
    groups: Mapping[Holder, Principal],
    above: Controls,
    organization: tuple[Organization, ...],
    limits: Mapping[str, tuple[Ceiling, ...]],
) -> Rights:
    grants = list(_grants(principal.holder, shelves))
    for group in _groups_of(principal):
        known = groups.get(group)
        via = (principal.at.below("GroupList"), *((known.at,) if known else ()))
        grants.extend(Grant(grant.statement, grant.source, (*grant.via, *via)) for grant in _grants(group, shelves))
    ceiling = _ceiling(principal, shelves) if principal.boundary else None
    account = principal.holder.account
    exempt = _is_service_linked(principal) or any(org.management_account == account for org in organization)
    levels = () if exempt else above.levels(account)
    return Rights(principal, node_of(principal), _context(principal, organization), tuple(grants), ceiling, levels, over_resources=limits)


def _is_service_linked(principal: Principal) -> bool:
    return ":role/aws-service-role/" in principal.arn


def _groups_of(principal: Principal) -> Iterable[Holder]:
    return (Holder(HolderKind.GROUP, principal.holder.account, name) for name in principal.groups)


def _grants(holder: Holder, shelves: _Shelves) -> Iterator[Grant]:
    for inline in shelves.inline.get(holder, []):
        yield from (Grant(statement, inline) for statement in inline.policy.statements)
    for attachment in shelves.attached.get(holder, []):
        managed = shelves.managed.get(attachment.arn)
        if managed is not None:
            yield from (Grant(statement, managed, (attachment.at,)) for statement in managed.policy.statements)
            continue
        shipped = shipped_policy(attachment.arn)
        if shipped is not None:
            yield from (Grant(statement, attachment) for statement in _placed(shipped.policy, attachment).statements)


def _placed(policy: Policy, attachment: Attachment) -> Policy:
    """Let the statements of a policy that AWS keeps stand where it is attached, since no document holds them."""
    return Policy(policy.name, tuple(replace(statement, at=attachment.at) for statement in policy.statements), attachment.at)


def _ceiling(principal: Principal, shelves: _Shelves) -> Ceiling:
    arn = principal.boundary or ""
    place = principal.at.below("PermissionsBoundary")
    managed = shelves.managed.get(arn)
    if managed is not None:
        return Ceiling(arn, tuple(Grant(statement, managed, (place,)) for statement in managed.policy.statements))
    shipped = shipped_policy(arn)
    if shipped is not None and shipped.complete:
        stand_in = Attachment(principal.holder, arn, place)
        return Ceiling(arn, tuple(Grant(statement, stand_in) for statement in _placed(shipped.policy, stand_in).statements))
    return Ceiling(arn, None)


def _context(principal: Principal, organization: tuple[Organization, ...]) -> Context:
    account = principal.holder.account
    is_user = principal.holder.kind is HolderKind.USER
    known: dict[str, Value] = {
        "aws:principalarn": (principal.arn,),
        "aws:principalaccount": (account,),
        "aws:principaltype": ("User" if is_user else "AssumedRole",),
        "aws:username": (principal.holder.name,) if is_user else (),
    }
    # Which organization an account of the estate is in does not change with the request; unread, it is taken for a matter of the
    # surroundings.
    known["aws:principalorgid"] = (organization[0].id,) if len(organization) == 1 else Open(Control.ENVIRONMENT)
    if principal.id:
        known["aws:userid"] = (principal.id,) if is_user else Chosen(f"{principal.id}:*")
    return Context(known, session_tags(principal))


def _gaps(principal: Principal, node: Node, shelves: _Shelves, groups: Mapping[Holder, Principal]) -> Iterator[Gap]:
    holders = [principal, *(groups[group] for group in _groups_of(principal) if group in groups)]
    for holder in holders:
        yield from _holder_gaps(holder, node, shelves)
    missing = [group.name for group in _groups_of(principal) if group not in groups]
    for name in missing:
        what = f"the policies of group {name}, in which {principal.holder.name} is, were not read"
        yield Gap(
            "iam",
            what,
            Reason.ABSENT,
            Direction.OUTGOING,
            (node,),
            POLICY_LANES,
            "aws iam get-account-authorization-details",
            principal.at.below("GroupList"),
        )


def holder_gaps(facts: Facts, principal: Principal) -> Iterator[Gap]:
    """Yield what of one holder's own policies was not read or cannot be evaluated."""
    return _holder_gaps(principal, node_of(principal), _shelves(facts))


def _holder_gaps(principal: Principal, node: Node, shelves: _Shelves) -> Iterator[Gap]:
    holder = principal.holder
    if not principal.policies_read and holder not in shelves.complete:
        what = f"the policies of {holder.kind.value} {holder.name} were not read"
        yield Gap(
            "iam", what, Reason.ABSENT, Direction.OUTGOING, (node,), POLICY_LANES, "aws iam get-account-authorization-details", principal.at
        )
    for attachment in shelves.attached.get(holder, []):
        shipped = shipped_policy(attachment.arn)
        if attachment.arn not in shelves.managed and (shipped is None or not shipped.complete):
            what = f"the content of {attachment.arn}, attached to {holder.kind.value} {holder.name}, is not in the input"
            remedy = (
                f"aws iam get-policy-version --policy-arn {attachment.arn} --version-id DEFAULT"
                if account_of(attachment.arn) != "aws"
                else "aws iam get-account-authorization-details"
            )
            yield Gap("iam", what, Reason.ABSENT, Direction.OUTGOING, (node,), POLICY_LANES, remedy, attachment.at)
    for grant in _grants(holder, shelves):
        if grant.statement.broken:
            what = f"a statement of {holder.kind.value} {holder.name} cannot be evaluated: {grant.statement.broken}"
            yield Gap(
                "iam",
                what,
                Reason.UNEVALUABLE,
                Direction.OUTGOING,
                (node,),
                POLICY_LANES,
                "correct the policy document",
                grant.statement.at,
            )
