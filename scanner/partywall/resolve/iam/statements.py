"""One statement against one request: action, resource, condition."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from partywall.model.edge import Atom, Control
from partywall.model.facts_iam import Effect, Statement
from partywall.resolve.iam.comparing import NO, YES, Outcome, Truth, condition
from partywall.resolve.iam.context import Context
from partywall.resolve.iam.globs import arn_covers, arn_meets, matches
from partywall.resolve.iam.variables import expand

ANY_RESOURCE = "*"
_STRENGTH = {Control.CALLER: 0, Control.ENVIRONMENT: 1, Control.UNKNOWN: 2}


@dataclass(frozen=True, slots=True)
class Request:
    """An action (lower case) on a region of ARNs, and what is known of it. The region `*` is that of an action without resource types."""

    action: str
    region: str
    context: Context = field(default_factory=Context)


@lru_cache(maxsize=131072)
def _action_fits(actions: tuple[str, ...], not_actions: tuple[str, ...], action: str) -> bool:
    if actions:
        return any(matches(pattern.lower(), action) for pattern in actions)
    return bool(not_actions) and not any(matches(pattern.lower(), action) for pattern in not_actions)


def names_action(statement: Statement, action: str) -> bool:
    """Tell whether a statement speaks of an action; actions are not case-sensitive."""
    return _action_fits(statement.actions, statement.not_actions, action)


def judge(statement: Statement, request: Request) -> Outcome:
    """Decide whether a statement applies to a request.

    An Allow applies to what it has in common with the region, a Deny where it takes in all of it.
    """
    if statement.broken or not names_action(statement, request.action):
        return NO
    where = _resource(statement, request)
    if where.truth is Truth.NO:
        return NO
    when = condition(statement.comparisons, request.context, variables=statement.variables)
    if when.truth is not Truth.OPEN and when.truth is not Truth.YES:
        return when
    atoms = (*where.atoms, *when.atoms)
    return Outcome(Truth.OPEN, tuple(dict.fromkeys(atoms))) if atoms else YES


def _resource(statement: Statement, request: Request) -> Outcome:
    if not statement.resources and not statement.not_resources:
        return YES
    if statement.not_resources:
        return _not_resource(statement, request)
    test = arn_covers if statement.effect is Effect.DENY or request.region == ANY_RESOURCE else arn_meets
    return _first(statement.resources, statement, request, test)


def _not_resource(statement: Statement, request: Request) -> Outcome:
    """An Allow applies where the exceptions leave something of the region, a Deny where they leave all of it."""
    test = arn_meets if statement.effect is Effect.DENY and request.region != ANY_RESOURCE else arn_covers
    excepted = _first(statement.not_resources, statement, request, test)
    match excepted.truth:
        case Truth.YES:
            return NO
        case Truth.OPEN:
            return Outcome(Truth.OPEN, tuple(refused(excepted.atoms)))
        case _:
            return YES


def _first(patterns: tuple[str, ...], statement: Statement, request: Request, test: Callable[[str, str], bool]) -> Outcome:
    if _any_plain(patterns, request.region, test):
        return YES
    best: tuple[Atom, ...] = ()
    for pattern in patterns:
        if "${" not in pattern:
            continue
        text = expand(pattern, request.context, variables=statement.variables)
        if text.void or not test(text.pattern, request.region):
            continue
        if not text.atoms:
            return YES
        best = text.atoms if not best else easier(best, text.atoms)
    return Outcome(Truth.OPEN, best) if best else NO


@lru_cache(maxsize=524288)
def _any_plain(patterns: tuple[str, ...], region: str, test: Callable[[str, str], bool]) -> bool:
    """Tell whether one of the patterns without variables fits: most statements have no others, and many principals share them."""
    return any(test(pattern, region) for pattern in patterns if "${" not in pattern)


def may_speak_of(statement: Statement, region: str) -> bool:
    """Tell quickly whether a statement's resources could have anything in common with a region, whatever its variables become."""
    if statement.not_resources or not statement.resources:
        return True
    return _any_plain(statement.resources, region, arn_meets) or any("${" in pattern for pattern in statement.resources)


def takes_in(statement: Statement, request: Request) -> bool:
    """Tell whether a statement's resources take in the whole region, not only a part of it."""
    if statement.not_resources or not statement.resources:
        return True
    texts = (expand(pattern, request.context, variables=statement.variables) for pattern in statement.resources)
    return any(not text.void and arn_covers(text.pattern, request.region) for text in texts)


def easier(one: tuple[Atom, ...], other: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """Return the alternative that a caller meets more easily."""
    return other if rank(other) < rank(one) else one


def rank(atoms: tuple[Atom, ...]) -> tuple[int, int]:
    """Order alternatives by how easily a caller meets them."""
    return (max((_STRENGTH[atom.control] for atom in atoms), default=0), len(atoms))


def refused(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """Negate a conjunction: it is enough that one atom does not hold, so the one that the caller controls best is kept."""
    best = min(atoms, key=lambda atom: (_STRENGTH[atom.control], atom))
    return (Atom(best.key, f"not {best.operator}", best.values, best.control),)
