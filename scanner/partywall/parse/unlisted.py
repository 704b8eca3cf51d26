"""Kinds that decide together: where some of them were listed for a cluster and another was not, what the other says is in question."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from partywall.model.document import Direction, Gap, Reason
from partywall.model.facts import Fact, Facts, Listed, Named
from partywall.model.facts_kubernetes import Binding, Namespace, PersistentVolume, VolumeClaim
from partywall.model.facts_kueue import ClusterQueue, LocalQueue
from partywall.model.node import Kind, Node, cluster_name
from partywall.model.verbs import Lane

ACT, VIEW, DATA, NETWORK, COMPUTE, IDENTITY = Lane
RIGHTS = (ACT, VIEW, DATA, NETWORK, COMPUTE, IDENTITY)


@dataclass(frozen=True, slots=True)
class Companion:
    """A kind that must be listed where one of `beside` is; `given` are the facts of it, `nodes` what it could open."""

    kind: str
    beside: frozenset[str]
    given: Callable[[Facts], Iterator[Fact]]
    nodes: Callable[[Facts, str], Iterator[Node]]
    lanes: tuple[Lane, ...]
    what: str
    command: str
    direction: Direction = Direction.INCOMING


def unlisted(facts: Facts) -> Iterator[Gap]:
    """Yield a gap for each kind of a cluster that was left out between its companions.

    A folder of single objects, or one list of several kinds, is what somebody chose to give: only a list of one kind
    (`kubectl get KIND -A -o json`) calls for its companions.
    """
    kinds = Counter(listing.at for listing in facts.of(Listed))
    alone = [listing for listing in facts.of(Listed) if kinds[listing.at] == 1 and "/" in listing.scope]
    for companion in COMPANIONS:
        given = {getattr(fact, "cluster", "") for fact in companion.given(facts)}
        for scope, listing in {listing.scope: listing for listing in alone if listing.kind in companion.beside}.items():
            if scope not in given and not facts.listed(companion.kind, scope):
                nodes = tuple(dict.fromkeys(companion.nodes(facts, scope)))
                if not nodes:
                    continue
                yield Gap(
                    source=f"kubernetes:{companion.kind}",
                    what=f"{companion.what} of {cluster_name(scope) or 'the cluster'}",
                    reason=Reason.ABSENT,
                    direction=companion.direction,
                    nodes=nodes,
                    lanes=companion.lanes,
                    remedy=companion.command,
                    at=listing.at,
                )


def _bindings(facts: Facts) -> Iterator[Fact]:
    return (binding for binding in facts.of(Binding) if binding.namespace)


def _cluster_bindings(facts: Facts) -> Iterator[Fact]:
    return (binding for binding in facts.of(Binding) if not binding.namespace)


def _local_queues(facts: Facts) -> Iterator[Fact]:
    return iter(facts.of(LocalQueue))


def _places(facts: Facts, scope: str) -> Iterator[Node]:
    yield Node(Kind.NAMESPACES, scope, "*")
    yield from (Node(Kind.NAMESPACE, scope, namespace.name) for namespace in facts.of(Namespace) if namespace.cluster == scope)
    yield from (named.node for named in facts.of(Named) if named.node.kind is Kind.NAMESPACE and named.node.scope == scope)


def _queues(facts: Facts, scope: str) -> Iterator[Node]:
    return (Node(Kind.QUEUE, scope, queue.name) for queue in facts.of(ClusterQueue) if queue.cluster == scope)


def _volumes(facts: Facts) -> Iterator[Fact]:
    return iter(facts.of(PersistentVolume))


def _claimants(facts: Facts, scope: str) -> Iterator[Node]:
    return (Node(Kind.NAMESPACE, scope, claim.namespace) for claim in facts.of(VolumeClaim) if claim.cluster == scope and claim.volume)


RBAC = frozenset({"Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"})
COMPANIONS: tuple[Companion, ...] = (
    Companion("RoleBinding", RBAC, _bindings, _places, RIGHTS, "the role bindings", "kubectl get rolebindings -A -o json"),
    Companion(
        "ClusterRoleBinding",
        RBAC,
        _cluster_bindings,
        _places,
        RIGHTS,
        "the cluster role bindings",
        "kubectl get clusterrolebindings -o json",
    ),
    Companion(
        "LocalQueue",
        frozenset({"ClusterQueue"}),
        _local_queues,
        _queues,
        (COMPUTE,),
        "the local queues",
        "kubectl get localqueues -A -o json",
    ),
    Companion(
        "PersistentVolume",
        frozenset({"PersistentVolumeClaim"}),
        _volumes,
        _claimants,
        (DATA,),
        "the volumes behind the claims",
        "kubectl get persistentvolumes -o json",
        Direction.OUTGOING,
    ),
)
