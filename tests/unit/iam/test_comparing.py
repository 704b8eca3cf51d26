"""Condition operators, cell by cell (IAM user guide, "IAM JSON policy elements: Condition operators")."""

import pytest

from partywall.model.atom import Control
from partywall.model.facts_iam import Comparison
from partywall.model.residual import FALSE, TRUE, Residual
from partywall.resolve.iam.comparing import compare
from partywall.resolve.iam.context import Chosen, Context, Open, Value
from partywall.resolve.iam.globs import arn_covers, arn_meets, covers, meets

KEY = "aws:PrincipalTag/x"


def outcome(operator: str, wanted: str | tuple[str, ...], value: Value) -> str:
    values = (wanted,) if isinstance(wanted, str) else wanted
    return word(compare(Comparison(operator, KEY, values), Context({KEY.lower(): value}), variables=True))


def word(found: Residual) -> str:
    if found in (TRUE, FALSE):
        return "yes" if found is TRUE else "no"
    return "open" if found.is_evaluable else "unevaluable"


@pytest.mark.parametrize(
    ("operator", "wanted", "hit", "miss"),
    [
        ("StringEquals", "a", "a", "A"),
        ("StringEqualsIgnoreCase", "a", "A", "b"),
        ("StringLike", "a*z?", "abczx", "abcz"),
        ("NumericEquals", "5", "5.0", "6"),
        ("NumericLessThan", "5", "4", "5"),
        ("NumericLessThanEquals", "5", "5", "6"),
        ("NumericGreaterThan", "5", "6", "5"),
        ("NumericGreaterThanEquals", "5", "5", "4"),
        ("DateEquals", "2026-01-01T00:00:00Z", "1767225600", "2026-01-02T00:00:00Z"),
        ("DateLessThan", "2026-01-01T00:00:00Z", "2025-12-31T00:00:00Z", "2026-01-01T00:00:00Z"),
        ("DateGreaterThan", "2026-01-01T00:00:00Z", "2026-01-02", "2025-01-01"),
        ("Bool", "true", "True", "false"),
        ("BinaryEquals", "QmluYXJ5", "QmluYXJ5", "Qg=="),
        ("IpAddress", "10.0.0.0/8", "10.1.2.3", "11.0.0.1"),
        ("ArnEquals", "arn:aws:s3:::a*", "arn:aws:s3:::ab", "arn:aws:s3:::b"),
        ("ArnLike", "arn:aws:iam::*:role/x", "arn:aws:iam::111122223333:role/x", "arn:aws:iam::111122223333:role/y"),
    ],
)
def test_a_positive_operator(operator: str, wanted: str, hit: str, miss: str) -> None:
    assert [outcome(operator, wanted, value) for value in ((hit,), (miss,), ())] == ["yes", "no", "no"]
    assert [outcome(f"{operator}IfExists", wanted, value) for value in ((hit,), (miss,), ())] == ["yes", "no", "yes"]
    assert [outcome(f"ForAnyValue:{operator}", wanted, value) for value in ((hit, miss), (miss,), ())] == ["yes", "no", "no"]
    assert [outcome(f"ForAllValues:{operator}", wanted, value) for value in ((hit,), (hit, miss), ())] == ["yes", "no", "yes"]


@pytest.mark.parametrize(
    ("operator", "wanted", "hit", "miss"),
    [
        ("StringNotEquals", "a", "a", "b"),
        ("StringNotEqualsIgnoreCase", "a", "A", "b"),
        ("StringNotLike", "a*", "ab", "b"),
        ("NumericNotEquals", "5", "5", "6"),
        ("DateNotEquals", "2026-01-01T00:00:00Z", "2026-01-01", "2026-01-02"),
        ("NotIpAddress", "10.0.0.0/8", "10.1.2.3", "11.0.0.1"),
        ("ArnNotEquals", "arn:aws:s3:::a", "arn:aws:s3:::a", "arn:aws:s3:::b"),
        ("ArnNotLike", "arn:aws:s3:::a*", "arn:aws:s3:::ab", "arn:aws:s3:::b"),
    ],
)
def test_a_negated_operator_is_true_where_the_key_is_absent(operator: str, wanted: str, hit: str, miss: str) -> None:
    assert [outcome(operator, wanted, value) for value in ((hit,), (miss,), ())] == ["no", "yes", "yes"]
    assert outcome(operator, (wanted, miss), (miss,)) == "no"


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [
        pytest.param("StringEquals", Open(Control.CALLER), "open", id="unknown"),
        pytest.param("StringNotEquals", Open(Control.UNKNOWN), "open", id="unknown and negated"),
        pytest.param("StringSounds", ("a",), "unevaluable", id="no such operator"),
        pytest.param("StringLike", Chosen("a*"), "yes", id="the caller may choose"),
        pytest.param("StringLike", Chosen("b*"), "no", id="no choice fits"),
        pytest.param("StringNotLike", Chosen("ab*"), "no", id="every choice is excluded"),
    ],
)
def test_what_is_not_known(operator: str, value: Value, expected: str) -> None:
    assert outcome(operator, "a*" if "Like" in operator else "a", value) == expected


def test_null_tests_whether_a_key_is_there() -> None:
    assert [outcome("Null", flag, value) for flag in ("true", "false") for value in ((), ("a",))] == ["yes", "no", "no", "yes"]


def test_null_with_another_word_cannot_be_evaluated() -> None:
    assert [outcome("Null", "maybe", value) for value in ((), ("a",), Open(Control.CALLER))] == ["unevaluable"] * 3


def test_a_key_that_is_always_set_is_never_null() -> None:
    region = Comparison("Null", "aws:RequestedRegion", ("true",))

    assert compare(region, Context(), variables=True) is FALSE


def test_a_star_from_a_variable_is_a_character() -> None:
    def like(tag: str) -> str:
        context = Context({KEY.lower(): ("anything",), "aws:principaltag/team": (tag,)})
        return word(compare(Comparison("StringLike", KEY, ("${aws:PrincipalTag/team}",)), context, variables=True))

    assert [like("anything"), like("*")] == ["yes", "no"]


@pytest.mark.parametrize(
    ("pattern", "region", "common", "whole"),
    [
        ("a*", "ab*", True, True),
        ("ab*", "a*", True, False),
        ("a*c", "ab*", True, False),
        ("a?", "a*", True, False),
        ("*x*", "*", True, False),
        ("b*", "a*", False, False),
        ("*", "a?*", True, True),
        ("a[b]", "a[b]", True, True),
    ],
)
def test_two_patterns(pattern: str, region: str, common: bool, whole: bool) -> None:
    assert (meets(pattern, region), covers(pattern, region)) == (common, whole)


def test_a_star_stays_in_its_segment_of_an_arn() -> None:
    assert not arn_meets("arn:aws:*:role/x:a:b", "arn:aws:iam::1:role/x")
    assert arn_covers("arn:aws:s3:::*", "arn:aws:s3:::a/b/c")
    assert arn_covers("arn:aws:iam::*:role/team*", "arn:aws:iam::1:role/team/x*")
    assert not arn_meets("arn:aws:iam::1:role/team*", "arn:aws:iam::2:role/*")
