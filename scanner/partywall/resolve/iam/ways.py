"""Every way in which a principal may do an action on a region of resources.

IAM user guide, "Policy evaluation logic": an explicit Deny wins; the identity side grants within its permissions boundary; a resource's own
policy grants beside it in the same account, and must grant as well across accounts; trust policies and key policies are never bypassed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from partywall.model.edge import Atom, Certainty, Condition
from partywall.model.evidence import Evidence
from partywall.model.facts_iam import Effect, HolderKind
from partywall.resolve.iam.comparing import Truth
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.principals import Naming, named_by
from partywall.resolve.iam.rights import Rights
from partywall.resolve.iam.statements import Request, judge, may_speak_of, rank, refused, takes_in


@dataclass(frozen=True, slots=True)
class Way:
    """One way: the grants it needs, the leading one (whose removal closes it) first, what is left open, and what could not be evaluated."""

    grants: tuple[Grant, ...]
    atoms: tuple[Atom, ...] = ()
    why: str = ""

    @property
    def certainty(self) -> Certainty:
        """Return how sure the way is."""
        if self.why:
            return Certainty.UNKNOWN
        return Certainty.CONDITIONAL if self.atoms else Certainty.SURE

    @property
    def condition(self) -> Condition | None:
        """Return what is left to be decided, in words and as data."""
        atoms = tuple(dict.fromkeys(self.atoms))
        return Condition(atoms, " and ".join(map(in_words, atoms))) if atoms else None

    @property
    def because(self) -> tuple[Evidence, ...]:
        """Return all document parts that the way needs."""
        return tuple(dict.fromkeys(place for grant in self.grants for place in grant.because))

    def joined(self, other: "Way") -> "Way":
        """Return the way that needs both."""
        return Way((*self.grants, *other.grants), tuple(dict.fromkeys((*self.atoms, *other.atoms))), self.why or other.why)


def surest(ways: list[Way]) -> Way:
    """Return the way that is surest and leaves least open."""
    return min(ways, key=lambda way: (way.certainty, len(way.atoms)))


def in_words(atom: Atom) -> str:
    """Write one atom for a reader."""
    return f"{atom.key} {atom.operator} {' or '.join(atom.values)}"


@dataclass(frozen=True, slots=True)
class Limit:
    """What Deny statements and ceilings leave of an action."""

    blocked: bool = False
    atoms: tuple[Atom, ...] = ()
    why: str = ""
    grants: tuple[Grant, ...] = ()


FREE = Limit()
BLOCKED = Limit(blocked=True)


def denied(grants: Iterable[Grant], request: Request) -> Limit:
    """Return what the Deny statements leave of a request: nothing, all, or all but where their conditions hold."""
    atoms: list[Atom] = []
    why = ""
    for grant in grants:
        outcome = judge(grant.statement, request)
        match outcome.truth:
            case Truth.YES:
                return BLOCKED
            case Truth.OPEN:
                atoms.extend(refused(outcome.atoms))
            case Truth.UNEVALUABLE:
                why = outcome.why
            case Truth.NO:
                pass
    return Limit(False, tuple(dict.fromkeys(atoms)), why)


def own_denies(rights: Rights, request: Request) -> Limit:
    """Return what Deny statements leave; those of the organization count only where they hold whatever the request says."""
    against = rights.denies(request.action)
    if not against:
        return FREE
    of_organization = [grant for grant in rights.controls if grant.statement.effect is Effect.DENY]
    if any(judge(grant.statement, request).truth is Truth.YES for grant in of_organization):
        return BLOCKED
    controls = set(map(id, of_organization))
    return denied((grant for grant in against if id(grant) not in controls), request)


def ceilings(rights: Rights, request: Request) -> list[Limit]:
    """Return what the permissions boundary leaves: a limit for each statement that takes in a part, one where one takes in all, or none.

    A boundary that is referred to and absent makes everything unknown.
    """
    if rights.ceiling is None:
        return [FREE]
    if rights.ceiling.grants is None:
        return [Limit(why=f"the permissions boundary {rights.ceiling.name} is not in the input")]
    sure: list[Limit] = []
    left: list[Limit] = []
    for grant in rights.ceiling.grants:
        if grant.statement.effect is not Effect.ALLOW:
            continue
        outcome = judge(grant.statement, request)
        if outcome.truth is Truth.YES:
            sure.append(Limit(grants=(grant,)))
            if takes_in(grant.statement, request):
                return sure[-1:]
        elif outcome.truth is not Truth.NO:
            left.append(Limit(atoms=outcome.atoms, why=outcome.why, grants=(grant,)))
    return sure or sorted(left, key=lambda limit: (bool(limit.why), rank(limit.atoms)))[:1]


def _limited(way: Way, limit: Limit) -> Way:
    if limit is FREE:
        return way
    return Way((*way.grants, *limit.grants), tuple(dict.fromkeys((*way.atoms, *limit.atoms))), way.why or limit.why)


def allowed(grants: Iterable[Grant], request: Request) -> Iterator[Way]:
    """Yield a way for each Allow statement that applies: removing one leaves the others."""
    for grant in grants:
        outcome = judge(grant.statement, request)
        if outcome.truth is not Truth.NO:
            yield Way((grant,), outcome.atoms, outcome.why)


def may_ask(rights: Rights, action: str, region: str) -> bool:
    """Tell quickly whether a principal's own policies could open any way."""
    return any(may_speak_of(grant.statement, region) for grant in rights.allows(action))


