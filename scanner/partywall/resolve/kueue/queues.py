"""The queues of a cluster: whose each is, whom it admits, who has a door to it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import ConfigMap, Namespace, Workload
from partywall.model.facts_kueue import ClusterQueue, ComputeQuota, KueueConfig, LocalQueue, QueueGate
from partywall.model.node import Kind, Node
from partywall.model.tenancy import Contract, Status
from partywall.model.thing import Cover, Standing, Thing
from partywall.resolve.labels import NAME_LABEL, chosen, selects
from partywall.resolve.rbac.places import namespaces

TEAM = "hyperpod-ns-"
_SUFFIX = "-clusterqueue"


@dataclass(frozen=True, slots=True)
class Queues:
    """One cluster's queues. `homes` names the namespace that a queue belongs to, where exactly one is meant.

    `asked` says that Kueue's own configuration is in question.
    """

    cluster: str
    queues: Mapping[str, ClusterQueue]
    doors: tuple[LocalQueue, ...]
    quotas: tuple[ComputeQuota, ...]
    config: KueueConfig | None
    gates: tuple[QueueGate, ...]
    rank_gates: tuple[QueueGate, ...]
    workloads: tuple[Workload, ...]
    places: Mapping[str, Evidence]
    labels: Mapping[str, Mapping[str, str]]
    homes: Mapping[str, str]
    asked: bool

    def admits(self, queue: ClusterQueue, namespace: str) -> bool | None:
        """Tell whether a queue's selector admits a namespace; None where that hangs on labels that were not read."""
        if queue.namespaces is None:
            return False
        if namespace in self.labels:
            return selects(queue.namespaces, self.labels[namespace])
        never = chosen((queue.namespaces,), (), {NAME_LABEL: namespace}) is None
        always = chosen((), (queue.namespaces,), {NAME_LABEL: namespace}) is None
        return False if never else True if always else None

    def node(self, name: str) -> Node:
        """Return the node of a queue."""
        return Node(Kind.QUEUE, self.cluster, name)

    def namespace(self, name: str) -> Node:
        """Return the node of a namespace."""
        return Node(Kind.NAMESPACE, self.cluster, name)

    @property
    def capacity(self) -> Node:
        """Return the node of all that the queues share out."""
        return Node(Kind.CAPACITY, self.cluster, "*")


def clusters(facts: Facts) -> list[str]:
    """Return the clusters that have queues of either kind or compute quotas."""
    found = (
        *(queue.cluster for queue in facts.of(ClusterQueue)),
        *(quota.cluster for quota in facts.of(ComputeQuota)),
        *(door.cluster for door in facts.of(LocalQueue)),
    )
    return list(dict.fromkeys(found))


def queues(facts: Facts, cluster: str) -> Queues:
    """Gather a cluster's queues."""
    found = {queue.name: queue for queue in facts.of(ClusterQueue) if queue.cluster == cluster}
    doors = tuple(door for door in facts.of(LocalQueue) if door.cluster == cluster)
    quotas = tuple(quota for quota in facts.of(ComputeQuota) if quota.cluster == cluster and quota.enabled)
    labels = {each.name: {**each.labels, NAME_LABEL: each.name} for each in facts.of(Namespace) if each.cluster == cluster}
    places = dict(namespaces(facts).get(cluster, {}))
    for door in doors:
        places.setdefault(door.namespace, door.at)
    config = next((each for each in facts.of(KueueConfig) if each.cluster == cluster), None)
    gates, ranks = (tuple(gate for gate in facts.of(QueueGate) if gate.cluster == cluster and gate.ranks is each) for each in (False, True))
    workloads = tuple(workload for workload in facts.of(Workload) if workload.cluster == cluster)
    homes = _homes(found, doors, quotas, places)
    return Queues(cluster, found, doors, quotas, config, gates, ranks, workloads, places, labels, homes, _is_asked(facts, cluster))


def _is_asked(facts: Facts, cluster: str) -> bool:
    """Tell whether something of Kueue itself was given, or a contract has terms of scheduling: its own configuration is in question then.

    Kueue's manifests and its chart put it into the namespace kueue-system (Kueue, "Installation").
    """
    given = (
        *((each.cluster, each.namespace) for each in facts.of(Workload)),
        *((each.cluster, each.namespace) for each in facts.of(ConfigMap)),
    )
    runs = (cluster, "kueue-system") in given
    return runs or any(each.status is Status.APPROVED and each.scheduling is not None for each in facts.of(Contract))


def things(here: Queues) -> Iterator[Thing]:
    """Yield the queues, each inside the namespace it belongs to, and the capacity that stands over them."""
    places = (*(queue.at for queue in here.queues.values()), *(quota.at for quota in here.quotas), *(door.at for door in here.doors))
    if not places:
        return  # all compute quotas are switched off
    yield Thing(here.capacity, places[0], standing=Standing.SCOPE, covers=(Cover(Kind.QUEUE, here.cluster, "*"),))
    for name, queue in here.queues.items():
        home = here.homes.get(name)
        yield Thing(here.node(name), queue.at, parent=None if home is None else here.namespace(home))
    for quota in here.quotas:
        if quota.queue not in here.queues:
            yield Thing(here.node(quota.queue), quota.at, parent=here.namespace(quota.namespace))
    for door in here.doors:
        home = "" if door.queue in here.queues else _named_home(door.queue, tuple(here.places))
        if home:
            yield Thing(here.node(door.queue), door.at, parent=here.namespace(home))


def _homes(
    found: Mapping[str, ClusterQueue], doors: tuple[LocalQueue, ...], quotas: tuple[ComputeQuota, ...], places: Mapping[str, Evidence]
) -> dict[str, str]:
    """Say which namespace each queue belongs to: by HyperPod's names, by a selector that names one, by who alone has a door to it."""
    homes = {quota.queue: quota.namespace for quota in quotas}
    known = tuple(places)
    for name, queue in found.items():
        home = _named_home(name, known) or _selected_home(queue)
        if home and name not in homes:
            homes[name] = home
    rest = {name: list(dict.fromkeys(door.namespace for door in doors if door.queue == name)) for name in found if name not in homes}
    return _by_doors(rest, homes)


def _named_home(queue: str, known: tuple[str, ...]) -> str:
    """Read HyperPod's name of a team's queue (`hyperpod-ns-TEAM-clusterqueue`)."""
    name = queue.removesuffix(_SUFFIX)
    return name if queue.startswith(TEAM) and queue.endswith(_SUFFIX) and name in known else ""


def _selected_home(queue: ClusterQueue) -> str:
    """Return the one namespace that a selector names."""
    selector = queue.namespaces
    if selector is None:
        return ""
    names = [value for key, value in selector.labels if key == NAME_LABEL]
    names += [values[0] for key, operator, values in selector.expressions if key == NAME_LABEL and operator == "In" and len(values) == 1]
    return names[0] if names else ""


def _by_doors(rest: dict[str, list[str]], homes: dict[str, str]) -> dict[str, str]:
    """Give a queue to the one namespace with a door to it, leaving out those that have one of their own, until nothing changes."""
    while True:
        owning = set(homes.values())
        found = {}
        for name, spaces in rest.items():
            free = spaces if len(spaces) == 1 else [space for space in spaces if space not in owning]
            if len(free) == 1:
                found[name] = free[0]
        if not found:
            break
        homes = {**homes, **found}
        rest = {name: spaces for name, spaces in rest.items() if name not in found}
    for name, spaces in rest.items():
        named = [space for space in spaces if space.removeprefix(TEAM) in name.split("-")]
        if len(named) == 1:
            homes[name] = named[0]
    return homes
