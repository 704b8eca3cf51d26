"""Everybody who can sign in is among `system:authenticated`; worth an edge only where that group was given something."""

from collections.abc import Iterable, Iterator, Mapping

from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Named
from partywall.model.facts_kubernetes import ServiceAccount
from partywall.model.node import Kind, Node
from partywall.resolve.rbac.capabilities import capabilities
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.places import by_nature, everybody, place

_SIGNED_IN = (Kind.GROUP, Kind.USER, Kind.SERVICE_ACCOUNT)


def memberships(facts: Facts, grants: Iterable[Grant], known: Mapping[str, Mapping[str, Evidence]]) -> Iterator[Edge]:
    """Yield an edge from every namespace, group, user and service account of a cluster to the place of all who are signed in."""
    given = list(grants)
    open_clusters = dict.fromkeys(
        grant.cluster for grant in given if grant.source.kind is Kind.ALL_AUTHENTICATED and any(capabilities(rule) for rule in grant.rules)
    )
    for cluster in open_clusters:
        members: dict[Node, Evidence] = {place(cluster, name): at for name, at in known.get(cluster, {}).items()}
        for grant in given:
            if grant.cluster == cluster and grant.source.kind in _SIGNED_IN:
                members.setdefault(grant.source, grant.because[0])
        for account in facts.of(ServiceAccount):
            if account.cluster == cluster:
                members.setdefault(Node(Kind.SERVICE_ACCOUNT, cluster, f"{account.namespace}/{account.name}"), account.at)
        for named in facts.of(Named):
            if named.node.scope == cluster and named.node.kind in (Kind.GROUP, Kind.USER):
                members.setdefault(named.node, named.at)
        yield from (Edge(member, "is member of", everybody(cluster), (at,), by_nature(member, at)) for member, at in members.items())
