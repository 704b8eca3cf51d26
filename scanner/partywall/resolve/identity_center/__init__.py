"""Identity Center: who may sign in with which role."""

from collections.abc import Iterator, Mapping

from partywall.model.arn import account_of, last_name
from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Change, Edge, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Named
from partywall.model.facts_eks import AccessEntry, AccessEntryName
from partywall.model.facts_iam import Principal
from partywall.model.facts_identity_center import (
    Assignee,
    Assignment,
    Entitlement,
    Instance,
    Membership,
    PermissionSet,
    StoreGroup,
    StoreUser,
)
from partywall.model.node import Kind, Node
from partywall.model.thing import Thing
from partywall.model.verbs import Lane
from partywall.resolve import Resolved, Resolver
from partywall.resolve.iam.naming import permission_set_of, role_node
from partywall.resolve.identity_center.people import Member, People, members, people

__all__ = ["RESOLVER", "Member", "members", "people", "resolve"]
_LANES = (Lane.ACT, Lane.DATA, Lane.IDENTITY)


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield memberships, assignments and entitlements."""
    known = people(facts)
    for user in known.users.values():
        yield Thing(known.node(Assignee.USER, user.id), user.at)
    for group in known.groups.values():
        yield Thing(known.node(Assignee.GROUP, group.id), group.at)
    for membership, member in zip(facts.of(Membership), members(facts), strict=True):
        yield Edge(member.person, "is member of", member.group, (member.at,), _membership_lever(membership, member))
    yield from _assignments(facts, known)
    yield from _entitlements(facts, known)


def _membership_lever(membership: Membership, member: Member) -> Lever:
    text = f"take {member.person.name} out of group {member.group.name}"
    return Lever(
        Move.REMOVE,
        "group membership",
        membership.store,
        f"{member.group.name} / {member.person.name}",
        (member.at,),
        text,
        change=Change(gone=(membership,)),
    )


def _assignments(facts: Facts, known: People) -> Iterator[Edge | Gap]:
    sets = _sets(facts)
    provisioned = _provisioned(facts)
    for assignment in facts.of(Assignment):
        source = known.node(assignment.assignee, assignment.assignee_id)
        permission_set = sets.get(assignment.permission_set)
        if permission_set is None:
            what = f"the name of permission set {assignment.permission_set}, assigned in account {assignment.account}, was not read"
            yield _gap(
                source, what, f"aws sso-admin describe-permission-set --permission-set-arn {assignment.permission_set}", assignment.at
            )
            continue
        roles = provisioned.get((assignment.account, permission_set.name), {})
        also = (permission_set.at, *known.place(assignment.assignee, assignment.assignee_id))
        lever = _assignment_lever(assignment, permission_set.name, source)
        for role, at in roles.items():
            yield Edge(source, "is assigned", role, (assignment.at, at, *also), lever, note=f"permission set {permission_set.name}")
        if not roles and not facts.listed("Role", assignment.account):
            target = Node(
                Kind.PERMISSION_SET,
                assignment.permission_set.split("/")[-2] if "/" in assignment.permission_set else "",
                permission_set.name,
            )
            yield Edge(source, "is assigned", target, (assignment.at, *also), lever)
            what = f"the role of permission set {permission_set.name} in account {assignment.account} was not read"
            yield _gap(target, what, f"aws iam get-account-authorization-details (account {assignment.account})", assignment.at)


def _gap(node: Node, what: str, remedy: str, at: Evidence) -> Gap:
    return Gap("identity center", what, Reason.ABSENT, Direction.OUTGOING, (node,), _LANES, remedy, at)


def _assignment_lever(assignment: Assignment, name: str, source: Node) -> Lever:
    text = f"remove the assignment of permission set {name} in account {assignment.account} to {source}"
    return Lever(
        Move.REMOVE,
        "account assignment",
        assignment.account,
        f"{name} / {source}",
        (assignment.at,),
        text,
        change=Change(gone=(assignment,)),
    )


def _sets(facts: Facts) -> Mapping[str, PermissionSet]:
    return {permission_set.arn: permission_set for permission_set in facts.of(PermissionSet) if permission_set.name}


def _provisioned(facts: Facts) -> Mapping[tuple[str, str], Mapping[Node, Evidence]]:
    """Return the provisioned roles by account and permission set.

    A re-made assignment gives a new suffix, so the set's name joins, not the ARN.
    Where the account's roles were read, only those exist; else whatever names such a role is taken for one.
    """
    found: dict[tuple[str, str], dict[Node, Evidence]] = {}
    seen: set[tuple[str, str]] = set()
    for arn, at, is_role in _role_names(facts):
        account, role = account_of(arn), last_name(arn)
        name = permission_set_of(role)
        # The same role may be written with its path and without it; what says the path comes first.
        if name and (is_role or not facts.listed("Role", account)) and (account, role) not in seen:
            seen.add((account, role))
            found.setdefault((account, name), {})[role_node(arn)] = at
    return found


def _role_names(facts: Facts) -> Iterator[tuple[str, Evidence, bool]]:
    for principal in facts.of(Principal):
        yield principal.arn, principal.at, True
    for entry in facts.of(AccessEntry):
        yield entry.principal, entry.at, False
    for named in facts.of(Named):
        if named.node.kind is Kind.ROLE:
            yield named.node.name, named.at, False
    for listed in facts.of(AccessEntryName):
        yield listed.principal, listed.at, False


def _entitlements(facts: Facts, known: People) -> Iterator[Edge]:
    for entitlement in facts.of(Entitlement):
        source = known.node(entitlement.assignee, entitlement.assignee_id)
        account = account_of(entitlement.role_arn)
        text = f"remove the entitlement of {source} to role {last_name(entitlement.role_arn)}"
        name = f"{entitlement.role_arn} / {source}"
        lever = Lever(Move.REMOVE, "account access entitlement", account, name, (entitlement.at,), text, change=Change(gone=(entitlement,)))
        because = (entitlement.at, *known.place(entitlement.assignee, entitlement.assignee_id))
        yield Edge(source, "is assigned", role_node(entitlement.role_arn), because, lever, note="by an entitlement")


RESOLVER = Resolver(
    "identity center",
    (Assignment, Entitlement, PermissionSet, StoreUser, StoreGroup, Membership, Instance, Principal, AccessEntry, AccessEntryName, Named),
    resolve,
)
