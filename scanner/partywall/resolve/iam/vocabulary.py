"""The words of a policy statement, held against what IAM knows: what nobody can evaluate, and what is only worth saying.

IAM user guide, "IAM JSON policy elements: Condition operators", "... Principal", "... NotPrincipal", and "IAM Access Analyzer policy check
reference", for what AWS refuses or never matches.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from partywall.model.facts_iam import Comparison, Effect, PrincipalName, Statement
from partywall.resolve.iam.actions import Key, as_of, condition_key, expand, service_known
from partywall.resolve.iam.globs import is_wild
from partywall.resolve.iam.words import Family, operator_of, value_fault

# Parts whose faults `statements.applies` leaves open by itself, wherever the statement decides something.
NAME, OPERATOR, VALUE = "Action name", "Condition operator", "Condition value"
SETTLED = frozenset({NAME, OPERATOR, VALUE})
_VENDOR = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.")
# Which families of operators make sense for which type of key; a number of seconds is a date, too.
_FITTING: dict[str, frozenset[Family]] = {
    "String": frozenset({Family.STRING, Family.ARN, Family.BINARY}),
    "ARN": frozenset({Family.ARN, Family.STRING}),
    "Bool": frozenset({Family.BOOL, Family.STRING}),
    "Numeric": frozenset({Family.NUMERIC}),
    "Date": frozenset({Family.DATE, Family.NUMERIC}),
    "IPAddress": frozenset({Family.IP}),
}


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something wrong with a statement: the part of it and a sentence.

    `unevaluable`: nobody can say what the statement means, so it must count neither as true nor as false. Otherwise it is a remark: the
    words are unknown to the dated tables, or do what is rarely meant, and the answer stands.
    """

    part: str
    text: str
    unevaluable: bool = False


def complaints(statement: Statement) -> tuple[Complaint, ...]:
    """Return what is wrong with the words of a statement, each once; one that is broken already has no words to look at."""
    if statement.broken:
        return ()
    return tuple(dict.fromkeys((*_of_actions(statement), *_of_conditions(statement), *_of_principals(statement))))


def _of_actions(statement: Statement) -> Iterator[Complaint]:
    for part, patterns in (("Action", statement.actions), ("NotAction", statement.not_actions)):
        for pattern in patterns:
            found = _of_action(pattern)
            if found is not None:
                text, unevaluable = found
                yield Complaint(NAME if unevaluable else part, text, unevaluable)


@lru_cache(maxsize=65536)
def _of_action(pattern: str) -> tuple[str, bool] | None:
    low = pattern.lower()
    if low == "*":
        return None
    prefix, colon, own = low.partition(":")
    if not colon or not own or ":" in own:
        return f"{pattern} is not of the form service:action", True
    if prefix == "*":
        return None
    if is_wild(prefix):
        return f"{pattern} has a wildcard in the name of the service", True
    if not _VENDOR.issuperset(prefix):
        return f"{pattern} has a character in the name of the service that no service has", True
    if not service_known(prefix):
        return f"the service {prefix} of {pattern} is not in the table of {as_of()}", False
    return None if expand(low) else (f"{pattern} names no action that the table of {as_of()} knows", False)


def _of_conditions(statement: Statement) -> Iterator[Complaint]:
    tested = {comparison.key.lower() for comparison in statement.comparisons if comparison.operator.lower() == "null"}
    services = _services(statement)
    for comparison in statement.comparisons:
        yield from _of_operator(comparison)
        key = condition_key(comparison.key)
        yield from _of_key(comparison, key, services)
        yield from _of_set(statement, comparison, key, tested)
    yield from _twice(statement)


def _of_operator(comparison: Comparison) -> Iterator[Complaint]:
    operator = operator_of(comparison.operator)
    if operator is None:
        yield Complaint(OPERATOR, f"unknown operator {comparison.operator}", unevaluable=True)
        return
    if operator.family is Family.NULL and operator.if_exists:
        yield Complaint(OPERATOR, f"{comparison.operator}: Null and IfExists exclude one another", unevaluable=True)
    if comparison.operator != operator.written:
        yield Complaint("Condition", f"the operator {comparison.operator} is written {operator.written}")
    if not comparison.values:
        yield Complaint("Condition", f"{comparison.operator} on {comparison.key} has no value", unevaluable=True)
    for value in comparison.values:
        fault = "" if "${" in value else value_fault(operator.family, value)
        if fault:
            unevaluable = operator.family is not Family.ARN
            text = f"{comparison.operator} on {comparison.key}: {value[:80]!r} {fault}"
            yield Complaint(VALUE if unevaluable else "Condition", text, unevaluable)


