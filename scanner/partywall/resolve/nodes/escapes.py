"""Namespaces whose pods may be let out to their nodes, and pods that already are."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Certainty, Change, Edge, Hold, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import Namespace, Workload
from partywall.model.node import Node
from partywall.model.verbs import Lane
from partywall.resolve.nodes.inside import nodes
from partywall.resolve.nodes.security import LABEL, clusters, engines, minor_of, standard_of, way_out
from partywall.resolve.pod_security import Level, Mode, policies
from partywall.resolve.rbac.places import place
from partywall.resolve.twins import distinct

_VERB = "breaks out to"
_LANES = (Lane.ACT, Lane.VIEW, Lane.DATA, Lane.IDENTITY)

# Directories of a node with which a pod becomes the node: credentials, the kubelet, the container runtime, programs that run as root.
_DEADLY = ("/etc", "/root", "/proc", "/run", "/var/run", "/var/lib", "/usr", "/bin", "/sbin", "/boot", "/home", "/opt/cni")


def escapes(facts: Facts, cluster: str) -> Iterator[Edge]:
    """Yield the pods that are on their nodes as it is."""
    running = (work for work in facts.of(Workload) if work.cluster == cluster and work.runs and any(map(is_deadly, work.privileged)))
    for work, copies in distinct(running, lambda work: (work.namespace, work.kind, work.name, work.privileged)):
        yield _present(work, copies)


def future_escapes(facts: Facts, cluster: str, lived_in: Iterable[str]) -> Iterator[Edge | Gap | Hold]:
    """Yield how namespaces in which pods are made get onto the nodes by pods that do not exist yet."""
    described = {space.name: space for space in facts.of(Namespace) if space.cluster == cluster}
    lost: list[Node] = []
    for name in lived_in:
        if name in described:
            yield from _future(facts, cluster, name, described[name])
        else:
            lost.append(place(cluster, name))
    if lost and not facts.listed("Namespace", cluster):
        yield _unlabelled(lost, clusters(facts)[cluster][lost[0].name])


def _unlabelled(lost: Sequence[Node], at: Evidence) -> Gap:
    """These namespaces are known by name only: whether a label keeps their pods inside was not read."""
    more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
    what = f"the pod-security labels of {', '.join(node.name for node in lost[:3])}{more}"
    remedy = "kubectl get namespaces -o json > kubectl-get-namespaces.json"
    return Gap("kubernetes:namespaces", what, Reason.ABSENT, Direction.OUTGOING, tuple(lost), _LANES, remedy, at)


def is_deadly(way: str) -> bool:
    """Tell whether a setting of a pod gives its node away by itself; the host's network alone does not."""
    kind, _, path = way.partition(" ")
    if kind == "hostPath":
        return path.rstrip("/") == "" or any(path.rstrip("/") == top or path.startswith(f"{top}/") for top in _DEADLY)
    return kind in ("privileged", "hostPID", "hostProcess", "capability")


def _future(facts: Facts, cluster: str, name: str, space: Namespace) -> Iterator[Edge | Hold]:
    source = place(cluster, name)
    label = space.at.below("metadata", "labels", LABEL)
    standard = standard_of(space)
    if not way_out(standard, minor_of(facts, cluster)):
        written = standard.level if standard.minor is None else standard
        text = f"namespace/{name} enforces the Pod Security level {written}, so its pods stay inside their containers"
        yield Hold(Lane.ACT, nodes(cluster), text, (label,))
        return
    guards = engines(facts, cluster, name)
    certainty = Certainty.UNKNOWN if guards else Certainty.SURE
    note = "nothing forbids privileged pods" + _only_told(space) + (f", unless {guards[0].kind} {guards[0].name} does" if guards else "")
    because = (label, *(guard.at for guard in guards))
    yield Edge(source, _VERB, nodes(cluster), because, _label_lever(space), certainty, note=note)


def _only_told(space: Namespace) -> str:
    """Say that a standard is written down and refuses nothing: audit and warn let every pod in."""
    found = policies(space.labels)
    told = next((found[mode] for mode in (Mode.WARN, Mode.AUDIT) if found[mode].level is not Level.PRIVILEGED), None)
    return f" ({told} is only warned of or audited)" if told else ""


def _label_lever(space: Namespace) -> Lever:
    place_of_label = space.at.below("metadata", "labels", LABEL)
    enforced = replace(space, labels={**space.labels, LABEL: Level.BASELINE.value})
    text = f"label namespace {space.name} with {LABEL}={Level.BASELINE}"
    move = Move.SET if LABEL in space.labels else Move.ADD
    return Lever(move, "PodSecurity", space.cluster, space.name, (place_of_label,), text, change=Change((space,), (enforced,)))


def _present(work: Workload, copies: tuple[Workload, ...]) -> Edge:
    way = next(filter(is_deadly, work.privileged))
    where = f"{work.namespace}/{work.name}"
    at = work.spec_at if work.spec_at.document else work.at
    lever = Lever(Move.REMOVE, work.kind, work.cluster, where, (at,), f"run {work.kind} {where} without {way}", way, Change(copies))
    return Edge(place(work.cluster, work.namespace), _VERB, nodes(work.cluster), (at,), lever, note=f"{work.kind} {work.name} has {way}")
