"""Who can really do what: pure functions from facts to edges, one package for each system."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from partywall.model.document import Assumption, Gap
from partywall.model.edge import Edge, Hold
from partywall.model.facts import Facts
from partywall.model.thing import Thing

Resolved: TypeAlias = Edge | Gap | Thing | Hold | Assumption


@dataclass(frozen=True, slots=True)
class Resolver:
    """One system's semantics. `reads` names the fact types it depends on: it runs again when a lever changes one of them."""

    name: str
    reads: tuple[type, ...]
    resolve: Callable[[Facts], Iterator[Resolved]]
