"""Ways of principals to stores, with the store's own policy where it was read."""

from collections.abc import Iterator, Mapping

from partywall.model.facts_iam import Effect, Statement
from partywall.model.node import Node
from partywall.resolve.iam.context import Context, Value
from partywall.resolve.iam.controls import under_resource_control
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.principals import named_by
from partywall.resolve.iam.rights import Estate, Guard, Rights
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.trust import stranger, stranger_context
from partywall.resolve.iam.ways import Way, identity_ways, opened, ways


def request_on(rights: Rights, action: str, region: str, keys: Mapping[str, Value], tags: Mapping[str, str] | None = None) -> Request:
    """Return the request of a principal on a store."""
    # A store of which nobody says whose it is, is taken for one of the asker's own account.
    return Request(
        action, region, Context({**rights.context.known, "aws:resourceaccount": (rights.account,), **keys}, rights.context.session, tags)
    )


def where(account: str, region: str) -> dict[str, Value]:
    """Return the keys that say where a store is, as far as that is known."""
    found: dict[str, Value] = {}
    if account:
        found["aws:resourceaccount"] = (account,)
    if region:
        found["aws:requestedregion"] = (region,)
    return found


def asked(rights: Rights, request: Request, account: str, guard: tuple[Grant, ...] | None, *, sole: bool, unread: str) -> list[Way]:
    """Return the ways to a store. An unread policy leaves the same account's own policies, and makes unknown what needs it."""
    if guard is not None:
        return ways(rights, request, Guard(account, guard, sole))
    own = identity_ways(rights, request)
    foreign = bool(account) and account != rights.account
    if not own or not (sole or foreign):
        return own
    return [way.unsure(unread) for way in own]


def admitted(estate: Estate, guard: tuple[Grant, ...] | None) -> frozenset[Node]:
    """Return the principals whom some Allow statement of a store's policy names: nobody else gets in but by policies of their own."""
    allows = [grant.statement for grant in guard or () if grant.statement.effect is Effect.ALLOW]
    return frozenset(rights.node for rights in estate.askers() if any(_names(statement, rights) for statement in allows))


def _names(statement: Statement, rights: Rights) -> bool:
    naming = named_by(statement, rights.caller)
    return naming.how is not None and naming.residual.is_evaluable


def strangers(estate: Estate, action: str, region: str, account: str, guard: tuple[Grant, ...]) -> Iterator[tuple[Node, Way]]:
    """Yield who of accounts that nobody read, or of the whole world, a store's policy lets in."""
    for grant in guard:
        for name in grant.statement.principals if grant.statement.effect is Effect.ALLOW else ():
            source, home = stranger(estate, name, account)
            if source is None:
                continue
            request = Request(action, region, Context({**stranger_context(home).known, **where(account, "")}))
            against = (other for other in guard if other.statement.effect is Effect.DENY and _concerns(other, name.kind))
            way = opened(grant, against, request, estate.controls.get(account, ()) if under_resource_control(action) else ())
            if way is not None:
                yield source, way


def _concerns(grant: Grant, kind: str) -> bool:
    """Tell whether a Deny concerns strangers: one for everybody does, and one for everybody but some."""
    return any(name.kind == "*" for name in grant.statement.principals) or bool(grant.statement.not_principals)
