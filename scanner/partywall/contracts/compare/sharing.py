"""Isolation, visibility and cost of a contract, beside what is real."""

from collections.abc import Iterator, Mapping, Sequence

from partywall.contracts.compare.case import Case
from partywall.contracts.difference import Difference, Drift
from partywall.contracts.records import part
from partywall.model.document import Gap
from partywall.model.evidence import Evidence
from partywall.model.facts_data import BucketTags
from partywall.model.facts_kubernetes import ClusterNode, Namespace, Workload
from partywall.model.facts_studio import HyperPodCluster
from partywall.model.node import Kind, Node
from partywall.model.tenancy import PLATFORM


def compare_isolation(case: Case) -> Iterator[Difference | Gap]:
    """Yield other tenants on a cluster, or on nodes, that the contract calls dedicated."""
    match case.record.get("isolation"):
        case "dedicated-cluster":
            yield from _other_tenants(case)
        case "dedicated-nodes":
            yield from _other_pods(case)
            yield from _untainted(case)
        case _:
            return


def _other_tenants(case: Case) -> Iterator[Difference]:
    others: dict[str, Namespace] = {}
    for namespace in case.facts.of(Namespace):
        if namespace.cluster == case.cluster:
            for owner in case.reality.owners(Node(Kind.NAMESPACE, case.cluster, namespace.name)):
                if owner not in (case.tenant, PLATFORM):
                    others.setdefault(owner, namespace)
    for owner, namespace in sorted(others.items()):
        message = (
            f"cluster {case.cluster_word} is dedicated to {case.tenant} by its contract, and namespace {namespace.name} of {owner} is in it"
        )
        yield case.differs("isolation", owner, Drift.DIFFERS, "dedicated-cluster", f"shared with {owner}", message, (namespace.at,))


def _other_pods(case: Case) -> Iterator[Difference | Gap]:
    placed = [workload for workload in case.facts.of(Workload) if workload.cluster == case.cluster and workload.node_name and workload.runs]
    if not placed:
        if _keeps_away(case):
            return
        yield case.unjudged("isolation", f"no running pod of cluster {case.cluster_word} was read", "kubectl get pods -A -o json")
        return
    mine = {workload.node_name: workload for workload in placed if case.owns_namespace(workload.namespace)}
    done: set[tuple[str, str]] = set()
    for workload in placed:
        for owner in case.reality.owners(Node(Kind.NAMESPACE, case.cluster, workload.namespace)):
            if workload.node_name in mine and owner not in (case.tenant, PLATFORM) and (owner, workload.node_name) not in done:
                done.add((owner, workload.node_name))
                message = (
                    f"{workload.namespace}/{workload.name} of {owner} runs on node {workload.node_name}, "
                    f"where {case.tenant} runs too; the contract says dedicated nodes"
                )
                own = mine[workload.node_name]
                yield case.differs(
                    "isolation",
                    f"{owner}/{workload.node_name}",
                    Drift.DIFFERS,
                    "dedicated-nodes",
                    f"shared with {owner}",
                    message,
                    (workload.at, own.at),
                )


# Kubernetes, "Taints and Tolerations": `PreferNoSchedule` is a wish.
_KEEPS_AWAY = frozenset({"NoSchedule", "NoExecute"})


def _keeps_away(case: Case) -> Sequence[tuple[bool, Evidence]]:
    """Tell of each node, or of each instance group where no node was read, whether a taint keeps pods away that do not tolerate it."""
    mine = [node for node in case.facts.of(ClusterNode) if node.cluster == case.cluster]
    nodes = [(any(effect in _KEEPS_AWAY for _, _, effect in node.taints), node.at) for node in mine]
    clusters = [cluster for cluster in case.facts.of(HyperPodCluster) if cluster.scope == case.cluster]
    return nodes or [(bool(_KEEPS_AWAY & set(group.taints)), group.at) for cluster in clusters for group in cluster.groups]


def _untainted(case: Case) -> Iterator[Difference]:
    """Yield that no node of the cluster keeps anybody away: which nodes a pod asks for is its owner's choice."""
    found = _keeps_away(case)
    if found and not any(keeps for keeps, _ in found):
        message = (
            f"no node of cluster {case.cluster_word} has a taint that keeps other pods away; "
            f"the contract of {case.tenant} says dedicated nodes"
        )
        yield case.differs("isolation", "taints", Drift.NOT_REAL, "dedicated-nodes", "no taint", message, [at for _, at in found[:4]])


def compare_visibility(case: Case) -> Iterator[Difference]:
    """Yield tenants whose tasks the contract's tenant can look at, beyond what it says."""
    written = case.part("visibility").get("tasks")
    if written is None or written == "all" or case.reality.sees is None:
        return
    allowed = {case.tenant, PLATFORM, *(() if isinstance(written, str) else case.names("visibility", "tasks") or ())}
    for other in sorted(set(case.reality.sees(case.tenant)) - allowed):
        approved = written if isinstance(written, str) else ", ".join(map(str, case.names("visibility", "tasks") or ()))
        message = f"{case.tenant} can look at the tasks of {other}; its contract says {approved}"
        yield case.differs("visibility.tasks", other, Drift.NOT_APPROVED, approved, other, message)


def compare_cost(case: Case) -> Iterator[Difference]:
    """Yield labels of namespaces and tags of buckets that attribute cost otherwise than the contract says."""
    cost = case.part("cost")
    for namespace in case.facts.of(Namespace) if part(cost, "labels") else ():
        if namespace.cluster == case.cluster and case.owns(Node(Kind.NAMESPACE, case.cluster, namespace.name)):
            for key, approved, real in _other_values(_texts(cost, "labels"), namespace.labels):
                message = f"namespace {namespace.name} of {case.tenant} has label {key}={real or '(none)'}; the contract says {approved}"
                yield case.differs(
                    "cost.labels",
                    f"{namespace.name}/{key}",
                    Drift.DIFFERS,
                    approved,
                    real or "no label",
                    message,
                    (namespace.at,),
                    f"cost.labels.{key}",
                )
    for bucket in case.facts.of(BucketTags) if part(cost, "tags") else ():
        if case.reality.owners(Node(Kind.BUCKET, "", bucket.bucket)) == (case.tenant,):
            for key, approved, real in _other_values(_texts(cost, "tags"), bucket.tags):
                message = f"bucket {bucket.bucket} of {case.tenant} has tag {key}={real or '(none)'}; the contract says {approved}"
                yield case.differs(
                    "cost.tags",
                    f"{bucket.bucket}/{key}",
                    Drift.DIFFERS,
                    approved,
                    real or "no tag",
                    message,
                    (bucket.at,),
                    f"cost.tags.{key}",
                )


def _texts(cost: Mapping[str, object], key: str) -> Mapping[str, str]:
    found = cost.get(key)
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, Mapping) else {}


def _other_values(approved: Mapping[str, str], real: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for key, value in approved.items():
        if real.get(key) != value:
            yield key, value, real.get(key, "")
