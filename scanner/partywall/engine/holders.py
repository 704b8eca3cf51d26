"""What the holders of a name get to, for the comparison of contracts with reality."""

from collections.abc import Callable, Iterator

import numpy as np

from partywall.engine.world import LANE_NUMBER, World
from partywall.graph import NEVER, matrix
from partywall.model.edge import Edge
from partywall.model.node import Kind
from partywall.model.verbs import Lane
from partywall.resolve.iam.naming import permission_set_of

HOLDERS = frozenset({Kind.IDENTITY_GROUP, Kind.GROUP, Kind.PERMISSION_SET})


def does(world: World) -> Callable[[str], Iterator[Edge]]:
    """Return the function that gives all edges which the holders of a group or permission set of this name get to, wall or not.

    The roles that a permission set was provisioned as stand for it: Identity Center itself may not have been read.
    """
    columns = world.columns
    named: dict[str, list[int]] = {}
    for number, node in enumerate(world.nodes):
        if node.kind in HOLDERS:
            named.setdefault(node.name, []).append(number)
        elif node.kind is Kind.ROLE and (name := permission_set_of(node.name.rsplit("/", 1)[-1])):
            named.setdefault(name, []).append(number)

    def edges(name: str) -> Iterator[Edge]:
        seen = set(named.get(name, ()))
        todo = sorted(seen)
        while todo:
            node = todo.pop(0)
            for edge in columns.fan[columns.out[node] : columns.out[node + 1]].tolist():
                yield world.edge(edge)
                target = int(columns.target[edge])
                if columns.becomes[edge] and target not in seen:
                    seen.add(target)
                    todo.append(target)

    return edges


def sees(world: World) -> Callable[[str], tuple[str, ...]]:
    """Return the function that gives the tenants whose tasks a tenant can look at, by whatever way."""
    plane = matrix(world.columns).plane
    view = LANE_NUMBER[Lane.VIEW]

    def tenants(name: str) -> tuple[str, ...]:
        row = plane[world.bit(name), : len(world.tenants), view]
        return tuple(world.tenants[number] for number in np.flatnonzero(row != NEVER).tolist())

    return tenants
