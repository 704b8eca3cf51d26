"""Words of a statement that IAM does not have, and what follows from each."""

from typing import Any

import pytest

from partywall.model.document import Gap
from partywall.model.evidence import Evidence
from partywall.model.verbs import Lane
from partywall.parse.policy import policy
from partywall.resolve.iam import RESOLVER
from partywall.resolve.iam.shipped import shipped_arns, shipped_policy
from partywall.resolve.iam.vocabulary import Complaint, complaints
from partywall.resolve.iam.words import OPERATORS, Family, operator_of, value_fault
from tests.unit.aws import ACCOUNT, Json, account, allow, arn, deny, facts, gaps, managed, role, trust
from tests.unit.aws import policy as written

AT = Evidence("p.json", "")
DAY = "2026-10-27"


def said(statement: Json) -> list[tuple[str, str, bool]]:
    (read,) = policy("p", written(statement), AT).statements
    assert read.broken == ""
    return [(found.part, found.text, found.unevaluable) for found in complaints(read)]


def when(operator: str, key: str, *values: Any, action: str = "s3:GetObject") -> Json:
    return allow(action, Condition={operator: {key: list(values)}})


@pytest.mark.parametrize(
    "statement",
    [
        allow("*"),
        allow("*:*"),
        allow(["s3:GetObject", "S3:get*", "sagemaker:Create?luster"]),
        {"Effect": "Deny", "NotAction": ["iam:*", "sts:*"], "Resource": "*"},
        when("StringEquals", "aws:PrincipalTag/team", "nlp"),
        when("StringLikeIfExists", "AWS:principaltag/team", "n*"),
        when("NumericLessThan", "s3:max-keys", 10),
        when("DateGreaterThan", "aws:CurrentTime", "2026-01-01T00:00:00Z"),
        when("DateLessThan", "aws:EpochTime", 1767225600),
        when("Bool", "aws:SecureTransport", True),
        when("IpAddress", "aws:SourceIp", "10.0.0.0/8", "2001:db8::/32"),
        when("ArnLike", "aws:SourceArn", "arn:aws:s3:::x", "*"),
        when("Null", "aws:PrincipalTag/team", "false"),
        when("StringEquals", "aws:PrincipalTag/team", "${aws:ResourceTag/team}"),
        when("NumericEquals", "s3:max-keys", "${aws:PrincipalTag/keys}"),
        when("ForAllValues:StringEquals", "aws:TagKeys", "team", action="s3:PutBucketTagging"),
        when("ForAnyValue:StringLike", "aws:PrincipalOrgPaths", "o-1/*"),
        when(
            "StringEquals",
            "oidc.eks.us-east-2.amazonaws.com/id/0A:sub",
            "system:serviceaccount:nlp:train",
            action="sts:AssumeRoleWithWebIdentity",
        ),
        when("StringEquals", "kms:ViaService", "s3.us-east-2.amazonaws.com", action="*"),
        {**trust({"AWS": [ACCOUNT, arn("a"), f"arn:aws:iam::{ACCOUNT}:root", "AROAEXAMPLE0123456789", "*"]})},
        {**trust({"Service": "pods.eks.amazonaws.com"})},
        {"Effect": "Deny", "NotPrincipal": {"AWS": ACCOUNT}, "Action": "s3:*", "Resource": "*"},
    ],
)
def test_words_of_iam_are_not_complained_about(statement: Json) -> None:
    assert said(statement) == []


