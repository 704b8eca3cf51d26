"""The product's IAM decision against the slow judge: on random cases, with keys taken away, and under changes that must not matter."""

import os
import random
from collections import Counter
from functools import partial
from typing import Any

from hypothesis import given

from partywall.model.residual import FALSE, TRUE, decided
from partywall.resolve.iam.comparing import holds
from partywall.resolve.iam.context import ALWAYS_SET
from partywall.resolve.iam.decide import Outcome, decide
from partywall.resolve.iam.witness import witnesses
from tests.judges.iam import judge
from tests.properties.iam_cases import Json, cases, random_case
from tests.vectors import published_iam
from tests.vectors.iam_engine import engine, question

# `make fuzz` asks for a million; the number of cases is small enough elsewhere for the gate to stay quick.
CASES = int(os.environ.get("PARTYWALL_IAM_JUDGED", "100000"))
FIRST = int(os.environ.get("PARTYWALL_IAM_FIRST", "0"))
# Keys that follow from the principal: a case cannot leave them open.
DERIVED = frozenset({"aws:principalarn", "aws:principalaccount", "aws:principaltype", "aws:resourceaccount", "aws:username"})


def test_the_engine_agrees_with_the_judge_on_many_cases() -> None:
    words: Counter[str] = Counter()
    wrong = []
    for seed in range(FIRST, FIRST + CASES):
        case = random_case(seed)
        word = judge(case)
        words[word] += 1
        if engine(case) != word:
            wrong.append((seed, word, engine(case)))

    assert wrong == []
    assert all(words[word] > CASES / 20 for word in ("allowed", "explicit", "implicit")), words


@given(case=cases())
def test_the_engine_agrees_with_the_judge_where_cases_shrink(case: Json) -> None:
    assert engine(case) == judge(case)


def opened(case: Json, seed: int) -> list[str]:
    """Choose keys of a case's conditions to know nothing of; a key that AWS always sets is opened only where the case has it."""
    given_keys = {key.lower() for key in case.get("context") or {}}
    chance = random.Random(seed)
    asked = sorted(set(published_iam.tested(case)) - DERIVED)
    return [key for key in asked if chance.random() < 0.6 and (key not in ALWAYS_SET or key in given_keys)]


def with_values(case: Json, keys: list[str], values: dict[str, tuple[str, ...]]) -> Json:
    """Return a case with other values of its open keys; one that AWS always sets keeps its own where it does not matter."""
    kept = {
        key: value
        for key, value in (case.get("context") or {}).items()
        if key.lower() not in keys or (key.lower() in ALWAYS_SET and key.lower() not in values)
    }
    return {**case, "context": {**kept, **{key: list(found) for key, found in values.items() if found}}}


def test_what_is_left_open_decides_as_the_judge_does_once_it_is_known() -> None:
    conditional = 0
    for seed in range(FIRST, FIRST + CASES // 5):
        case = random_case(seed, odd=False)
        keys = opened(case, seed)
        if not keys:
            continue
        rights, request, guard = question(case, opened=keys)
        found = decide(rights, request, guard)
        if not found.residual.is_evaluable:
            continue
        complete = question(case)[1].context
        known = decided(found.residual, partial(holds, context=complete))
        assert known in (TRUE, FALSE)
        assert (known is TRUE) == (judge(case) == "allowed"), (seed, found.residual.text)
        if found.outcome is Outcome.CONDITIONAL:
            conditional += 1
            either = witnesses(found.residual, request.context)
            assert either.holds is not None and judge(with_values(case, keys, dict(either.holds))) == "allowed", (seed, found.residual.text)
            assert either.fails is not None and judge(with_values(case, keys, dict(either.fails))) != "allowed", (seed, found.residual.text)

    assert conditional > CASES / 250


@given(case=cases(odd=False), other=cases(odd=False))
def test_a_further_deny_never_widens(case: Json, other: Json) -> None:
    denied = [{**statement, "Effect": "Deny"} for document in other["identity"] for statement in listed(document)]
    more = {**case, "identity": [*case["identity"], {"Version": "2012-10-17", "Statement": denied}] if denied else case["identity"]}

    assert engine(more) != "allowed" or engine(case) == "allowed"


@given(case=cases())
def test_order_and_the_case_of_actions_do_not_matter(case: Json) -> None:
    assert engine(turned(case)) == engine(case)


def listed(document: Any) -> list[Any]:
    found = document["Statement"] if isinstance(document, dict) else []
    return found if isinstance(found, list) else [found]


def turned(case: Json) -> Json:
    """Return a case with statements and values in the opposite order and its actions in the opposite case."""
    for document in published_iam.every_document(case):
        if isinstance(document, dict) and isinstance(document.get("Statement"), list):
            document["Statement"] = [turned_statement(one) for one in reversed(document["Statement"])]
    return case


def turned_statement(statement: Any) -> Any:
    if not isinstance(statement, dict):
        return statement
    swapped = {name: swapcase(value) if name in ("Action", "NotAction") else value for name, value in statement.items()}
    return {name: list(reversed(value)) if isinstance(value, list) else value for name, value in swapped.items()}


def swapcase(value: Any) -> Any:
    if isinstance(value, list):
        return [swapcase(one) for one in value]
    return value.swapcase() if isinstance(value, str) else value
