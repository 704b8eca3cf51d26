"""Who may assume a role: its trust policy, joined with the policies of whoever asks."""

from collections.abc import Iterable, Iterator, Mapping

from partywall.model.arn import account_of
from partywall.model.atom import Control
from partywall.model.edge import Edge
from partywall.model.facts_iam import Effect, HolderKind, Principal, PrincipalName
from partywall.model.node import Node
from partywall.resolve.iam.context import NO_ACCESS_POINT, Context, Open, Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.globs import is_wild
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.heads import may_name
from partywall.resolve.iam.naming import ANYONE, account_node, role_node
from partywall.resolve.iam.principals import named_account
from partywall.resolve.iam.rights import Estate, Guard, Rights
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.ways import identity_ways, opened, ways

ASSUME = "sts:assumerole"
_OUTSIDE = "000000000000"


def trust_grants(principal: Principal) -> tuple[Grant, ...]:
    """Return a role's trust statements as grants of the role."""
    return tuple(Grant(statement, principal) for statement in principal.trust.statements) if principal.trust else ()


def role_keys(principal: Principal) -> dict[str, Value]:
    """Return the keys that a request on a role carries because of the role."""
    return {"aws:resourceaccount": (principal.holder.account,)}


def on_role(rights: Rights, role: Principal, action: str, keys: dict[str, Value] | None = None) -> Request:
    """Return the request of a principal on a role."""
    # IAM answers in one Region; STS in the one that the caller asks.
    region: Value = ("us-east-1",) if action.startswith("iam:") else Open(Control.CALLER)
    known = {**rights.context.known, "aws:requestedregion": region, **role_keys(role), **(keys or {})}
    return Request(action, role.arn, Context(known, rights.context.session, role.tags))


def assume_edges(estate: Estate, role: Rights, ready: Mapping[str, list[Rights]]) -> Iterator[Edge]:
    """Yield who of the known principals, and who of accounts that were not read, may assume a role."""
    grants = trust_grants(role.principal)
    guard = Guard(role.account, grants, sole=True)
    for asker in _askers(estate, role, grants, ready):
        for way in ways(asker, on_role(asker, role.principal, ASSUME), guard):
            yield edge(asker.node, "assumes", role.node, way)
    yield from _strangers(estate, role, grants)


def assumers(estate: Estate) -> Mapping[str, list[Rights]]:
    """Sort those whose own policies let them ask for some role by account."""
    found: dict[str, list[Rights]] = {}
    for rights in estate.askers():
        if rights.allows(ASSUME):
            found.setdefault(rights.account, []).append(rights)
    return found


def _askers(estate: Estate, role: Rights, grants: Iterable[Grant], ready: Mapping[str, list[Rights]]) -> list[Rights]:
    """Return the known principals that some statement names: by ARN, or as one of an account if their own policies let them ask."""
    allows = [grant.statement for grant in grants if grant.statement.effect is Effect.ALLOW]
    names = [name for statement in allows for name in statement.principals]
    if any(name.kind == "*" for name in names) or any(statement.not_principals for statement in allows):
        return [rights for rights in estate.askers() if rights is not role and rights.principal.holder.kind is not HolderKind.GROUP]
    found: dict[int, Rights] = {}
    for name in names:
        if name.kind == "AWS":
            able = (rights for rights in ready.get(named_account(name.name), ()) if may_name(rights, ASSUME, role.principal.arn))
            for rights in (*able, *_by_name(estate, name.name)):
                if rights is not role:
                    found.setdefault(id(rights), rights)
    return list(found.values())


def _by_name(estate: Estate, name: str) -> Iterator[Rights]:
    account, role_name = _session_role(name)
    if name in estate.rights:
        yield estate.rights[name]
    elif role_name:
        yield from (
            rights
            for rights in estate.of_account(account)
            if rights.principal.holder.kind is HolderKind.ROLE and rights.principal.holder.name == role_name
        )
    yield from (rights for rights in estate.pods if rights.principal.arn == name)


def _session_role(name: str) -> tuple[str, str]:
    parts = name.split("/")
    return (account_of(name), parts[1]) if ":assumed-role/" in name and len(parts) == 3 else ("", "")


def stranger_context(account: str) -> Context:
    """Return the context of somebody of an account that was not read: their tags are their own choice, their organization is not ours."""
    return Context(
        {
            "aws:principalaccount": (account,),
            "kms:calleraccount": (account,),
            **NO_ACCESS_POINT,
            "aws:principalorgid": ("o-outside",) if account == _OUTSIDE else Open(Control.UNKNOWN),
            "aws:principalarn": (f"arn:aws:iam::{account}:role/somebody",) if account == _OUTSIDE else Open(Control.UNKNOWN),
            "aws:principalorgpaths": ("o-outside/",) if account == _OUTSIDE else Open(Control.UNKNOWN),
        },
    )


def _strangers(estate: Estate, role: Rights, grants: Iterable[Grant]) -> Iterator[Edge]:
    for grant in grants:
        if grant.statement.effect is not Effect.ALLOW:
            continue
        for name in grant.statement.principals:
            source, account = stranger(estate, name, role.account)
            if source is None:
                continue
            context = stranger_context(account)
            way = opened(grant, (), Request(ASSUME, role.principal.arn, context), estate.controls.get(role.account, ()))
            if way is not None:
                yield edge(source, "assumes", role.node, way)


def stranger(estate: Estate, name: PrincipalName, home: str) -> tuple[Node | None, str]:
    """Return the node and account of a named principal whose own policies nobody read; None for those that were, or that do not exist."""
    if name.kind == "*":
        return ANYONE, _OUTSIDE
    if name.kind != "AWS":
        return None, ""
    whole = named_account(name.name)
    account = whole or account_of(name.name)
    if not account or estate.knows(account) or name.name in estate.rights:
        return None, ""
    if whole:
        return (None, "") if whole == home else (account_node(whole), whole)
    if ":role/" in name.name:
        return role_node(name.name), account
    return account_node(account), account


def unread_targets(estate: Estate) -> Iterator[Edge]:
    """Yield edges to roles of accounts that were not read, which a principal's own policies name literally: their trust is unknown."""
    for asker in estate.askers():
        for arn in _literal_roles(asker):
            account = account_of(arn)
            if estate.knows(account) or arn in estate.rights:
                continue
            request = Request(ASSUME, arn, asker.context.with_keys({"aws:resourceaccount": (account,)}))
            for way in identity_ways(asker, request):
                yield edge(asker.node, "assumes", role_node(arn), way.unsure(f"the trust policy of {arn} is not in the input"))


def _literal_roles(asker: Rights) -> list[str]:
    named = {
        pattern
        for grant in asker.allows(ASSUME)
        for pattern in grant.statement.resources
        if ":role/" in pattern and not is_wild(pattern) and "${" not in pattern
    }
    return sorted(named)
