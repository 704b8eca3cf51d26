"""The random IAM cases are worth asking: answers are mixed, seeds are stable, and Hypothesis draws from the same grammar."""

import json
from collections import Counter
from typing import Any

from hypothesis import given

from tests.judges.iam import judge
from tests.properties.iam_cases import cases, random_case

WORDS = {"allowed", "explicit", "implicit", "undecidable"}


def test_every_answer_is_common() -> None:
    found = Counter(judge(random_case(seed)) for seed in range(4000))

    assert set(found) == WORDS
    assert min(found[word] for word in ("allowed", "explicit", "implicit")) >= 0.15 * found.total()


def test_valid_cases_are_always_decided() -> None:
    assert {judge(random_case(seed, odd=False)) for seed in range(2000)} == WORDS - {"undecidable"}


def test_a_seed_is_a_case() -> None:
    assert json.dumps(random_case(7)) == json.dumps(random_case(7)) != json.dumps(random_case(8))


@given(case=cases())
def test_a_further_deny_never_opens_anything(case: dict[str, Any]) -> None:
    shut = {"Version": "2012-10-17", "Statement": {"Effect": "Deny", "Action": case["action"], "Resource": case["resource"]}}

    assert judge(case) in WORDS
    assert judge(case) == "allowed" or judge({**case, "identity": [*case["identity"], shut]}) != "allowed"
