"""Who is meant by the name of a principal: an ARN, a name alone, a session, a service, anybody."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from difflib import get_close_matches

from partywall.errors import UsageError
from partywall.model.arn import account_of, last_name
from partywall.model.atom import Control
from partywall.model.document import Direction, Gap, Reason
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_iam import Holder, HolderKind, Principal, PrincipalName
from partywall.resolve.iam.context import Chosen, Context, Open, SessionTags, Value
from partywall.resolve.iam.estate import holder_gaps
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.naming import ANYONE, account_node, node_of, service_node
from partywall.resolve.iam.principals import Caller, CallerKind, named_account, session_parts
from partywall.resolve.iam.resources import placed
from partywall.resolve.iam.rights import Estate, Rights
from partywall.resolve.iam.trust import stranger_context

ANONYMOUS = frozenset({"*", "anonymous"})
_NOWHERE = Evidence("", "")
_NEAREST = 3


def callers(estate: Estate, name: str) -> tuple[Rights, ...]:
    """Return what a principal may be known by: itself, and its pods where their tags matter.

    `name` is the ARN of a role, user or group, the name alone of one where it is unique, the ARN of a role's session or of an account's
    root, a service (`ec2.amazonaws.com`), the ARN of an identity provider, or `*` or `anonymous` for anybody. Raises UsageError where
    nobody is called so.
    """
    if name in ANONYMOUS:
        return (anonymous(estate),)
    account, role, session = session_parts(name)
    if session:
        return tuple(_in_session(rights, session) for rights in _named(estate, account, role, name))
    whole = named_account(name)
    if whole:
        return (_root(estate, whole),)
    if ":oidc-provider/" in name or ":saml-provider/" in name:
        return (_provider(estate, name),)
    if name.endswith((".amazonaws.com", ".amazonaws.com.cn")) and ":" not in name:
        return (service(estate, name),)
    return tuple(_found(estate, name))


def known(estate: Estate) -> Iterator[Rights]:
    """Yield every principal that the input describes, groups last; pods stand beside their roles."""
    yield from estate.rights.values()
    yield from _groups(estate)


def pods_of(estate: Estate, arn: str) -> Iterator[Rights]:
    """Yield the pods that act as a role and whose tags decide what it may do."""
    return (rights for rights in estate.pods if rights.principal.arn == arn and rights.principal.holder.kind is HolderKind.ROLE)


def _groups(estate: Estate) -> Iterator[Rights]:
    return (rights for rights in estate.pods if rights.principal.holder.kind is HolderKind.GROUP)


def _found(estate: Estate, name: str) -> Iterator[Rights]:
    if name in estate.rights:
        yield estate.rights[name]
        yield from pods_of(estate, name)
        return
    every = list(known(estate))
    found = [rights for rights in every if rights.principal.arn == name] or [
        rights for rights in every if rights.principal.holder.name == name
    ]
    if not found:
        raise UsageError(_unknown(name, every))
    if len(found) > 1:
        raise UsageError(f"{name} means several principals: {', '.join(sorted(rights.principal.arn for rights in found))}; give an ARN")
    yield found[0]
    yield from pods_of(estate, found[0].principal.arn)


def _named(estate: Estate, account: str, role: str, name: str) -> Iterator[Rights]:
    for rights in estate.rights.values():
        holder = rights.principal.holder
        if holder == Holder(HolderKind.ROLE, account, role):
            yield rights
            yield from pods_of(estate, rights.principal.arn)
            return
    raise UsageError(_unknown(name, known(estate)))


def _unknown(name: str, every: Iterable[Rights]) -> str:
    arns = [rights.principal.arn for rights in every]
    short = last_name(name) or name
    close = get_close_matches(name, arns, _NEAREST, 0.8)
    by_name = get_close_matches(short, {last_name(arn) for arn in arns}, _NEAREST, 0.6)
    near = list(dict.fromkeys((*close, *(arn for each in by_name for arn in arns if last_name(arn) == each))))[:_NEAREST]
    if near:
        return f"no principal of the input is called {name}; did you mean {' or '.join(near)}?"
    if not arns:
        return f"no principal of the input is called {name}: it holds no roles or users; add aws iam get-account-authorization-details"
    return f"no principal of the input is called {name}; it knows {len(arns)}, such as {', '.join(sorted(arns)[:_NEAREST])}"


def _in_session(rights: Rights, session: str) -> Rights:
    identity = rights.principal.id
    keys: dict[str, Value] = {"aws:userid": (f"{identity}:{session}",) if identity else Chosen(f"*:{session}")}
    return replace(
        rights,
        context=rights.context.with_keys(keys),
        called_by=replace(rights.caller, session=session),
        _allows={},
        _denies={},
    )


def with_unread(rights: Rights, gaps: Iterable[Gap]) -> Rights:
    """Return rights in which policies that were not read may allow anything; that they may deny is left aside, as it is of all limits."""
    # What is broken in a statement, and what its words leave open, `decide` weighs by itself.
    weighed = {grant.statement.at for grant in rights.grants if grant.statement.broken}
    unread = tuple(
        Grant(placed(gap.at or rights.principal.at, actions=("*",), broken=gap.what), rights.principal)
        for gap in gaps
        if gap.lanes and gap.direction is Direction.OUTGOING and (gap.reason is not Reason.UNEVALUABLE or gap.at not in weighed)
    )
    return replace(rights, grants=(*rights.grants, *unread), _allows={}, _denies={}) if unread else rights


def gaps_of(facts: Facts, estate: Estate, rights: Rights) -> tuple[Gap, ...]:
    """Return what of a principal's own policies was not read or cannot be evaluated."""
    if rights.principal.at == _NOWHERE:
        return ()
    if rights.principal.holder.kind is HolderKind.GROUP:
        return tuple(holder_gaps(facts, rights.principal))
    node = node_of(rights.principal)
    return tuple(gap for gap in estate.gaps if node in gap.nodes and gap.direction is Direction.OUTGOING)


