"""Questions put to IAM as a library: who is meant, under which keys, and who else may."""

from dataclasses import replace

import pytest

from partywall.errors import UsageError
from partywall.resolve import iam
from partywall.resolve.iam import Outcome, can, who_can
from partywall.resolve.iam.hearing import statement_of, steps
from tests.unit.aws import ACCOUNT, OTHER, STRANGER, account, allow, arn, deny, facts, managed, policy, role, trust
from tests.unit.iam.asking import DECRYPT, KEY, MAY_READ, NLP, OBJECT, READ, ROOT, bucket, grants, key_policy, lets, notes, outcome


def test_the_surface_is_what_all_names() -> None:
    assert {
        "estate",
        "Estate",
        "Rights",
        "Request",
        "Context",
        "Guard",
        "decide",
        "Decision",
        "Outcome",
        "Reason",
        "can",
        "who_can",
    } <= set(iam.__all__)
    assert all(getattr(iam, name) is not None for name in iam.__all__)


@pytest.mark.parametrize(
    "name", ["nlp", arn("nlp"), f"arn:aws:sts::{ACCOUNT}:assumed-role/nlp/a-session"], ids=["name", "ARN", "ARN of a session"]
)
@pytest.mark.parametrize("action", [READ, "s3:getobject", "S3:GETOBJECT"])
def test_a_role_is_asked_about_under_every_name_and_in_any_case(name: str, action: str) -> None:
    known = facts(account(NLP, role("audit")), bucket())

    assert outcome(known, name, action) is Outcome.ALLOWED
    assert outcome(known, "audit", action) is Outcome.IMPLICIT


def test_a_session_is_told_from_others_of_its_role() -> None:
    named = lets({"AWS": f"arn:aws:sts::{ACCOUNT}:assumed-role/audit/jane"})
    known = facts(account(role("audit")), bucket(named))
    session = f"arn:aws:sts::{ACCOUNT}:assumed-role/audit"

    assert outcome(known, f"{session}/jane") is Outcome.ALLOWED
    assert outcome(known, f"{session}/joe") is Outcome.IMPLICIT
    assert outcome(known, "audit") is Outcome.CONDITIONAL


def test_the_id_of_a_session_is_that_of_its_role_with_its_name() -> None:
    only = allow(READ, "*", Condition={"StringLike": {"aws:userid": "AROANLP*:jane"}})
    known = facts(account(role("nlp", only)), bucket())

    assert outcome(known, f"arn:aws:sts::{ACCOUNT}:assumed-role/nlp/jane") is Outcome.ALLOWED
    assert outcome(known, f"arn:aws:sts::{ACCOUNT}:assumed-role/nlp/joe") is Outcome.IMPLICIT


def test_the_root_user_may_everything_but_what_is_denied() -> None:
    shut = lets("*", "s3:*")
    known = facts(account(role("nlp")), bucket({**shut, "Effect": "Deny"}))

    assert outcome(known, ROOT, resource="arn:aws:s3:::other/x") is Outcome.ALLOWED
    assert outcome(known, ROOT) is Outcome.EXPLICIT


def test_a_user_and_a_group_are_known_by_name() -> None:
    document = {"PolicyName": "own", "PolicyDocument": policy(MAY_READ)}
    user = {"UserName": "jo", "UserId": "AIDAJO", "Arn": f"arn:aws:iam::{ACCOUNT}:user/jo", "GroupList": ["readers"], "UserPolicyList": []}
    group = {"GroupName": "readers", "GroupId": "AGPA", "Arn": f"arn:aws:iam::{ACCOUNT}:group/readers", "GroupPolicyList": [document]}
    known = facts(account(users=[user], groups=[group]), bucket())

    assert outcome(known, "jo") is Outcome.ALLOWED
    assert outcome(known, "readers") is Outcome.ALLOWED
    assert "a group sends no requests" in notes(known, "readers")


