"""A principal holds what all its groups, its user name and its access policies give together, so rights of several of them add up."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from partywall.model.edge import Certainty, Edge
from partywall.model.evidence import Evidence
from partywall.model.node import Node
from partywall.resolve.rbac.escalate import RECIPES, escalations, parts_of
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.roles import Roles


@dataclass(frozen=True, slots=True)
class _Held:
    """The grants of one source that hold parts of an escalation, and which parts in which place."""

    grants: list[Grant] = field(default_factory=list)
    parts: dict[tuple[str, str], set[str]] = field(default_factory=dict)

    def at(self, cluster: str, namespace: str) -> AbstractSet[str]:
        """Return the parts that hold in a place; those of the whole cluster hold everywhere."""
        return self.parts.get((cluster, namespace), set()) | self.parts.get((cluster, ""), set())


def unions(entered: Mapping[Node, Sequence[Edge]], grants: Iterable[Grant], roles: Roles) -> Iterator[Edge]:
    """Yield what rights of several of a principal's identities add up to, where none of these has it alone."""
    held: dict[Node, _Held] = {}
    for grant in grants:
        parts = parts_of(grant)
        if parts:
            mine = held.setdefault(grant.source, _Held())
            mine.grants.append(grant)
            mine.parts.setdefault((grant.cluster, grant.namespace), set()).update(parts)
    for principal, doors in entered.items():
        ways: dict[Node, tuple[Evidence, ...]] = {principal: ()}
        ways.update({edge.target: edge.because for edge in doors if edge.certainty is Certainty.SURE})
        holders = {node: at for node, at in ways.items() if node in held}
        if len(holders) > 1 and _add_up([held[node] for node in holders]):
            alone = {(edge.verb, edge.target) for node in holders for edge in escalations(held[node].grants, roles)}
            joined = [
                replace(grant, source=principal, because=(*grant.because, *at))
                for node, at in holders.items()
                for grant in held[node].grants
            ]
            yield from (edge for edge in escalations(joined, roles) if (edge.verb, edge.target) not in alone)


def _add_up(holders: Sequence[_Held]) -> bool:
    """Tell whether some recipe is complete in some place for all of them together and for none alone."""
    for cluster, namespace in dict.fromkeys(place for one in holders for place in one.parts):
        each = [one.at(cluster, namespace) for one in holders]
        together = frozenset[str]().union(*each)
        for recipe in RECIPES:
            wanted = frozenset(recipe.rights)
            if wanted <= together and not any(wanted <= alone for alone in each):
                return True
    return False
