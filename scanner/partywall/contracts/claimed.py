"""Which claim decides whose a node is."""

from collections.abc import Mapping, Sequence

from partywall.contracts.containers import Parents, container
from partywall.contracts.index import ClaimIndex
from partywall.contracts.standing import STARTS, reserved
from partywall.model.node import Kind, Node
from partywall.model.tenancy import PLATFORM, Claim, ClaimSource, Ownership, Tenancy

_NOBODY = Ownership((), "")

# Stronger words first: a signed contract, tenants.yaml, conventions that the user switched on, rights that a contract gives, what a
# retired contract left behind.
_RANK: Mapping[ClaimSource, int] = {source: rank for rank, source in enumerate(ClaimSource)}
_SIDE_BY_SIDE = (ClaimSource.CONTRACT, ClaimSource.TENANTS)


class Direct:
    """Decides by a node's own claims, else by what its system reserves, and keeps it: a world that is resolved again asks the same."""

    __slots__ = ("_aliases", "_guessed", "_index", "_known")

    def __init__(self, tenancy: Tenancy, aliases: Mapping[Node, tuple[str, ...]]) -> None:
        self._index = ClaimIndex(tenancy.claims)
        self._aliases = aliases
        self._guessed = tenancy.guessed
        self._known: dict[Node, Ownership | None] = {}

    def of(self, node: Node) -> Ownership | None:
        """Return who owns a node whatever it lies inside of; None: nothing says so."""
        if node not in self._known:
            self._known[node] = self._decide(node)
        return self._known[node]

    def _decide(self, node: Node) -> Ownership | None:
        claims = self._index.of(node, self._aliases.get(node, ()))
        if claims:
            return self._by_claims(node, claims)
        what = reserved(node)
        return Ownership((PLATFORM,), f"{what}: the platform's unless somebody claims it") if what else None

    def _by_claims(self, node: Node, claims: Sequence[Claim]) -> Ownership:
        strongest = _strongest(claims)
        first = strongest[0]
        owners = tuple(sorted({owner for claim in strongest for owner in claim.owners}))
        differing = len({claim.owners for claim in strongest}) > 1 and not _agreed(node, strongest)
        return Ownership(
            owners=owners,
            why=_why(first) if not differing else "; ".join(_why(claim) for claim in strongest),
            at=first.at,
            self_asserted=all(claim.self_asserted for claim in strongest),
            guessed=self._guessed,
            disputed=tuple(strongest) if differing else (),
        )


class Decider:
    """Decides the owners of nodes, each once: by what is said of it directly, else by what it lies inside of."""

    __slots__ = ("_decided", "_direct", "_parents")

    def __init__(self, direct: Direct, parents: Parents) -> None:
        self._direct = direct
        self._parents = parents
        self._decided: dict[Node, Ownership] = {}

    def of(self, node: Node) -> Ownership:
        """Return who owns a node by its own claims or by those on what it lies inside of."""
        known = self._decided.get(node)
        if known is not None:
            return known
        chain: list[Node] = []
        at: Node | None = node
        found = _NOBODY
        while at is not None and at not in chain:
            direct = self._decided.get(at) or self._direct.of(at)
            if direct is not None:
                found = self._decided[at] = direct
                break
            chain.append(at)
            at = container(at, self._parents)
        above = at
        for below in reversed(chain):
            found = self._decided[below] = _inherited(below, found, above) if above is not None else _NOBODY
            above = below
        return found


def _strongest(claims: Sequence[Claim]) -> Sequence[Claim]:
    """Return the claims that decide; several with different owners are a dispute.

    Exact names in contracts and in tenants.yaml stand side by side, since either may be the wrong one; else the strongest source counts,
    and in it the most specific claim. A `shared` entry that is no less specific settles the matter, whoever else claims the thing.
    """
    exact = [claim for claim in claims if claim.selector.is_exact and claim.source in _SIDE_BY_SIDE]
    rank = min(_RANK[claim.source] for claim in claims)
    same = exact or [claim for claim in claims if _RANK[claim.source] == rank]
    weight = max(claim.selector.weight for claim in same)
    agreed = [
        claim for claim in claims if claim.shared and claim.source is not ClaimSource.RIGHTS and claim.selector.weight[:2] >= weight[:2]
    ]
    return agreed or [claim for claim in same if claim.selector.weight == weight]


def _agreed(node: Node, claims: Sequence[Claim]) -> bool:
    """Tell whether several owners are no dispute: a `shared` entry says so, or all their contracts list the same login."""
    logins = node.kind is Kind.OS_USER and all(claim.source is ClaimSource.CONTRACT for claim in claims)
    return logins or any(claim.shared for claim in claims)


def _why(claim: Claim) -> str:
    owners = " and ".join(claim.owners)
    verb = "shares" if claim.shared else "guesses" if claim.source is ClaimSource.GUESS else "claims"
    place = f"{claim.at.document}:{claim.line}" if claim.line else str(claim.at)
    return f"{place} {verb} {claim.what} {claim.selector.name} for {owners}"


def _inherited(node: Node, found: Ownership, above: Node) -> Ownership:
    """Return the same owners; the dispute stays with the thing that is disputed.

    Who stands behind a name in a cluster does not follow from whose account the cluster is in: a platform's account makes no forgotten team
    the platform, which would silence it.
    """
    if not found.owners or (above.kind is Kind.ACCOUNT and found.owners == (PLATFORM,) and "/" in node.scope and node.kind in STARTS):
        return _NOBODY
    why = found.why if "; inside " in found.why else f"{found.why}; inside {above}"
    return Ownership(found.owners, why, found.at, found.self_asserted, found.guessed)
