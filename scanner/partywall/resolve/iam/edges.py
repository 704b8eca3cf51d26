"""Edges from ways."""

from collections.abc import Iterable, Iterator

from partywall.model.edge import Edge, Lever
from partywall.model.evidence import Evidence
from partywall.model.node import Node
from partywall.resolve.iam.grants import lever
from partywall.resolve.iam.times import is_over
from partywall.resolve.iam.ways import Way


def edge(
    source: Node, verb: str, target: Node, way: Way, *, note: str = "", also: Iterable[Evidence] = (), moves: Lever | None = None
) -> Edge:
    """Build the edge of a way; its first grant is the lever unless another one is given."""
    because = tuple(dict.fromkeys((*way.because, *also)))
    words = "; ".join(part for part in (note, way.why) if part)
    return Edge(source, verb, target, because, moves or lever(way.grants[0]), way.certainty, way.condition, words)


def distinct(edges: Iterable[Edge]) -> Iterator[Edge]:
    """Yield each way once, and none whose time is over: two actions of one statement that come to the same are one edge."""
    seen: set[tuple[Node, str, Node, tuple[str, str, str, str, str], int]] = set()
    for found in edges:
        key = (found.source, found.verb, found.target, found.lever.identity, int(found.certainty))
        if key not in seen and not (found.condition and is_over(found.condition.residual)):
            seen.add(key)
            yield found
