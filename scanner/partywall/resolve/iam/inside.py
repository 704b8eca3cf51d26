"""What an account's administrator has."""

from collections.abc import Iterator

from partywall.model.edge import Edge, Lever, Move
from partywall.resolve.iam.naming import account_node
from partywall.resolve.iam.rights import Estate


def administered(estate: Estate, accounts: frozenset[str]) -> Iterator[Edge]:
    """Yield that the accounts that somebody administers contain their principals: whoever administers one becomes them."""
    for rights in estate.rights.values():
        if rights.account not in accounts:
            continue
        at = rights.principal.at
        lever = Lever(Move.REMOVE, "IAM principal", rights.account, rights.principal.arn, (at,), f"remove {rights.principal.arn}")
        yield Edge(account_node(rights.account), "contains", rights.node, (at,), lever)