def _of_key(comparison: Comparison, key: Key | None, services: frozenset[str] | None) -> Iterator[Complaint]:
    if key is None:
        if not _is_claim(comparison.key):
            yield Complaint("Condition", f"the condition key {comparison.key} is not in the table of {as_of()}")
        return
    is_of_service = key.services and service_known(comparison.key.partition(":")[0])
    if services is not None and is_of_service and not services.intersection(key.services):
        yield Complaint("Condition", f"no action of the statement carries the condition key {comparison.key}")
    operator = operator_of(comparison.operator)
    fitting = _FITTING.get(key.type)
    if operator and fitting and operator.family is not Family.NULL and operator.family not in fitting:
        yield Complaint("Condition", f"{comparison.operator} does not fit the condition key {comparison.key}, whose type is {key.type}")


def _is_claim(key: str) -> bool:
    """Tell whether a key is a claim of an identity provider (`host/path:sub`), whose words are its own."""
    return "." in key.partition(":")[0]


def _of_set(statement: Statement, comparison: Comparison, key: Key | None, tested: set[str]) -> Iterator[Complaint]:
    operator = operator_of(comparison.operator)
    if operator is None or not operator.every:
        return
    if key is not None and key.type and not key.many:
        yield Complaint("Condition", f"ForAllValues on {comparison.key}, which never has several values")
    # Without tags in the request there is nothing to refuse, as AWS's own policies have it.
    if statement.effect is Effect.ALLOW and comparison.key.lower() not in tested and comparison.key.lower() != "aws:tagkeys":
        yield Complaint(
            "Condition", f"ForAllValues on {comparison.key} also holds where the request has no such key; no Null test stands beside it"
        )


def _twice(statement: Statement) -> Iterator[Complaint]:
    """The same operator and key in two spellings: AWS does not say whether both count."""
    counted = Counter((comparison.operator.lower(), comparison.key.lower()) for comparison in statement.comparisons)
    for (_, key), times in counted.items():
        if times > 1:
            yield Complaint(
                "Condition", f"the condition key {key} stands {times} times under one operator, in different case", unevaluable=True
            )


def _services(statement: Statement) -> frozenset[str] | None:
    """Return the services that a statement's actions name, or None where it may speak of all."""
    prefixes = {pattern.lower().partition(":")[0] for pattern in statement.actions}
    if statement.not_actions or any(is_wild(prefix) or not service_known(prefix) for prefix in prefixes):
        return None
    return frozenset(prefixes)


def _of_principals(statement: Statement) -> Iterator[Complaint]:
    if statement.not_principals and statement.effect is Effect.ALLOW:
        yield Complaint(
            "NotPrincipal", "NotPrincipal with Allow lets everybody else in, people without an account too; AWS advises against it"
        )
    for part, names in (("Principal", statement.principals), ("NotPrincipal", statement.not_principals)):
        for name in names:
            text = _of_principal(name)
            if text:
                yield Complaint(part, text)


def _of_principal(name: PrincipalName) -> str:
    if name.name == "*":
        return ""
    if is_wild(name.name):
        return f"{name.name} holds a wildcard, which matches nothing in a principal"
    if name.kind == "AWS" and not _names_somebody(name.name):
        return f"{name.name} is neither an account, nor the ARN or the id of a principal"
    if name.kind == "Service" and "." not in name.name:
        return f"{name.name} is no service principal, which ends in a domain"
    return ""


def _names_somebody(name: str) -> bool:
    if name.startswith("arn:"):
        parts = name.split(":", 5)
        return len(parts) == 6 and parts[2] in ("iam", "sts") and (_is_account(parts[4]) or parts[4] == "cloudfront") and bool(parts[5])
    return _is_account(name) or (name.isalnum() and name.isupper() and 16 <= len(name) <= 128) or "${" in name


def _is_account(text: str) -> bool:
    return len(text) == 12 and text.isascii() and text.isdigit()
