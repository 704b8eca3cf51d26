"""Formulas in normal form: equal ones are one object, negation is exact, and who decides is the weakest that must."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partywall.model.atom import Atom, Control
from partywall.model.residual import FALSE, TRUE, Residual, all_of, any_of, as_data, decided, negated, phrase, that, unevaluable

A, B, C = (that(Atom(f"aws:{name}", "StringEquals", ("x",), Control.CALLER)) for name in "ABC")
VPC = that(Atom("aws:SourceVpc", "StringEquals", ("vpc-1",), Control.ENVIRONMENT))
TAG = that(Atom("aws:ResourceTag/team", "StringEquals", ("nlp",), Control.UNKNOWN))

formulas = st.recursive(
    st.sampled_from((A, B, C, TRUE, FALSE)),
    lambda inner: st.lists(inner, max_size=3).map(all_of) | st.lists(inner, max_size=3).map(any_of) | inner.map(negated),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("made", "same"),
    [
        (all_of((A, B)), all_of((B, A, A))),
        (all_of((A, all_of((B, C)))), all_of((all_of((A, B)), C))),
        (any_of((A, B)), negated(all_of((negated(A), negated(B))))),
        (all_of((A, any_of((A, B)))), A),
        (any_of((A, all_of((A, B)))), A),
        (all_of((A, negated(A))), FALSE),
        (any_of((A, negated(A))), TRUE),
        (all_of(()), TRUE),
        (any_of(()), FALSE),
        (any_of((any_of((A, B)), any_of((A, B, C)))), any_of((A, B, C))),
    ],
)
def test_equal_formulas_are_one_object(made: Residual, same: Residual) -> None:
    assert made is same


@given(formula=formulas, held=st.sets(st.sampled_from((A, B, C))))
def test_the_normal_form_keeps_the_truth(formula: Residual, held: set[Residual]) -> None:
    true = {part.atom for part in held}

    def known(residual: Residual) -> Residual:
        return decided(residual, lambda atom: atom in true)

    assert known(formula) in (TRUE, FALSE)
    assert known(negated(formula)) is negated(known(formula))
    assert negated(negated(formula)) is formula


def test_of_what_cannot_be_evaluated_nobody_knows_the_opposite_either() -> None:
    open_ = unevaluable("aws:x", "unknown operator StringSounds")

    assert negated(open_) is open_
    assert not all_of((A, open_)).is_evaluable
    assert all_of((open_, negated(open_))) is open_


def test_all_parts_of_a_conjunction_must_be_met_and_the_easiest_alternative_is_enough() -> None:
    assert all_of((A, VPC)).control is Control.ENVIRONMENT
    assert all_of((A, VPC, TAG)).control is Control.UNKNOWN
    assert any_of((A, VPC, TAG)).control is Control.CALLER
    assert all_of((any_of((A, TAG)), VPC)).control is Control.ENVIRONMENT


def test_a_formula_reads_well_and_is_data() -> None:
    formula = all_of((VPC, any_of((negated(A), B))))

    assert formula.text == "(aws:A not StringEquals x or aws:B StringEquals x) and aws:SourceVpc StringEquals vpc-1"
    assert phrase(any_of((A, B))) == "aws:A StringEquals x or aws:B StringEquals x"
    assert phrase(all_of((any_of((A, B)), any_of((B, C))))).startswith("(")
    assert json.dumps(as_data(formula)) == json.dumps(
        {
            "all": [
                {
                    "any": [
                        {"key": "aws:A", "operator": "StringEquals", "values": ["x"], "control": "caller", "not": True},
                        {"key": "aws:B", "operator": "StringEquals", "values": ["x"], "control": "caller"},
                    ]
                },
                {"key": "aws:SourceVpc", "operator": "StringEquals", "values": ["vpc-1"], "control": "environment"},
            ]
        }
    )
