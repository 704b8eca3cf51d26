"""Which approvals cover an edge's target."""

from collections.abc import Iterator, Sequence
from datetime import date

from partywall.contracts.containers import Parents, containers
from partywall.model.node import Node
from partywall.model.tenancy import Approval, Status, Tenancy
from partywall.model.verbs import Lane


def approvals_for(target: Node, lane: Lane, owners: Sequence[str], tenancy: Tenancy, as_of: date, parents: Parents) -> tuple[Approval, ...]:
    """Return the approvals that cover every edge of their guests, in `lane`, to `target`, in the order of the contracts.

    The whole target must lie within an approval's things and be its grantor's; an approval that ended before `as_of` covers nothing,
    nor does one of a draft or of a retired contract.
    """
    live = tuple(approval for approval in in_force(tenancy, as_of, owners) if approval.lane is lane)
    if not live:
        return ()
    within = (target, *containers(target, parents))
    return tuple(approval for approval in live if any(covers(approval, node) for node in within))


def in_force(tenancy: Tenancy, as_of: date, grantors: Sequence[str]) -> Iterator[Approval]:
    """Yield what these tenants approve by contracts in force and has not ended: the last day counts."""
    for contract in tenancy.contracts if grantors else ():
        if contract.tenant in grantors and contract.status is Status.APPROVED:
            yield from (each for each in contract.approvals if each.until is None or each.until >= as_of)


def covers(approval: Approval, node: Node) -> bool:
    """Tell whether an approval names a thing itself."""
    return any(selector.matches(node) for selector in approval.things)
