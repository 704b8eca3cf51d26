"""Namespaces in which anybody makes pods: an empty `default` that nobody owns and nobody may use is no way onto the nodes."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import Rule, Workload
from partywall.model.node import Kind
from partywall.model.tenancy import Claim, Selector
from partywall.resolve.rbac.edges import about_the_place
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.places import place
from partywall.resolve.rights import places_of, tenants_grants

_MAKES = frozenset({"create workloads", "patch workloads"})


def inhabited(facts: Facts, cluster: str, names: Iterable[str], held: Iterable[Grant]) -> Mapping[str, None]:
    """Return the namespaces that somebody claims, in which something runs, or in which somebody may make pods, in the given order."""
    known = list(names)
    found = set(_claimed(facts, cluster, known))
    found |= {work.namespace for work in facts.of(Workload) if work.cluster == cluster}
    for grant in tenants_grants(held, cluster):
        if not grant.is_wide and _makes_pods(grant.rules):
            found.update(places_of(grant, known))
    return {name: None for name in known if name in found}


def _claimed(facts: Facts, cluster: str, names: Iterable[str]) -> Iterator[str]:
    exact: dict[str, list[Selector]] = {}
    globs: list[Selector] = []
    for claim in facts.of(Claim):
        selector = claim.selector
        if Kind.NAMESPACE in selector.kinds:
            (exact.setdefault(selector.name, []) if selector.is_exact else globs).append(selector)
    for name in names:
        if any(selector.matches(place(cluster, name)) for selector in (*exact.get(name, ()), *globs)):
            yield name


@lru_cache(maxsize=8192)
def _makes_pods(rules: tuple[Rule, ...]) -> bool:
    return any(held.capability.verb in _MAKES for held in about_the_place(rules, wide=False))
