"""What `explain` says of a hop beside its evidence: who decides its condition, and the limits that let it through."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from partywall.engine.conditions import condition_lines
from partywall.engine.scan import Scan
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.report import Hop
from partywall.model.residual import Residual, as_data
from partywall.resolve.iam import Estate, Rights, estate
from partywall.resolve.iam.context import Context
from partywall.resolve.iam.grants import Grant

Deeper: TypeAlias = Callable[[Hop], Iterator[str]]


def further(scan: Scan) -> Deeper:
    """Return a function that says more of a hop of a scan."""
    facts: Facts = scan.estate.facts
    world = estate(facts)
    conditions: dict[str, list[Residual]] = {}
    for condition in scan.world.conditions:
        conditions.setdefault(condition.text, []).append(condition.residual)

    def lines(hop: Hop) -> Iterator[str]:
        rights = _rights(world, hop.source)
        residual = next((found for found in conditions.get(hop.condition or "", ()) if as_data(found) == hop.residual), None)
        if residual is not None:
            yield from condition_lines(residual, rights.context if rights else Context())
        if rights is not None:
            yield from limits(rights, (Evidence(at.document, at.pointer) for at in hop.evidence))

    return lines


def _rights(world: Estate, source: str) -> Rights | None:
    return world.rights.get(source) or next((pod for pod in world.pods if str(pod.node) == source), None)


def limits(rights: Rights, evidence: Iterable[Evidence]) -> Iterator[str]:
    """Yield the limits above a principal and above resources whose statements are part of the evidence: each let the request through."""
    shown = frozenset(evidence)
    above = (*rights.ceilings(), *(ceiling for ceilings in rights.over_resources.values() for ceiling in ceilings))
    for ceiling in dict.fromkeys((ceiling.layer, ceiling.name) for ceiling in above if _is_shown(ceiling.grants, shown)):
        yield f"below the {ceiling[0].value} {ceiling[1]}, which allows it"


def _is_shown(grants: Iterable[Grant] | None, shown: frozenset[Evidence]) -> bool:
    return any(grant.statement.at in shown for grant in grants or ())
