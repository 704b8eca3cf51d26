"""What one cluster holds that policies speak of: namespaces, pods, policies."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Listed
from partywall.model.facts_kubernetes import ClusterNode, LabelSelector, Namespace, Workload
from partywall.model.facts_kueue import LocalQueue
from partywall.model.facts_network import APPLICATION, AdminPolicy, Block, ForeignPolicy, NetworkPolicy, Peer, Ports
from partywall.model.tenancy import ClusterRecord
from partywall.resolve.labels import NAME_LABEL, chosen, keys_of
from partywall.resolve.netpol.atoms import Cuts
from partywall.resolve.netpol.ends import End, Ground, known

# Namespaces of the cluster itself that hold no pods (Kubernetes, "Namespaces", initial namespaces).
EMPTY = frozenset({"kube-node-lease", "kube-public"})


@dataclass(frozen=True, slots=True)
class Estate:
    """One cluster's part of the facts. `places` says where each namespace is known from."""

    cluster: str
    places: Mapping[str, Evidence]
    labels: Mapping[str, Mapping[str, str]]
    workloads: Mapping[str, tuple[Workload, ...]]
    policies: tuple[NetworkPolicy, ...]
    admin: tuple[AdminPolicy, ...]
    foreign: tuple[ForeignPolicy, ...]
    node_cidrs: tuple[str, ...]
    nodes: tuple[ClusterNode, ...] = ()

    @property
    def node_places(self) -> tuple[str, ...]:
        """Return the addresses and ranges of nodes."""
        return (*self.node_cidrs, *dict.fromkeys(one for node in self.nodes for one in known(node.addresses)))

    @property
    def node_labels(self) -> Mapping[str, Mapping[str, str]]:
        """Return the labels of nodes by name and by address."""
        return {key: node.labels for node in self.nodes for key in (node.name, *known(node.addresses))}

    def ground(self, lenient: bool = False, blocks_hold_pods: bool = True) -> Ground:
        """Return what policies are judged on."""
        unread = frozenset(name for name in self.places if name not in self.labels)
        addresses = tuple(
            sorted({address for pods in self.workloads.values() for pod in pods if not pod.host_network for address in known(pod.ips)})
        )
        return Ground(self.labels, unread, (*self.node_cidrs, *addresses), lenient, blocks_hold_pods)


def clusters(facts: Facts) -> list[str]:
    """Return the clusters whose policies were given or listed: only there an open door says something."""
    found = [policy.cluster for policy in facts.of(NetworkPolicy)]
    found += [policy.cluster for policy in facts.of(AdminPolicy)]
    found += [policy.cluster for policy in facts.of(ForeignPolicy)]
    found += [listing.scope for listing in facts.of(Listed) if listing.kind == "NetworkPolicy"]
    return list(dict.fromkeys(found))


def estate(facts: Facts, cluster: str, known: Mapping[str, Evidence]) -> Estate:
    """Gather what a cluster holds. `known` are its namespaces, from whatever lies in them; a complete listing outweighs that."""
    read = [namespace for namespace in facts.of(Namespace) if namespace.cluster == cluster and namespace.name not in EMPTY]
    labels = {namespace.name: {**namespace.labels, NAME_LABEL: namespace.name} for namespace in read}
    places = {namespace.name: namespace.at for namespace in read}
    if not facts.listed("Namespace", cluster):
        mentioned = [(policy.namespace, policy.at) for policy in facts.of(NetworkPolicy) if policy.cluster == cluster]
        mentioned += [(queue.namespace, queue.at) for queue in facts.of(LocalQueue) if queue.cluster == cluster]
        for name, at in (*known.items(), *mentioned):
            if name not in EMPTY:
                places.setdefault(name, at)
    workloads: dict[str, list[Workload]] = {}
    for workload in facts.of(Workload):
        if workload.cluster == cluster and workload.runs:
            workloads.setdefault(workload.namespace, []).append(workload)
    nodes = tuple(node for node in facts.of(ClusterNode) if node.cluster == cluster)
    policies, unread = _in_force([policy for policy in facts.of(NetworkPolicy) if policy.cluster == cluster], nodes)
    return Estate(
        cluster,
        places,
        labels,
        {name: tuple(found) for name, found in workloads.items()},
        tuple(policy for policy in policies if policy.namespace in places),
        tuple(policy for policy in facts.of(AdminPolicy) if policy.cluster == cluster),
        (*(policy for policy in facts.of(ForeignPolicy) if policy.cluster == cluster), *unread),
        tuple(cidr for record in facts.of(ClusterRecord) if record.scope == cluster for cidr in record.node_cidrs),
        nodes,
    )


