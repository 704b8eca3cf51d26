"""What the IAM parsers make of the CLI's answers."""

import json
from urllib.parse import quote

import pytest

from partywall.model.document import Gap
from partywall.model.evidence import Evidence
from partywall.model.facts import Listed
from partywall.model.facts_iam import InlinePolicy, ManagedPolicy, Principal
from partywall.parse.policy import policy
from partywall.resolve.iam import RESOLVER
from tests.unit.aws import ACCOUNT, PARSERS, Json, account, allow, answer, arn, facts, gaps, lines, managed, role, trust
from tests.unit.aws import policy as written

AT = Evidence("p.json", "")


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(written(allow("s3:GetObject")), id="an object"),
        pytest.param(json.dumps(written(allow("s3:GetObject"))), id="a text"),
        pytest.param(quote(json.dumps(written(allow("s3:GetObject")))), id="a URL-encoded text"),
    ],
)
def test_a_policy_document_comes_in_three_forms(value: Json | str) -> None:
    (statement,) = policy("p", value, AT).statements

    assert (statement.actions, statement.resources, statement.broken) == (("s3:GetObject",), ("*",), "")


def test_one_statement_needs_no_list_and_knows_its_place() -> None:
    (statement,) = policy("p", {"Statement": allow("s3:GetObject")}, AT).statements

    assert (statement.at.pointer, statement.variables) == ("/Statement", False)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("not json", "the policy document is no JSON: Expecting value: line 1 column 1 (char 0)"),
        ({"Statement": "x"}, "Statement is neither an object nor a list"),
        ({"Statement": ["x"]}, "a statement is no object"),
        ({"Statement": [{"Effect": "allow", "Action": "*", "Resource": "*"}]}, 'Effect is "allow"'),
        ({"Statement": [{"Effect": "Allow", "Resource": "*"}]}, "a statement needs one of Action and NotAction"),
        ({"Statement": [{**allow("s3:*"), "Conditions": {}}]}, "unknown member Conditions"),
        ({"Statement": [{**allow("s3:*"), "Condition": {"StringEquals": "x"}}]}, "Condition is no object of objects"),
    ],
)
def test_what_has_no_grammar_says_so(value: Json | str, why: str) -> None:
    (statement,) = policy("p", value, AT).statements

    assert statement.broken == why


def test_a_statement_is_the_same_whatever_its_sid_and_order() -> None:
    one = policy("p", written(allow(["b:x", "a:y"], "*", Sid="One")), AT).statements[0]
    other = policy("p", written(allow(["a:y", "b:x"], ["*"], Sid="Two")), AT).statements[0]

    assert one.content == other.content


def test_account_details_are_a_complete_listing_of_roles() -> None:
    found = list(
        PARSERS["aws:iam:get-account-authorization-details"](account(role("a", allow("s3:*")), policies=[managed("m", allow("s3:*"))]))
    )

    assert [type(fact) for fact in found[:3]] == [Principal, InlinePolicy, ManagedPolicy]
    assert [fact.kind for fact in found if isinstance(fact, Listed)] == ["Role", "User"]


def test_a_page_that_ends_early_lists_nothing_completely() -> None:
    page = answer("iam:get-account-authorization-details", {"RoleDetailList": [role("a")], "IsTruncated": True, "Marker": "x"})
    found = list(PARSERS[page.kind](page))

    assert [fact for fact in found if isinstance(fact, Listed)] == []
    assert len([fact for fact in found if isinstance(fact, Gap)]) == 1


def single(*documents: str) -> list[object]:
    described = {
        key: value
        for key, value in role("vision", trusts=[trust({"AWS": arn("nlp")})]).items()
        if key not in ("RolePolicyList", "AttachedManagedPolicies")
    }
    own = {"RoleName": "vision", "PolicyName": "own", "PolicyDocument": written(allow("s3:GetObject"))}
    answers = {
        "role": answer("iam:get-role", {"Role": described}),
        "inline": answer("iam:get-role-policy", own),
        "names": answer("iam:list-role-policies", {"PolicyNames": ["own"]}, subject="vision"),
        "attached": answer("iam:list-attached-role-policies", {"AttachedPolicies": []}, subject="vision"),
    }
    return [gap.what for gap in gaps(RESOLVER, facts(*(answers[name] for name in documents)))]


def test_a_role_may_be_read_piece_by_piece() -> None:
    assert single("role", "names", "inline", "attached") == []


def test_a_missing_piece_is_a_gap() -> None:
    assert single("role", "inline", "attached") == ["the policies of role vision were not read"]


def test_a_role_of_which_only_the_trust_was_read_still_shows_who_enters() -> None:
    described = {
        key: value for key, value in role("vision", trusts=[trust({"AWS": f"arn:aws:iam::{ACCOUNT}:role/x"})]).items() if "Polic" not in key
    }
    found = lines(
        RESOLVER,
        facts(answer("iam:get-role", {"Role": {**described, "AssumeRolePolicyDocument": written(trust({"AWS": "999900001111"}))}})),
    )

    assert found == ["account:999900001111 assumes role:vision"]


def test_a_managed_policy_may_be_named_by_its_file() -> None:
    version = answer("iam:get-policy-version", {"PolicyVersion": {"VersionId": "v1", "Document": written(allow("s3:*"))}}, subject="team")
    (found,) = PARSERS[version.kind](version)

    assert isinstance(found, ManagedPolicy)
    assert found.arn == f"arn:aws:iam::{ACCOUNT}:policy/team"
