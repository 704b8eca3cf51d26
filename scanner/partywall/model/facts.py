"""The typed records that parsing yields, and a bag that holds them by type."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from partywall.model.edge import Change
from partywall.model.evidence import Evidence
from partywall.model.fact import Fact as Fact
from partywall.model.node import Node

F = TypeVar("F", bound=Fact)


@dataclass(frozen=True, slots=True)
class Named:
    """A thing that the tenancy files name exactly, so that it exists for the resolvers even where no other document lists it."""

    node: Node
    at: Evidence


@dataclass(frozen=True, slots=True)
class Listed:
    """A complete listing was read.

    An object of this kind (`Namespace`, `AccessEntry`, `Role`, ...) of this scope that is not among the facts does not exist.
    """

    kind: str
    scope: str
    at: Evidence


class Facts:
    """Facts by type, in the order in which they were read."""

    __slots__ = ("_by_type",)

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        by_type: dict[type, list[Fact]] = {}
        for fact in facts:
            by_type.setdefault(type(fact), []).append(fact)
        self._by_type: Mapping[type, tuple[Fact, ...]] = {kind: tuple(found) for kind, found in by_type.items()}

    def of(self, kind: type[F]) -> tuple[F, ...]:
        """Return the facts of one type."""
        return cast("tuple[F, ...]", self._by_type.get(kind, ()))

    def listed(self, kind: str, scope: str) -> bool:
        """Tell whether a complete listing of `kind` in `scope` was read."""
        return any(listing.kind == kind and listing.scope == scope for listing in self.of(Listed))

    def __iter__(self) -> Iterator[Fact]:
        for found in self._by_type.values():
            yield from found

    def __len__(self) -> int:
        return sum(map(len, self._by_type.values()))

    def patched(self, change: Change) -> "Facts":
        """Return these facts after a lever was moved."""
        gone = {id(fact) for fact in change.gone}
        kept = [fact for found in self._by_type.values() for fact in found if id(fact) not in gone]
        return Facts((*kept, *change.come))
