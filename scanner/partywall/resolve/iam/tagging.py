"""Whoever sets a tag on which policies depend chooses what they say.

IAM user guide, "What is ABAC for AWS?": where a policy compares a tag of the caller or of the resource, the power to tag is the power to
choose the tenant. Only tags that some policy of the input asks for are looked at. A tag that a principal may set on itself makes its own
row unknown, since what it would then reach is not computed.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Edge
from partywall.model.facts import Facts
from partywall.model.facts_data import ResourcePolicy
from partywall.model.facts_iam import HolderKind, Principal, Statement
from partywall.model.node import Node
from partywall.model.verbs import Lane
from partywall.resolve.iam.abilities import Able
from partywall.resolve.iam.context import Chosen, Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.estate import estate
from partywall.resolve.iam.naming import node_of
from partywall.resolve.iam.rewriting import Household, is_editable
from partywall.resolve.iam.rights import Rights
from partywall.resolve.iam.trust import on_role
from partywall.resolve.iam.ways import Way, identity_ways

_PRINCIPAL = re.compile(r"^aws:principaltag/(.+)$|\$\{\s*aws:principaltag/([^,}]+)", re.IGNORECASE)
_RESOURCE = re.compile(r"^[a-z0-9-]+:(?:resourcetag|buckettag|existingobjecttag)/(.+)$", re.IGNORECASE)
_ACTIONS = {HolderKind.ROLE: "iam:tagrole", HolderKind.USER: "iam:taguser"}


@dataclass(frozen=True, slots=True)
class Asked:
    """The tags that policies ask for: of callers, and of resources by the service that the statement speaks of (`*`: of any)."""

    principal: frozenset[str]
    resource: frozenset[tuple[str, str]]

    def of(self, service: str) -> list[str]:
        """Return the tags of a service's resources that some statement asks for."""
        return sorted({tag for of, tag in self.resource if of in (service, "*")})


@lru_cache(maxsize=2)
def asked_tags(facts: Facts) -> Asked:
    """Return the tags that some statement of the input asks for; two resolvers ask for the same facts one after the other."""
    found = {id(grant.statement): grant.statement for rights in estate(facts).askers() for grant in rights.grants}
    for policy in facts.of(ResourcePolicy):
        found.update((id(statement), statement) for statement in policy.policy.statements)
    for principal in facts.of(Principal):
        found.update((id(statement), statement) for statement in (principal.trust.statements if principal.trust else ()))
    principals: set[str] = set()
    resources: set[tuple[str, str]] = set()
    for statement in found.values():
        if statement.comparisons:
            resources |= _resource_tags(statement)
        if statement.comparisons or any("${" in text for text in (*statement.resources, *statement.not_resources)):
            principals |= _principal_tags(statement)
    return Asked(frozenset(principals), frozenset(resources))


def _principal_tags(statement: Statement) -> set[str]:
    texts = [*statement.resources, *statement.not_resources]
    for comparison in statement.comparisons:
        texts += [comparison.key, *comparison.values]
    return {(match.group(1) or match.group(2)).lower() for text in texts for match in _PRINCIPAL.finditer(text)}


def _resource_tags(statement: Statement) -> set[tuple[str, str]]:
    matches = (_RESOURCE.match(comparison.key) for comparison in statement.comparisons)
    tags = {match.group(1).lower() for match in matches if match}
    services = {action.partition(":")[0].lower() for action in statement.actions} if statement.actions else {"*"}
    return {("*" if "*" in service else service, tag) for service in services for tag in tags}


def tagging_edges(able: Iterable[Able], home: Household, asked: Asked, administrators: frozenset[Node]) -> Iterator[Edge | Gap]:
    """Yield who may set a tag of whom that policies ask for."""
    tags = sorted(asked.principal)
    for each in able if tags else ():
        if each.rights.node in administrators:
            continue
        for kind, action in _ACTIONS.items():
            if each.rights.allows(action):
                yield from _tagged(each.rights, action, home.targets.get((each.rights.account, kind), ()), tags)


def _tagged(rights: Rights, action: str, targets: Iterable[Principal], tags: Iterable[str]) -> Iterator[Edge | Gap]:
    for target in targets:
        for tag in tags:
            for way in tag_ways(rights, target, action, tag):
                if target.arn == rights.principal.arn:
                    yield _own(rights, tag, way)
                else:
                    note = f"{action}: policies ask for the tag {tag}"
                    yield edge(rights.node, "edits policies of", node_of(target), way, note=note, also=(target.at,))


def tag_ways(rights: Rights, target: Principal, action: str, tag: str) -> list[Way]:
    """Return the ways to set a tag of a principal to any value."""
    if not is_editable(target):
        return []
    keys: dict[str, Value] = {"aws:tagkeys": (tag,), f"aws:requesttag/{tag}": Chosen("*")}
    return identity_ways(rights, on_role(rights, target, action, keys))


def _own(rights: Rights, tag: str, way: Way) -> Gap:
    what = f"what {rights.principal.holder.kind.value} {rights.principal.holder.name} reaches once it gives itself another tag {tag}"
    lanes = (Lane.ACT, Lane.DATA, Lane.IDENTITY)
    remedy = "take the right to tag itself away, or deny it for this tag"
    return Gap("iam", what, Reason.UNEVALUABLE, Direction.OUTGOING, (rights.node,), lanes, remedy, way.grants[0].statement.at)
