"""Principals that may rewrite others, or themselves."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from partywall.model.arn import account_of
from partywall.model.edge import Edge
from partywall.model.facts import Facts
from partywall.model.facts_iam import Attachment, Holder, HolderKind, ManagedPolicy, Principal
from partywall.model.node import Node
from partywall.resolve.iam.abilities import Able
from partywall.resolve.iam.catalogue import Path, catalogue
from partywall.resolve.iam.context import Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.naming import SERVICE_PATH, SSO_PATH, account_node, node_of
from partywall.resolve.iam.rights import Rights
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.trust import on_role
from partywall.resolve.iam.versions import Older, older_versions
from partywall.resolve.iam.ways import Way, identity_ways, surest

_POLICIES = frozenset({"own policy", "policy of another"})


@dataclass(frozen=True, slots=True)
class Household:
    """The principals and managed policies of an input, sorted for whoever would rewrite them.

    `targets`: by account and kind, those that AWS lets somebody edit. `groups`: by holder. `attached`: who holds each customer managed
    policy; AWS's own policies have no versions of ours. `older`: what an older version of a policy would bring back. `signing`: the
    roles that trust each SAML provider.
    """

    targets: Mapping[tuple[str, HolderKind], list[Principal]]
    known: Mapping[Holder, Principal]
    attached: Mapping[str, list[Attachment]]
    older: Mapping[str, Older]
    signing: Mapping[str, list[Principal]]


def household(facts: Facts) -> Household:
    """Sort principals and policies.

    IAM user guide, "Create a service-linked role"; Identity Center user guide, "Permission sets": AWS lets nobody edit provisioned and
    service-linked roles.
    """
    targets: dict[tuple[str, HolderKind], dict[str, Principal]] = {}
    signing: dict[str, dict[str, Principal]] = {}
    for principal in facts.of(Principal):
        if is_editable(principal):
            targets.setdefault((principal.holder.account, principal.holder.kind), {}).setdefault(principal.arn, principal)
        for statement in principal.trust.statements if principal.trust else ():
            for name in statement.principals:
                if name.kind == "Federated" and ":saml-provider/" in name.name:
                    signing.setdefault(name.name, {}).setdefault(principal.arn, principal)
    attached: dict[str, list[Attachment]] = {}
    for attachment in facts.of(Attachment):
        if account_of(attachment.arn) != "aws":
            attached.setdefault(attachment.arn, []).append(attachment)
    policies = {policy.arn: policy for policy in facts.of(ManagedPolicy)}
    return Household(
        {key: list(found.values()) for key, found in targets.items()},
        {principal.holder: principal for principal in facts.of(Principal)},
        attached,
        {arn: older_versions(policies.get(arn)) for arn in attached},
        {arn: list(found.values()) for arn, found in signing.items()},
    )


def is_editable(principal: Principal) -> bool:
    """Tell whether AWS lets anybody edit a principal."""
    return SSO_PATH not in principal.arn and SERVICE_PATH not in principal.arn


def administrator_edges(able: Iterable[Able], home: Household) -> Iterator[Edge]:
    """Yield who may give itself everything in its account: by rewriting its own policies, or by making a role that has everything."""
    for each in able:
        target = account_node(each.rights.account)
        for path in catalogue().by("administering"):
            if each.may(path):
                for note, way in _on_itself(each, path, home):
                    yield edge(each.rights.node, path.verb, target, way, note=note)


def _on_itself(able: Able, path: Path, home: Household) -> Iterator[tuple[str, Way]]:
    need = path.needs[0]
    match need.on:
        case "own policy":
            yield from _own_policies(able.rights, path, home)
        case "new role":
            yield from _new_role(able.rights, path)
        case _:
            kind = HolderKind(need.on.removeprefix("own "))
            for target in _itself(able.rights.principal, home):
                if target.holder.kind is kind:
                    for way in identity_ways(able.rights, on_role(able.rights, target, need.action, dict(path.keys))):
                        yield f"by {need.action} on itself", way


def _itself(principal: Principal, home: Household) -> list[Principal]:
    if not is_editable(principal):
        return []
    return [principal, *(home.known[group] for group in _groups_of(principal) if group in home.known)]


def _groups_of(principal: Principal) -> list[Holder]:
    return [Holder(HolderKind.GROUP, principal.holder.account, name) for name in principal.groups]


def _own_policies(rights: Rights, path: Path, home: Household) -> Iterator[tuple[str, Way]]:
    own = {rights.principal.holder, *_groups_of(rights.principal)}
    for arn, attachments in home.attached.items():
        if account_of(arn) == rights.account and any(attachment.holder in own for attachment in attachments):
            for way in _version_ways(rights, path, arn, home):
                yield f"by {path.needs[0].action} on a policy of its own", way


def _version_ways(rights: Rights, path: Path, arn: str, home: Household) -> Iterator[Way]:
    """Yield the ways to another version of a policy; one that is there already must bring more than the present one."""
    older = home.older[arn]
    if path.versions and older is Older.NONE:
        return
    for way in identity_ways(rights, Request(path.needs[0].action, arn, rights.context)):
        yield way.unsure(older.value) if path.versions else way


def _new_role(rights: Rights, path: Path) -> Iterator[tuple[str, Way]]:
    """A new role with an administrator's policy, which the maker's account may assume."""
    region = f"arn:aws:iam::{rights.account}:role/*"
    keys: dict[str, Value] = {**path.keys, "aws:requestedregion": ("us-east-1",), "iam:permissionsboundary": ()}
    made, filled = (identity_ways(rights, Request(need.action, region, rights.context.with_keys(keys))) for need in path.needs)
    for way in filled if made else ():
        yield f"by {' and '.join(path.actions)}", way.joined(surest(made))


def rewriting_edges(able: Iterable[Able], home: Household, administrators: frozenset[Node]) -> Iterator[Edge]:
    """Yield who may change the policies, trust, keys or members of whom; administrators of the account have that anyway."""
    for each in able:
        if each.rights.node in administrators:
            continue
        for path in catalogue().by("rewriting"):
            if each.may(path):
                yield from _rewrites(each.rights, path, home)


def _rewrites(rights: Rights, path: Path, home: Household) -> Iterator[Edge]:
    need = path.needs[0]
    if need.on in _POLICIES:
        yield from _versions(rights, path, home)
    elif need.on == "SAML provider":
        yield from _providers(rights, path, home)
    else:
        for target in home.targets.get((rights.account, HolderKind(need.on)), ()):
            if target.arn == rights.principal.arn:
                continue
            for way in identity_ways(rights, on_role(rights, target, need.action, dict(path.keys))):
                yield edge(rights.node, path.verb, node_of(target), way, note=need.action, also=(target.at,))


def _versions(rights: Rights, path: Path, home: Household) -> Iterator[Edge]:
    """A new default version of a managed policy changes every holder of it."""
    for arn, attachments in home.attached.items():
        if account_of(arn) != rights.account:
            continue
        for way in _version_ways(rights, path, arn, home):
            for attachment in attachments:
                target = home.known.get(attachment.holder)
                if target is not None and target.arn != rights.principal.arn:
                    note = path.needs[0].action
                    yield edge(rights.node, path.verb, node_of(target), way, note=note, also=(attachment.at,))


def _providers(rights: Rights, path: Path, home: Household) -> Iterator[Edge]:
    """Whoever writes a provider's metadata signs assertions for every role that trusts the provider."""
    for arn, roles in home.signing.items():
        if account_of(arn) != rights.account:
            continue
        for way in identity_ways(rights, Request(path.needs[0].action, arn, rights.context)):
            for role in roles:
                if role.arn != rights.principal.arn:
                    yield edge(rights.node, path.verb, node_of(role), way, note=path.needs[0].action, also=(role.at,))