def identity_ways(rights: Rights, request: Request) -> list[Way]:
    """Return the ways that a principal's own policies open."""
    allows = rights.allows(request.action)
    if not allows:
        return []
    found = list(allowed(allows, request))
    if not found:
        return []
    deny = own_denies(rights, request)
    if deny.blocked:
        return []
    return [_limited(_limited(way, deny), limit) for limit in ceilings(rights, request) for way in found]


@dataclass(frozen=True, slots=True)
class Guard:
    """A resource's own policy. `sole`: nobody gets in unless it lets them (trust policies, key policies)."""

    account: str
    grants: tuple[Grant, ...]
    sole: bool = False


def ways(rights: Rights, request: Request, guard: Guard) -> list[Way]:
    """Return every way, with both sides."""
    admitted = list(_admitted(rights, request, guard))
    own = identity_ways(rights, request)
    if not own and not admitted:
        return []
    deny = denied(_denies_of(rights, request, guard), request)
    mine = own_denies(rights, request)
    if deny.blocked or mine.blocked:
        return []
    same = not guard.account or guard.account == rights.account
    found = _same_account(rights, request, guard, own, admitted) if same else _across(own, admitted)
    return [_limited(_limited(way, deny), mine) for way in found]


def _admitted(rights: Rights, request: Request, guard: Guard) -> Iterator[tuple[Naming, Way]]:
    for grant in guard.grants:
        if grant.statement.effect is not Effect.ALLOW:
            continue
        naming = named_by(grant.statement, rights.principal)
        if naming.how is None:
            continue
        outcome = judge(grant.statement, request)
        if outcome.truth is not Truth.NO:
            yield naming, Way((grant,), (*outcome.atoms, *naming.atoms), outcome.why or naming.why)


def _denies_of(rights: Rights, request: Request, guard: Guard) -> Iterator[Grant]:
    for grant in guard.grants:
        if grant.statement.effect is Effect.DENY and named_by(grant.statement, rights.principal).how is not None:
            yield grant


def _same_account(rights: Rights, request: Request, guard: Guard, own: list[Way], admitted: list[tuple[Naming, Way]]) -> Iterator[Way]:
    if not guard.sole:
        yield from own
    for naming, way in admitted:
        if naming.delegates:
            if guard.sole:
                yield from (mine.joined(way) for mine in own)
            continue
        # A role that is named by its ARN stays below its boundary; a user, a session or `*` does not (IAM user guide, "Permissions
        # boundaries for IAM entities").
        capped = naming.exact and rights.principal.holder.kind is HolderKind.ROLE
        yield from (_limited(way, limit) for limit in (ceilings(rights, request) if capped else [FREE]))


def _across(own: list[Way], admitted: list[tuple[Naming, Way]]) -> Iterator[Way]:
    for _, way in admitted:
        yield from (way.joined(mine) for mine in own)
