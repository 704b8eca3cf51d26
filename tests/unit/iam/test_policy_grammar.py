"""What does not follow the grammar of policies is kept, marked broken, and changes nothing beside it."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from partywall.model.evidence import Evidence
from partywall.parse.policy import policy
from tests.unit.aws import ACCOUNT, Json, allow, trust
from tests.unit.aws import policy as written

AT = Evidence("p.json", "")
WHOLE = allow("s3:GetObject", "arn:aws:s3:::models/*", Condition={"StringEquals": {"aws:username": "ana"}})


def why(statement: Any) -> str:
    """Return why a statement is broken; a whole one before and one behind it are read as if they stood alone."""
    first, found, last = policy("p", written(WHOLE, statement, WHOLE), AT).statements
    (alone,) = policy("p", written(WHOLE), AT).statements
    assert [(each.content, each.actions, each.resources, each.comparisons, each.broken) for each in (first, last)] == [
        (alone.content, alone.actions, alone.resources, alone.comparisons, "")
    ] * 2
    return found.broken


def nested(levels: int) -> Any:
    value: Any = "s3:GetObject"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"Effect": ["Allow"]}, 'Effect is ["Allow"]'),
        ({"Effect": None}, "Effect is null"),
        ({"Effect": "x" * 500}, f'Effect is "{"x" * 59}...'),
        ({"Action": None}, "Action holds no text"),
        ({"Action": 5}, "Action holds no text"),
        ({"Action": []}, "Action holds no text"),
        ({"Action": ["s3:GetObject", 5]}, "Action holds something that is no text"),
        ({"Action": ["s3:GetObject", ["s3:*"]]}, "Action holds something that is no text"),
        ({"Action": ["s3:GetObject", " "]}, "Action holds an empty text"),
        ({"NotAction": "s3:*"}, "a statement needs one of Action and NotAction"),
        ({"Resource": {"Ref": "Bucket"}}, "Resource holds no text"),
        ({"Resource": ["*", None]}, "Resource holds something that is no text"),
        ({"NotResource": "*"}, "a statement has both Resource and NotResource"),
        ({"Condition": None}, "Condition is no object of objects"),
        ({"Condition": []}, "Condition is no object of objects"),
        ({"Condition": {"Bool": None}}, "Condition is no object of objects"),
        ({"Condition": {"": {"a:b": "c"}}}, "Condition has an operator or a key without a name"),
        ({"Condition": {"Bool": {" ": "true"}}}, "Condition has an operator or a key without a name"),
        ({"Condition": {"Bool": {"a:b": None}}}, "the condition on a:b holds a value that is neither text, number nor truth value"),
        ({"Condition": {"Bool": {"a:b": ["x", ["y"]]}}}, "the condition on a:b holds a value that is neither text, number nor truth value"),
        ({"Condition": {"Bool": {"a:b": {"Ref": "x"}}}}, "the condition on a:b holds a value that is neither text, number nor truth value"),
        ({"Action": nested(500)}, "the statement is nested too deeply"),
        ({"Condition": {"Bool": {"a:b": nested(5000)}}}, "the statement is nested too deeply"),
        ({7: "x"}, "unknown member 7"),
        ({"Resource": "arn:aws:s3:::\ue000"}, "it holds the character U+E000, which no name of AWS has"),
        ({"Resource": "arn:aws:s3:::\ue002"}, "it holds the character U+E002, which no name of AWS has"),
    ],
)
def test_a_fault_is_named(more: Any, fault: str) -> None:
    assert why({**allow("s3:GetObject"), **more}) == fault


@pytest.mark.parametrize(
    ("principal", "fault"),
    [
        (None, "Principal is neither * nor an object"),
        ("arn:aws:iam::111122223333:root", "Principal is neither * nor an object"),
        ({}, "Principal names nobody"),
        ({"Aws": ACCOUNT}, "unknown kind of principal Aws"),
        ({"AWS": []}, "Principal.AWS holds no text"),
        ({"AWS": int(ACCOUNT)}, "Principal.AWS holds no text"),
        ({"AWS": [ACCOUNT, None]}, "Principal.AWS holds something that is no text"),
    ],
)
def test_a_fault_of_a_principal_is_named(principal: Any, fault: str) -> None:
    assert why(trust(principal)) == fault


def test_both_kinds_of_principal_exclude_one_another() -> None:
    assert why({**trust("*"), "NotPrincipal": "*"}) == "a statement has both Principal and NotPrincipal"


@pytest.mark.parametrize("odd", [None, 5, True, "x", [], [allow("s3:*")], nested(500)])
def test_what_is_no_statement_is_broken_and_alone(odd: Any) -> None:
    assert why(odd) != ""


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"Version": "2012-10-18"}, 'Version is "2012-10-18"'),
        ({"Version": None}, "Version is null"),
        ({"Version": 2012}, "Version is 2012"),
        ({"version": "2012-10-17"}, "the policy document has the unknown member version"),
    ],
)
def test_a_fault_of_the_document_breaks_all_its_statements(more: Json, fault: str) -> None:
    found = policy("p", {"Statement": [WHOLE, allow("s3:*")], **more}, AT).statements

    assert [statement.broken for statement in found] == [fault, fault]
    assert found[0].actions == ("s3:GetObject",)


@pytest.mark.parametrize("version", ["2008-10-17", "2012-10-17"])
def test_both_versions_are_read(version: str) -> None:
    (found,) = policy("p", {"Version": version, "Id": "x", "Statement": WHOLE}, AT).statements

    assert (found.broken, found.variables) == ("", version == "2012-10-17")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"Statement": [], "Statement": []}', "the policy document holds the member 'Statement' twice in one object"),
        (
            '{"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*", "Effect": "Deny"}}',
            "the policy document holds the member 'Effect' twice in one object",
        ),
        ("[" * 100_000, "the policy document is nested too deeply"),
        ('{"Statement": "\\ud800"}', "the policy document holds half of a surrogate pair"),
        ('{"Statement": ' + "9" * 5000 + "}", "the policy document is no JSON: "),
        ("", "the policy document is no JSON: "),
        ("%7B%22", "the policy document is no JSON: "),
        ("%", "the policy document is no JSON: "),
        ("[]", "the policy document holds no statements"),
    ],
)
def test_a_text_that_is_no_document_says_why(text: str, fault: str) -> None:
    (found,) = policy("p", text, AT).statements

    assert found.broken.startswith(fault)
    assert found.content


def test_pairs_of_surrogates_and_accents_are_text() -> None:
    text = json.dumps(written(allow("s3:GetObject", "arn:aws:s3:::models/🦜é")))

    assert [policy("p", form, AT).statements[0].resources for form in (text, quote(text))] == [("arn:aws:s3:::models/🦜é",)] * 2


def test_numbers_and_truth_values_are_compared_as_they_are_written() -> None:
    (found,) = policy(
        "p", written(allow("s3:*", Condition={"Bool": {"aws:SecureTransport": True}, "NumericEquals": {"s3:max-keys": [5]}})), AT
    ).statements

    assert [(line.key, line.values) for line in found.comparisons] == [("aws:SecureTransport", ("true",)), ("s3:max-keys", ("5",))]
    assert found.broken == ""


def test_ten_thousand_values_are_read() -> None:
    names = [f"arn:aws:s3:::b{number}/*" for number in range(10_000)]
    (found,) = policy("p", written(allow("s3:GetObject", names)), AT).statements

    assert (found.broken, len(found.resources)) == ("", 10_000)
