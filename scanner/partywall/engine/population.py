"""How much was looked at: things by kind, and what each tenant owns."""

from collections import Counter

from partywall.engine.world import World
from partywall.model.facts import Facts
from partywall.model.report import TenantRow
from partywall.model.tenancy import Tenancy


def population(world: World, facts: Facts) -> dict[str, int]:
    """Return the number of nodes by kind, of edges, and of facts."""
    kinds = Counter(node.kind.value for node in world.nodes)
    return {"facts": len(facts), "edges": world.columns.edges, **dict(sorted(kinds.items()))}


def tenant_rows(world: World, tenancy: Tenancy) -> tuple[TenantRow, ...]:
    """Return each tenant with the number of its things by kind."""
    owns: dict[str, Counter[str]] = {name: Counter() for name in world.tenants}
    for node, bound in zip(world.nodes, world.bound, strict=True):
        if len(bound.ownership.owners) == 1 and bound.ownership.owners[0] in owns:
            owns[bound.ownership.owners[0]][node.kind.value] += 1
    return tuple(TenantRow(name, dict(sorted(owns[name].items())), tenancy.guessed) for name in world.tenants)
