"""Kueue and HyperPod task governance: who may use whose share of the cluster."""

from collections.abc import Iterator

from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import ConfigMap
from partywall.model.facts_kueue import ClusterQueue, Cohort, ComputeQuota, KueueConfig, LocalQueue, QueueGate
from partywall.model.tenancy import Claim, Contract
from partywall.resolve import Resolved, Resolver
from partywall.resolve.kueue.doors import doors
from partywall.resolve.kueue.queues import clusters, queues, things
from partywall.resolve.kueue.terms import broken_terms
from partywall.resolve.kueue.unheld import unheld
from partywall.resolve.kueue.writers import writers
from partywall.resolve.rights import RIGHTS_READ, rights

READS: tuple[type, ...] = (
    *(ClusterQueue, LocalQueue, Cohort, KueueConfig, QueueGate, ComputeQuota, ConfigMap, Contract, Claim),
    *RIGHTS_READ,
)


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield the queues of every cluster, and every way past or into them."""
    held = rights(facts) if clusters(facts) else []
    for cluster in clusters(facts):
        here = queues(facts, cluster)
        yield from things(here)
        yield from unheld(here, held)
        yield from doors(here, held, facts)
        yield from writers(here, held)
        yield from broken_terms(here, facts)


RESOLVER = Resolver("kueue", READS, resolve)
