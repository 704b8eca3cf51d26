"""Principals that may rewrite others, or themselves."""

from collections.abc import Iterable, Iterator, Mapping

from partywall.model.arn import account_of
from partywall.model.edge import Edge
from partywall.model.facts import Facts
from partywall.model.facts_iam import Attachment, Holder, HolderKind, Principal
from partywall.model.node import Node
from partywall.resolve.iam.catalogue import ADMINISTRATOR, OWN_POLICIES, REWRITES, VERSIONS, Rewrite
from partywall.resolve.iam.context import Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.naming import SERVICE_PATH, SSO_PATH, account_node, node_of
from partywall.resolve.iam.rights import Estate, Rights
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.trust import on_role
from partywall.resolve.iam.ways import Way, identity_ways, surest


def administrator_edges(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield who may give itself everything in its account: by rewriting its own policies, or by making a role that has everything."""
    holders = _holders_by_policy(facts)
    groups = {principal.holder: principal for principal in facts.of(Principal) if principal.holder.kind is HolderKind.GROUP}
    for rights in estate.askers():
        target = account_node(rights.account)
        for action, way in (*_on_itself(rights, groups), *_on_own_policies(rights, holders), *_new_role(rights)):
            yield edge(rights.node, "becomes administrator of", target, way, note=f"by {action}")


def _on_itself(rights: Rights, groups: Mapping[Holder, Principal]) -> Iterator[tuple[str, Way]]:
    principal = rights.principal
    if SSO_PATH in principal.arn or SERVICE_PATH in principal.arn:
        return
    own = [principal, *(groups[group] for group in _groups_of(principal) if group in groups)]
    for rewrite in REWRITES:
        if rewrite.verb not in OWN_POLICIES or not rights.allows(rewrite.action):
            continue
        keys: dict[str, Value] = {key: (value,) for key, value in rewrite.keys}
        for target in own:
            for way in identity_ways(rights, on_role(rights, target, rewrite.action, keys)) if target.holder.kind is rewrite.on else ():
                yield f"{rewrite.action} on itself", way


def _groups_of(principal: Principal) -> list[Holder]:
    return [Holder(HolderKind.GROUP, principal.holder.account, name) for name in principal.groups]


def _on_own_policies(rights: Rights, holders: Mapping[str, list[Attachment]]) -> Iterator[tuple[str, Way]]:
    own = {rights.principal.holder, *_groups_of(rights.principal)}
    for action in VERSIONS:
        for arn, attachments in holders.items() if rights.allows(action) else ():
            if account_of(arn) == rights.account and any(attachment.holder in own for attachment in attachments):
                for way in identity_ways(rights, Request(action, arn, rights.context)):
                    yield f"{action} on a policy of its own", way


def _new_role(rights: Rights) -> Iterator[tuple[str, Way]]:
    """A new role with an administrator's policy, which the maker's account may assume."""
    region = f"arn:aws:iam::{rights.account}:role/*"
    keys: dict[str, Value] = {"iam:policyarn": (ADMINISTRATOR,), "aws:requestedregion": ("us-east-1",), "iam:permissionsboundary": ()}
    made = (
        identity_ways(rights, Request("iam:createrole", region, rights.context.with_keys(keys))) if rights.allows("iam:createrole") else []
    )
    for action in ("iam:attachrolepolicy", "iam:putrolepolicy") if made else ():
        for way in identity_ways(rights, Request(action, region, rights.context.with_keys(keys))):
            yield f"iam:createrole and {action}", way.joined(surest(made))


def rewriting_edges(facts: Facts, estate: Estate, administrators: frozenset[Node]) -> Iterator[Edge]:
    """Yield who may change the policies, trust, keys or members of whom; administrators of the account have that anyway."""
    targets = _targets(facts)
    versions = _holders_by_policy(facts)
    known = {principal.holder: principal for principal in facts.of(Principal)}
    for rights in estate.askers():
        if rights.node in administrators:
            continue
        for rewrite in REWRITES:
            if rights.allows(rewrite.action):
                yield from _rewrites(rights, rewrite, targets.get((rights.account, rewrite.on), ()))
        yield from _versions(rights, versions, known)


def _targets(facts: Facts) -> Mapping[tuple[str, HolderKind], list[Principal]]:
    """Sort principals by account and kind; AWS lets nobody edit provisioned and service-linked roles.

    IAM user guide, "Create a service-linked role"; Identity Center user guide, "Permission sets".
    """
    found: dict[tuple[str, HolderKind], dict[str, Principal]] = {}
    for principal in facts.of(Principal):
        if SSO_PATH not in principal.arn and SERVICE_PATH not in principal.arn:
            found.setdefault((principal.holder.account, principal.holder.kind), {}).setdefault(principal.arn, principal)
    return {key: list(principals.values()) for key, principals in found.items()}


def _rewrites(rights: Rights, rewrite: Rewrite, targets: Iterable[Principal]) -> Iterator[Edge]:
    keys: dict[str, Value] = {key: (value,) for key, value in rewrite.keys}
    for target in targets:
        if target.arn == rights.principal.arn:
            continue
        for way in identity_ways(rights, on_role(rights, target, rewrite.action, keys)):
            yield edge(rights.node, rewrite.verb, node_of(target), way, note=rewrite.action, also=(target.at,))


def _holders_by_policy(facts: Facts) -> Mapping[str, list[Attachment]]:
    found: dict[str, list[Attachment]] = {}
    for attachment in facts.of(Attachment):
        if account_of(attachment.arn) != "aws":
            found.setdefault(attachment.arn, []).append(attachment)
    return found


def _versions(rights: Rights, policies: Mapping[str, list[Attachment]], known: Mapping[Holder, Principal]) -> Iterator[Edge]:
    """A new default version of a managed policy changes every holder of it; AWS's own policies have no versions of ours."""
    for action in VERSIONS:
        if not rights.allows(action):
            continue
        for arn, attachments in policies.items():
            if account_of(arn) != rights.account:
                continue
            for way in identity_ways(rights, Request(action, arn, rights.context)):
                for attachment in attachments:
                    yield from _version_edges(rights, attachment, way, action, known.get(attachment.holder))


def _version_edges(rights: Rights, attachment: Attachment, way: Way, action: str, target: Principal | None) -> Iterator[Edge]:
    if target is not None and target.arn != rights.principal.arn:
        yield edge(rights.node, "edits policies of", node_of(target), way, note=action, also=(attachment.at,))
