"""One request, decided over every kind of policy, with the reasons.

IAM user guide, "Policy evaluation logic" and "Cross-account policy evaluation logic". A decision is a formula: what grants, below the
ceilings that apply, and not what denies. What the snapshot knows is filled in; what is left is the residual.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from partywall.model.facts_iam import Effect, Statement
from partywall.model.residual import (
    FALSE,
    TRUE,
    Residual,
    Shape,
    all_of,
    any_of,
    negated,
    unevaluable,
)
from partywall.resolve.iam.controls import under_resource_control
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.principals import CallerKind, named_by
from partywall.resolve.iam.rights import Ceiling, Guard, Layer, Rights
from partywall.resolve.iam.services import ALWAYS_ALLOWED, forbidden
from partywall.resolve.iam.statements import Request, applies
from partywall.resolve.iam.ways import capped_by, over
from partywall.resolve.iam.witness import settled

PERSONAL = frozenset({Layer.IDENTITY, Layer.BOUNDARY, Layer.SESSION, Layer.SERVICE_CONTROL})
NOBODY = frozenset({CallerKind.ANONYMOUS, CallerKind.PROVIDER})
ALONE = frozenset({CallerKind.SERVICE, CallerKind.ANONYMOUS, CallerKind.PROVIDER})


class Outcome(Enum):
    """What becomes of a request; there are three kinds of no."""

    ALLOWED = "allowed"
    CONDITIONAL = "allowed if"
    EXPLICIT = "explicitly denied"
    IMPLICIT = "implicitly denied"
    UNDECIDABLE = "not decidable"


@dataclass(frozen=True, slots=True)
class Reason:
    """A statement that has a say: the layer in which it counts, the ceiling's name, what it does, and under which condition."""

    layer: Layer
    effect: Effect
    grant: Grant
    residual: Residual
    name: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome, the condition under which the request is allowed, the statements that had a say, and what was said beside them."""

    outcome: Outcome
    residual: Residual
    reasons: tuple[Reason, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def may_be_allowed(self) -> bool:
        """Tell whether no is not certain."""
        return self.outcome in (Outcome.ALLOWED, Outcome.CONDITIONAL, Outcome.UNDECIDABLE)


def decide(rights: Rights, request: Request, guard: Guard) -> Decision:
    """Decide a request of a principal, a service or anybody on a resource with its own policy."""
    if request.action in ALWAYS_ALLOWED and rights.caller.kind not in NOBODY:
        return Decision(Outcome.ALLOWED, TRUE, notes=("no policy grants or denies this call",))
    court = _Court(rights, request, guard)
    refused = forbidden(request, rights.account)
    if refused:
        court.notes.append(refused)
    granted, against = FALSE if refused else court.granted(), court.against()
    total = settled(all_of((granted, negated(against))), request.context)
    if guard.shut and total is not FALSE:
        return Decision(Outcome.EXPLICIT, FALSE, tuple(court.reasons), (*court.notes, guard.shut))
    return Decision(_outcome(total, granted, against, request), total, tuple(court.reasons), tuple(court.notes))


def _outcome(total: Residual, granted: Residual, against: Residual, request: Request) -> Outcome:
    if total is TRUE:
        return Outcome.ALLOWED
    if total is FALSE:
        deny = settled(against, request.context)
        return Outcome.EXPLICIT if deny is TRUE or (deny is not FALSE and granted is not FALSE) else Outcome.IMPLICIT
    if total.is_evaluable:
        return Outcome.CONDITIONAL
    # Not decidable as soon as what could not be evaluated may turn every context into a no.
    worst = settled(_unhelpful(total), request.context)
    return Outcome.UNDECIDABLE if worst is FALSE else Outcome.CONDITIONAL


def _unhelpful(residual: Residual) -> Residual:
    """Let everything that could not be evaluated come out against the request."""
    match residual.shape:
        case Shape.ALL:
            return all_of(map(_unhelpful, residual.parts))
        case Shape.SOME:
            return any_of(map(_unhelpful, residual.parts))
        case _:
            return residual if residual.is_evaluable else FALSE


class _Court:
    """Hear every layer once, and keep the statements that had a say."""

    def __init__(self, rights: Rights, request: Request, guard: Guard) -> None:
        self.rights, self.request, self.guard = rights, request, guard
        self.reasons: list[Reason] = []
        self.notes: list[str] = []

    def granted(self) -> Residual:
        """Return when some policy grants the request below all ceilings that apply."""
        above = [self._below(level) for level in self._levels()]
        own = self._hear(Layer.IDENTITY, self.rights.grants, "")
        personal = {ceiling.layer: self._below(ceiling) for ceiling in (self.rights.ceiling, self.rights.session) if ceiling is not None}
        mine = all_of((own, *personal.values()))
        same = not self.guard.account or self.guard.account == self.rights.account
        if self.rights.caller.kind in ALONE:
            found = any_of(self._direct({}, crossing=False))
        elif same:
            found = any_of((*self._direct(personal, crossing=False), self._delegated(mine)))
        else:
            found = all_of((mine, any_of(self._direct({}, crossing=True))))
        return all_of((found, *above))

    def against(self) -> Residual:
        """Return when some statement denies the request."""
        denies = [self._deny(layer, grant, TRUE, "") for layer, grant in self._own_denies()]
        for level in self._levels():
            denies += [self._deny(level.layer, grant, TRUE, level.name) for grant in level.grants or ()]
        for grant in self.guard.grants or ():
            naming = named_by(grant.statement, self.rights.caller)
            if naming.how is not None:
                denies.append(self._deny(Layer.RESOURCE, grant, naming.residual, ""))
        return any_of(denies)

    def _own_denies(self) -> Iterator[tuple[Layer, Grant]]:
        yield from ((Layer.IDENTITY, grant) for grant in self.rights.grants)
        for ceiling in (self.rights.ceiling, self.rights.session):
            yield from ((ceiling.layer, grant) for grant in ceiling.grants or ()) if ceiling else ()

    def _levels(self) -> tuple[Ceiling, ...]:
        """Return the ceilings of the organization and of the path, which nothing gets around."""
        here = under_resource_control(self.request.action)
        sides = (each for each in self.guard.ceilings if here or each.layer is not Layer.RESOURCE_CONTROL)
        return (*self.rights.levels, *sides, *over(self.rights, self.request, self.guard.account))

    def _delegated(self, mine: Residual) -> Residual:
        if not self.guard.sole:
            return mine
        if self.guard.grants is None:
            return all_of((mine, self._unread()))
        delegating = (grant for grant in self.guard.grants if named_by(grant.statement, self.rights.caller).delegates)
        return all_of((mine, self._hear(Layer.RESOURCE, delegating, "")))

    def _direct(self, personal: Mapping[Layer, Residual], *, crossing: bool) -> Iterator[Residual]:
        """Yield when each statement of the resource's policy lets the caller in; across accounts one that delegates does, too."""
        if self.guard.grants is None:
            yield self._unread()
            return
        for grant in self.guard.grants:
            naming = named_by(grant.statement, self.rights.caller)
            if naming.how is None or (naming.delegates and not crossing) or not _may(grant, Effect.ALLOW):
                continue
            residual = all_of((naming.residual, applies(grant.statement, self.request)))
            if residual is not FALSE:
                self.reasons.append(Reason(Layer.RESOURCE, Effect.ALLOW, grant, residual))
                caps = (personal[ceiling.layer] for ceiling in capped_by(self.rights, naming) if ceiling.layer in personal)
                yield all_of((residual, *caps))

    def _unread(self) -> Residual:
        note = "the policy of the resource is not in the input"
        if note not in self.notes:
            self.notes.append(note)
        return unevaluable("the resource policy", "it is not in the input")

    def _below(self, ceiling: Ceiling) -> Residual:
        if ceiling.one_sided:
            return TRUE
        if ceiling.grants is None:
            self.notes.append(f"the {ceiling.layer.value} {ceiling.name} is not in the input")
            return unevaluable(f"the {ceiling.layer.value} {ceiling.name}", "it is not in the input")
        return self._hear(ceiling.layer, ceiling.grants, ceiling.name)

    def _hear(self, layer: Layer, grants: Iterable[Grant], name: str) -> Residual:
        found: list[Residual] = []
        for grant in grants:
            residual = self._spoken(layer, grant) if _may(grant, Effect.ALLOW) else FALSE
            if residual is not FALSE:
                self.reasons.append(Reason(layer, Effect.ALLOW, grant, residual, name))
                found.append(residual)
        return any_of(found)

    def _spoken(self, layer: Layer, grant: Grant) -> Residual:
        """Return when a statement applies; one with a principal, as endpoint policies have them, to those that it names."""
        statement, applying = grant.statement, applies(grant.statement, self.request)
        names = bool(statement.principals or statement.not_principals)
        if layer is Layer.RESOURCE:
            return applying
        malformed = unevaluable("a statement", "its policy takes other elements") if is_malformed(layer, statement, names=names) else TRUE
        named = named_by(statement, self.rights.caller).residual if names and layer not in PERSONAL else TRUE
        return all_of((applying, malformed, named))

    def _deny(self, layer: Layer, grant: Grant, named: Residual, name: str) -> Residual:
        residual = all_of((named, self._spoken(layer, grant))) if _may(grant, Effect.DENY) else FALSE
        if residual is not FALSE and not grant.statement.is_told:
            # It may allow instead: that it denies is another question than that it allows.
            residual = unevaluable("whether a statement denies", grant.statement.broken)
        if residual is not FALSE:
            self.reasons.append(Reason(layer, Effect.DENY, grant, residual, name))
        return residual


def _may(grant: Grant, effect: Effect) -> bool:
    """Tell whether a statement may have an effect: of one that nobody can read both are possible."""
    return grant.statement.effect is effect or not grant.statement.is_told


def is_malformed(layer: Layer, statement: Statement, *, names: bool) -> bool:
    """Tell whether a statement holds or lacks what its kind of policy must lack or hold.

    A principal is for policies of resources and endpoints; only those of resources may leave the resource out.
    """
    return (names and layer in PERSONAL) or (layer is not Layer.RESOURCE_CONTROL and not (statement.resources or statement.not_resources))
