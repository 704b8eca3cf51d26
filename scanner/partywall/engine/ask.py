"""Put each rule's question to the world: which crossings, people, things and contracts are whose business."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from partywall.engine.world import LANES, World
from partywall.graph.reach import Crossings as Crossed
from partywall.model.edge import Certainty
from partywall.model.evidence import Evidence
from partywall.model.node import Node
from partywall.model.rule import Crossing, Crossings, Differences, Dispute, Disputes, Overreach, People, Person, Rule, Stranger, Strangers
from partywall.model.tenancy import NOBODY, OUTSIDE, PLATFORM
from partywall.model.thing import Standing
from partywall.model.verbs import Lane

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the crossings that a case is made of, with those of its pairs that are the rule's business."""

    number: int
    edge: int
    plane: Certainty
    walk: int
    pairs: tuple[Pair, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Case:
    """One rule and one cause. The first row is the leading example."""

    rule: Rule
    lane: Lane
    lever: int
    rows: tuple[Row, ...]

    @property
    def pairs(self) -> dict[Pair, Certainty]:
        """Return all pairs with the surest plane of each."""
        out: dict[Pair, Certainty] = {}
        for row in self.rows:
            for pair in row.pairs:
                out[pair] = min(row.plane, out.get(pair, row.plane))
        return out


@dataclass(frozen=True, slots=True)
class PlainCase:
    """A finding without an edge: a person of two tenants, a thing that two tenants claim."""

    rule: Rule
    node: Node
    message: str
    owners: tuple[str, ...]
    at: tuple[Evidence, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Business:
    """Which rules ask for what, looked up once."""

    by_verb: Mapping[str, tuple[Rule, ...]]
    strangers: Mapping[Stranger, tuple[Rule, ...]]
    overreach: tuple[Rule, ...]
    people: tuple[Rule, ...] = field(default=())
    disputes: tuple[Rule, ...] = field(default=())
    differences: tuple[Rule, ...] = field(default=())


def business(rules: Iterable[Rule]) -> Business:
    """Sort the rules by what they ask."""
    by_verb: dict[str, list[Rule]] = {}
    strangers: dict[Stranger, list[Rule]] = {}
    rest: dict[type, list[Rule]] = {}
    for rule in rules:
        match rule.asks:
            case Crossings(verbs=verbs):
                for verb in verbs:
                    by_verb.setdefault(verb, []).append(rule)
            case Strangers(who=who):
                strangers.setdefault(who, []).append(rule)
            case Overreach() | People() | Disputes() | Differences():
                rest.setdefault(type(rule.asks), []).append(rule)
    return Business(
        {verb: tuple(found) for verb, found in by_verb.items()},
        {who: tuple(found) for who, found in strangers.items()},
        *(tuple(rest.get(kind, ())) for kind in (Overreach, People, Disputes, Differences)),
    )


def cases(world: World, crossed: Crossed, asked: Business) -> list[Case]:
    """Group the crossings by rule and cause. A stranger's lanes are one finding where nobody owns it, one each where it is outside."""
    groups: dict[tuple[str, int, int], tuple[Rule, list[Row]]] = {}
    for number in range(len(crossed)):
        for rule, lane, pairs in _interested(world, crossed, number, asked):
            row = _row(world, crossed, number, rule, pairs)
            if row is not None:
                groups.setdefault((rule.id, int(crossed.lever[number]), lane), (rule, []))[1].append(row)
    out = []
    for (_, lever, _), (rule, rows) in groups.items():
        rows.sort(key=lambda row: _leading(world, row))
        out.append(Case(rule, LANES[world.columns.lane[rows[0].edge]], lever, tuple(rows)))
    return out


def _interested(world: World, crossed: Crossed, number: int, asked: Business) -> Iterator[tuple[Rule, int, tuple[Pair, ...]]]:
    """Yield (rule, lane or -1 for all lanes together, its pairs) for one row."""
    pairs = tuple(crossed.pairs(number))
    edge = int(crossed.edge[number])
    lane = int(crossed.lane[number])
    if crossed.entry[number] >= 0:
        yield from ((rule, -1, pairs) for rule in asked.overreach)
        return
    columns = world.columns
    for bit, who, by_lane in ((columns.nobody, Stranger.NOBODY, -1), (columns.outside, Stranger.OUTSIDE, lane)):
        mine = tuple(pair for pair in pairs if pair[0] == bit)
        if mine:
            yield from ((rule, by_lane, mine) for rule in asked.strangers.get(who, ()))
    tenants = tuple(pair for pair in pairs if pair[0] < columns.nobody)
    if tenants:
        yield from ((rule, lane, tenants) for rule in asked.by_verb.get(world.verb(edge), ()))


def _row(world: World, crossed: Crossed, number: int, rule: Rule, pairs: tuple[Pair, ...]) -> Row | None:
    edge = int(crossed.edge[number])
    first = min(pairs, key=lambda pair: _names(world, pair))
    message = rule.say(crossing_of(world, edge, first, Certainty(int(crossed.plane[number])), int(crossed.entry[number])))
    if message is None:
        return None
    ordered = (first, *sorted((pair for pair in pairs if pair != first), key=lambda pair: _names(world, pair)))
    return Row(number, edge, Certainty(int(crossed.plane[number])), int(crossed.walk[number]), ordered, message)


def crossing_of(world: World, edge: int, pair: Pair, plane: Certainty, entry: int = -1) -> Crossing:
    """Return a crossing in words."""
    bits = world.columns.bits
    condition = world.condition(edge)
    return Crossing(
        source=world.name(int(world.columns.source[edge])),
        verb=world.verb(edge),
        target=world.name(int(world.columns.target[edge])),
        lane=LANES[world.columns.lane[edge]],
        certainty=plane,
        from_owner=bits[pair[0]],
        to_owner=bits[pair[1]],
        note=world.notes[world.rows[edge, 7]],
        condition=condition.text if condition else "",
        approval=world.levers[entry].text if entry >= 0 else "",
    )


def _names(world: World, pair: Pair) -> tuple[bool, str, str]:
    """Order pairs: tenants' things before the platform's, then by name."""
    bits = world.columns.bits
    return (bits[pair[1]] == PLATFORM, bits[pair[0]], bits[pair[1]])


def _leading(world: World, row: Row) -> tuple[int, tuple[bool, str, str], str, str, int]:
    source, target = (world.name(int(side[row.edge])) for side in (world.columns.source, world.columns.target))
    return (int(row.plane), _names(world, row.pairs[0]), source, target, row.edge)


def people_of_several(world: World, rules: Sequence[Rule], listed: Mapping[str, frozenset[str]]) -> Iterator[PlainCase]:
    """Yield the people whose groups belong to several tenants and whom no contracts list; the platform is no second tenant."""
    groups: dict[int, list[int]] = {}
    for person, group in world.members:
        groups.setdefault(person, []).append(group)
    for number, bound in enumerate(world.bound):
        owners = tuple(owner for owner in bound.ownership.owners if owner not in (PLATFORM, NOBODY, OUTSIDE))
        if not bound.person or len(owners) < 2 or bound.standing is not Standing.OWNED:
            continue
        node = world.nodes[number]
        if set(owners) <= listed.get(node.name, frozenset()):
            continue
        names = tuple(sorted(world.name(group) for group in groups.get(number, ())))
        said = Person(world.name(number), owners, names)
        at = tuple(dict.fromkeys(world.things[node].at for node in [node] if node in world.things))
        for rule in rules:
            message = rule.say(said)
            if message is not None:
                yield PlainCase(rule, node, message, owners, at or _any_evidence(world, number), f"member of {', '.join(names)}")


def _any_evidence(world: World, node: int) -> tuple[Evidence, ...]:
    for edge in range(len(world.rows)):
        if node in (world.rows[edge, 0], world.rows[edge, 1]):
            return world.because(edge)
    return tuple(at for at in [world.bound[node].ownership.at] if at)


def disputed_things(world: World, rules: Sequence[Rule]) -> Iterator[PlainCase]:
    """Yield the things that several tenants claim without a word that they share them."""
    for number, bound in enumerate(world.bound):
        claims = bound.ownership.disputed
        if not claims:
            continue
        claimants = tuple(dict.fromkeys(owner for claim in claims for owner in claim.owners))
        for rule in rules:
            message = rule.say(Dispute(world.name(number), claimants))
            if message is not None:
                at = tuple(claim.at for claim in claims)
                yield PlainCase(rule, world.nodes[number], message, claimants, at, f"claimed by {', '.join(claimants)}")
