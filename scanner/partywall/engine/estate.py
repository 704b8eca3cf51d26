"""The estate, resolved: facts and owners in, a world out, and the same again after a lever was moved."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from partywall.engine.loom import Loom, Segment
from partywall.engine.world import Approve, Bind, World, assemble
from partywall.model.document import Gap
from partywall.model.edge import Change
from partywall.model.facts import Facts, Named
from partywall.resolve import Resolver


@dataclass(frozen=True, slots=True, eq=False)
class Estate:
    """All that it takes to resolve the world, and what each resolver said of the facts as they are."""

    facts: Facts
    tenants: tuple[str, ...]
    resolvers: tuple[Resolver, ...]
    bind: Callable[[Facts], Bind]
    approve: Approve
    loom: Loom
    segments: Mapping[str, Segment]

    def world(self) -> World:
        """Return the world as it is."""
        return assemble(self.loom, self.segments.values(), self.tenants, self.bind(self.facts), self.approve)

    def world_after(self, change: Change) -> World:
        """Resolve again after a lever was moved: only the resolvers that read what changed speak anew.

        The numbers of nodes and levers stay as they were; new ones are appended.
        """
        facts = self.facts.patched(change)
        touched = {type(fact) for fact in (*change.gone, *change.come)}
        segments = {
            resolver.name: self.loom.segment(resolver.resolve(facts)) if touched & set(resolver.reads) else self.segments[resolver.name]
            for resolver in self.resolvers
        }
        return assemble(self.loom, segments.values(), self.tenants, self.bind(facts), self.approve)


def resolved(
    facts: Facts,
    tenants: tuple[str, ...],
    resolvers: tuple[Resolver, ...],
    bind: Callable[[Facts], Bind],
    approve: Approve,
    gaps: Iterable[Gap] = (),
) -> Estate:
    """Let every resolver speak once. `gaps` are those of reading and parsing, whose nodes must be in the world too."""
    loom = Loom()
    loom.number_all(named.node for named in facts.of(Named))
    loom.number_all(node for gap in gaps for node in gap.nodes)
    segments = {resolver.name: loom.segment(resolver.resolve(facts)) for resolver in resolvers}
    return Estate(facts, tenants, resolvers, bind, approve, loom, segments)
