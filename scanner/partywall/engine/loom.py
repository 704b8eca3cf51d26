"""Weave what the resolvers say into columns: names become numbers once, and only here."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from partywall.model.document import Assumption, Gap
from partywall.model.edge import Condition, Edge, Hold, Lever
from partywall.model.evidence import Evidence
from partywall.model.node import Node
from partywall.model.thing import Thing
from partywall.model.verbs import VERBS
from partywall.resolve import Resolved

VERB_NAMES = tuple(VERBS)
VERB_NUMBER = {name: number for number, name in enumerate(VERB_NAMES)}
COLUMNS = ("source", "target", "verb", "certainty", "lever", "condition", "because", "note")
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """What one resolver said. Row i of `rows` is an edge: the numbers of COLUMNS."""

    rows: Ints
    things: tuple[Thing, ...]
    gaps: tuple[Gap, ...]
    holds: tuple[Hold, ...]
    assumptions: tuple[Assumption, ...]


@dataclass(slots=True)
class Loom:
    """The numbers given so far. A world resolved again after a lever was moved shares them, so that two worlds can be compared."""

    nodes: dict[Node, int] = field(default_factory=dict)
    levers: dict[tuple[str, str, str, str, str], int] = field(default_factory=dict)
    lever_of: list[Lever] = field(default_factory=list)
    conditions: dict[Condition, int] = field(default_factory=dict)
    becauses: dict[tuple[Evidence, ...], int] = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)

    def segment(self, said: Iterable[Resolved]) -> Segment:
        """Number one resolver's edges, in order and without repeats, and keep the rest apart."""
        rows: dict[tuple[int, ...], None] = {}
        things: list[Thing] = []
        gaps: dict[Gap, None] = {}
        holds: dict[Hold, None] = {}
        assumptions: dict[Assumption, None] = {}
        for item in said:
            match item:
                case Edge():
                    rows[self._row(item)] = None
                case Thing():
                    things.append(item)
                    self.number(item.node)
                case Gap():
                    gaps[item] = None
                    self.number_all(item.nodes)
                case Hold():
                    holds[item] = None
                case Assumption():
                    assumptions[item] = None
        table = np.array(list(rows), np.int32).reshape(-1, len(COLUMNS))
        return Segment(table, tuple(things), tuple(gaps), tuple(holds), tuple(assumptions))

    def number(self, node: Node) -> int:
        """Return the number of a node, a new one where it has none."""
        return self.nodes.setdefault(node, len(self.nodes))

    def number_all(self, nodes: Iterable[Node]) -> None:
        """Give numbers to nodes that no edge may name: what a gap blinds must be in the world."""
        for node in nodes:
            self.number(node)

    def _row(self, edge: Edge) -> tuple[int, ...]:
        condition = -1 if edge.condition is None else self.conditions.setdefault(edge.condition, len(self.conditions))
        return (
            self.number(edge.source),
            self.number(edge.target),
            VERB_NUMBER[edge.verb],
            int(edge.certainty),
            self._lever(edge.lever),
            condition,
            self.becauses.setdefault(edge.because, len(self.becauses)),
            self.notes.setdefault(edge.note, len(self.notes)),
        )

    def _lever(self, lever: Lever) -> int:
        number = self.levers.setdefault(lever.identity, len(self.levers))
        if number == len(self.lever_of):
            self.lever_of.append(lever)
        elif lever.places != self.lever_of[number].places:
            known = self.lever_of[number]
            self.lever_of[number] = replace(known, places=tuple(dict.fromkeys((*known.places, *lever.places))))
        return number