def _in_force(policies: Sequence[NetworkPolicy], nodes: Iterable[ClusterNode]) -> tuple[list[NetworkPolicy], list[ForeignPolicy]]:
    """Tell apart what decides and what may decide: only EKS Auto Mode puts ApplicationNetworkPolicies into force."""
    applied = [policy for policy in policies if policy.kind == APPLICATION]
    if not applied or any(node.labels.get("eks.amazonaws.com/compute-type") == "auto" for node in nodes):
        return list(policies), []
    why = "which only EKS Auto Mode puts into force, and no node of it was read"
    return (
        [policy for policy in policies if policy.kind != APPLICATION],
        [ForeignPolicy(policy.cluster, policy.kind, policy.namespace, policy.name, None, policy.at, why=why) for policy in applied],
    )


def asked_keys(estate: Estate) -> frozenset[str]:
    """Return the pod labels that any policy asks about; what differs in others only is the same to all of them."""
    selectors = [policy.pods for policy in estate.policies] + [peer.pods for peer in peers(estate) if peer.pods is not None]
    return frozenset(key for selector in dict.fromkeys(selectors) for key in keys_of(selector))


def peers(estate: Estate) -> Iterator[Peer]:
    """Yield all peers of all policies, of both directions, and whom cluster-wide policies are about."""
    for policy in estate.policies:
        for rule in (*(policy.ingress or ()), *(policy.egress or ())):
            yield from rule.peers or ()
    for admin in estate.admin:
        yield admin.subject
        for each in (*admin.ingress, *admin.egress):
            yield from each.peers


def blocks_of(estate: Estate) -> tuple[Block, ...]:
    """Return the address blocks that policies name."""
    return tuple(dict.fromkeys(peer.block for peer in peers(estate) if peer.block is not None))


@dataclass(frozen=True, slots=True)
class Sight:
    """What policies can see of pods: the labels and port names that any asks about, and where blocks cut the addresses."""

    keys: frozenset[str]
    names: frozenset[str]
    cuts: Cuts
    nodes: Mapping[str, Mapping[str, str]]

    def of(self, workload: Workload) -> tuple[object, ...]:
        """Return what tells a pod from others of its namespace; pods of one answer are one class."""
        labels = tuple(sorted((key, value) for key, value in workload.labels.items() if key in self.keys))
        node = self.node(workload)
        on = tuple(sorted(node.items())) if node else ()
        return labels, self.ports(workload), self.cuts.among(known(workload.ips)), workload.host_network, node is None, on

    def node(self, workload: Workload) -> Mapping[str, str] | None:
        """Return the labels of the node whose network a pod uses; None where it uses its own, or the labels were not read."""
        if not workload.host_network:
            return None
        return next((self.nodes[key] for key in (workload.node_name, *workload.ips) if key in self.nodes), None)

    def ports(self, workload: Workload) -> tuple[tuple[str, int, str], ...]:
        """Return the named ports that any policy could mean."""
        if workload.host_network or not self.names:
            return ()
        return tuple(sorted({port for port in workload.ports if port[0] in self.names}))


def sight(estate: Estate) -> Sight:
    """Return what the policies of a cluster can see of its pods."""
    named = [port.name for ports in port_lists(estate) for port in ports if port.name]
    return Sight(asked_keys(estate), frozenset(named), Cuts(blocks_of(estate)), estate.node_labels)


def port_lists(estate: Estate) -> Iterator[tuple[Ports, ...]]:
    """Yield the ports of all rules that name some."""
    for policy in estate.policies:
        yield from (rule.ports for rule in (*(policy.ingress or ()), *(policy.egress or ())) if rule.ports)
    for admin in estate.admin:
        yield from (rule.ports for rule in (*admin.ingress, *admin.egress) if rule.ports)


def pods_of(
    namespace: str, workloads: Iterable[Workload], seen: Sight, policies: Iterable[NetworkPolicy]
) -> list[tuple[End, tuple[Workload, ...]]]:
    """Return the classes of a namespace's pods, each with what it stands for; where none is known, those that there could be."""
    found: dict[tuple[object, ...], list[Workload]] = {}
    for workload in workloads:
        found.setdefault(seen.of(workload), []).append(workload)
    ends = [(_end(namespace, members[0], seen), tuple(members)) for members in found.values()]
    if any(not end.on_host for end, _ in ends):
        return ends
    return [*ends, *((end, ()) for end in _imagined(namespace, policies))]


def _end(namespace: str, workload: Workload, seen: Sight) -> End:
    labels = {key: value for key, value in sorted(workload.labels.items()) if key in seen.keys}
    return End(namespace, labels, seen.ports(workload), known(workload.ips), workload.host_network, node=seen.node(workload))


def _imagined(namespace: str, policies: Iterable[NetworkPolicy]) -> Iterator[End]:
    """Yield pods that could be: one without labels, and one that each policy selects."""
    seen: set[tuple[tuple[str, str], ...]] = set()
    for selector in (LabelSelector(), *(policy.pods for policy in policies if policy.ingress is not None)):
        labels = chosen((selector,), ())
        key = None if labels is None else tuple(sorted(labels.items()))
        if labels is not None and key is not None and key not in seen:
            seen.add(key)
            yield End(namespace, labels, imagined=True)
