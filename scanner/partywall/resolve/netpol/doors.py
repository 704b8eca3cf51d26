"""Openings as edges between namespaces, each with the lever that closes it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from partywall.model.edge import Certainty, Edge, Lever
from partywall.model.evidence import Evidence
from partywall.model.node import Kind, Node
from partywall.model.thing import Standing, Thing
from partywall.resolve import Resolved
from partywall.resolve.netpol.levers import Levers, peer_words
from partywall.resolve.netpol.ports import words
from partywall.resolve.netpol.reach import Opening, Reach

CONNECT = "connect to"
# Above this many pairs, namespaces that get to a target by one cause are put into one place, so that the output stays linear.
MANY = 40_000


@dataclass(slots=True)
class Doors:
    """Writes edges for openings. Into `doubtful` namespaces, and out of `leaving` ones, policies that are not judged may close the way."""

    levers: Levers
    doubtful: frozenset[str] = frozenset()
    leaving: frozenset[str] = frozenset()
    crowds: dict[tuple[str, ...], Node] = field(default_factory=dict)

    def edges(self, reach: Reach, certainty: Certainty, known: Mapping[str, set[str]]) -> Iterator[Resolved]:
        """Yield an edge for each pair of namespaces and cause, but for pairs that are known already."""
        many = sum(len(namespaces) for _, namespaces in reach.pairs()) > MANY
        for opening, namespaces in reach.pairs():
            old = known.get(opening.target, ())
            new = tuple(name for name in namespaces if name not in old) if old else namespaces
            if not any(name != opening.target for name in new):
                continue
            target = self._node(opening.target)
            for lever in self._levers(opening, reach):
                if many and len(new) > 1:
                    yield from self._crowded(opening, new, target, lever, certainty, reach)
                    continue
                for name in (name for name in new if name != opening.target):
                    because = _because(opening, reach.estate.places[opening.target], reach.leaving(name, opening))
                    surely = max(certainty, self._doubt(opening.target, name))
                    yield Edge(
                        self._node(name), CONNECT, target, because, lever, surely, note=self._note(opening, reach.masks[name], surely)
                    )

    def _node(self, namespace: str) -> Node:
        return Node(Kind.NAMESPACE, self.levers.cluster, namespace)

    def _doubt(self, target: str, *sources: str) -> Certainty:
        return Certainty.UNKNOWN if target in self.doubtful or self.leaving.intersection(sources) else Certainty.SURE

    def _levers(self, opening: Opening, reach: Reach) -> Iterator[Lever]:
        cause = opening.cause
        if cause.on_host:
            yield from map(self.levers.off_host, opening.workloads)
        elif cause.admin is not None:
            yield self.levers.passed(cause.admin, cause.rule)
        elif cause.policy is None:
            yield self.levers.deny(opening.target, reach.estate.places[opening.target])
        else:
            yield self.levers.peer(cause.policy, cause.rule, cause.peer)

    def _crowded(
        self, opening: Opening, names: tuple[str, ...], target: Node, lever: Lever, certainty: Certainty, reach: Reach
    ) -> Iterator[Resolved]:
        place = reach.estate.places[opening.target]
        crowd = self.crowds.get(names)
        if crowd is None:
            crowd = Node(
                Kind.PODS, self.levers.cluster, f"of {len(names)} namespaces, {names[0]} to {names[-1]} (group {len(self.crowds) + 1})"
            )
            self.crowds[names] = crowd
            yield Thing(crowd, place, standing=Standing.PLACE)
            for name in names:
                yield Edge(self._node(name), "is member of", crowd, (reach.leaving(name, opening),), lever, note="pods started there")
        surely = max(certainty, self._doubt(opening.target, *names))
        yield Edge(crowd, CONNECT, target, _because(opening, place, place), lever, surely, note=self._note(opening, -1, surely))

    def _note(self, opening: Opening, mask: int, certainty: Certainty) -> str:
        ports = words(opening.ports_for(mask))
        if opening.cause.on_host:
            said = f"{ports}, pods on the host's network"
        elif opening.cause.admin is not None:
            admin = opening.cause.admin
            said = f"{ports}, accepted by {admin.kind} {admin.name}"
        elif opening.cause.policy is None:
            said = f"{ports}, no policy isolates its pods for ingress"
        else:
            policy, cause = opening.cause.policy, opening.cause
            peers = (policy.ingress or ())[cause.rule].peers
            whom = "everybody" if cause.peer is None or peers is None else peer_words(peers[cause.peer])
            said = f"{ports}, admitted by NetworkPolicy {policy.name} ({whom})"
        return said if certainty is Certainty.SURE else f"{said}; may be otherwise, since something that decides was not read"


def _because(opening: Opening, place: Evidence, leaving: Evidence) -> tuple[Evidence, ...]:
    cause = opening.cause
    if cause.on_host:
        said = tuple(workload.at for workload in opening.workloads[:4])
    elif cause.admin is not None:
        said = (cause.admin.ingress[cause.rule].at,)
    elif cause.policy is None:
        said = (place, *(workload.at for workload in opening.workloads[:1]))
    else:
        rule = (cause.policy.ingress or ())[cause.rule]
        peers = rule.peers
        said = (rule.at if cause.peer is None or peers is None else peers[cause.peer].at,)
    return tuple(dict.fromkeys((*said, leaving)))
