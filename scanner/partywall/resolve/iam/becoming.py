"""Who can become whom, over any number of steps.

The steps are those that IAM gives: assuming, passing, rewriting, tagging, making oneself administrator, and getting into what runs with a
role already. A row is one Python integer: bit `j` of row `i` says that principal `i` gets to principal `j`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from partywall.model.edge import Certainty, Edge
from partywall.model.facts import Facts
from partywall.model.node import Kind, Node
from partywall.model.verbs import Family
from partywall.resolve.iam.edges import distinct
from partywall.resolve.iam.estate import estate
from partywall.resolve.iam.inside import administered
from partywall.resolve.iam.steps import steps


@dataclass(frozen=True, slots=True)
class Closure:
    """What `closure` returns.

    `nodes` are all principals, and the accounts and services on the ways between them; rows and bits are in their order. `edges` are the
    single steps. `sure` holds, for each node, whom it gets to whatever the request says; `possible` also whom it gets to under conditions,
    or if what was not read is so. A node gets to itself.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    sure: tuple[int, ...]
    possible: tuple[int, ...]

    def reached(self, node: Node, *, surely: bool = False) -> tuple[Node, ...]:
        """Return the nodes that one gets to, itself left out, in the order of `nodes`; nothing for a node that is not among them."""
        if node not in self.nodes:
            return ()
        place = self.nodes.index(node)
        row = (self.sure if surely else self.possible)[place] & ~(1 << place)
        return tuple(self.nodes[bit] for bit in bits(row))


def closure(facts: Facts) -> Closure:
    """Return who can become whom by IAM in an estate."""
    world = estate(facts)
    edges = list(distinct(found for found in steps(facts, world) if isinstance(found, Edge)))
    edges += administered(world, frozenset(edge.target.name for edge in edges if edge.target.kind is Kind.ACCOUNT))
    walked = tuple(edge for edge in edges if edge.kind.family is Family.BECOMES)
    nodes = sorted({rights.node for rights in world.askers()} | {node for edge in walked for node in (edge.source, edge.target)})
    numbers = {node: number for number, node in enumerate(nodes)}
    pairs = [(numbers[edge.source], numbers[edge.target], edge.certainty) for edge in walked]
    sure = reach(len(nodes), ((source, target) for source, target, certainty in pairs if certainty is Certainty.SURE))
    return Closure(tuple(nodes), walked, sure, reach(len(nodes), ((source, target) for source, target, _ in pairs)))


def bits(row: int) -> Iterator[int]:
    """Yield the places of a row's bits."""
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low


def reach(count: int, pairs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return for each of `count` nodes which it gets to along the pairs, itself included, as rows of bits.

    What others lead to comes first, so that without circles one round is enough; circles take a few more, until nothing changes.
    """
    after: list[set[int]] = [set() for _ in range(count)]
    for source, target in pairs:
        after[source].add(target)
    order = [node for node in _leaves_first([sorted(found) for found in after]) if after[node]]
    rows = [1 << node for node in range(count)]
    changed = True
    while changed:
        changed = False
        for node in order:
            row = rows[node]
            for target in after[node]:
                row |= rows[target]
            changed = changed or row != rows[node]
            rows[node] = row
    return tuple(rows)


def _leaves_first(after: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield each node once, behind what it leads to as far as circles allow."""
    seen: set[int] = set()
    for root in range(len(after)):
        walk = [(root, iter(after[root]))] if root not in seen else []
        seen.add(root)
        while walk:
            node, targets = walk[-1]
            target = next((found for found in targets if found not in seen), None)
            if target is None:
                walk.pop()
                yield node
            else:
                seen.add(target)
                walk.append((target, iter(after[target])))
