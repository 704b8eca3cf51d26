"""Who may change quotas, queues and priorities."""

from collections.abc import Iterator, Mapping, Sequence

from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import Rule
from partywall.model.node import Node
from partywall.resolve.kueue.doors import KUEUE
from partywall.resolve.kueue.queues import Queues
from partywall.resolve.kueue.unheld import CONSUME
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.matching import allows
from partywall.resolve.rbac.places import place
from partywall.resolve.rights import tenants_grants

_WRITE = ("create", "update", "patch", "delete", "deletecollection")
# Cluster-scoped kinds, and what writing them does (Kueue, "Concepts").
_KINDS: Mapping[str, str] = {
    "clusterqueues": "change quota of",
    "clusterqueues/status": "change quota of",
    "cohorts": "change quota of",
    "resourceflavors": "change quota of",
    "admissionchecks": "change quota of",
    "topologies": "change quota of",
    "workloadpriorityclasses": "change priorities of",
}


def writers(here: Queues, held: Sequence[Grant]) -> Iterator[Edge]:
    """Yield an edge to the capacity, or to the queues that a rule names, from everybody who may write what shares it out."""
    for grant in tenants_grants(held, here.cluster):
        for rule in grant.rules:
            because = grant.shown(rule)
            for resource, verb in _KINDS.items() if grant.is_wide else ():
                names = rule.names if resource.startswith("clusterqueues") else ()
                if right := _right(rule, _WRITE, resource):
                    yield from _edges(here, grant, because, names, verb, right)
            yield from _of_namespaces(here, grant, rule, because)
            # Whoever writes a workload's status says that it is admitted.
            if right := _right(rule, ("update", "patch"), "workloads/status"):
                yield from _edges(here, grant, because, (), CONSUME, right)


def _of_namespaces(here: Queues, grant: Grant, rule: Rule, because: tuple[Evidence, ...]) -> Iterator[Edge]:
    """Yield edges to the namespaces whose workloads and doors somebody may write: a workload that is made inactive stops its job."""
    target = place(here.cluster, grant.namespace)
    for verb, verbs in (("change", ("update", "patch")), ("delete", ("delete", "deletecollection"))):
        found = [right for resource in ("workloads", "localqueues") if (right := _right(rule, verbs, resource))]
        if found:
            yield Edge(grant.source, verb, target, because, grant.lever, grant.certainty, grant.condition, f"{found[0]}, role {grant.role}")


def _right(rule: Rule, verbs: tuple[str, ...], resource: str) -> str:
    """Return the first right that a rule gives; what is created or deleted by the dozen has no name that a rule could ask for."""
    name = rule.names[0] if rule.names else ""
    asked = (verb for verb in verbs if not name or verb not in ("create", "deletecollection"))
    return next((f"{verb} {resource}" for verb in asked if allows(rule, verb, KUEUE, resource, name)), "")


def _edges(here: Queues, grant: Grant, because: tuple[Evidence, ...], names: tuple[str, ...], verb: str, right: str) -> Iterator[Edge]:
    targets: tuple[Node, ...] = tuple(map(here.node, names)) if names else (here.capacity,)
    for target in targets:
        yield Edge(grant.source, verb, target, because, grant.lever, grant.certainty, grant.condition, f"{right}, role {grant.role}")
