"""Contexts that make a condition hold or fail, and conditions that are none."""

import pytest

from partywall.model.atom import Atom, Control
from partywall.model.residual import FALSE, TRUE, Residual, all_of, any_of, negated, that
from partywall.resolve.iam.context import Context, Open
from partywall.resolve.iam.globs import shared_text
from partywall.resolve.iam.witness import settled, witnesses


def asks(key: str, operator: str, *values: str) -> Residual:
    return that(Atom(key, operator, values, Control.UNKNOWN))


NOWHERE = Context()


@pytest.mark.parametrize(
    "never",
    [
        all_of((asks("aws:a", "StringEquals", "x"), asks("aws:a", "StringEquals", "y"))),
        all_of((asks("aws:a", "StringLike", "x*"), asks("aws:a", "StringLike", "y*"))),
        all_of((asks("aws:n", "NumericLessThan", "5"), asks("aws:n", "NumericGreaterThan", "7"))),
        all_of((asks("aws:a", "Null", "true"), asks("aws:a", "StringEquals", "x"))),
        all_of((asks("aws:ip", "IpAddress", "10.0.0.0/8"), asks("aws:ip", "IpAddress", "192.0.2.0/24"))),
        all_of((asks("aws:a", "StringEqualsIgnoreCase", "x"), asks("aws:a", "StringEquals", "y"))),
    ],
)
def test_what_contradicts_itself_never_holds(never: Residual) -> None:
    assert settled(never, NOWHERE) is FALSE
    assert settled(negated(never), NOWHERE) is TRUE


@pytest.mark.parametrize(
    "open_",
    [
        all_of((asks("aws:a", "StringLike", "a*"), asks("aws:a", "StringLike", "*b"))),
        all_of((asks("aws:n", "NumericLessThan", "5"), asks("aws:n", "NumericGreaterThan", "3"))),
        all_of((asks("aws:n", "NumericLessThan", "5.5"), asks("aws:n", "NumericGreaterThan", "5"))),
        all_of((asks("aws:d", "DateLessThan", "2026-01-01T00:00:01Z"), asks("aws:d", "DateGreaterThan", "2026-01-01T00:00:00Z"))),
        all_of((asks("aws:a", "StringNotLike", "z*"), asks("aws:a", "StringNotLike", "y*"), asks("aws:a", "Null", "false"))),
        asks("aws:t", "ForAllValues:StringEquals", "x", "y"),
        all_of((asks("aws:t", "ForAnyValue:StringEquals", "x"), asks("aws:t", "ForAnyValue:StringEquals", "y"))),
        asks("aws:ResourceTag/team", "StringEquals", "${aws:PrincipalTag/team}"),
        asks("aws:ResourceTag/team", "StringNotEquals", "pre-${aws:PrincipalTag/team}"),
        any_of((asks("aws:d", "DateLessThan", "2026-01-01"), asks("aws:b", "Bool", "true"))),
    ],
)
def test_what_is_open_has_a_context_for_either(open_: Residual) -> None:
    found = witnesses(open_, NOWHERE)

    assert found.holds is not None
    assert found.fails is not None
    assert settled(open_, NOWHERE) is open_


def test_a_key_that_is_always_there_is_never_left_out() -> None:
    there = Context({"aws:a": Open(Control.CALLER, always=True)})

    assert settled(any_of((asks("aws:a", "StringEquals", "x"), asks("aws:a", "StringNotEquals", "x"))), there) is TRUE
    found = witnesses(asks("aws:a", "StringNotEquals", "x"), there)
    assert found.holds is not None
    assert found.holds["aws:a"] != ()


@pytest.mark.parametrize(
    ("left", "right", "text"), [("a*", "*b", "ab"), ("a?c", "ab*", "abc"), ("a*", "b*", None), ("*x*", "y*", "yx"), ("", "*", "")]
)
def test_a_text_that_fits_two_patterns(left: str, right: str, text: str | None) -> None:
    assert shared_text(left, right) == text


def test_what_was_not_all_tried_is_never_called_never() -> None:
    three = all_of(
        (
            *(asks("aws:t", "ForAnyValue:StringEquals", value) for value in "xyz"),
            asks("aws:t", "ForAllValues:StringEquals", "x", "y", "z"),
        )
    )

    assert settled(three, NOWHERE) is three
