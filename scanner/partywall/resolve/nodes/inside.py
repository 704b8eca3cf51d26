"""What lies on the nodes of a cluster: pods of every namespace, with their tokens and roles, and the nodes' own roles."""

from collections.abc import Iterator

from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_eks import EksCluster, NodeGroup, principal_node
from partywall.model.facts_kubernetes import ClusterNode
from partywall.model.node import Kind, Node
from partywall.model.thing import Cover, Standing, Thing
from partywall.resolve.nodes.security import clusters
from partywall.resolve.rbac.places import admin, by_nature, control_plane, place


def nodes(cluster: str) -> Node:
    """Return the node that stands for all machines of a cluster."""
    return Node(Kind.NODES, cluster, "*")


def inside(facts: Facts, cluster: str) -> Iterator[Thing | Edge]:
    """Yield the nodes as a scope over all namespaces, and what whoever controls them becomes."""
    known = clusters(facts)[cluster]
    at = _place(facts, cluster) or next(iter(known.values()), None)
    if at is None:
        return
    machines = nodes(cluster)
    covers = (Cover(Kind.NAMESPACE, cluster),)
    yield Thing(machines, at, standing=Standing.SCOPE, starts=False, covers=covers, members=(control_plane(cluster),))
    yield Edge(admin(cluster), "contains", machines, (at,), by_nature(admin(cluster), at))
    yield from (Edge(machines, "contains", place(cluster, name), (seen,), by_nature(machines, at)) for name, seen in known.items())
    # What the nodes of a HyperPod cluster run as is said with that cluster.
    for arn, seen in _roles(facts, cluster):
        yield Edge(machines, "runs as", principal_node(arn), (seen,), by_nature(machines, seen), note="the role of the nodes")


def _place(facts: Facts, cluster: str) -> Evidence | None:
    for node in facts.of(ClusterNode):
        if node.cluster == cluster:
            return node.at
    return next((one.at for one in facts.of(EksCluster) if one.cluster == cluster), None)


def _roles(facts: Facts, cluster: str) -> Iterator[tuple[str, Evidence]]:
    roles = {group.role_arn: group.at for group in facts.of(NodeGroup) if group.cluster == cluster and group.role_arn}
    yield from roles.items()
