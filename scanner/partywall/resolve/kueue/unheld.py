"""Jobs that Kueue lets start at once, past every quota."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from partywall.model.document import Assumption, Direction, Gap, Reason
from partywall.model.edge import Certainty, Change, Edge, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_kueue import KueueConfig
from partywall.model.node import Node, cluster_name
from partywall.model.verbs import Lane
from partywall.resolve import Resolved
from partywall.resolve.kueue.held import FRAMEWORKS, is_held, joins_foreign_groups, release_of
from partywall.resolve.kueue.queues import Queues
from partywall.resolve.labels import NAME_LABEL, selects
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.matching import allows
from partywall.resolve.rights import places_of, tenants_grants

CONSUME = "consume capacity of"

JOB = ("batch", "jobs")


@dataclass(frozen=True, slots=True)
class Starter:
    """Who may start objects of some kinds in a namespace, and what says so."""

    source: Node
    namespace: str
    kinds: tuple[tuple[str, str], ...]
    because: tuple[Evidence, ...]
    certainty: Certainty = Certainty.SURE


def starters(here: Queues, held: Sequence[Grant]) -> Iterator[Starter]:
    """Yield who may start jobs: a namespace for rights in it, jobs or doors of it; the holder itself for rights in all of them."""
    by_namespace: dict[str, Starter] = {}
    for grant in tenants_grants(held, here.cluster):
        for rule in grant.rules:
            kinds = tuple(kind for kind in FRAMEWORKS if allows(rule, "create", *kind))
            because = grant.shown(rule)
            if kinds and grant.is_wide:
                yield Starter(grant.source, "", kinds, because, grant.certainty)
            for place in places_of(grant, here.places) if kinds and not grant.is_wide else ():
                found = by_namespace.setdefault(place, Starter(here.namespace(place), place, (), because, grant.certainty))
                certainty = min(found.certainty, grant.certainty)
                by_namespace[place] = replace(found, kinds=tuple(dict.fromkeys((*found.kinds, *kinds))), certainty=certainty)
    for workload in here.workloads:
        kind = (workload.group, f"{workload.kind.lower()}s")
        # Only what nobody but a team submits: everybody's services are deployments too.
        if kind in FRAMEWORKS and kind[0] not in ("", "apps") and not workload.owned:
            place = workload.namespace
            seen = by_namespace.setdefault(place, Starter(here.namespace(place), place, (), (workload.at,)))
            by_namespace[place] = replace(seen, kinds=tuple(dict.fromkeys((*seen.kinds, kind))))
    for door in here.doors:
        by_namespace.setdefault(door.namespace, Starter(here.namespace(door.namespace), door.namespace, (JOB,), (door.at,)))
    yield from by_namespace.values()


def unheld(here: Queues, held: Sequence[Grant]) -> Iterator[Resolved]:
    """Yield an edge to the cluster's capacity from everybody who may start what Kueue does not hold."""
    config = here.config
    if config is None:
        yield from _unread(here)
        return
    release = release_of(here.workloads)
    if release is not None and joins_foreign_groups(config, release):
        shown = ".".join(map(str, release))
        doubt = f"Kueue {shown} does not refuse it, 0.19.2 does"
        yield Assumption("kueue", f"no pod on {cluster_name(here.cluster)} starts by naming the pod group of another workload: {doubt}")
    defaults = {door.namespace for door in here.doors if door.name == "default"}
    for starter in starters(here, held):
        places = (starter.namespace,) if starter.namespace else tuple(here.places)
        for place in places:
            labels = here.labels.get(place, {NAME_LABEL: place})
            held_here = {kind: is_held(config, kind, labels, has_default=place in defaults, release=release) for kind in starter.kinds}
            loose = {kind: state for kind, state in held_here.items() if not state}
            if loose:
                yield _edge(here, config, starter, place, loose)
                break


def _unread(here: Queues) -> Iterator[Resolved]:
    """Ask for the configuration of a Kueue that was seen to run, or of which a contract speaks; else what it holds is not in question."""
    queue = next(iter(here.queues.values()), None)
    if queue is None:
        return
    name = cluster_name(here.cluster)
    if not here.asked:
        text = f"Kueue on {name} holds jobs that name no queue: its configuration was not given, nor anything that runs it"
        yield Assumption("kueue", text)
        return
    what = f"whether Kueue on {name} holds jobs that name no queue (manageJobsWithoutQueueName)"
    remedy = "kubectl get configmap -n kueue-system kueue-manager-config -o json"
    yield Gap(queue.at.document, what, Reason.ABSENT, Direction.INCOMING, (here.capacity,), (Lane.COMPUTE,), remedy, queue.at)


def _edge(here: Queues, config: KueueConfig, starter: Starter, place: str, loose: Mapping[tuple[str, str], bool | None]) -> Edge:
    labels = here.labels.get(place, {NAME_LABEL: place})
    kinds = ", ".join(kind for _, kind in list(loose)[:3])
    note = f"by {kinds} that name no queue"
    certainty = starter.certainty
    if here.gates or all(state is None for state in loose.values()):
        certainty = Certainty.UNKNOWN
        note = f"{note}; {_doubt(here, config)}"
    because = (config.at, *starter.because, *(gate.at for gate in here.gates))
    return Edge(
        starter.source, CONSUME, here.capacity, tuple(dict.fromkeys(because)), _lever(config, labels, tuple(loose)), certainty, note=note
    )


def _doubt(here: Queues, config: KueueConfig) -> str:
    if here.gates:
        return f"{here.gates[0].kind} {here.gates[0].name} may demand a queue"
    if config.narrows_pods:
        return "integrations.podOptions may leave some pods out"
    return "a LocalQueue named default may take them in"


def _lever(config: KueueConfig, labels: Mapping[str, str], kinds: tuple[tuple[str, str], ...]) -> Lever:
    """Return the first switch that stands open: for all jobs, for this namespace, for this kind."""
    if not config.manages_all:
        return _switch(
            config,
            "manageJobsWithoutQueueName",
            "set manageJobsWithoutQueueName to true in Kueue's configuration",
            replace(config, manages_all=True),
        )
    if config.namespaces is not None and not selects(config.namespaces, labels):
        name = labels[NAME_LABEL]
        text = f"let managedJobsNamespaceSelector in Kueue's configuration select {name} too"
        return _switch(config, "managedJobsNamespaceSelector", text, replace(config, namespaces=LabelSelector()))
    missing = tuple(dict.fromkeys(FRAMEWORKS[kind] for kind in kinds))
    text = f"add {', '.join(missing)} to integrations.frameworks in Kueue's configuration, or take away the right to create such objects"
    return _switch(config, "integrations.frameworks", text, replace(config, frameworks=(*config.frameworks, *missing)), ",".join(missing))


def _switch(config: KueueConfig, name: str, text: str, changed: KueueConfig, content: str = "") -> Lever:
    return Lever(Move.SET, "Kueue configuration", config.cluster, name, (config.at,), text, content, Change((config,), (changed,)))
