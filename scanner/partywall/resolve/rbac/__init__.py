"""Kubernetes RBAC: who may do what in which namespace. `can` answers one question; `RESOLVER` yields all edges."""

from collections.abc import Iterator

from partywall.model.document import Assumption, Gap
from partywall.model.edge import Edge
from partywall.model.facts import Facts, Listed, Named
from partywall.model.facts_eks import EksCluster, PodIdentity
from partywall.model.facts_kubernetes import (
    Admission,
    Binding,
    Namespace,
    OtherObject,
    Role,
    ServiceAccount,
    TokenSecret,
    VolumeClaim,
    Workload,
)
from partywall.model.node import cluster_name
from partywall.resolve import Resolved, Resolver
from partywall.resolve.rbac.edges import edges, things
from partywall.resolve.rbac.escalate import escalations
from partywall.resolve.rbac.grants import Grant, grants
from partywall.resolve.rbac.judge import Asker, Request, Rights, can, may_bind, may_write_role
from partywall.resolve.rbac.membership import memberships
from partywall.resolve.rbac.places import admin, by_nature, contents, namespaces, place, standing
from partywall.resolve.rbac.roles import drifts, roles_of
from partywall.resolve.rbac.tokens import token_edges

__all__ = ["RESOLVER", "Asker", "Request", "Rights", "can", "may_bind", "may_write_role", "resolve"]


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield the scopes of every cluster, what is in them, and what each binding gives."""
    known = namespaces(facts)
    for cluster, names in known.items():
        at = next(iter(names.values()), None) or next(eks.at for eks in facts.of(EksCluster) if eks.cluster == cluster)
        yield from standing(cluster, at)
        yield Edge(admin(cluster), "contains", place(cluster, ""), (at,), by_nature(admin(cluster), at))
        yield from contents(cluster, "", names)
    found: list[Grant] = []
    for item in grants(facts, known):
        if isinstance(item, Gap):
            yield item
            continue
        found.append(item)
        for made in edges(item):
            yield made
            yield from things(made, item)
    yield from escalations(found, roles_of(facts))
    yield from token_edges(facts, found)
    yield from memberships(facts, found, known)
    yield from _admission(facts)
    yield from drifts(facts)


def _admission(facts: Facts) -> Iterator[Assumption]:
    """What admission may refuse is no grant: without it we say more than is true, never less."""
    for cluster in dict.fromkeys(one.cluster for one in facts.of(Admission)):
        rules = [one for one in facts.of(Admission) if one.cluster == cluster]
        shown = ", ".join(f"{one.kind} {one.name}" for one in rules[:3]) + (f" and {len(rules) - 3} more" if len(rules) > 3 else "")
        yield Assumption(
            rules[0].at.document, f"admission of {cluster_name(cluster)} refuses nothing that a role allows: {shown} not evaluated"
        )


READS: tuple[type, ...] = (
    Admission,
    Binding,
    EksCluster,
    Listed,
    Named,
    Namespace,
    OtherObject,
    PodIdentity,
    Role,
    ServiceAccount,
    TokenSecret,
    VolumeClaim,
    Workload,
)
RESOLVER = Resolver("rbac", READS, resolve)
