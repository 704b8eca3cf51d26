"""Ways into another's queue: a LocalQueue that points at it, the right to make one, the right to set labels that its selector trusts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Certainty, Change, Edge, Lever, Move
from partywall.model.facts import Facts
from partywall.model.facts_kueue import ClusterQueue, LocalQueue
from partywall.model.node import Node
from partywall.model.verbs import Lane
from partywall.resolve import Resolved
from partywall.resolve.kueue.queues import Queues
from partywall.resolve.kueue.unheld import CONSUME
from partywall.resolve.labels import NAME_LABEL, chosen, named, text_of
from partywall.resolve.netpol.spoofing import Labeller, labellers
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.matching import allows
from partywall.resolve.rights import places_of, tenants_grants

KUEUE = "kueue.x-k8s.io"


def doors(here: Queues, held: Sequence[Grant], facts: Facts) -> Iterator[Resolved]:
    """Yield every way into a queue from a namespace that it does not belong to."""
    yield from _standing(here, facts)
    makers = list(_makers(here, held))
    yield from _made(here, makers)
    yield from _forged(here, held, makers)


def _standing(here: Queues, facts: Facts) -> Iterator[Resolved]:
    for door in here.doors:
        queue = here.queues.get(door.queue)
        if queue is None:
            if door.queue and not facts.listed("ClusterQueue", here.cluster):
                yield _unread(here, door)
            continue
        admitted = here.admits(queue, door.namespace)
        if here.homes.get(queue.name) == door.namespace or admitted is False:
            continue
        certainty = Certainty.UNKNOWN if admitted is None else Certainty.SURE
        note = f"LocalQueue {door.namespace}/{door.name}" + ("" if admitted else "; whether the selector admits it was not read")
        because = (door.at, queue.at.below("spec", "namespaceSelector"))
        yield Edge(
            here.namespace(door.namespace), CONSUME, here.node(queue.name), because, closing(here, queue, door), certainty, note=note
        )


def _unread(here: Queues, door: LocalQueue) -> Gap:
    what = f"ClusterQueue {door.queue}, which LocalQueue {door.namespace}/{door.name} points at"
    nodes = (here.node(door.queue),)
    remedy = "kubectl get clusterqueues -o json"
    return Gap(
        door.at.document, what, Reason.ABSENT, Direction.INCOMING, nodes, (Lane.COMPUTE,), remedy, door.at.below("spec", "clusterQueue")
    )


def _makers(here: Queues, held: Sequence[Grant]) -> Iterator[tuple[Grant, tuple[str, ...], int]]:
    """Yield who may make LocalQueues, in which namespaces, and by which rule.

    What a LocalQueue points at cannot be changed, but a new one may point anywhere (measured on Kueue 0.12 and 0.19).
    """
    for grant in tenants_grants(held, here.cluster):
        for number, rule in enumerate(grant.rules):
            if allows(rule, "create", KUEUE, "localqueues"):
                yield grant, tuple(places_of(grant, here.places)), number
                break


def _made(here: Queues, makers: list[tuple[Grant, tuple[str, ...], int]]) -> Iterator[Edge]:
    for grant, places, number in makers:
        for queue in here.queues.values():
            place = next((name for name in places if name != here.homes.get(queue.name) and here.admits(queue, name) is not False), None)
            if place is None:
                continue
            doubt = Certainty.UNKNOWN if here.admits(queue, place) is None else Certainty.SURE
            because = (*grant.because, grant.rules[number].at, queue.at.below("spec", "namespaceSelector"))
            note = f"by a LocalQueue made in {place}"
            target = here.node(queue.name)
            yield Edge(
                grant.source, CONSUME, target, because, closing(here, queue, None), max(grant.certainty, doubt), grant.condition, note
            )


def _forged(here: Queues, held: Sequence[Grant], makers: list[tuple[Grant, tuple[str, ...], int]]) -> Iterator[Edge]:
    """Yield who may put the label on a namespace that a queue's selector asks for, where a door to that queue stands or can be made."""
    openable = {name for _, places, _ in makers for name in places}
    found = list(labellers(held, here.cluster, list(here.places)))
    said: set[tuple[Node, str]] = set()
    for queue in here.queues.values():
        doors_to = {door.namespace for door in here.doors if door.queue == queue.name}
        for labeller in found:
            name, source = labeller.namespace, labeller.grant.source
            if (source, queue.name) in said or name == here.homes.get(queue.name) or name not in openable | doors_to:
                continue
            if here.admits(queue, name) is False and _can_be_forged(queue, name):
                said.add((source, queue.name))
                yield _forged_edge(here, queue, labeller)


def _can_be_forged(queue: ClusterQueue, namespace: str) -> bool:
    return queue.namespaces is not None and chosen((queue.namespaces,), (), {NAME_LABEL: namespace}) is not None


def _forged_edge(here: Queues, queue: ClusterQueue, labeller: Labeller) -> Edge:
    grant = labeller.grant
    selector = text_of(queue.namespaces) if queue.namespaces is not None else ""
    because = (*grant.shown(labeller.rule), queue.at.below("spec", "namespaceSelector"))
    note = f"after labelling namespace/{labeller.namespace} so that {selector} selects it"
    return Edge(grant.source, CONSUME, here.node(queue.name), because, closing(here, queue, None), grant.certainty, grant.condition, note)


def closing(here: Queues, queue: ClusterQueue, door: LocalQueue | None) -> Lever:
    """Return what closes a queue to strangers: a selector that names its own namespace, or else the removal of the door."""
    home = here.homes.get(queue.name)
    if home is None and door is not None:
        text = f"delete LocalQueue {door.namespace}/{door.name}"
        return Lever(
            Move.REMOVE, "LocalQueue", here.cluster, f"{door.namespace}/{door.name}", (door.at,), text, queue.name, Change((door,))
        )
    names = (home,) if home else tuple(dict.fromkeys(other.namespace for other in here.doors if other.queue == queue.name))
    changed = replace(queue, namespaces=named(names))
    whom = ", ".join(names) or "its own namespaces"
    text = f"let the namespaceSelector of ClusterQueue {queue.name} select {whom} only, by kubernetes.io/metadata.name"
    content = text_of(queue.namespaces) if queue.namespaces is not None else "nothing"
    at = queue.at.below("spec", "namespaceSelector")
    return Lever(Move.SET, "ClusterQueue", here.cluster, queue.name, (at,), text, content, Change((queue,), (changed,)))
