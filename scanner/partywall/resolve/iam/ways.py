"""Every way in which a principal may do an action on a region of resources.

IAM user guide, "Policy evaluation logic": an explicit Deny wins; the identity side grants within its permissions boundary; a resource's own
policy grants beside it in the same account, and must grant as well across accounts; trust policies and key policies are never bypassed.
A way is one grant that opens it: removing the grant closes the way, and leaves the others. What is broken opens and closes nothing here: a
gap says so.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from partywall.model.arn import account_of
from partywall.model.atom import Atom
from partywall.model.edge import Certainty, Condition, when
from partywall.model.evidence import Evidence
from partywall.model.facts_iam import Effect
from partywall.model.residual import FALSE, TRUE, Residual, all_of, any_of, negated, that, unevaluable
from partywall.resolve.iam.controls import under_resource_control
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.naming import SERVICE_PATH
from partywall.resolve.iam.principals import CallerKind, How, Naming, named_by
from partywall.resolve.iam.rights import Ceiling, Guard, Rights, denials
from partywall.resolve.iam.services import forbidden
from partywall.resolve.iam.statements import Request, applies, may_speak_of, parts_of, takes_in
from partywall.resolve.iam.witness import settled


@dataclass(frozen=True, slots=True)
class Way:
    """One way: the grants it needs, the leading one (whose removal closes it) first, what is left open, and what could not be evaluated."""

    grants: tuple[Grant, ...]
    residual: Residual = TRUE
    why: str = ""

    @property
    def certainty(self) -> Certainty:
        """Return how sure the way is."""
        if self.why or not self.residual.is_evaluable:
            return Certainty.UNKNOWN
        return Certainty.SURE if self.residual is TRUE else Certainty.CONDITIONAL

    @property
    def condition(self) -> Condition | None:
        """Return what is left to be decided, in words and as data."""
        return when(self.residual)

    @property
    def because(self) -> tuple[Evidence, ...]:
        """Return all document parts that the way needs."""
        return tuple(dict.fromkeys(place for grant in self.grants for place in grant.because))

    def joined(self, other: "Way") -> "Way":
        """Return the way that needs both."""
        return Way((*self.grants, *other.grants), all_of((self.residual, other.residual)), self.why or other.why)

    def unsure(self, why: str) -> "Way":
        """Return the way where something that it needs is not known; an earlier reason stays."""
        return replace(self, why=self.why or why)

    def also(self, atom: Atom) -> "Way":
        """Return the way where one more atom must hold."""
        return replace(self, residual=all_of((self.residual, that(atom))))


def surest(ways: list[Way]) -> Way:
    """Return the way that is surest and leaves least open."""
    return min(ways, key=lambda way: (way.certainty, len(way.residual.atoms)))


@dataclass(frozen=True, slots=True)
class Limit:
    """What a ceiling leaves of a request, and the grant of it that lets it through."""

    residual: Residual = TRUE
    grants: tuple[Grant, ...] = ()


FREE = Limit()


def denied(grants: Iterable[Grant], request: Request) -> Residual:
    """Return when some Deny statement applies to a request."""
    return any_of(applies(grant.statement, request) for grant in grants if not grant.statement.broken)


def own_denies(rights: Rights, request: Request) -> Residual:
    """Return when a Deny of the principal's own policies or of a ceiling above it applies."""
    against = rights.denies(request.action)
    return denied((grant for _, grant in against), request) if against else FALSE


def below(ceiling: Ceiling | None, request: Request) -> Limit:
    """Return what a ceiling leaves. One that is referred to and absent makes everything unknown."""
    if ceiling is None or ceiling.one_sided:
        return FREE
    if ceiling.grants is None:
        return Limit(unevaluable(f"the {ceiling.layer.value} {ceiling.name}", "it is not in the input"))
    # A statement of a ceiling that nobody can read may allow: what hangs on it is not known, and never taken away.
    allows = [grant for grant in ceiling.grants if grant.statement.effect is Effect.ALLOW or not grant.statement.is_told]
    found = [(grant, residual) for grant in allows if (residual := applies(grant.statement, request)) is not FALSE]
    sure = [grant for grant, residual in found if residual is TRUE]
    if sure:
        whole = next((grant for grant in sure if takes_in(grant.statement, request)), None)
        return Limit(TRUE, (whole,) if whole else tuple(sure))
    return Limit(any_of(residual for _, residual in found), tuple(grant for grant, _ in found))


