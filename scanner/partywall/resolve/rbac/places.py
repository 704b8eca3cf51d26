"""Where rights hold: namespaces, sets of them, and the whole cluster, as nodes and as things that stand over others."""

from collections.abc import Iterator, Mapping

from partywall.model.edge import Edge, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Named
from partywall.model.facts_eks import EksCluster, PodIdentity
from partywall.model.facts_kubernetes import Binding, Namespace, OtherObject, Role, ServiceAccount, VolumeClaim, Workload
from partywall.model.node import Kind, Node
from partywall.model.thing import Cover, Standing, Thing, glob_matches

EVERYWHERE = "*"


def place(cluster: str, namespace: str) -> Node:
    """Return the node of a namespace, of a glob over namespaces, or of all of them (an empty name)."""
    if not namespace:
        return Node(Kind.NAMESPACES, cluster, EVERYWHERE)
    return Node(Kind.NAMESPACES if is_glob(namespace) else Kind.NAMESPACE, cluster, namespace)


def is_glob(namespace: str) -> bool:
    """Tell whether a namespace of an access scope is a pattern; `*` may stand anywhere (EKS user guide, "Associate access policies")."""
    return "*" in namespace


def admin(cluster: str) -> Node:
    """Return the node of those who may do everything in a cluster."""
    return Node(Kind.CLUSTER_ADMIN, cluster, EVERYWHERE)


def everybody(cluster: str) -> Node:
    """Return the place of all who can authenticate to a cluster."""
    return Node(Kind.ALL_AUTHENTICATED, cluster, EVERYWHERE)


def control_plane(cluster: str) -> Node:
    """Return the platform's own part of a cluster."""
    return Node(Kind.CLUSTER_OBJECT, cluster, "control plane")


def cluster_object(cluster: str, name: str) -> Node:
    """Return the node of a kind of cluster-scoped objects."""
    return Node(Kind.CLUSTER_OBJECT, cluster, name)


def namespaces(facts: Facts) -> Mapping[str, Mapping[str, Evidence]]:
    """Return the known namespaces of each cluster with the place that shows each; a namespace is known by whatever lies in it."""
    found: dict[str, dict[str, Evidence]] = {}
    for namespace in facts.of(Namespace):
        found.setdefault(namespace.cluster, {}).setdefault(namespace.name, namespace.at)
    for cluster in facts.of(EksCluster):
        found.setdefault(cluster.cluster, {})
    for cluster_scope, name, at in _inside(facts):
        if name:
            found.setdefault(cluster_scope, {}).setdefault(name, at)
    for named in facts.of(Named):
        if named.node.kind is Kind.NAMESPACE and not is_glob(named.node.name):
            found.setdefault(named.node.scope, {}).setdefault(named.node.name, named.at)
    return found


def _inside(facts: Facts) -> Iterator[tuple[str, str, Evidence]]:
    found: list[Workload | ServiceAccount | Role | Binding | VolumeClaim | OtherObject | PodIdentity] = [
        *facts.of(Workload),
        *facts.of(ServiceAccount),
        *facts.of(Role),
        *facts.of(Binding),
        *facts.of(VolumeClaim),
        *facts.of(OtherObject),
        *facts.of(PodIdentity),
    ]
    yield from ((fact.cluster, fact.namespace, fact.at) for fact in found)


def standing(cluster: str, at: Evidence) -> Iterator[Thing]:
    """Yield the scopes over a cluster's namespaces: they are nobody's home, and touch all owners inside, the platform too."""
    plane = control_plane(cluster)
    inside = (Cover(Kind.NAMESPACE, cluster),)
    yield Thing(plane, at, standing=Standing.PLATFORM, starts=False)
    yield Thing(admin(cluster), at, standing=Standing.SCOPE, starts=False, covers=inside, members=(plane,))
    yield glob_thing(cluster, "", at)
    yield Thing(everybody(cluster), at, standing=Standing.PLACE, starts=False)


def glob_thing(cluster: str, pattern: str, at: Evidence) -> Thing:
    """Return the scope over the namespaces that a pattern matches."""
    return Thing(
        place(cluster, pattern), at, standing=Standing.SCOPE, starts=False, covers=(Cover(Kind.NAMESPACE, cluster, pattern or EVERYWHERE),)
    )


def contents(cluster: str, pattern: str, known: Mapping[str, Evidence]) -> Iterator[Edge]:
    """Yield the edges by nature from a scope to each known namespace inside."""
    over = place(cluster, pattern)
    for name, at in known.items():
        if not pattern or glob_matches(pattern, name):
            yield Edge(over, "contains", place(cluster, name), (at,), by_nature(over, at))


def by_nature(node: Node, *at: Evidence) -> Lever:
    """Return the lever of an edge that no grant makes: what stands there would have to stand elsewhere."""
    return Lever(Move.SET, "Placement", node.scope, f"{node.kind.value} {node.name}", at, f"move what others own out of {node}")
