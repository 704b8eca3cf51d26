"""What is accepted: the approvals that are in use, and the exceptions that contracts grant."""

from collections.abc import Iterator
from datetime import date

from partywall.engine.hops import LineOf, place
from partywall.engine.loom import VERB_NAMES
from partywall.engine.world import World
from partywall.graph import unstopped
from partywall.graph.bits import has
from partywall.model.report import Accepted
from partywall.model.tenancy import PLATFORM, Approval, Status, Tenancy
from partywall.model.verbs import VERBS


def accepted(world: World, tenancy: Tenancy, as_of: date, line_of: LineOf) -> tuple[Accepted, ...]:
    """Return the approvals that some edge really uses, and the dated exceptions of approved contracts that have not ended."""
    return (*_approvals(world, line_of), *_exceptions(tenancy, as_of, line_of), *_by_design(world, line_of))


def _by_design(world: World, line_of: LineOf) -> Iterator[Accepted]:
    """Yield what tenants' holders may see by HyperPod's design: names across tenants, and nothing behind them."""
    for source, target, verb, _, lever, *_ in world.residual.tolist():
        owners = world.bound[source].ownership.owners
        if owners and owners != (PLATFORM,):
            what = f"{world.name(source)} may {VERB_NAMES[verb]} in {world.name(target)}"
            yield Accepted(
                "by design",
                PLATFORM,
                ", ".join(owners),
                VERBS[VERB_NAMES[verb]].lane.value,
                what,
                None,
                "",
                place(world.levers[lever].places[0], line_of),
            )


def _approvals(world: World, line_of: LineOf) -> Iterator[Accepted]:
    used: dict[Approval, list[str]] = {}
    reached = unstopped(world.columns)
    for edge, granted in world.approvals.items():
        for approval in granted:
            source = int(world.columns.source[edge])
            if has(reached[source : source + 1], world.bit(approval.guest))[0]:
                said = f"{world.name(source)} {world.verb(edge)} {world.name(int(world.columns.target[edge]))}"
                used.setdefault(approval, []).append(said)
    for approval, ways in used.items():
        until = approval.until.isoformat() if approval.until else None
        what = "; ".join(dict.fromkeys(ways[:3])) + (f"; and {len(ways) - 3} more" if len(ways) > 3 else "")
        yield Accepted(
            "approval", approval.grantor, approval.guest, approval.lane.value, what, until, approval.by, place(approval.at, line_of)
        )


def _exceptions(tenancy: Tenancy, as_of: date, line_of: LineOf) -> Iterator[Accepted]:
    for contract in tenancy.contracts:
        if contract.status is not Status.APPROVED or contract.scheduling is None:
            continue
        for exception in contract.scheduling.exceptions:
            until = exception.get("until", "")
            if not until or date.fromisoformat(until) >= as_of:
                yield Accepted(
                    "exception",
                    contract.tenant,
                    contract.tenant,
                    "compute",
                    exception.get("what", ""),
                    until or None,
                    exception.get("by", ""),
                    place(contract.scheduling.at, line_of),
                )