def within(ceilings: Iterable[Ceiling | None], request: Request) -> Limit:
    """Return what several ceilings leave together."""
    limits = [below(ceiling, request) for ceiling in ceilings if ceiling is not None]
    if not limits:
        return FREE
    return Limit(all_of(limit.residual for limit in limits), tuple(grant for limit in limits for grant in limit.grants))


def _parts(ceilings: Iterable[Ceiling | None], request: Request) -> list[Limit]:
    """Return what ceilings leave, a limit for each part of the region where no single statement takes in all of it."""
    limits = [FREE]
    for ceiling in ceilings:
        here = below(ceiling, request)
        whole = len(here.grants) < 2 or any(takes_in(grant.statement, request) for grant in here.grants)
        parts = [here] if whole else [Limit(applies(grant.statement, request), (grant,)) for grant in here.grants]
        limits = [_both(limit, part) for limit in limits for part in parts]
    return limits


def _both(one: Limit, other: Limit) -> Limit:
    return Limit(all_of((one.residual, other.residual)), (*one.grants, *other.grants)) if one is not FREE else other


def _limited(way: Way, limit: Limit) -> Way:
    if limit is FREE:
        return way
    return Way((*way.grants, *limit.grants), all_of((way.residual, limit.residual)), way.why)


def allowed(grants: Iterable[Grant], request: Request) -> Iterator[Way]:
    """Yield a way for each Allow statement that applies: removing one leaves the others."""
    for grant in grants:
        if not grant.statement.broken:
            residual = applies(grant.statement, request)
            if residual is not FALSE:
                yield Way((grant,), residual)


def opened(grant: Grant, against: Iterable[Grant], request: Request, above: Iterable[Ceiling] = ()) -> Way | None:
    """Return the way by which a grant of a resource's policy lets in somebody of whom no policies are known; None where it does not.

    `against` are the Deny statements that concern them, `above` the ceilings at the resource's side.
    """
    if grant.statement.effect is not Effect.ALLOW or grant.statement.broken:
        return None
    ceilings = tuple(above)
    limits = (*against, *(other for ceiling in ceilings for other in denials(ceiling.grants or ())))
    residual = all_of((applies(grant.statement, request), within(ceilings, request).residual, negated(denied(limits, request))))
    left = settled(residual, request.context)
    return None if left is FALSE else Way((grant,), left)


def may_ask(rights: Rights, action: str, region: str) -> bool:
    """Tell quickly whether a principal's own policies could open any way."""
    return any(may_speak_of(grant.statement, region) for grant in rights.allows(action))


def identity_ways(rights: Rights, request: Request) -> list[Way]:
    """Return the ways that a principal's own policies open."""
    own = _own(rights, request)
    return _left_of(own, rights, request, over(rights, request, ""), ()) if own else []


def ways(rights: Rights, request: Request, guard: Guard) -> list[Way]:
    """Return every way, with both sides."""
    admitted = list(_admitted(rights, request, guard))
    own = _own(rights, request)
    if not own and not admitted:
        return []
    same = not guard.account or guard.account == rights.account
    found = list(_same_account(rights, request, guard, own, admitted) if same else _across(own, admitted))
    above = (*guard.ceilings, *over(rights, request, guard.account))
    return _left_of(found, rights, request, above, _denies_of(rights, guard)) if found else []


def over(rights: Rights, request: Request, account: str) -> tuple[Ceiling, ...]:
    """Return the resource control policies above a resource: of its account, or of the principal's own where nobody says whose it is."""
    if not rights.over_resources or not under_resource_control(request.action) or SERVICE_PATH in rights.principal.arn:
        return ()
    return rights.over_resources.get(account or account_of(request.region) or rights.account, ())