@pytest.mark.parametrize(
    ("statement", "part", "text"),
    [
        (allow("s3:GetNothing"), "Action", f"s3:GetNothing names no action that the table of {DAY} knows"),
        (allow("s3:Gett*"), "Action", f"s3:Gett* names no action that the table of {DAY} knows"),
        (allow("sagemakr:*"), "Action", f"the service sagemakr of sagemakr:* is not in the table of {DAY}"),
        (
            {"Effect": "Deny", "NotAction": "s3:Gett", "Resource": "*"},
            "NotAction",
            f"s3:Gett names no action that the table of {DAY} knows",
        ),
        (
            when("StringEquals", "aws:PrincipleTag/team", "x"),
            "Condition",
            f"the condition key aws:PrincipleTag/team is not in the table of {DAY}",
        ),
        (when("StringEquals", "kms:ViaService", "x"), "Condition", "no action of the statement carries the condition key kms:ViaService"),
        (
            when("IpAddress", "aws:PrincipalTag/ip", "10.0.0.0/8"),
            "Condition",
            "IpAddress does not fit the condition key aws:PrincipalTag/ip, whose type is String",
        ),
        (when("stringequals", "aws:username", "x"), "Condition", "the operator stringequals is written StringEquals"),
        (
            when("ArnEquals", "aws:PrincipalArn", "role/x"),
            "Condition",
            "ArnEquals on aws:PrincipalArn: 'role/x' is no ARN, so that nothing fits it",
        ),
        (
            when("ForAllValues:StringEquals", "aws:CalledVia", "x"),
            "Condition",
            "ForAllValues on aws:CalledVia also holds where the request has no such key; no Null test stands beside it",
        ),
        (
            {**trust({"AWS": f"arn:aws:iam::{ACCOUNT}:role/*"})},
            "Principal",
            f"arn:aws:iam::{ACCOUNT}:role/* holds a wildcard, which matches nothing in a principal",
        ),
        ({**trust({"AWS": "nlp"})}, "Principal", "nlp is neither an account, nor the ARN or the id of a principal"),
        ({**trust({"Service": "sagemaker"})}, "Principal", "sagemaker is no service principal, which ends in a domain"),
        (
            {"Effect": "Allow", "NotPrincipal": {"AWS": ACCOUNT}, "Action": "s3:*", "Resource": "*"},
            "NotPrincipal",
            "NotPrincipal with Allow lets everybody else in, people without an account too; AWS advises against it",
        ),
    ],
)
def test_a_remark_leaves_the_answer_alone(statement: Json, part: str, text: str) -> None:
    assert said(statement) == [(part, text, False)]


@pytest.mark.parametrize(
    ("statement", "part", "text"),
    [
        (allow("s3*"), "Action name", "s3* is not of the form service:action"),
        (allow("s3:Get:Object"), "Action name", "s3:Get:Object is not of the form service:action"),
        (allow("s*:GetObject"), "Action name", "s*:GetObject has a wildcard in the name of the service"),
        (allow("s 3:GetObject"), "Action name", "s 3:GetObject has a character in the name of the service that no service has"),
        (when("StringEqual", "aws:username", "x"), "Condition operator", "unknown operator StringEqual"),
        (when("ForSomeValues:StringEquals", "aws:TagKeys", "x"), "Condition operator", "unknown operator ForSomeValues:StringEquals"),
        (when("NullIfExists", "aws:username", "true"), "Condition operator", "NullIfExists: Null and IfExists exclude one another"),
        (when("Bool", "aws:SecureTransport", "yes"), "Condition value", "Bool on aws:SecureTransport: 'yes' is neither true nor false"),
        (when("Null", "aws:username", "absent"), "Condition value", "Null on aws:username: 'absent' is neither true nor false"),
        (when("NumericLessThan", "s3:max-keys", "ten"), "Condition value", "NumericLessThan on s3:max-keys: 'ten' is no number"),
        (when("NumericLessThan", "s3:max-keys", "nan"), "Condition value", "NumericLessThan on s3:max-keys: 'nan' is no number"),
        (when("DateLessThan", "aws:CurrentTime", "tomorrow"), "Condition value", "DateLessThan on aws:CurrentTime: 'tomorrow' is no date"),
        (
            when("IpAddress", "aws:SourceIp", "10.0.0.0/99"),
            "Condition value",
            "IpAddress on aws:SourceIp: '10.0.0.0/99' is no address or range of addresses",
        ),
        (when("StringEquals", "aws:username"), "Condition", "StringEquals on aws:username has no value"),
        (
            allow("s3:GetObject", Condition={"StringLike": {"aws:username": "a", "aws:UserName": "b"}}),
            "Condition",
            "the condition key aws:username stands 2 times under one operator, in different case",
        ),
    ],
)
def test_what_nobody_can_evaluate_says_so(statement: Json, part: str, text: str) -> None:
    assert said(statement) == [(part, text, True)]


def test_binary_values_are_base64() -> None:
    assert (value_fault(Family.BINARY, "QUJD"), value_fault(Family.BINARY, "?")) == ("", "is not Base64")


def test_a_null_test_beside_for_all_values_is_what_aws_advises() -> None:
    condition = {"ForAllValues:StringEquals": {"aws:CalledVia": "x"}, "Null": {"aws:calledvia": "false"}}

    assert said(allow("s3:GetObject", Condition=condition)) == []


