"""Which edges an approval covers: each target and lane is asked about once."""

from collections.abc import Mapping, Sequence
from datetime import date

from partywall.contracts.approvals import approvals_for
from partywall.engine.loom import VERB_NAMES, Ints
from partywall.engine.world import Approve, Bound
from partywall.model.node import Node
from partywall.model.tenancy import Approval, Tenancy
from partywall.model.thing import Thing
from partywall.model.verbs import VERBS, Lane

LANE_OF = tuple(VERBS[name].lane for name in VERB_NAMES)


def approver(tenancy: Tenancy, as_of: date) -> Approve:
    """Return the function that finds the approvals of every edge."""

    def approve(
        rows: Ints, nodes: Sequence[Node], bound: Sequence[Bound], things: Mapping[Node, Thing]
    ) -> Mapping[int, tuple[Approval, ...]]:
        if not tenancy.approvals:
            return {}
        parents = {node: thing.parent for node, thing in things.items() if thing.parent is not None}
        known: dict[tuple[int, Lane], tuple[Approval, ...]] = {}
        out: dict[int, tuple[Approval, ...]] = {}
        for edge, (target, verb) in enumerate(rows[:, 1:3].tolist()):
            key = (target, LANE_OF[verb])
            if key not in known:
                known[key] = approvals_for(nodes[target], LANE_OF[verb], bound[target].ownership.owners, tenancy, as_of, parents)
            if known[key]:
                out[edge] = known[key]
        return out

    return approve
