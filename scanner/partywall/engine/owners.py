"""Bind the world's nodes to their owners: what contracts/ decides, in the shape that the columns need."""

from collections.abc import Sequence
from functools import partial

from partywall.contracts.bind import bind
from partywall.contracts.claimed import Direct
from partywall.contracts.named import Cluster
from partywall.engine.world import PEOPLE, Bind, Bound
from partywall.model.facts import Facts
from partywall.model.facts_identity_center import StoreGroup
from partywall.model.node import Kind, Node
from partywall.model.tenancy import Tenancy
from partywall.model.thing import Thing

Aliases = dict[Node, tuple[str, ...]]


class Binder:
    """Makes the function that binds a world's nodes; what claims decide is kept between worlds, since moving a lever changes no claim."""

    __slots__ = ("_accounts", "_clusters", "_direct", "_tenancy")

    def __init__(self, tenancy: Tenancy, own_accounts: frozenset[str], clusters: tuple[Cluster, ...]) -> None:
        self._tenancy = tenancy
        self._accounts = own_accounts
        self._clusters = clusters
        self._direct: tuple[Aliases, Direct] | None = None

    def of(self, facts: Facts) -> Bind:
        """Return the function that gives every node its owners, its standing and whether it acts by itself."""
        aliases = aliases_in(facts)
        if self._direct is None or self._direct[0] != aliases:
            self._direct = (aliases, Direct(self._tenancy, aliases))
        return partial(bound_nodes, self._tenancy, self._accounts, self._clusters, self._direct[1])


def bound_nodes(
    tenancy: Tenancy,
    own_accounts: frozenset[str],
    clusters: tuple[Cluster, ...],
    direct: Direct,
    nodes: Sequence[Node],
    things: Sequence[Thing],
    memberships: Sequence[tuple[Node, Node]],
) -> list[Bound]:
    """Give every node its owners, its standing and whether it acts by itself."""
    found = bind(nodes, things, tenancy, memberships=memberships, own_accounts=sorted(own_accounts), clusters=clusters, direct=direct)
    members = {person for person, _ in memberships if person.kind in PEOPLE}
    return [
        Bound(
            ownership=found.ownership[node],
            standing=found.standing[node],
            starts=found.starts[node],
            starters=found.starters.get(node, ()),
            person=node.kind is Kind.PERSON or node in members,
        )
        for node in nodes
    ]


def aliases_in(facts: Facts) -> Aliases:
    """Return further names by which claims may mean a node: Identity Center's ids beside the display names."""
    return {Node(Kind.IDENTITY_GROUP, group.store, group.name or group.id): (group.id,) for group in facts.of(StoreGroup)}
