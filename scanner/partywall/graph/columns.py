"""The world as arrays: a million edges without a Python object for any of them."""

from dataclasses import dataclass, field, replace

import numpy as np

from partywall.graph.bits import LITTLE, Flags, Numbers, Small, Wide, Words, any_bit, heads, members, ordered, packed_pairs, words_for

SURE, CONDITIONAL, UNKNOWN = 0, 1, 2
PLANES = (SURE, CONDITIONAL, UNKNOWN)
NONE = -1
LANES = 6
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio, the usual odd number to spread bits with


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """The edges that are walked, by target, and the way from each node to those that begin or end there."""

    edge: Numbers
    source: Numbers
    target: Numbers
    certainty: Small
    into: Numbers  # rows into node n: into[n] .. into[n + 1]
    out: Numbers  # rows out of node n: rows[out[n] .. out[n + 1]]
    rows: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Approvals:
    """Approved edges as arrays: one row for each (edge, tenant), with the owners who granted it."""

    edge: Numbers
    tenant: Numbers
    granters: Words
    covers: Flags  # which edges of the world have a row here
    grants: Wide  # each (edge, owner who grants) in one number, sorted
    guests: Words  # and the tenants whom that owner approved on that edge
    entry: Flags  # walked, and approved by every owner of the target: the tenant may go in as a guest


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Nodes with their two sets, edges with what they say, and who approved what; numbers only, the names are kept elsewhere.

    The bits are the tenants, then `nobody`, `outside` and `platform`. The last never starts, the two before it are never touched.
    """

    bits: tuple[str, ...]
    home: Words
    owners: Words
    starts: Words
    person: Flags
    source: Numbers
    target: Numbers
    becomes: Flags
    lane: Small
    certainty: Small
    light: Flags
    lever: Numbers
    condition: Numbers
    identity_lane: int
    approved: frozenset[tuple[int, int, int]] = frozenset()  # (tenant, owner who grants, edge)
    lanes: int = LANES
    walked: Walked = field(init=False, repr=False)
    out: Numbers = field(init=False, repr=False)  # edges out of node n: fan[out[n] .. out[n + 1]]
    fan: Numbers = field(init=False, repr=False)
    approvals: Approvals = field(init=False, repr=False)
    hats: tuple[tuple[tuple[int, ...], Numbers], ...] = field(init=False, repr=False)  # people of several owners, by the set of owners
    alone: Words = field(init=False, repr=False)  # starts, without those people
    kind: Numbers = field(init=False, repr=False)  # nodes of one kind have the same home and the same owners
    kinds: Numbers = field(init=False, repr=False)  # one node of each kind

    def __post_init__(self) -> None:
        """Check the shapes and index the edges once, for every question that follows."""
        _check(self)
        by_source = ordered(self.source)
        walked = _walked(self, by_source)
        hats = _hats(self)
        kind, kinds = _kinds(self)
        derived = {
            "walked": walked,
            "fan": by_source,
            "out": first_rows_by(self.source[by_source], self.nodes),
            "approvals": _approvals(self),
            "hats": hats,
            "alone": _alone(self.starts, hats),
            "kind": kind,
            "kinds": kinds,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.home)

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return len(self.source)

    @property
    def words(self) -> int:
        """How many words a set of owners takes."""
        return int(self.home.shape[1])

    @property
    def platform(self) -> int:
        """The bit of the platform."""
        return len(self.bits) - 1

    @property
    def outside(self) -> int:
        """The bit of whoever is outside."""
        return len(self.bits) - 2

    @property
    def nobody(self) -> int:
        """The bit of what has no owner."""
        return len(self.bits) - 3

    def owners_of(self, node: int) -> tuple[int, ...]:
        """Who is touched when somebody else gets to the node."""
        return tuple(members(self.owners[node]))

    def with_edges(self, keep: Flags) -> "Columns":
        """The same world with only the edges that `keep` names; approvals move along."""
        number = np.cumsum(keep) - 1
        cut = {name: getattr(self, name)[keep] for name in EDGE_COLUMNS}
        approved = frozenset((tenant, granter, int(number[edge])) for tenant, granter, edge in self.approved if keep[edge])
        return replace(self, **cut, approved=approved)

    def with_nodes(self, home: Words, owners: Words, starts: Words, person: Flags) -> "Columns":
        """The same world with more nodes behind the old ones."""
        return replace(
            self,
            home=np.concatenate((self.home, home)),
            owners=np.concatenate((self.owners, owners)),
            starts=np.concatenate((self.starts, starts)),
            person=np.concatenate((self.person, person)),
        )

    def without_levers(self, levers: frozenset[int]) -> "Columns":
        """The world after these levers were moved, where moving them takes their edges away and does nothing else."""
        return self.with_edges(~np.isin(self.lever, sorted(levers)))


def granted(columns: Columns, edges: Numbers, owners: Numbers) -> Words:
    """For each edge and owner the tenants whom this owner approved on this edge."""
    approvals = columns.approvals
    keys = edges.astype(np.int64) * len(columns.bits) + owners
    at = np.searchsorted(approvals.grants, keys)
    known = np.flatnonzero(at < len(approvals.grants))
    known = known[approvals.grants[at[known]] == keys[known]]
    out = np.zeros((len(edges), columns.words), LITTLE)
    out[known] = approvals.guests[at[known]]
    return out


EDGE_COLUMNS = ("source", "target", "becomes", "lane", "certainty", "light", "lever", "condition")


def _check(columns: Columns) -> None:
    """Refuse arrays that do not belong together: numpy would broadcast or wrap round in silence."""
    shape = (columns.nodes, words_for(len(columns.bits)))
    problems = [f"{name} is not {shape}" for name in ("home", "owners", "starts") if getattr(columns, name).shape != shape]
    problems += [f"{name} has not {columns.edges} edges" for name in EDGE_COLUMNS if getattr(columns, name).shape != (columns.edges,)]
    if columns.person.shape != (columns.nodes,):
        problems.append(f"person has not {columns.nodes} nodes")
    if problems:
        raise ValueError("; ".join(problems))
    limits = {"source": columns.nodes, "target": columns.nodes, "lane": columns.lanes, "certainty": len(PLANES), "lever": 2**31 - 1}
    for name, limit in limits.items():
        values = getattr(columns, name)
        if len(values) and not 0 <= int(values.min()) <= int(values.max()) < limit:
            raise ValueError(f"{name} must lie in 0 .. {limit - 1}")
    if len(columns.bits) < 3:
        raise ValueError("the bits end with nobody, outside, platform")


def first_rows_by(sorted_nodes: Numbers, nodes: int) -> Numbers:
    """Where the rows of each node begin, and after the last where they end."""
    counts = np.bincount(sorted_nodes, minlength=nodes)
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int32)


def _walked(columns: Columns, by_source: Numbers) -> Walked:
    edge = np.flatnonzero(columns.becomes).astype(np.int32)
    edge = edge[ordered(columns.target[edge])]
    source, target = columns.source[edge], columns.target[edge]
    position = np.empty(columns.edges, np.int32)
    position[edge] = np.arange(len(edge), dtype=np.int32)
    rows = position[by_source[columns.becomes[by_source]]]
    return Walked(
        edge=edge,
        source=source,
        target=target,
        certainty=columns.certainty[edge],
        into=first_rows_by(target, columns.nodes),
        out=first_rows_by(source[rows], columns.nodes),
        rows=rows,
    )


def _hats(columns: Columns) -> tuple[tuple[tuple[int, ...], Numbers], ...]:
    people = np.flatnonzero(columns.person)
    several = people[np.bitwise_count(columns.owners[people]).sum(axis=1) > 1]
    by_set: dict[tuple[int, ...], list[int]] = {}
    for node in several:
        by_set.setdefault(columns.owners_of(node), []).append(int(node))
    return tuple((who, np.array(nodes, np.int32)) for who, nodes in sorted(by_set.items()))


def _alone(starts: Words, hats: tuple[tuple[tuple[int, ...], Numbers], ...]) -> Words:
    if not hats:
        return starts
    alone = starts.copy()
    for _, nodes in hats:
        alone[nodes] = 0
    return alone


def _approvals(columns: Columns) -> Approvals:
    rows = np.array(sorted((edge, tenant, granter) for tenant, granter, edge in columns.approved), np.int64).reshape(-1, 3)
    begin = heads(rows[:, 0] * len(columns.bits) + rows[:, 1])
    number = np.repeat(np.arange(len(begin)), np.diff(np.append(begin, len(rows))))
    granters = packed_pairs(number, rows[:, 2], len(begin), len(columns.bits))
    edge, tenant = rows[begin, 0].astype(np.int32), rows[begin, 1].astype(np.int32)
    own = packed_pairs(np.arange(len(begin)), rows[begin, 1], len(begin), len(columns.bits))
    missing = any_bit(columns.owners[columns.target[edge]] & ~granters & ~own)
    covers = np.zeros(columns.edges, np.bool_)
    covers[edge] = True
    grants, number = np.unique(rows[:, 0] * len(columns.bits) + rows[:, 2], return_inverse=True)
    guests = packed_pairs(number, rows[:, 1], len(grants), len(columns.bits))
    return Approvals(edge, tenant, granters, covers, grants, guests, columns.becomes[edge] & ~missing)


def _kinds(columns: Columns) -> tuple[Numbers, Numbers]:
    """(kind of each node, one node of each kind): a few hundred kinds stand for all nodes, so who touches whom is worked out by kind."""
    both = np.concatenate((columns.home, columns.owners), axis=1)
    salt = np.arange(1, both.shape[1] + 1, dtype=np.uint64) * GOLDEN
    mixed = both ^ salt
    for _ in range(2):
        mixed ^= mixed >> np.uint64(29)
        mixed *= GOLDEN
    mixed = mixed.sum(axis=1, dtype=np.uint64) >> np.uint64(33)
    order = ordered(mixed)
    begin = heads(mixed[order])
    number = np.empty(columns.nodes, np.int32)
    number[order] = np.repeat(np.arange(len(begin), dtype=np.int32), np.diff(np.append(begin, columns.nodes)))
    first = order[begin]
    if (both[first[number]] != both).any():  # two sets of one hash: sort the rows themselves
        _, one, which = np.unique(both, axis=0, return_index=True, return_inverse=True)
        return which.astype(np.int32).reshape(-1), one.astype(np.int32)
    return number, first
