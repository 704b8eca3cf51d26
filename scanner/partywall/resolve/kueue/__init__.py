"""Kueue and HyperPod task governance: who may use whose share of the cluster."""

from collections.abc import Iterator

from partywall.model.document import Direction, Gap, Reason
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import ConfigMap
from partywall.model.facts_kueue import (
    AdmissionCheck,
    ClusterQueue,
    Cohort,
    ComputeQuota,
    KueueConfig,
    LocalQueue,
    QueueGate,
    ResourceFlavor,
    WorkloadPriority,
)
from partywall.model.tenancy import Claim, Contract
from partywall.model.verbs import Lane
from partywall.resolve import Resolved, Resolver
from partywall.resolve.kueue.doors import doors
from partywall.resolve.kueue.forecast import field
from partywall.resolve.kueue.priorities import outranking
from partywall.resolve.kueue.queues import Queues, clusters, queues, things
from partywall.resolve.kueue.shares import tree_of
from partywall.resolve.kueue.terms import broken_terms
from partywall.resolve.kueue.unheld import unheld
from partywall.resolve.kueue.writers import writers
from partywall.resolve.rights import RIGHTS_READ, rights

READS: tuple[type, ...] = (
    *(ClusterQueue, LocalQueue, Cohort, KueueConfig, QueueGate, ComputeQuota, ConfigMap, Contract, Claim),
    *(AdmissionCheck, ResourceFlavor, WorkloadPriority),
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
        yield from outranking(here, field(here, facts), facts)
        yield from broken_terms(here, facts)
        yield from _loops(here, facts)


def _loops(here: Queues, facts: Facts) -> Iterator[Gap]:
    """Yield the cohorts that hang below themselves: the server accepts them (measured), and Kueue admits nothing that is below one."""
    cohorts = [cohort for cohort in facts.of(Cohort) if cohort.cluster == here.cluster]
    tree = tree_of(("", ""), here.queues.values(), cohorts)
    for cohort in cohorts:
        if cohort.name in tree.looped:
            nodes = tuple(here.node(name) for name in tree.queues if cohort.name in tree.above(name)) or (here.capacity,)
            at = cohort.at.below("spec")
            what = f"who shares with whom in cohort {cohort.name}, which hangs below itself"
            remedy = f"give cohort {cohort.name} a parent that is not below it, or none"
            yield Gap(at.document, what, Reason.UNEVALUABLE, Direction.INCOMING, nodes, (Lane.COMPUTE,), remedy, at)


RESOLVER = Resolver("kueue", READS, resolve)
