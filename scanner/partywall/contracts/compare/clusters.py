"""The cluster of a contract: is it the one that is really there?"""

from collections.abc import Iterator, Mapping

from partywall.contracts.compare.case import Case
from partywall.contracts.difference import Difference, Drift
from partywall.contracts.records import text
from partywall.model.document import Gap
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_eks import AccessEntry, AccessEntryName, EksCluster, MappedPrincipal, PodIdentity, PodIdentityName
from partywall.model.facts_kubernetes import Namespace, Workload
from partywall.model.facts_kueue import ClusterQueue, ComputeQuota
from partywall.model.facts_slurm import Association, Partition
from partywall.model.facts_studio import HyperPodCluster
from partywall.model.node import cluster_name

_OfCluster = (
    Association
    | Partition
    | EksCluster
    | AccessEntryName
    | AccessEntry
    | MappedPrincipal
    | PodIdentityName
    | PodIdentity
    | Namespace
    | Workload
    | ClusterQueue
    | ComputeQuota
)


def real_clusters(facts: Facts) -> Mapping[str, tuple[str, ...]]:
    """Return the canonical scopes of the clusters that were read, by each name that people know them by."""
    found: dict[str, dict[str, None]] = {}
    for fact in _of_clusters(facts):
        if fact.cluster:
            found.setdefault(cluster_name(fact.cluster), {}).setdefault(fact.cluster)
    for cluster in facts.of(HyperPodCluster):
        for name in (cluster.name, cluster_name(cluster.scope)):
            found.setdefault(name, {}).setdefault(cluster.scope)
    return {name: tuple(scopes) for name, scopes in found.items()}


def _of_clusters(facts: Facts) -> Iterator[_OfCluster]:
    yield from facts.of(EksCluster)
    yield from facts.of(AccessEntryName)
    yield from facts.of(AccessEntry)
    yield from facts.of(MappedPrincipal)
    yield from facts.of(PodIdentityName)
    yield from facts.of(PodIdentity)
    yield from facts.of(Namespace)
    yield from facts.of(Workload)
    yield from facts.of(ClusterQueue)
    yield from facts.of(Association)
    yield from facts.of(Partition)
    yield from facts.of(ComputeQuota)


def compare_cluster(case: Case) -> Iterator[Difference | Gap]:
    """Yield what account, Region and orchestrator of the contract's cluster differ in."""
    written = case.part("cluster")
    if not text(written, "name"):
        return
    described = list(_described(case))
    if not described:
        # What was read of the very cluster that the contract names shows by its ARNs and places that account and Region are right.
        seen = case.contract.cluster in case.reality.clusters.get(case.cluster_word, ())
        if not seen and any(written.get(key) for key in ("account", "region", "orchestrator")):
            yield case.unjudged("cluster", f"nothing of cluster {case.cluster_word} was read", _remedy(case))
        return
    for key, approved in written.items():
        real = {each[key]: at for each, at in described if each.get(key)}
        wanted = str(approved).lower() if key == "orchestrator" else str(approved)
        if key in ("account", "region", "orchestrator") and real and wanted not in real:
            names = " or ".join(real)
            message = (
                f"the contract of {case.tenant} names {key} {approved} for cluster {case.cluster_word}, which is in {names}"
                if key != "orchestrator"
                else f"the contract of {case.tenant} says that cluster {case.cluster_word} is run by {wanted}, and {names} runs it"
            )
            yield case.differs(
                f"cluster.{key}", case.cluster_word, Drift.DIFFERS, str(approved), names, message, real.values(), f"cluster.{key}"
            )


def _described(case: Case) -> Iterator[tuple[Mapping[str, str], Evidence]]:
    name = text(case.part("cluster"), "name")
    for cluster in case.facts.of(HyperPodCluster):
        if name in (cluster.name, cluster_name(cluster.scope)):
            yield {"account": cluster.account, "region": cluster.region, "orchestrator": cluster.orchestrator.value}, cluster.at
    for eks in case.facts.of(EksCluster):
        if cluster_name(eks.cluster) == name:
            account, region, _ = (*eks.cluster.split("/"), "", "")[:3]
            yield {"account": account, "region": region, "orchestrator": "eks"}, eks.at


def _remedy(case: Case) -> str:
    if text(case.part("cluster"), "orchestrator").lower() == "eks":
        return f"aws eks describe-cluster --name {case.cluster_word}"
    return f"aws sagemaker describe-cluster --cluster-name {case.cluster_word}"
