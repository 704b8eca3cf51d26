"""From grants to edges: a loop over grants and capabilities."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from partywall.model.edge import Edge
from partywall.model.facts_kubernetes import Rule, Subject, SubjectKind, subject_node
from partywall.model.node import Kind, Node
from partywall.model.thing import Standing, Thing
from partywall.resolve.rbac.capabilities import Held, Target, capabilities
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.judge import MASTERS
from partywall.resolve.rbac.places import admin, cluster_object, is_glob, place


def edges(grant: Grant) -> Iterator[Edge]:
    """Yield one edge for each thing that a grant lets its source do, because of the first rule that says so."""
    here = place(grant.cluster, grant.namespace)
    if here != grant.source:
        yield from (edge(grant, held, here) for held in about_the_place(grant.rules, grant.is_wide))
    done: set[tuple[str, Node]] = set()
    for held in _about_others(grant.rules, grant.is_wide):
        for target in targets(grant, held, here):
            key = (held.capability.verb, target)
            if key not in done and target != grant.source:
                done.add(key)
                yield edge(grant, held, target)


@lru_cache(maxsize=8192)
def about_the_place(rules: tuple[Rule, ...], wide: bool) -> tuple[Held, ...]:
    """Return the first right for each verb on the place of the grant; equal roles are compiled once."""
    first: dict[str, Held] = {}
    for held in _all(rules, wide):
        if held.capability.target is Target.PLACE:
            first.setdefault(held.capability.verb, held)
    return tuple(first.values())


@lru_cache(maxsize=8192)
def _about_others(rules: tuple[Rule, ...], wide: bool) -> tuple[Held, ...]:
    return tuple(held for held in _all(rules, wide) if held.capability.target is not Target.PLACE)


def _all(rules: tuple[Rule, ...], wide: bool) -> Iterator[Held]:
    for number, rule in enumerate(rules):
        yield from (replace(held, number=number) for held in capabilities(rule) if wide or not held.capability.wide)


def edge(grant: Grant, held: Held, target: Node, verb: str = "", note: str = "") -> Edge:
    """Make an edge of a grant."""
    only = f", only {', '.join(held.names)}" if held.names else ""
    return Edge(
        grant.source,
        verb or held.capability.verb,
        target,
        grant.shown(grant.rules[held.number]),
        grant.lever,
        grant.certainty,
        grant.condition,
        note or f"{held.right} by {grant.role}{only}",
    )


def targets(grant: Grant, held: Held, here: Node) -> Iterator[Node]:
    """Yield what a capability is about, given where it was granted and for which names."""
    cluster = grant.cluster
    match held.capability.target:
        case Target.PLACE:
            yield here
        case Target.ADMIN:
            yield admin(cluster)
        case Target.NODES:
            yield Node(Kind.NODES, cluster, "*")
        case Target.OBJECT:
            yield from (cluster_object(cluster, resource) for _, resource in held.capability.resources)
        case Target.NAMESPACE:
            # A request for a namespace object has that namespace, so a RoleBinding there covers this one only.
            named = held.names if grant.is_wide else [name for name in held.names if name == grant.namespace]
            yield from (place(cluster, name) for name in named) if held.names else (here,)
        case Target.ACCOUNT:
            alone = grant.namespace and not is_glob(grant.namespace) and held.names
            yield from (Node(Kind.SERVICE_ACCOUNT, cluster, f"{grant.namespace}/{name}") for name in held.names) if alone else (here,)
        case Target.USER | Target.GROUP:
            # Without names, some user or group of the control plane may do everything.
            yield from (_impersonated(cluster, held.capability.target, name) for name in held.names) if held.names else (admin(cluster),)


def _impersonated(cluster: str, target: Target, name: str) -> Node:
    if target is Target.USER:
        return subject_node(cluster, Subject(SubjectKind.USER, name))
    return admin(cluster) if name == MASTERS else Node(Kind.GROUP, cluster, name)


def things(edge: Edge, grant: Grant) -> Iterator[Thing]:
    """Yield what must be said of an edge's target: settings of the cluster are the platform's."""
    if edge.target.kind is Kind.CLUSTER_OBJECT:
        yield Thing(edge.target, grant.because[0], standing=Standing.PLATFORM, starts=False)
