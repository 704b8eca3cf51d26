"""Who stands above the wall: everybody who is or can become the platform."""

from collections.abc import Iterator

import numpy as np

from partywall.engine.world import World
from partywall.model.edge import Certainty
from partywall.model.node import Kind
from partywall.model.report import Above
from partywall.model.tenancy import PLATFORM

ACTORS = frozenset(
    {
        Kind.PERSON,
        Kind.IDENTITY_GROUP,
        Kind.IAM_USER,
        Kind.ROLE,
        Kind.GROUP,
        Kind.USER,
        Kind.OS_USER,
        Kind.ACCOUNT,
        Kind.ANYONE,
        Kind.SERVICE_ACCOUNT,
    }
)
POWERS = frozenset({Kind.CLUSTER_ADMIN, Kind.SLURM_ADMIN, Kind.NODES})


def above_the_wall(world: World) -> tuple[Above, ...]:
    """Return who is the platform, or walks into it, each with the hop that makes it so."""
    how = dict(_powers(world))
    columns = world.columns
    walked = np.flatnonzero(columns.becomes)
    into: dict[int, list[int]] = {}
    for edge in walked.tolist():
        into.setdefault(int(columns.target[edge]), []).append(edge)
    todo = list(how)
    while todo:
        for edge in into.get(todo.pop(), ()):
            source = int(columns.source[edge])
            if source not in how:
                doubt = "" if columns.certainty[edge] == Certainty.SURE else f" ({Certainty(int(columns.certainty[edge])).word})"
                how[source] = f"{world.verb(edge)} {world.name(int(columns.target[edge]))}{doubt}"
                todo.append(source)
    rows = [Above(world.name(n), world.owner(n), reason) for n, reason in how.items() if world.nodes[n].kind in ACTORS]
    return tuple(sorted(rows, key=lambda row: (row.owner != PLATFORM, row.owner, row.node)))


def _powers(world: World) -> Iterator[tuple[int, str]]:
    for number, bound in enumerate(world.bound):
        if world.nodes[number].kind in POWERS:
            yield number, "is the cluster's own power"
        elif PLATFORM in bound.ownership.owners and len(bound.ownership.owners) == 1 and world.nodes[number].kind in ACTORS:
            yield number, bound.ownership.why or "is the platform's"
