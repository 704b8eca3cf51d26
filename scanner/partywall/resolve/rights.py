"""Every right in a cluster, whether a binding or an access policy gives it."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from partywall.model.facts import Facts
from partywall.model.facts_eks import AccessEntry, AccessEntryName, AccessPolicy
from partywall.model.node import Kind, Node
from partywall.model.thing import glob_matches
from partywall.resolve.eks.grants import policy_grants
from partywall.resolve.eks.principals import principals
from partywall.resolve.rbac import READS as BINDINGS_READ
from partywall.resolve.rbac.grants import Grant, grants
from partywall.resolve.rbac.matching import ANY
from partywall.resolve.rbac.places import is_glob, namespaces

RIGHTS_READ: tuple[type, ...] = (*BINDINGS_READ, AccessEntry, AccessEntryName, AccessPolicy)


@lru_cache(maxsize=2)
def rights(facts: Facts) -> tuple[Grant, ...]:
    """Return what subjects and principals hold; what their own resolvers report as gaps is left to those."""
    bound = (grant for grant in grants(facts, namespaces(facts)) if isinstance(grant, Grant))
    return (*bound, *policy_grants(facts, principals(facts)))


def is_of_system(source: Node) -> bool:
    """Tell whether a subject is a part of Kubernetes or EKS itself."""
    if source.kind in (Kind.USER, Kind.GROUP):
        return source.name.startswith(("system:", "eks:"))
    return source.kind is Kind.SERVICE_ACCOUNT and source.name.startswith("kube-system/")


def is_administration(grant: Grant) -> bool:
    """Tell whether a grant gives everything in the whole cluster: then RBAC says all that is to be said."""
    return grant.is_wide and any(ANY in rule.verbs and ANY in rule.groups and ANY in rule.resources for rule in grant.rules)


def tenants_grants(held: Iterable[Grant], cluster: str) -> Iterator[Grant]:
    """Yield the grants of a cluster that are worth asking about: not those of the system itself, nor those of its administrators."""
    return (grant for grant in held if grant.cluster == cluster and not is_of_system(grant.source) and not is_administration(grant))


def places_of(grant: Grant, names: Iterable[str]) -> Iterator[str]:
    """Yield the namespaces, out of those that exist, in which a grant holds."""
    if grant.is_wide or is_glob(grant.namespace):
        return (name for name in names if grant.is_wide or glob_matches(grant.namespace, name))
    return (name for name in names if name == grant.namespace)
