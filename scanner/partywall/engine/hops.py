"""Paths as a reader sees them: one hop an edge, with its evidence and the line where it stands."""

from collections.abc import Callable, Sequence

from partywall.engine.world import World
from partywall.model.edge import Certainty
from partywall.model.evidence import Evidence
from partywall.model.report import Hop, Place, Term
from partywall.model.residual import as_data, that

LineOf = Callable[[Evidence], int | None]


def place(at: Evidence, line_of: LineOf) -> Place:
    """Return evidence with its line."""
    return Place(at.document, at.pointer, line_of(at))


def hops(world: World, path: Sequence[int], line_of: LineOf, cut: int = -1) -> tuple[Hop, ...]:
    """Return a path of edges in words; `cut` is the lever whose edge is marked."""
    return tuple(_hop(world, edge, line_of, cut) for edge in path)


def _hop(world: World, edge: int, line_of: LineOf, cut: int) -> Hop:
    source, target = int(world.columns.source[edge]), int(world.columns.target[edge])
    condition = world.condition(edge)
    return Hop(
        source=world.name(source),
        source_owner=world.owner(source),
        verb=world.verb(edge),
        target=world.name(target),
        target_owner=world.owner(target),
        certainty=Certainty(int(world.columns.certainty[edge])).word,
        condition=condition.text if condition else None,
        evidence=tuple(place(at, line_of) for at in world.because(edge)),
        note=world.notes[world.rows[edge, 7]],
        cut=int(world.columns.lever[edge]) == cut,
        residual=as_data(condition.residual) if condition else None,
        terms=tuple(Term(that(atom).text, atom.control.value) for atom in condition.atoms) if condition else (),
    )
