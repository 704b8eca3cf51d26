"""The classes of priority are the cluster's, and any job may name any of them: whoever shares a queue may evict by naming the top one.

Kueue, "Workload Priority Class": a label of the job names the class, in whatever namespace; nothing but an admission policy says who may.
Taking back what is one's own by priority is no way through the wall, so only two rights count: within a queue that belongs to nobody and
that several namespaces have a door to, and in order to borrow. A door into a queue that belongs to somebody is a way through by itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from partywall.model.edge import Certainty, Change, Edge, Lever, Move
from partywall.model.facts import Facts
from partywall.model.facts_kueue import ClusterQueue, LocalQueue, WorkloadPriority
from partywall.model.node import Node
from partywall.resolve.kueue.forecast import Field
from partywall.resolve.kueue.queues import Queues
from partywall.resolve.kueue.taking import Taking, Way, takings

OUTRANKS = "outranks the jobs of"


def outranking(here: Queues, field: Field, facts: Facts) -> Iterator[Edge]:
    """Yield who may evict whose jobs by naming a class of priority, where there are several to choose from."""
    classes = sorted(
        (each for each in facts.of(WorkloadPriority) if each.cluster == here.cluster), key=lambda each: (-each.value, each.name)
    )
    if not classes or classes[0].value == classes[-1].value:
        return
    doors = _doors(here)
    said: set[tuple[str, str, str]] = set()
    trees = field.trees.values()
    for taking in (each for tree in trees for each in takings(tree, here.queues, fair=field.is_fair, beyond_its_own=True)):
        for door in doors.get(taking.taker, ()):
            for target, name in _victims(here, doors, taking, door):
                if (door.namespace, name, taking.way) not in said:
                    said.add((door.namespace, name, taking.way))
                    yield _edge(here, taking, door, target, classes[0])


def _doors(here: Queues) -> Mapping[str, Sequence[LocalQueue]]:
    """Return the doors to each queue that jobs really come in by."""
    found: dict[str, list[LocalQueue]] = {}
    for door in here.doors:
        queue = here.queues.get(door.queue)
        if queue is not None and not door.stopped and here.admits(queue, door.namespace) is not False:
            found.setdefault(door.queue, []).append(door)
    return found


def _victims(here: Queues, doors: Mapping[str, Sequence[LocalQueue]], taking: Taking, mine: LocalQueue) -> Iterator[tuple[Node, str]]:
    if taking.way is Way.BORROW:
        yield here.node(taking.victim), taking.victim
        return
    if taking.victim in here.homes:
        return
    for other in doors[taking.victim]:
        if other.namespace != mine.namespace:
            yield here.namespace(other.namespace), other.namespace


def _edge(here: Queues, taking: Taking, door: LocalQueue, target: Node, top: WorkloadPriority) -> Edge:
    queue = here.queues[taking.taker]
    gates = here.rank_gates
    certainty = Certainty.UNKNOWN if gates or here.admits(queue, door.namespace) is None else Certainty.SURE
    doubt = f"; {gates[0].kind} {gates[0].name} may forbid it" if gates else ""
    note = f"by class {top.name}, through LocalQueue {door.namespace}/{door.name}: {taking}{doubt}"
    because = (door.at, queue.at.below("spec", "preemption"), top.at, *(gate.at for gate in gates))
    return Edge(here.namespace(door.namespace), OUTRANKS, target, because, _lever(queue, taking), certainty, note=note)


def _lever(queue: ClusterQueue, taking: Taking) -> Lever:
    within = taking.way is Way.WITHIN
    field = "withinClusterQueue" if within else "borrowWithinCohort"
    rules = replace(queue.preemption, within="Never") if within else replace(queue.preemption, borrow="Never")
    text = f"set {field} of ClusterQueue {queue.name} to Never, or say in an admission policy who may name which class"
    at = queue.at.below("spec", "preemption")
    return Lever(
        Move.SET, "ClusterQueue", queue.cluster, queue.name, (at,), text, field, Change((queue,), (replace(queue, preemption=rules),))
    )