def _own(rights: Rights, request: Request) -> list[Way]:
    """Return the ways of a principal's own policies below its permissions boundary and its session policy."""
    allows = rights.allows(request.action)
    if not allows or forbidden(request, rights.account):
        return []
    found = list(allowed(allows, request))
    limits = _parts((rights.ceiling, rights.session), request) if found else []
    return [_limited(way, limit) for way in found for limit in limits if limit.residual is not FALSE]


def _left_of(
    found: list[Way], rights: Rights, request: Request, above: tuple[Ceiling, ...], others: Iterable[tuple[Grant, Residual]]
) -> list[Way]:
    """Return what the levels above the principal and the resource and all Deny statements leave of ways."""
    limit = within((*rights.levels, *above), request)
    if limit.residual is FALSE:
        return []
    against = [(grant, TRUE) for _, grant in rights.denies(request.action)]
    against += others
    against += ((grant, TRUE) for ceiling in above for grant in denials(ceiling.grants or ()))
    left: list[Way] = []
    for way in found:
        open_ = settled(all_of((way.residual, limit.residual, _spared(way, against, request))), request.context)
        if open_ is not FALSE:
            left.append(Way((*way.grants, *limit.grants), open_, way.why))
    return left


def _spared(way: Way, against: list[tuple[Grant, Residual]], request: Request) -> Residual:
    """Return when no Deny takes in everything that the way's leading grant opens of the region."""
    if not against:
        return TRUE
    parts = parts_of(way.grants[0].statement, request) if way.grants else (request.region,)
    return any_of(
        negated(
            any_of(
                all_of((named, applies(grant.statement, replace(request, region=part))))
                for grant, named in against
                if not grant.statement.broken
            )
        )
        for part in parts
    )


def _admitted(rights: Rights, request: Request, guard: Guard) -> Iterator[tuple[Naming, Way]]:
    for grant in guard.grants or ():
        if grant.statement.effect is not Effect.ALLOW or grant.statement.broken:
            continue
        naming = named_by(grant.statement, rights.caller)
        # Whom a name stands for that nothing explains is the resource's open question, not a way of everybody.
        if naming.how is None or not naming.residual.is_evaluable:
            continue
        residual = all_of((naming.residual, applies(grant.statement, request)))
        if residual is not FALSE:
            yield naming, Way((grant,), residual)


def _denies_of(rights: Rights, guard: Guard) -> Iterator[tuple[Grant, Residual]]:
    """Yield the resource's Deny statements that name the caller, and under which condition."""
    for grant in denials(guard.grants or ()):
        naming = named_by(grant.statement, rights.caller)
        if naming.how is not None:
            yield grant, naming.residual


def _same_account(rights: Rights, request: Request, guard: Guard, own: list[Way], admitted: list[tuple[Naming, Way]]) -> Iterator[Way]:
    if not guard.sole:
        yield from own
    for naming, way in admitted:
        if naming.delegates:
            if guard.sole:
                yield from (mine.joined(way) for mine in own)
            continue
        limit = within(capped_by(rights, naming), request)
        if limit.residual is not FALSE:
            yield _limited(way, limit)


def capped_by(rights: Rights, naming: Naming) -> tuple[Ceiling, ...]:
    """Return the ceilings that stay above a principal whom a resource's policy of its own account lets in.

    A role that is named by its ARN stays below its boundary and session policy; a user, a session or `*` does not (IAM user guide,
    "Permissions boundaries for IAM entities", "Session policies").
    """
    if naming.how is How.EXACT and rights.caller.kind is CallerKind.ROLE:
        return tuple(ceiling for ceiling in (rights.ceiling, rights.session) if ceiling is not None)
    return ()


def _across(own: list[Way], admitted: list[tuple[Naming, Way]]) -> Iterator[Way]:
    for _, way in admitted:
        yield from (way.joined(mine) for mine in own)