def test_iam_has_27_operators_each_in_its_forms() -> None:
    written = [
        f"{before}{name}{after}"
        for name, family in OPERATORS.values()
        for before in ("", "ForAllValues:", "ForAnyValue:")
        for after in ("", "IfExists")
        if family is not Family.NULL or not after
    ]

    assert len(OPERATORS) == 27
    assert [text for text in written if getattr(operator_of(text.upper()), "written", "") != text] == []


def test_policies_that_aws_wrote_hold_nothing_that_cannot_be_evaluated() -> None:
    found = [
        (name, complaint)
        for name in shipped_arns()
        for statement in (shipped_policy(name) or pytest.fail(name)).policy.statements
        for complaint in complaints(statement)
    ]

    assert [pair for pair in found if pair[1].unevaluable] == []
    assert {pair[1].part for pair in found} <= {"Action", "NotAction", "Condition"}


def of_words(*roles: Json, **more: Any) -> list[Gap]:
    return gaps(RESOLVER, facts(account(*roles, **more)))


def test_a_remark_is_a_gap_that_blinds_no_lane() -> None:
    (found,) = of_words(role("nlp", allow("s3:GetNothing")))

    assert found.what == f"a statement of policy own of role nlp: Action: s3:GetNothing names no action that the table of {DAY} knows"
    assert (found.lanes, [node.name for node in found.nodes]) == ((), [arn("nlp")])
    assert found.at is not None
    assert found.at.pointer == "/RoleDetailList/0/RolePolicyList/0/PolicyDocument/Statement/0"


def test_a_policy_of_many_roles_is_said_once() -> None:
    shared_policy = managed("team", allow("s3:GetNothing"))
    found = of_words(*(role(f"r{number}", attached=[str(shared_policy["Arn"])]) for number in range(100)), policies=[shared_policy])

    assert [gap.what for gap in found] == [
        f"a statement of {shared_policy['Arn']}: Action: s3:GetNothing names no action that the table of {DAY} knows"
    ]


def test_what_nobody_can_evaluate_blinds_each_holder() -> None:
    strange = allow("s3:GetObject", Condition={"StringEquals": {"aws:username": []}})
    found = of_words(role("a", strange), role("b", strange))

    assert [(gap.lanes, [node.name for node in gap.nodes]) for gap in found] == [
        ((Lane.ACT, Lane.DATA, Lane.IDENTITY), [arn("a")]),
        ((Lane.ACT, Lane.DATA, Lane.IDENTITY), [arn("b")]),
    ]


@pytest.mark.parametrize(
    "strange",
    [
        deny("s3:GetObject", Condition={"StringIs": {"aws:username": "x"}}),
        allow("s3:GetObject", Condition={"NumericLessThan": {"s3:max-keys": "ten"}}),
        allow("s*:GetObject"),
    ],
)
def test_what_the_decision_leaves_open_by_itself_does_not_blind_its_holder(strange: Json) -> None:
    (found,) = of_words(role("a", strange))

    assert (found.lanes, found.reason.value) == ((), "unevaluable")


def test_trust_policies_and_boundaries_are_read_too() -> None:
    limit = managed("limit", allow("s3:Gett"))
    found = of_words(role("nlp", trusts=[trust({"AWS": "nobody"})], boundary=str(limit["Arn"])), policies=[limit])

    assert [gap.what.split(": ")[0] for gap in found] == [f"a statement of {limit['Arn']}", "a statement of the trust policy of role nlp"]


def test_words_that_aws_retired_in_its_own_policies_are_not_said() -> None:
    name = "arn:aws:iam::aws:policy/AWSDeepRacerAccountAdminAccess"
    version = {"VersionId": "v1", "IsDefaultVersion": True, "Document": written(allow("deepracer:*"))}
    given = {"PolicyName": "AWSDeepRacerAccountAdminAccess", "Arn": name, "PolicyVersionList": [version]}

    assert of_words(role("nlp", attached=[name])) == []
    assert of_words(role("nlp", attached=[name]), policies=[given]) == []


def test_a_broken_statement_is_not_complained_about_twice() -> None:
    (read,) = policy("p", written({**allow("s3:Gett"), "Sometimes": 1}), AT).statements

    assert (read.broken, complaints(read)) == ("unknown member Sometimes", ())


def test_a_complaint_stands_once() -> None:
    (read,) = policy("p", written(allow(["s3:Gett", "s3:Gett"])), AT).statements

    assert complaints(read) == (Complaint("Action", f"s3:Gett names no action that the table of {DAY} knows"),)
