"""The world: the columns that the graph walks, and the names, owners and reasons behind their numbers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from partywall.engine.loom import VERB_NAMES, Ints, Loom, Segment
from partywall.graph import Columns
from partywall.graph.bits import Flags, Words, packed
from partywall.model.document import Assumption, Gap
from partywall.model.edge import Certainty, Condition, Edge, Hold, Lever
from partywall.model.evidence import Evidence
from partywall.model.node import Kind, Node, label
from partywall.model.tenancy import NOBODY, OUTSIDE, PLATFORM, Approval, Ownership
from partywall.model.thing import Standing, Thing
from partywall.model.verbs import VERBS, Family, Lane

LANES = tuple(Lane)
LANE_NUMBER = {lane: number for number, lane in enumerate(LANES)}
MEMBERSHIP = "is member of"


@dataclass(frozen=True, slots=True)
class Bound:
    """What binding says of one node. `starters` are the owners who act from it, where it acts by itself."""

    ownership: Ownership
    standing: Standing
    starts: bool
    starters: tuple[str, ...] = ()
    person: bool = False


Bind = Callable[[Sequence[Node], Sequence[Thing], Sequence[tuple[Node, Node]]], Sequence[Bound]]
Approve = Callable[[Ints, Sequence[Node], Sequence[Bound], Mapping[Node, Thing]], Mapping[int, tuple[Approval, ...]]]


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Everything that a question needs.

    Numbers of nodes, levers, conditions and evidence are the loom's; edge numbers are this world's own.
    """

    tenants: tuple[str, ...]
    nodes: tuple[Node, ...]
    bound: tuple[Bound, ...]
    columns: Columns
    rows: Ints
    levers: tuple[Lever, ...]
    conditions: tuple[Condition, ...]
    becauses: tuple[tuple[Evidence, ...], ...]
    notes: tuple[str, ...]
    approvals: Mapping[int, tuple[Approval, ...]]
    gaps: tuple[Gap, ...]
    holds: tuple[Hold, ...]
    assumptions: tuple[Assumption, ...]
    members: tuple[tuple[int, int], ...]
    things: Mapping[Node, Thing]
    index: Mapping[Node, int]
    residual: Ints
    labels: Callable[[Node], str] = label

    def name(self, node: int) -> str:
        """Return a node in the words of its own system."""
        return self.labels(self.nodes[node])

    def verb(self, edge: int) -> str:
        """Return an edge's verb."""
        return VERB_NAMES[int(self.rows[edge, 2])]

    def lever(self, edge: int) -> Lever:
        """Return what closes an edge."""
        return self.levers[int(self.rows[edge, 4])]

    def condition(self, edge: int) -> Condition | None:
        """Return what must hold for an edge to exist."""
        number = int(self.rows[edge, 5])
        return None if number < 0 else self.conditions[number]

    def because(self, edge: int) -> tuple[Evidence, ...]:
        """Return all the document parts that an edge needs."""
        return self.becauses[int(self.rows[edge, 6])]

    def edge(self, number: int) -> Edge:
        """Return one edge as an object."""
        source, target, verb, certainty, lever, _, because, note = (int(n) for n in self.rows[number])
        return Edge(
            self.nodes[source],
            VERB_NAMES[verb],
            self.nodes[target],
            self.becauses[because],
            self.levers[lever],
            Certainty(certainty),
            self.condition(number),
            self.notes[note],
        )

    def owner(self, node: int) -> str:
        """Return a node's owners as one word or a list in words; `nobody` where nobody claims it."""
        bound = self.bound[node]
        if bound.standing is Standing.OUTSIDE and not bound.ownership.owners:
            return OUTSIDE
        return ", ".join(bound.ownership.owners) or ("a place for all" if bound.standing is Standing.PLACE else NOBODY)

    def bit(self, owner: str) -> int:
        """Return the bit of an owner's name."""
        return self.columns.bits.index(owner)