def test_an_unknown_principal_is_refused_with_the_nearest_ones() -> None:
    known = facts(account(role("vision-trainer"), role("audit")))

    with pytest.raises(UsageError, match=f"called vision-trainr; did you mean {arn('vision-trainer')}"):
        can(known, "vision-trainr", READ, OBJECT)
    with pytest.raises(UsageError, match="it knows 2, such as "):
        can(known, "zzzz", READ, OBJECT)
    with pytest.raises(UsageError, match="get-account-authorization-details"):
        can(facts(), "nlp", READ, OBJECT)


def test_a_name_that_two_have_is_refused_with_both() -> None:
    known = facts(account(NLP), account(role("nlp", account=OTHER), name="other.json"))

    with pytest.raises(UsageError, match="means several principals"):
        can(known, "nlp", READ, OBJECT)


@pytest.mark.parametrize(
    ("action", "resource", "said"),
    [
        ("s3:*", OBJECT, "several actions"),
        ("GetObject", OBJECT, "no action; write service:Action"),
        (READ, "vision-data", "no resource; write its ARN"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(action: str, resource: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        can(facts(account(NLP)), "nlp", action, resource)


def test_an_action_that_nobody_knows_is_said_and_the_nearest_one_is_named() -> None:
    known = facts(account(NLP), bucket())

    assert "no action s3:GetObjectz is in the table of" in notes(known, action="s3:GetObjectz")
    assert "did you mean s3:GetObject?" in notes(known, action="s3:GetObjectz")
    assert "no service s33 is in the table" in notes(known, action="s33:GetObject")


def test_an_action_without_resource_types_is_granted_by_a_star_only() -> None:
    narrow = role("narrow", allow("s3:ListAllMyBuckets", "arn:aws:s3:::vision-data"))
    known = facts(account(narrow, role("nlp", allow("s3:ListAllMyBuckets"))))

    assert outcome(known, "narrow", "s3:ListAllMyBuckets", "*") is Outcome.IMPLICIT
    assert outcome(known, "nlp", "s3:ListAllMyBuckets", "*") is Outcome.ALLOWED


def test_a_role_is_entered_by_its_trust_policy() -> None:
    assume = "sts:AssumeRole"
    vision = role("vision", trusts=[trust({"AWS": ROOT}), trust({"Service": "ec2.amazonaws.com"})])
    known = facts(account(role("nlp", allow(assume)), role("audit"), vision))

    assert outcome(known, action=assume, resource=arn("vision")) is Outcome.ALLOWED
    assert outcome(known, "audit", assume, arn("vision")) is Outcome.IMPLICIT
    assert outcome(known, "ec2.amazonaws.com", assume, arn("vision")) is Outcome.ALLOWED
    assert outcome(known, "eks.amazonaws.com", assume, arn("vision")) is Outcome.IMPLICIT
    assert outcome(known, action=assume, resource=arn("vision", OTHER)) is Outcome.UNDECIDABLE
    assert outcome(known, action=assume, resource=arn("nobody")) is Outcome.IMPLICIT


def test_an_identity_provider_enters_a_role_that_trusts_it() -> None:
    provider = f"arn:aws:iam::{ACCOUNT}:oidc-provider/idp.example.com"
    web = "sts:AssumeRoleWithWebIdentity"
    pinned = trust({"Federated": provider}, web, Condition={"StringEquals": {"idp.example.com:sub": "jane"}})
    known = facts(account(role("vision", trusts=[pinned])))

    assert outcome(known, provider, web, arn("vision")) is Outcome.CONDITIONAL
    assert outcome(known, provider, web, arn("vision"), context={"idp.example.com:sub": "joe"}) is Outcome.IMPLICIT
    assert [name for name, _ in who_can(known, web, arn("vision"))] == [provider]


def test_keys_that_are_given_or_absent_decide_a_condition() -> None:
    only = allow(READ, "*", Condition={"StringEquals": {"aws:SourceVpc": ["vpc-1", "vpc-2"]}})
    known = facts(account(role("nlp", only)), bucket())

    assert outcome(known) is Outcome.CONDITIONAL
    assert outcome(known, context={"AWS:sourcevpc": "vpc-1"}) is Outcome.ALLOWED
    assert outcome(known, context={"aws:SourceVpc": "vpc-3"}) is Outcome.IMPLICIT
    assert outcome(known, absent=["aws:SourceVpc"]) is Outcome.IMPLICIT
    with pytest.raises(UsageError, match="cannot have a value and be absent"):
        can(known, "nlp", READ, OBJECT, {"aws:SourceVpc": "vpc-1"}, ["aws:sourcevpc"])
    with pytest.raises(UsageError, match="no condition key"):
        can(known, "nlp", READ, OBJECT, {"SourceVpc": "vpc-1"})


def test_who_can_names_those_whom_the_resource_lets_in_from_outside() -> None:
    open_ = bucket(
        lets({"AWS": [f"arn:aws:iam::{STRANGER}:root", arn("partner", STRANGER)]}),
        lets({"Service": "logging.s3.amazonaws.com"}),
        lets("*", Condition={"IpAddress": {"aws:SourceIp": "192.0.2.0/24"}}),
    )
    known = facts(account(NLP, role("audit")), open_)
    found = {name: decision.outcome for name, decision in who_can(known, READ, OBJECT)}

    assert found == {
        "anonymous": Outcome.CONDITIONAL,
        arn("audit"): Outcome.CONDITIONAL,
        arn("nlp"): Outcome.ALLOWED,
        arn("partner", STRANGER): Outcome.UNDECIDABLE,
        f"arn:aws:iam::{STRANGER}:root": Outcome.UNDECIDABLE,
        "logging.s3.amazonaws.com": Outcome.ALLOWED,
    }


def test_who_can_names_the_grantee_of_a_key() -> None:
    known = facts(account(role("nlp")), key_policy(), grants(GranteePrincipal=arn("partner", STRANGER)))

    assert [name for name, _ in who_can(known, DECRYPT, KEY)] == [arn("partner", STRANGER)]


def test_accounts_whose_principals_were_not_listed_are_named() -> None:
    assert iam.unlisted(facts(account(NLP), bucket()), READ, OBJECT) == ()
    assert iam.unlisted(facts(account(NLP), bucket(home=OTHER)), READ, OBJECT) == (OTHER,)


def test_who_can_and_can_say_the_same() -> None:
    known = facts(account(NLP, role("audit"), role("vision", allow("*"), deny("s3:*"))), bucket())
    found = dict(who_can(known, READ, OBJECT))

    for name in ("nlp", "audit", "vision"):
        decision = can(known, name, READ, OBJECT)
        assert found.get(arn(name)) == (decision if decision.may_be_allowed else None)


def test_an_answer_tells_its_layers_in_the_order_in_which_they_are_asked() -> None:
    bound = managed("bound", allow("s3:*"))
    nlp = role("nlp", MAY_READ, boundary=f"arn:aws:iam::{ACCOUNT}:policy/bound")
    known = facts(account(nlp, policies=[bound]), bucket({**lets("*", "s3:PutObject"), "Effect": "Deny"}))
    told = [
        (step.layer.value, step.outcome, [statement_of(reason.grant) for reason in step.reasons])
        for step in steps(iam.answered(known, "nlp", READ, OBJECT))
    ]

    assert told == [
        ("identity policies", "allows", ["the statement for s3:GetObject on arn:aws:s3:::vision-data/* of inline policy own of role nlp"]),
        ("permissions boundary", "allows", ["the statement for s3:* on * of managed policy bound"]),
        ("resource policy", "allows nothing of this", []),
    ]


def test_facts_of_nothing_are_no_reason_to_fail() -> None:
    assert who_can(facts(), READ, OBJECT) == ()
    assert replace(can(facts(account(NLP), bucket()), "nlp", READ, "*"), notes=(), reasons=()).outcome is Outcome.ALLOWED