def _outsider(estate: Estate, caller: Caller, context: Context, grants: tuple[Grant, ...] = ()) -> Rights:
    """Return somebody who is no principal of the input; `grants` are what may be taken for their own policies."""
    principal = Principal(Holder(HolderKind.ROLE, caller.account, caller.name), caller.arn, _NOWHERE)
    node = ANYONE if caller.kind is CallerKind.ANONYMOUS else account_node(caller.account) if caller.account else service_node(caller.arn)
    return Rights(principal, node, context, grants, None, over_resources=estate.controls, called_by=caller)


def anonymous(estate: Estate) -> Rights:
    """Return anybody, without credentials."""
    keys: dict[str, Value] = {
        "aws:principalaccount": ("anonymous",),
        "aws:principaltype": ("Anonymous",),
        "aws:userid": ("anonymous",),
        **dict.fromkeys(("aws:principalarn", "aws:principalorgid", "aws:principalorgpaths", "aws:username"), ()),
    }
    return _outsider(estate, Caller(CallerKind.ANONYMOUS, ""), Context(keys, SessionTags({})))


def service(estate: Estate, name: str) -> Rights:
    """Return an AWS service that acts by itself; for which resource and account it does is not the asker's to say."""
    absent = ("aws:principalarn", "aws:principalaccount", "aws:principalorgid", "aws:principalorgpaths", "aws:username", "aws:userid")
    keys: dict[str, Value] = {
        "aws:principalisawsservice": ("true",),
        "aws:principalservicename": (name,),
        "aws:principalservicenameslist": (name,),
        **dict.fromkeys(absent, ()),
        **dict.fromkeys(("aws:sourcearn", "aws:sourceaccount", "aws:sourceorgid", "aws:sourceorgpaths"), Open(Control.ENVIRONMENT)),
    }
    return _outsider(estate, Caller(CallerKind.SERVICE, name), Context(keys, SessionTags({})))


def _provider(estate: Estate, arn: str) -> Rights:
    keys: dict[str, Value] = {"aws:federatedprovider": (arn,), "aws:principalarn": (), "aws:username": ()}
    return _outsider(estate, Caller(CallerKind.PROVIDER, arn, account_of(arn)), Context(keys, SessionTags({})))


def _root(estate: Estate, account: str) -> Rights:
    """Return the root user of a known account, below its service control policies."""
    mates = [rights for rights in estate.rights.values() if rights.account == account]
    if not mates:
        raise UsageError(f"no principal of account {account} is in the input; add aws iam get-account-authorization-details of it")
    arn = f"arn:aws:iam::{account}:root"
    keys: dict[str, Value] = {
        "aws:principalarn": (arn,),
        "aws:principalaccount": (account,),
        "aws:principaltype": ("Account",),
        "aws:userid": (account,),
        "aws:username": (),
        "aws:principalorgid": mates[0].context.value("aws:principalorgid"),
    }
    caller = Caller(CallerKind.ROOT, arn, account)
    made = _outsider(estate, caller, Context(keys, SessionTags({})))
    # The root user has every right in its account (IAM user guide, "AWS account root user").
    everything = (Grant(placed(_NOWHERE, actions=("*",)), made.principal),)
    levels = max((rights.levels for rights in mates), key=len)
    return replace(made, grants=everything, levels=levels, _allows={}, _denies={})


def outsiders(estate: Estate, names: Iterable[PrincipalName]) -> Iterator[tuple[str, Rights]]:
    """Yield whom a resource's policy names and the input does not describe: the world, services, providers, other accounts' principals."""
    for name in dict.fromkeys(names):
        if name.kind == "*":
            yield "anonymous", anonymous(estate)
        elif name.kind == "Service":
            yield name.name, service(estate, name.name)
        elif name.kind == "Federated":
            yield name.name, _provider(estate, name.name)
        elif name.kind == "AWS" and name.name not in estate.rights:
            yield from _stranger(estate, name.name)


def _stranger(estate: Estate, name: str) -> Iterator[tuple[str, Rights]]:
    whole = named_account(name)
    account = whole or account_of(name)
    here = any(rights.account == account for rights in estate.rights.values())
    if not account or estate.knows(account) or (whole and here):
        return
    _, role, session = session_parts(name)
    caller = Caller(CallerKind.USER if ":user/" in name else CallerKind.ROLE, name, account, role or last_name(name), session)
    if whole:
        caller = Caller(CallerKind.ROLE, f"arn:aws:iam::{account}:root", account, "")
    elif session:
        caller = replace(caller, arn=f"arn:aws:iam::{account}:role/{role}")
    context = stranger_context(account)
    context = context if whole else context.with_keys({"aws:principalarn": (caller.arn,)})
    made = _outsider(estate, caller, context)
    what = f"the policies of {f'account {account}' if whole else caller.arn} were not read"
    unread = (Grant(placed(_NOWHERE, actions=("*",), broken=what), made.principal),)
    yield (caller.arn if whole else name), replace(made, grants=unread, _allows={}, _denies={})
