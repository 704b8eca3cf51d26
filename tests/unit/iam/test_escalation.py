"""Rights that are worth another identity."""

import pytest

from partywall.resolve.iam import RESOLVER
from tests.unit.aws import ACCOUNT, Json, account, allow, arn, cluster, deny, facts, gaps, lines, managed, role, trust

PODS = trust({"Service": "pods.eks.amazonaws.com"}, ["sts:AssumeRole", "sts:TagSession"])
SAGEMAKER = trust({"Service": "sagemaker.amazonaws.com"})
PASS = allow("iam:PassRole", "*")
ASSOCIATE = allow("eks:CreatePodIdentityAssociation")


def reached(*statements: Json, trusts: Json = PODS) -> list[str]:
    found = lines(RESOLVER, facts(account(role("nlp", *statements), role("vision", trusts=[trusts])), cluster()))
    return [line for line in found if line.startswith("role:nlp ")]


def test_associating_and_passing_takes_a_pods_role() -> None:
    assert reached(ASSOCIATE, PASS) == ["role:nlp associates pod identity of role:vision"]


@pytest.mark.parametrize(
    "statements",
    [
        pytest.param([ASSOCIATE], id="nothing to pass"),
        pytest.param([PASS], id="nothing to associate with"),
        pytest.param([ASSOCIATE, allow("iam:PassRole", arn("nlp-workload"))], id="another role"),
        pytest.param(
            [ASSOCIATE, allow("iam:PassRole", "*", Condition={"StringEquals": {"iam:PassedToService": "ec2.amazonaws.com"}})],
            id="another service",
        ),
        pytest.param([ASSOCIATE, PASS, deny("iam:PassRole", arn("vision"))], id="denied"),
        pytest.param(
            [allow("eks:CreatePodIdentityAssociation", f"arn:aws:eks:us-east-2:{ACCOUNT}:cluster/other"), PASS], id="another cluster"
        ),
    ],
)
def test_half_of_it_takes_nothing(statements: list[Json]) -> None:
    assert reached(*statements) == []


def test_a_trust_that_pins_the_namespace_is_no_way_in() -> None:
    pinned = {**PODS, "Condition": {"StringEquals": {"aws:RequestTag/kubernetes-namespace": "hyperpod-ns-vision"}}}

    assert reached(ASSOCIATE, PASS, trusts=pinned) == []


def test_a_trust_that_pins_this_cluster_pins_no_one_on_it() -> None:
    arn_of_cluster = f"arn:aws:eks:us-east-2:{ACCOUNT}:cluster/capacity"
    pinned = {**PODS, "Condition": {"ArnEquals": {"aws:SourceArn": arn_of_cluster}, "StringEquals": {"aws:SourceAccount": ACCOUNT}}}

    assert reached(ASSOCIATE, PASS, trusts=pinned) == ["role:nlp associates pod identity of role:vision"]


@pytest.mark.parametrize(
    ("action", "verb"),
    [
        ("sagemaker:CreateTrainingJob", "passes"),
        ("sagemaker:CreateNotebookInstance", "passes"),
        ("sagemaker:UpdateUserProfile", "swaps execution role to"),
    ],
)
def test_a_role_for_sagemaker_is_taken_by_what_runs_with_it(action: str, verb: str) -> None:
    assert reached(allow(action), PASS, trusts=SAGEMAKER) == [f"role:nlp {verb} role:vision"]


@pytest.mark.parametrize(
    ("action", "verb"),
    [
        ("iam:UpdateAssumeRolePolicy", "edits trust of"),
        ("iam:PutRolePolicy", "edits policies of"),
        ("iam:AttachRolePolicy", "edits policies of"),
    ],
)
def test_rewriting_a_foreign_role(action: str, verb: str) -> None:
    assert reached(allow(action, arn("vision"))) == [f"role:nlp {verb} role:vision"]


def test_attaching_only_harmless_policies_is_no_rewriting() -> None:
    harmless = allow(
        "iam:AttachRolePolicy", arn("vision"), Condition={"ArnEquals": {"iam:PolicyARN": "arn:aws:iam::aws:policy/ViewOnlyAccess"}}
    )

    assert reached(harmless) == []


def test_rewriting_itself_gives_the_account() -> None:
    assert reached(allow("iam:PutRolePolicy", arn("nlp"))) == [f"role:nlp becomes administrator of account:{ACCOUNT}"]


def test_a_new_version_of_its_own_policy_gives_the_account() -> None:
    own = f"arn:aws:iam::{ACCOUNT}:policy/team"
    nlp = role("nlp", allow("iam:CreatePolicyVersion", own), attached=[own])
    found = lines(RESOLVER, facts(account(nlp, policies=[managed("team", allow("s3:ListAllMyBuckets"))])))

    assert f"role:nlp becomes administrator of account:{ACCOUNT}" in found


def test_nobody_edits_provisioned_roles() -> None:
    sso = role("aws-reserved/sso.amazonaws.com/AWSReservedSSO_Team_0123456789abcdef")
    found = lines(RESOLVER, facts(account(role("nlp", allow("iam:PutRolePolicy")), sso)))

    assert not [line for line in found if "edits policies of role:AWSReservedSSO" in line]


def test_an_attached_policy_of_unknown_content_is_a_gap_of_its_holder() -> None:
    found = gaps(RESOLVER, facts(account(role("nlp", attached=["arn:aws:iam::aws:policy/SomethingNew"]))))

    assert [gap.what for gap in found] == ["the content of arn:aws:iam::aws:policy/SomethingNew, attached to role nlp, is not in the input"]


def test_well_known_managed_policies_are_known() -> None:
    found = facts(account(role("nlp", attached=["arn:aws:iam::aws:policy/AdministratorAccess"])))

    assert gaps(RESOLVER, found) == []
    assert f"role:nlp becomes administrator of account:{ACCOUNT}" in lines(RESOLVER, found)


def test_a_user_has_what_its_groups_have() -> None:
    user = {
        "UserName": "ana",
        "Arn": f"arn:aws:iam::{ACCOUNT}:user/ana",
        "UserPolicyList": [],
        "GroupList": ["ops"],
        "AttachedManagedPolicies": [],
    }
    group = {
        "GroupName": "ops",
        "Arn": f"arn:aws:iam::{ACCOUNT}:group/ops",
        "GroupPolicyList": [
            {
                "PolicyName": "p",
                "PolicyDocument": {"Version": "2012-10-17", "Statement": [allow("iam:UpdateAssumeRolePolicy", arn("vision"))]},
            }
        ],
        "AttachedManagedPolicies": [],
    }
    found = lines(RESOLVER, facts(account(role("vision"), users=[user], groups=[group])))

    assert "IAM-user:ana edits trust of role:vision" in found
