"""Small worlds for the tests of the graph, and their answers in words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from partywall.graph import Columns, Crossings, blind_cells, crossings, proof, survey, touches, touches_of
from partywall.graph.bits import packed

LANES = ("act", "view", "data", "identity", "compute", "network")
TENANTS = ("red", "blue", "green")

Arrow = tuple[str, str, str, str, str] | tuple[str, str, str, str, str, int]  # source, kind, target, lane, lever, plane


@dataclass(frozen=True, slots=True)
class Thing:
    """A node: for whom it is home, whose it is, who starts there."""

    home: tuple[str, ...]
    owners: tuple[str, ...]
    starts: tuple[str, ...] = ()
    person: bool = False


def of(*owners: str) -> Thing:
    """What belongs to a tenant, or is shared by several; it does not act."""
    return Thing(owners, owners)


def acting(*owners: str) -> Thing:
    """The same, acting by itself."""
    return Thing(owners, owners, owners)


def scope(*owners: str) -> Thing:
    """Something over things of several owners."""
    return Thing((), owners)


def person(*owners: str) -> Thing:
    """Somebody in groups of these owners."""
    who = tuple(o for o in owners if o != "platform") or ("nobody",)
    return Thing(owners or ("all",), owners, who, person=True)


PLACE = Thing(("all",), ())
OPERATORS = Thing((), ("platform",))
UNOWNED = Thing(("all",), ())
UNOWNED_ACTOR = Thing(("all",), (), ("nobody",))
STRANGER = Thing(("all",), (), ("outside",))


@dataclass(frozen=True, slots=True, eq=False)
class Small:
    """Columns with the names of their nodes and levers."""

    columns: Columns
    nodes: tuple[str, ...]
    levers: tuple[str, ...]


def small(
    things: Mapping[str, Thing],
    *arrows: Arrow,
    approved: Iterable[tuple[str, str, str]] = (),
    tenants: Sequence[str] = TENANTS,
    conditions: Mapping[str, int] | None = None,
) -> Small:
    """Build a world; `approved` are (tenant, owner who grants, lever), `conditions` are numbers by lever."""
    bits = (*tenants, "nobody", "outside", "platform")
    nodes, levers = tuple(things), tuple(dict.fromkeys(arrow[4] for arrow in arrows))

    def mask(which: Callable[[Thing], tuple[str, ...]]) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
        return packed([[*range(len(bits))] if "all" in which(t) else [bits.index(b) for b in which(t)] for t in things.values()], len(bits))

    numbers = {lever: number for number, lever in enumerate(levers)}
    columns = Columns(
        bits=bits,
        home=mask(lambda t: t.home),
        owners=mask(lambda t: t.owners),
        starts=mask(lambda t: t.starts),
        person=np.array([t.person for t in things.values()], np.bool_),
        source=np.array([nodes.index(a[0]) for a in arrows], np.int32),
        target=np.array([nodes.index(a[2]) for a in arrows], np.int32),
        becomes=np.array([a[1] == "becomes" for a in arrows], np.bool_),
        lane=np.array([LANES.index(a[3]) for a in arrows], np.int8),
        certainty=np.array([a[5] if len(a) > 5 else 0 for a in arrows], np.int8),
        light=np.array([a[1] == "looks" for a in arrows], np.bool_),
        lever=np.array([numbers[a[4]] for a in arrows], np.int32),
        condition=np.array([(conditions or {}).get(a[4], -1) for a in arrows], np.int32),
        identity_lane=LANES.index("identity"),
        approved=frozenset(
            (bits.index(tenant), bits.index(granter), edge)
            for tenant, granter, lever in approved
            for edge, arrow in enumerate(arrows)
            if arrow[4] == lever
        ),
    )
    return Small(columns, nodes, levers)


def pair_text(columns: Columns, a: int, b: int, lane: int) -> str:
    """A pair in words; `*` is anybody."""
    ends = ("*" if bit < 0 else columns.bits[bit] for bit in (a, b))
    return f"{' > '.join(ends)} {LANES[lane]}"


def told(world: Small, found: Crossings | None = None) -> dict[str, list[str]]:
    """The crossings of each lever in words."""
    found = crossings(world.columns) if found is None else found
    words = ("", " conditional", " unknown")
    return {
        world.levers[lever]: sorted(pair_text(world.columns, *pair) + words[plane] for pair, plane in found.pairs_of(lever).items())
        for lever in found.by_lever()
    }


def proved(world: Small, lever: str, after: Small | None = None) -> dict[str, list[str]]:
    """What moving a lever does, in words."""
    number = world.levers.index(lever)
    before = survey(world.columns)
    later = world.columns.without_levers(frozenset([number])) if after is None else after.columns
    found = proof(before, later, set(touches_of(before, before.crossings.by_lever()[number])))
    said = {name: getattr(found, name) for name in ("closes", "stays", "approved", "opens")}
    return {name: sorted({pair_text(world.columns, *touch[:3]) for touch in each}) for name, each in said.items() if each}


def reached(world: Small, with_approved: bool = False) -> set[str]:
    """Who touches whom, whatever stands between."""
    return {pair_text(world.columns, *touch[:3]) for touch in touches(world.columns, with_approved)}


def blinded(world: Small, outgoing: Iterable[tuple[str, str]] = (), incoming: Iterable[tuple[str, str]] = ()) -> list[str]:
    """The cells that gaps at (node, lane) blind."""
    out, coming = ([(world.nodes.index(node), LANES.index(lane), 0) for node, lane in gaps] for gaps in (outgoing, incoming))
    return sorted(pair_text(world.columns, *cell[:3]) for cell in blind_cells(world.columns, out, coming))


def renumbered(columns: Columns, order: Sequence[int]) -> Columns:
    """The same world with its nodes in another order: old node `order[i]` becomes node i."""
    old = np.array(order, np.int32)
    new = np.empty(len(old), np.int32)
    new[old] = np.arange(len(old), dtype=np.int32)
    return replace(
        columns,
        home=columns.home[old],
        owners=columns.owners[old],
        starts=columns.starts[old],
        person=columns.person[old],
        source=new[columns.source],
        target=new[columns.target],
    )
