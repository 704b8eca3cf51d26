"""Policy documents: the one language that identity, trust, resource and organization policies share."""

import json
import marshal
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from partywall.model.evidence import Evidence, Json
from partywall.model.facts_iam import Comparison, Effect, Policy, PrincipalName, Statement
from partywall.parse.policy_grammar import comparison_fault, document_fault, is_text_list, reserved_fault, statement_fault
from partywall.parse.policy_json import entries, rows, scalar, text, texts
from partywall.parse.policy_text import PolicyTextError, document, is_deep

_UNREADABLE = "the statement is nested too deeply"
_NOWHERE = Evidence("", "")
# Version 2 of Python's own format writes an object that is met twice in full both times, so that equal values give equal bytes.
_WITHOUT_REFERENCES = 2
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def policy(name: str, value: Json, at: Evidence) -> Policy:
    """Read a policy document. Evidence points at its statements, or at the text that holds them."""
    try:
        found = document(value)
    except PolicyTextError as error:
        return Policy(name, (_broken(at, value, str(error)),), at)
    if not isinstance(found, Mapping) or "Statement" not in found:
        return Policy(name, (_broken(at, value, "the policy document holds no statements"),), at)
    return Policy(name, tuple(_statements(found, at, encoded=isinstance(value, str))), at)


def _statements(found: Mapping[str, Json], at: Evidence, *, encoded: bool) -> Iterator[Statement]:
    statements = found["Statement"]
    if not isinstance(statements, Mapping | list | tuple):
        yield _broken(at if encoded else at.below("Statement"), statements, "Statement is neither an object nor a list")
        return
    fault = document_fault(found)
    variables = found.get("Version") == "2012-10-17"
    for item, place in _items(statements, at if encoded else at.below("Statement"), encoded=encoded):
        read = statement(item, place, variables=variables)
        yield _in_broken(read, fault) if fault else read


def _in_broken(read: Statement, fault: str) -> Statement:
    """Return a statement of a document that is broken as a whole: whether its variables are ones is not known, either."""
    found = replace(read, broken=read.broken or fault)
    return replace(found, resources=(), not_resources=(), comparisons=()) if "${" in read.content else found


def _items(statements: Json, at: Evidence, *, encoded: bool) -> Iterator[tuple[Json, Evidence]]:
    if not isinstance(statements, list | tuple):
        yield statements, at
        return
    for number, item in enumerate(statements):
        yield item, at if encoded else Evidence(at.document, f"{at.pointer}/{number}")


def statement(value: Json, at: Evidence, *, variables: bool = True) -> Statement:
    """Read one statement; what does not follow the grammar is kept and marked broken.

    IAM user guide, "Grammar of the IAM JSON policy language". Equal statements are read once and share everything but their place: the
    roles of a team say the same by the dozen.
    """
    try:
        found = _known(marshal.dumps(value, _WITHOUT_REFERENCES), variables)  # type: ignore[arg-type]  # other kinds raise ValueError
    except ValueError:
        found = _read(value, variables)
    # Not dataclasses.replace, which looks at every field: there are tens of thousands of statements.
    return Statement(
        at,
        found.effect,
        found.content,
        found.sid,
        found.actions,
        found.not_actions,
        found.resources,
        found.not_resources,
        found.principals,
        found.not_principals,
        found.comparisons,
        found.variables,
        found.broken,
        found.is_told,
    )


@lru_cache(maxsize=65536)
def _known(value: bytes, variables: bool) -> Statement:
    return _read(marshal.loads(value), variables)


def _read(value: Json, variables: bool) -> Statement:
    if is_deep(value):
        return _broken(_NOWHERE, value, _UNREADABLE)
    if not isinstance(value, Mapping):
        return _broken(_NOWHERE, value, "a statement is no object")
    content = _CANONICAL.encode(_sorted(value))
    effect = value.get("Effect")
    told = effect if effect in ("Allow", "Deny") else ""
    reserved = reserved_fault(content)
    # A part that holds one of the reserved characters would be read as something else; and of a list that is read in part, nobody knows
    # what else it names.
    parts: Mapping[str, Json] = {} if reserved else value
    return Statement(
        at=_NOWHERE,
        effect=Effect(str(told or "Deny")),
        content=content,
        sid=text(value.get("Sid")),
        actions=_actions(_one_of(parts, "Action", "NotAction")),
        not_actions=_actions(_one_of(parts, "NotAction", "Action")),
        resources=_whole(_one_of(parts, "Resource", "NotResource")),
        not_resources=_whole(_one_of(parts, "NotResource", "Resource")),
        principals=_principals(parts.get("Principal")),
        not_principals=_principals(parts.get("NotPrincipal")),
        comparisons=tuple(_comparisons(parts.get("Condition"))),
        variables=variables,
        broken=statement_fault(value) or reserved,
        is_told=bool(told),
    )


def _one_of(value: Mapping[str, Json], member: str, opposite: str) -> Json:
    """Return a member, but for one that stands beside its opposite: nobody knows which of them counts."""
    return None if opposite in value else value.get(member)


def _whole(value: Json) -> tuple[str, ...]:
    return texts(value) if is_text_list(value) else ()


def _actions(value: Json) -> tuple[str, ...]:
    return tuple([action.strip() for action in _whole(value)])


def _principals(value: Json) -> tuple[PrincipalName, ...]:
    if value == "*":
        return (PrincipalName("*", "*"),)
    found = (PrincipalName(text(kind), name.strip()) for kind, names in entries(value).items() for name in _whole(names))
    return tuple(PrincipalName("*", "*") if name == PrincipalName("AWS", "*") else name for name in found)


def _comparisons(value: Json) -> Iterator[Comparison]:
    for operator, tests in entries(value).items():
        for key, values in entries(tests).items():
            if not comparison_fault(operator, key, values):
                listed = values if isinstance(values, list | tuple) else (values,)
                yield Comparison(operator.strip(), key.strip(), tuple(scalar(item) for item in listed))


def _canonical(value: Json) -> str:
    if is_deep(value):
        return json.dumps(_UNREADABLE)
    return _CANONICAL.encode(_sorted(value))


def _sorted(value: Json) -> Json:
    """Order what has no order: lists of texts are sets, and one text is a list of one. Names of members become texts."""
    if isinstance(value, Mapping):
        return {str(key): item if isinstance(item, str) else _sorted(item) for key, item in value.items() if key != "Sid"}
    listed = rows(value)
    if len(listed) == 1:
        return _sorted(listed[0])
    if not listed:
        return value
    said = texts(listed)
    return sorted(said) if len(said) == len(listed) else [_sorted(item) for item in listed]


def _broken(at: Evidence, value: Json, why: str) -> Statement:
    return Statement(at=at, effect=Effect.DENY, content=_canonical(value), broken=why, is_told=False)
