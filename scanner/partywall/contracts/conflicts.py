"""What contradicts itself inside one file, and names that nobody bears."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from partywall.model.evidence import Evidence
from partywall.model.node import Kind
from partywall.model.tenancy import PLATFORM, Claim, ClaimSource, Contract

Line = tuple[Evidence, str]

_JUDGED = (ClaimSource.TENANTS, ClaimSource.CONTRACT)


def contradictions(claims: Sequence[Claim]) -> Iterator[tuple[Claim, Claim]]:
    """Yield pairs of claims of one file that give the same thing to different owners, where no `shared` entry names it."""
    first: dict[tuple[str, tuple[Kind, ...], str, str], Claim] = {}
    shared = {(claim.selector.kinds, claim.selector.name) for claim in claims if claim.shared}
    for claim in claims:
        selector = claim.selector
        if claim.source not in _JUDGED or (selector.kinds, selector.name) in shared:
            continue
        earlier = first.setdefault((claim.at.document, selector.kinds, selector.name, selector.scope), claim)
        if earlier.owners != claim.owners:
            yield earlier, claim


def strangers(contracts: Iterable[Contract], tenants: Sequence[str]) -> Iterator[Line]:
    """Yield the guests of approvals who are nobody's tenant: an approval for a misspelt name approves nothing, silently."""
    known = (*tenants, PLATFORM)
    for contract in contracts:
        for approval in contract.approvals:
            if approval.guest not in known:
                yield approval.at.below("tenant"), f"no tenant is called `{approval.guest}`; {_near(approval.guest, known)}"
            elif approval.guest == contract.tenant:
                yield (
                    approval.at.below("tenant"),
                    f"`{approval.guest}` approves itself; name the tenant who may reach these things, or leave the entry out",
                )


def _near(name: str, known: Sequence[str]) -> str:
    close = get_close_matches(name, known, 1, 0.6)
    return f"did you mean `{close[0]}`?" if close else f"tenants are {', '.join(known[:-1])}"
