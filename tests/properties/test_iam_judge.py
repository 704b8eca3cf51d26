"""The decision against a slow and obvious evaluator, on small random accounts and requests."""

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from partywall.model.edge import Certainty
from partywall.resolve.iam.estate import estate
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.ways import identity_ways
from tests.unit.aws import ACCOUNT, Json, account, facts, managed, role

ACTIONS = ("s3:getobject", "s3:putobject", "kms:decrypt", "iam:passrole")
RESOURCES = ("arn:aws:s3:::a/x", "arn:aws:s3:::ab/x/y", f"arn:aws:iam::{ACCOUNT}:role/team", "arn:aws:kms:us-east-2:111122223333:key/1")
PATTERNS = (
    "*",
    "arn:aws:s3:::a*",
    "arn:aws:s3:::a/*",
    "arn:aws:s3:::*/x",
    f"arn:aws:iam::{ACCOUNT}:role/?eam",
    "arn:aws:kms:*:*:key/*",
    RESOURCES[1],
)
ACTION_PATTERNS = ("*", "s3:*", "S3:Get*", "kms:Decrypt", "iam:Pass????", "s3:PutObject")
TAGS = {"team": "nlp", "site": "a*"}

values = st.sampled_from(
    ("nlp", "vision", "n*", "a*", "${aws:PrincipalTag/team}", "${aws:PrincipalTag/none, 'nlp'}", "${aws:PrincipalTag/none}", "?lp")
)
operators = st.sampled_from(
    ("StringEquals", "StringNotEquals", "StringLike", "StringNotLike", "StringEqualsIfExists", "StringNotLikeIfExists")
)
keys = st.sampled_from(("aws:PrincipalTag/team", "aws:principaltag/Site", "aws:PrincipalTag/none", "aws:PrincipalAccount"))
conditions = st.dictionaries(operators, st.dictionaries(keys, st.lists(values, min_size=1, max_size=2), min_size=1, max_size=2), max_size=2)
some_patterns = st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=2)
some_actions = st.lists(st.sampled_from(ACTION_PATTERNS), min_size=1, max_size=2)


@st.composite
def statements(draw: st.DrawFn) -> Json:
    made: dict[str, Any] = {"Effect": draw(st.sampled_from(("Allow", "Allow", "Deny")))}
    made[draw(st.sampled_from(("Action", "Action", "NotAction")))] = draw(some_actions)
    made[draw(st.sampled_from(("Resource", "Resource", "NotResource")))] = draw(some_patterns)
    condition = draw(conditions)
    return {**made, "Condition": condition} if condition else made


policies = st.lists(statements(), min_size=1, max_size=4)


# The oracle: one plain function for each sentence of the IAM user guide, on the JSON itself.


def glob(pattern: str, text: str, *, fold: bool = False) -> bool:
    source = "".join(".*" if char == "*" else "." if char == "?" else re.escape(char) for char in pattern)
    return re.fullmatch(source, text, re.DOTALL | (re.IGNORECASE if fold else 0)) is not None


def known(key: str) -> str | None:
    if key.lower() == "aws:principalaccount":
        return ACCOUNT
    tag = key.split("/", 1)[1].lower()
    return next((value for name, value in TAGS.items() if name.lower() == tag), None)


def filled(value: str) -> tuple[str, bool] | None:
    """Return a value with its variable filled in, and whether its wildcards are still wildcards; None where the variable has no value."""
    found = re.fullmatch(r"\$\{([^,}]+)(?:, '([^']*)')?\}", value)
    if not found:
        return value, True
    text = known(found.group(1))
    text = found.group(2) if text is None else text
    return None if text is None else (text, False)


def compares(operator: str, key: str, wanted: list[str]) -> bool:
    have = known(key)
    base = operator.removesuffix("IfExists")
    if have is None:
        return "Not" in base or operator.endswith("IfExists")
    hits = []
    for value in wanted:
        text = filled(value)
        if text is not None:
            hits.append(glob(text[0], have) if "Like" in base and text[1] else text[0] == have)
    return not any(hits) if "Not" in base else any(hits)


def applies(statement: Json, action: str, resource: str) -> bool:
    wanted = statement.get("Action", statement.get("NotAction"))
    if any(glob(pattern, action, fold=True) for pattern in wanted) == ("NotAction" in statement):
        return False
    where = statement.get("Resource", statement.get("NotResource"))
    if any(glob(pattern, resource) for pattern in where) == ("NotResource" in statement):
        return False
    return all(compares(operator, key, found) for operator, tests in statement.get("Condition", {}).items() for key, found in tests.items())


def decides(own: list[Json], boundary: list[Json] | None, action: str, resource: str) -> bool:
    def some(effect: str, found: list[Json]) -> bool:
        return any(statement["Effect"] == effect and applies(statement, action, resource) for statement in found)

    if some("Deny", own) or some("Deny", boundary or []):
        return False
    return some("Allow", own) and (boundary is None or some("Allow", boundary))


@given(own=policies, boundary=st.none() | policies, action=st.sampled_from(ACTIONS), resource=st.sampled_from(RESOURCES))
def test_the_decision_agrees_with_the_plain_evaluator(own: list[Json], boundary: list[Json] | None, action: str, resource: str) -> None:
    limit = f"arn:aws:iam::{ACCOUNT}:policy/limit" if boundary is not None else ""
    described = account(role("r", *own, boundary=limit, tags=TAGS), policies=[managed("limit", *boundary)] if boundary is not None else [])
    (rights,) = estate(facts(described)).rights.values()

    found = identity_ways(rights, Request(action, resource, rights.context))

    assert bool(found) == decides(own, boundary, action, resource)
    assert all(way.certainty is Certainty.SURE for way in found)


@given(own=policies, extra=statements(), action=st.sampled_from(ACTIONS), resource=st.sampled_from(RESOURCES))
def test_a_further_deny_never_opens_anything(own: list[Json], extra: Json, action: str, resource: str) -> None:
    def allowed(*found: Json) -> bool:
        (rights,) = estate(facts(account(role("r", *found, tags=TAGS)))).rights.values()
        return bool(identity_ways(rights, Request(action, resource, rights.context)))

    assert allowed(*own) or not allowed(*own, {**extra, "Effect": "Deny"})


@given(own=policies, action=st.sampled_from(ACTIONS), resource=st.sampled_from(RESOURCES))
def test_the_order_of_statements_does_not_matter(own: list[Json], action: str, resource: str) -> None:
    def allowed(found: list[Json]) -> bool:
        (rights,) = estate(facts(account(role("r", *found, tags=TAGS)))).rights.values()
        return bool(identity_ways(rights, Request(action, resource, rights.context)))

    assert allowed(own) == allowed(own[::-1])
