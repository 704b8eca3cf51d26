"""Policy documents: the one language that identity, trust, resource and organization policies share."""

import json
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from partywall.model.evidence import Evidence, Json
from partywall.model.facts_iam import Comparison, Effect, Policy, PrincipalName, Statement
from partywall.parse.policy_json import entries, rows, scalar, text, texts

_MEMBERS = frozenset(
    {"Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Principal", "NotPrincipal", "Condition"},
)
_PRINCIPAL_KINDS = frozenset({"AWS", "Service", "Federated", "CanonicalUser"})


def document(value: Json) -> Json:
    """Return a policy document as an object: the CLI prints it as one, the API as URL-encoded or plain JSON text."""
    if not isinstance(value, str):
        return value
    try:
        return _loaded(unquote(value) if value.lstrip()[:1] == "%" else value)
    except ValueError:
        return None


def _loaded(source: str) -> Json:
    loaded: Json = json.loads(source)
    return loaded


def policy(name: str, value: Json, at: Evidence) -> Policy:
    """Read a policy document. Evidence points at its statements, or at the text that holds them."""
    found = document(value)
    if not isinstance(found, Mapping) or "Statement" not in found:
        return Policy(name, (_broken(at, value, "the policy document holds no statements"),), at)
    return Policy(name, tuple(_statements(found, at, encoded=isinstance(value, str))), at)


def _statements(found: Mapping[str, Json], at: Evidence, *, encoded: bool) -> Iterator[Statement]:
    variables = found.get("Version") == "2012-10-17"
    statements = found["Statement"]
    if isinstance(statements, Mapping):
        yield statement(statements, at if encoded else at.below("Statement"), variables=variables)
        return
    if not rows(statements) and statements not in ([], ()):
        yield _broken(at, statements, "Statement is neither an object nor a list")
    for number, item in enumerate(rows(statements)):
        yield statement(item, at if encoded else at.below("Statement", number), variables=variables)


def statement(value: Json, at: Evidence, *, variables: bool = True) -> Statement:
    """Read one statement; what does not follow the grammar is kept and marked broken.

    IAM user guide, "Grammar of the IAM JSON policy language".
    """
    if not isinstance(value, Mapping):
        return _broken(at, value, "a statement is no object")
    effect = value.get("Effect")
    told = effect if effect in ("Allow", "Deny") else ""
    return Statement(
        at=at,
        effect=Effect(str(told or "Deny")),
        content=_canonical(value),
        sid=text(value.get("Sid")),
        actions=_actions(_one_of(value, "Action", "NotAction")),
        not_actions=_actions(_one_of(value, "NotAction", "Action")),
        resources=texts(_one_of(value, "Resource", "NotResource")),
        not_resources=texts(_one_of(value, "NotResource", "Resource")),
        principals=_principals(value.get("Principal")),
        not_principals=_principals(value.get("NotPrincipal")),
        comparisons=tuple(_comparisons(value.get("Condition"))),
        variables=variables,
        broken=_fault(value) if told else f"Effect is {json.dumps(effect)}",
        is_told=bool(told),
    )


def _one_of(value: Mapping[str, Json], member: str, opposite: str) -> Json:
    """Return a member, but for one that stands beside its opposite: nobody knows which of them counts."""
    return None if opposite in value else value.get(member)


def _fault(value: Mapping[str, Json]) -> str:
    strange = sorted(set(value) - _MEMBERS)
    if strange:
        return f"unknown member {strange[0]}"
    if ("Action" in value) == ("NotAction" in value):
        return "a statement needs one of Action and NotAction"
    if "Resource" in value and "NotResource" in value:
        return "a statement has both Resource and NotResource"
    for member in ("Action", "NotAction", "Resource", "NotResource"):
        if member in value and not texts(value[member]):
            return f"{member} holds no text"
    condition = value.get("Condition")
    if condition is not None and not _is_condition(condition):
        return "Condition is no object of objects"
    return _principal_fault(value.get("Principal")) or _principal_fault(value.get("NotPrincipal"))


def _is_condition(value: Json) -> bool:
    return isinstance(value, Mapping) and all(isinstance(tests, Mapping) for tests in value.values())


def _principal_fault(value: Json) -> str:
    if value is None or value == "*":
        return ""
    if not isinstance(value, Mapping):
        return "Principal is neither * nor an object"
    strange = sorted(set(value) - _PRINCIPAL_KINDS)
    return f"unknown kind of principal {strange[0]}" if strange else ""


def _actions(value: Json) -> tuple[str, ...]:
    return tuple(action.strip() for action in texts(value))


def _principals(value: Json) -> tuple[PrincipalName, ...]:
    if value == "*":
        return (PrincipalName("*", "*"),)
    found = (PrincipalName(kind, name.strip()) for kind, names in entries(value).items() for name in texts(names))
    return tuple(PrincipalName("*", "*") if name == PrincipalName("AWS", "*") else name for name in found)


def _comparisons(value: Json) -> Iterator[Comparison]:
    for operator, tests in entries(value).items():
        for key, values in entries(tests).items():
            listed = values if isinstance(values, list | tuple) else [values]
            yield Comparison(operator.strip(), key.strip(), tuple(scalar(item) for item in listed))


def _canonical(value: Json) -> str:
    return json.dumps(_sorted(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _sorted(value: Json) -> Json:
    """Order what has no order: lists of texts are sets, and one text is a list of one."""
    if isinstance(value, Mapping):
        return {key: _sorted(item) for key, item in value.items() if key != "Sid"}
    if rows(value):
        listed = rows(value)
        return (
            sorted(texts(value))
            if len(texts(value)) == len(listed) and len(listed) > 1
            else _sorted(listed[0])
            if len(listed) == 1
            else list(listed)
        )
    return value


def _broken(at: Evidence, value: Json, why: str) -> Statement:
    return Statement(at=at, effect=Effect.DENY, content=_canonical(value), broken=why, is_told=False)
