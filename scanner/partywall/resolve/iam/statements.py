"""One statement against one request: action, resource, condition."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from partywall.model.facts_iam import Effect, Statement
from partywall.model.residual import FALSE, TRUE, Residual, all_of, any_of, negated, unevaluable
from partywall.resolve.iam.comparing import condition, fitting
from partywall.resolve.iam.context import Context
from partywall.resolve.iam.globs import arn_covers, arn_meets, arn_pattern, is_wild, matches
from partywall.resolve.iam.variables import expand


@dataclass(frozen=True, slots=True)
class Request:
    """An action (lower case) on a region of ARNs, and what is known of it.

    `wildcard_only`: the action has no resource types, so that only statements on `*` speak of it.
    """

    action: str
    region: str
    context: Context = field(default_factory=Context)
    wildcard_only: bool = False


# What is before the colon of an action is written out.
_ACTION = re.compile(r"\*|[A-Za-z0-9-]+:.*")


@lru_cache(maxsize=131072)
def _action_fits(actions: tuple[str, ...], not_actions: tuple[str, ...], action: str) -> bool:
    if actions:
        return any(matches(pattern.lower(), action) for pattern in actions)
    return bool(not_actions) and not any(matches(pattern.lower(), action) for pattern in not_actions)


@lru_cache(maxsize=131072)
def strange_action(statement_actions: tuple[str, ...], action: str) -> str:
    """Return a pattern that is no action's and that decides whether a list names an action, or an empty text."""
    plain = [pattern for pattern in statement_actions if _ACTION.fullmatch(pattern)]
    if any(matches(pattern.lower(), action) for pattern in plain):
        return ""
    return next((pattern for pattern in statement_actions if not _ACTION.fullmatch(pattern)), "")


def names_action(statement: Statement, action: str) -> bool:
    """Tell whether a statement speaks of an action; actions are not case-sensitive."""
    return _action_fits(statement.actions, statement.not_actions, action)


def applies(statement: Statement, request: Request) -> Residual:
    """Return under which condition a statement applies to a request; one that nobody can read is decided by nothing.

    An Allow applies to what it has in common with the region, a Deny where it takes in all of it.
    """
    if statement.broken:
        return _as_far_as_read(statement, request)
    strange = strange_action(statement.actions or statement.not_actions, request.action)
    if not strange and not names_action(statement, request.action):
        return FALSE
    where = _resource(statement, request)
    if where is FALSE or not (statement.comparisons or strange):
        return where
    named = unevaluable("an action", f"{strange} names no service") if strange else TRUE
    return all_of((named, where, condition(statement.comparisons, request.context, variables=statement.variables)))


def _as_far_as_read(statement: Statement, request: Request) -> Residual:
    """Return that nobody can tell, unless some part that was read says that the statement does not apply."""
    listed = statement.actions or statement.not_actions
    one_list = bool(statement.actions) != bool(statement.not_actions)
    if one_list and not strange_action(listed, request.action) and not names_action(statement, request.action):
        return FALSE
    where = FALSE if statement.resources and statement.not_resources else negated(_resource(statement, request))
    when = negated(condition(statement.comparisons, request.context, variables=statement.variables))
    if where is TRUE or when is TRUE:
        return FALSE
    return unevaluable("a statement", statement.broken)


def _resource(statement: Statement, request: Request) -> Residual:
    if not statement.resources and not statement.not_resources:
        return TRUE
    if statement.not_resources:
        return _not_resource(statement, request)
    test = arn_covers if statement.effect is Effect.DENY or request.wildcard_only else arn_meets
    return _one_of(statement.resources, statement, request, test)


def _not_resource(statement: Statement, request: Request) -> Residual:
    """An Allow applies where the exceptions leave something of the region, a Deny where they leave all of it."""
    test = arn_meets if statement.effect is Effect.DENY and not request.wildcard_only else arn_covers
    return negated(_one_of(statement.not_resources, statement, request, test))


def _one_of(patterns: tuple[str, ...], statement: Statement, request: Request, test: Callable[[str, str], bool]) -> Residual:
    if request.wildcard_only:
        return TRUE if any(not pattern.strip("*") for pattern in patterns) else FALSE
    if _any_plain(patterns, request.region, test):
        return TRUE
    strange = strange_resources(patterns, variables=statement.variables)
    untold = (unevaluable("a resource", f"{pattern} is no ARN that IAM takes") for pattern in strange)
    return any_of((*untold, *(_fit(pattern, statement, request, test) for pattern in patterns if "${" in pattern)))


@lru_cache(maxsize=65536)
def strange_resources(patterns: tuple[str, ...], *, variables: bool) -> tuple[str, ...]:
    """Return the resources that IAM does not take: no ARNs, or with a variable where none may stand."""
    return tuple(
        pattern for pattern in patterns if arn_pattern(pattern) is None or (variables and "${" in ":".join(pattern.split(":", 5)[:5]))
    )


def _fit(pattern: str, statement: Statement, request: Request, test: Callable[[str, str], bool]) -> Residual:
    text = expand(pattern, request.context, variables=statement.variables)
    if text.void or not test(text.pattern, request.region):
        return FALSE
    return fitting(pattern, request.region, text, request.context) if text.unknown else TRUE


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


def parts_of(statement: Statement, request: Request) -> tuple[str, ...]:
    """Return what an Allow takes of the request's region: the region itself, or the smaller parts that its resources name."""
    if not statement.resources or request.wildcard_only or not is_wild(request.region):
        return (request.region,)
    texts = [expand(pattern, request.context, variables=statement.variables) for pattern in statement.resources]
    met = [text for text in texts if not text.void and arn_meets(text.pattern, request.region)]
    if any(text.unknown or not arn_covers(request.region, text.pattern) for text in met):
        return (request.region,)
    return tuple(dict.fromkeys(text.pattern for text in met))