def assemble(loom: Loom, segments: Iterable[Segment], tenants: tuple[str, ...], bind: Bind, approve: Approve | None = None) -> World:
    """Lay the segments side by side, bind every node to its owners, and pack both into columns."""
    segments = tuple(segments)
    rows = np.concatenate([np.zeros((0, 8), np.int32), *(segment.rows for segment in segments)])
    nodes = tuple(loom.nodes)
    things = merged(thing for segment in segments for thing in segment.things)
    becomes = np.array([VERBS[name].family is Family.BECOMES for name in VERB_NAMES])
    membership = VERB_NAMES.index(MEMBERSHIP)
    belongs = rows[rows[:, 2] == membership] if len(rows) else rows
    members = tuple((int(row[0]), int(row[1])) for row in belongs if nodes[row[0]].kind in PEOPLE)
    bound = tuple(bind(nodes, tuple(things.values()), tuple((nodes[p], nodes[g]) for p, g in members)))
    rows = rows[~_owned_membership(rows, membership, bound, nodes)]
    by_design = np.array([VERBS[name].residual for name in VERB_NAMES])[rows[:, 2]]
    residual, rows = rows[by_design], rows[~by_design]
    bits = (*tenants, NOBODY, OUTSIDE, PLATFORM)
    lanes = np.array([LANE_NUMBER[VERBS[name].lane] for name in VERB_NAMES], np.int8)
    light = np.array([VERBS[name].light for name in VERB_NAMES])
    approvals = approve(rows, nodes, bound, things) if approve else {}
    home, owners, starts = masks(bound, bits)
    columns = Columns(
        bits=bits,
        home=home,
        owners=owners,
        starts=starts,
        person=np.array([b.person for b in bound], np.bool_).reshape(len(nodes)),
        source=np.ascontiguousarray(rows[:, 0]),
        target=np.ascontiguousarray(rows[:, 1]),
        becomes=becomes[rows[:, 2]],
        lane=lanes[rows[:, 2]],
        certainty=rows[:, 3].astype(np.int8),
        light=light[rows[:, 2]],
        lever=np.ascontiguousarray(rows[:, 4]),
        condition=np.ascontiguousarray(rows[:, 5]),
        identity_lane=LANE_NUMBER[Lane.IDENTITY],
        approved=frozenset((bits.index(a.guest), bits.index(a.grantor), edge) for edge, granted in approvals.items() for a in granted),
    )
    return World(
        tenants=tenants,
        nodes=nodes,
        bound=bound,
        columns=columns,
        rows=rows,
        levers=tuple(loom.lever_of),
        conditions=tuple(loom.conditions),
        becauses=tuple(loom.becauses),
        notes=tuple(loom.notes),
        approvals=approvals,
        gaps=tuple(dict.fromkeys(gap for segment in segments for gap in segment.gaps)),
        holds=tuple(hold for segment in segments for hold in segment.holds),
        assumptions=tuple(dict.fromkeys(a for segment in segments for a in segment.assumptions)),
        members=members,
        things=things,
        index=loom.nodes,
        residual=residual,
    )


PEOPLE = frozenset({Kind.PERSON, Kind.IAM_USER, Kind.USER, Kind.OS_USER})


def merged(things: Iterable[Thing]) -> dict[Node, Thing]:
    """Join what several resolvers say of one node: the first parent and standing, all covers and members; any may make it start."""
    out: dict[Node, Thing] = {}
    for thing in things:
        known = out.get(thing.node)
        if known is None:
            out[thing.node] = thing
            continue
        out[thing.node] = Thing(
            node=thing.node,
            at=known.at,
            parent=known.parent or thing.parent,
            standing=known.standing or thing.standing,
            starts=thing.starts if known.starts is None else known.starts or bool(thing.starts),
            covers=tuple(dict.fromkeys((*known.covers, *thing.covers))),
            members=tuple(dict.fromkeys((*known.members, *thing.members))),
        )
    return out


def _owned_membership(rows: Ints, membership: int, bound: tuple[Bound, ...], nodes: tuple[Node, ...]) -> Flags:
    """Find memberships in owned groups, which are no edges: a person belongs to the owners of the person's groups (DESIGN section 3)."""
    owned = np.array([bool(b.ownership.owners) for b in bound], np.bool_).reshape(len(bound))
    person = np.array([node.kind in PEOPLE for node in nodes], np.bool_).reshape(len(nodes))
    dropped: Flags = (rows[:, 2] == membership) & owned[rows[:, 1]] & person[rows[:, 0]]
    return dropped


def masks(bound: Sequence[Bound], bits: tuple[str, ...]) -> tuple[Words, Words, Words]:
    """Return home, owners and starts of every node as rows of bits (DESIGN section 3, the table of nodes)."""
    number = {name: n for n, name in enumerate(bits)}
    everybody = tuple(range(len(bits)))
    home: list[tuple[int, ...]] = []
    owners: list[tuple[int, ...]] = []
    starts: list[tuple[int, ...]] = []
    for node in bound:
        own = tuple(number[owner] for owner in node.ownership.owners)
        owners.append(() if node.standing is Standing.PLACE else own)
        home.append(_home(node, own, number[PLATFORM], everybody))
        starts.append(_starts(node, own, number))
    return packed(home, len(bits)), packed(owners, len(bits)), packed(starts, len(bits))


def _home(node: Bound, own: tuple[int, ...], platform: int, everybody: tuple[int, ...]) -> tuple[int, ...]:
    if node.standing is Standing.PLACE or not own:
        return everybody
    if node.person:
        return own
    if platform in own or (node.standing is Standing.SCOPE and len(own) > 1):
        return ()
    return own


def _starts(node: Bound, own: tuple[int, ...], number: Mapping[str, int]) -> tuple[int, ...]:
    if node.standing is Standing.OUTSIDE and not own:
        return (number[OUTSIDE],)
    if not node.starts or node.standing is Standing.PLACE:
        return ()
    if not own:
        return (number[NOBODY],)
    return tuple(number[owner] for owner in node.starters if owner != PLATFORM)
