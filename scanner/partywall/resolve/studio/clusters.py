"""HyperPod clusters: what their nodes are, and who may change them."""

from collections.abc import Iterator

from partywall.model.edge import Edge, Lever, Move
from partywall.model.facts import Facts
from partywall.model.facts_studio import HyperPodCluster
from partywall.model.node import Kind, Node
from partywall.model.thing import Cover, Standing, Thing
from partywall.resolve.data.asking import request_on, where
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.naming import role_node
from partywall.resolve.iam.rights import Estate
from partywall.resolve.iam.ways import identity_ways
from partywall.resolve.studio.sessions import nodes_of

# (action, verb, kind of target): what a change of the cluster is worth. New nodes run new scripts as root.
CHANGES: tuple[tuple[str, str, Kind], ...] = (
    ("sagemaker:updatecluster", "update cluster", Kind.NODES),
    ("sagemaker:updateclustersoftware", "update cluster", Kind.NODES),
    ("sagemaker:batchaddclusternodes", "update cluster", Kind.NODES),
    ("sagemaker:batchdeleteclusternodes", "delete", Kind.NODES),
    ("sagemaker:deletecluster", "delete", Kind.NODES),
)
# Quotas and scheduling live on resources of their own, in the cluster's account and Region.
SCHEDULING: tuple[tuple[str, str, str], ...] = (
    ("sagemaker:updatecomputequota", "change quota of", "compute-quota/*"),
    ("sagemaker:createcomputequota", "change quota of", "compute-quota/*"),
    ("sagemaker:deletecomputequota", "change quota of", "compute-quota/*"),
    ("sagemaker:updateclusterschedulerconfig", "change priorities of", "cluster-scheduler-config/*"),
    ("sagemaker:deleteclusterschedulerconfig", "change priorities of", "cluster-scheduler-config/*"),
)


def cluster_things(facts: Facts) -> Iterator[Thing]:
    """Yield the nodes of each cluster: they carry the pods and jobs of all its tenants, and the platform's."""
    for cluster in facts.of(HyperPodCluster):
        covers = (Cover(Kind.NAMESPACE, cluster.scope), Cover(Kind.SLURM_ACCOUNT, cluster.scope))
        roles = tuple(dict.fromkeys(role_node(group.role) for group in cluster.groups if group.role))
        yield Thing(nodes_of(cluster), cluster.at, standing=Standing.SCOPE, covers=covers, members=roles)
        for role in roles:
            yield Thing(role, cluster.at, standing=Standing.PLATFORM)


def cluster_edges(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield what nodes run as, and who may change clusters, quotas and scheduling."""
    for cluster in facts.of(HyperPodCluster):
        yield from _node_roles(cluster)
        yield from _changes(estate, cluster)
        yield from _scheduling(estate, cluster)


def _node_roles(cluster: HyperPodCluster) -> Iterator[Edge]:
    for group in cluster.groups:
        if group.role:
            at = group.at.below("ExecutionRole")
            text = f"block the instance metadata service for what runs on the nodes of {group.name}"
            lever = Lever(Move.SET, "instance group", cluster.scope, f"{group.name} / role", (at,), text)
            yield Edge(nodes_of(cluster), "runs as", role_node(group.role), (at,), lever, note=f"instance group {group.name}")


def _changes(estate: Estate, cluster: HyperPodCluster) -> Iterator[Edge]:
    names = dict.fromkeys((cluster.arn, f"arn:aws:sagemaker:{cluster.region}:{cluster.account}:cluster/{cluster.name}"))
    for action, verb, _ in CHANGES:
        for rights in estate.of_account(cluster.account):
            for arn in names if rights.allows(action) else ():
                for way in identity_ways(rights, request_on(rights, action, arn, where(cluster.account, cluster.region))):
                    yield edge(rights.node, verb, nodes_of(cluster), way, note=action, also=(cluster.at,))


def _scheduling(estate: Estate, cluster: HyperPodCluster) -> Iterator[Edge]:
    for action, verb, resource in SCHEDULING:
        region = f"arn:aws:sagemaker:{cluster.region}:{cluster.account}:{resource}"
        for rights in estate.of_account(cluster.account):
            for way in identity_ways(rights, request_on(rights, action, region, where(cluster.account, cluster.region))):
                yield edge(rights.node, verb, Node(Kind.CAPACITY, cluster.scope, "*"), way, note=action, also=(cluster.at,))
