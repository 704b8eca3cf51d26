"""AWS managed policies as dated data."""

import json
from dataclasses import replace

import pytest

from partywall.model.evidence import Evidence
from partywall.model.facts_iam import Statement
from partywall.parse.policy import policy
from partywall.resolve.iam import RESOLVER, shipped
from partywall.resolve.iam.actions import expand
from partywall.resolve.iam.shipped import shipped_arns, shipped_policy
from partywall.resolve.iam.store import entry
from tests.unit.aws import ACCOUNT, account, facts, gaps, lines, role

AWS = "arn:aws:iam::aws:policy/"
NOWHERE = Evidence("", "")


def statements(name: str) -> tuple[Statement, ...]:
    found = shipped_policy(AWS + name)
    assert found is not None
    return found.policy.statements


def allowed(name: str) -> set[str]:
    """Return all actions that some Allow statement names."""
    return {
        action
        for statement in statements(name)
        if statement.effect == "Allow"
        for pattern in statement.actions
        for action in expand(pattern)
    }


def test_the_table_holds_all_policies_of_its_day() -> None:
    arns = shipped_arns()

    assert (len(arns), list(arns)) == (1582, sorted(arns))
    assert (shipped.as_of(), shipped.source()) == ("2026-09-30", "moto 5.2.5 (Apache-2.0), recorded from an AWS account")


def test_every_policy_is_found_by_its_arn_and_is_whole() -> None:
    found = [shipped_policy(arn) for arn in shipped_arns()]

    assert [arn for arn, policy in zip(shipped_arns(), found, strict=True) if policy is None or not policy.complete] == []
    assert max(policy.changed for policy in found if policy) == shipped.as_of()


def test_every_policy_reads_as_the_policy_parser_reads_it() -> None:
    """Two readers: the one of policies that people hand over, and the short one for what AWS wrote."""
    different = []
    for number in range(48):
        for line in entry("managed_policies", f"{number:02}.txt").split("\n"):
            arn, _, _, document = line.split("\t")
            mine = shipped_policy(arn)
            theirs = policy("x", json.loads(document), NOWHERE)
            assert mine is not None
            if [replace(each, content="") for each in mine.policy.statements] != [
                replace(each, at=NOWHERE, content="") for each in theirs.statements
            ]:
                different.append(arn)

    assert different == []


def test_the_path_is_part_of_the_name() -> None:
    assert shipped_policy(f"{AWS}service-role/AWSLambdaBasicExecutionRole") is not None
    assert shipped_policy(f"{AWS}AWSLambdaBasicExecutionRole") is None


@pytest.mark.parametrize(
    "arn",
    [
        pytest.param(f"arn:aws:iam::{ACCOUNT}:policy/AdministratorAccess", id="a customer's policy of the same name"),
        pytest.param("arn:aws-cn:iam::aws:policy/AdministratorAccess", id="another partition"),
        pytest.param(f"{AWS}AdministratorAcc", id="the beginning of a name"),
        pytest.param(AWS, id="no name"),
        pytest.param("", id="nothing"),
        pytest.param(f"{AWS}zzz", id="behind the last"),
    ],
)
def test_what_the_table_does_not_hold_is_none(arn: str) -> None:
    assert shipped_policy(arn) is None


def test_facts_about_hyperpod_hold_for_the_table() -> None:
    """The AWS managed policy reference says of these policies what matters to tenants of a cluster."""
    own_cluster = {"sagemaker:createcluster", "sagemaker:updatecluster", "sagemaker:updateclustersoftware"}

    assert own_cluster <= allowed("AmazonSageMakerFullAccess")
    assert "ssm:startsession" not in allowed("AmazonSageMakerFullAccess")
    assert {"sagemaker:updatecluster", "s3:putobject"} <= allowed("SageMakerStudioUserIAMPermissiveExecutionPolicy")
    assert allowed("SageMakerStudioProjectUserRolePolicy") & {*own_cluster, "eks:createaccessentry", "ssm:startsession"} == set()
    assert "sts:assumerole" in allowed("SageMakerStudioProjectUserRolePolicy")
    assert any(statement.not_actions for statement in statements("SageMakerStudioProjectUserRolePermissionsBoundary"))
    buckets = [statement for statement in statements("AmazonSageMakerClusterInstanceRolePolicy") if "s3:GetObject" in statement.actions]
    assert [statement.resources for statement in buckets] == [("arn:aws:s3:::sagemaker-*",)]


def test_a_role_may_do_what_a_shipped_policy_allows() -> None:
    found = facts(account(role("nlp", attached=[f"{AWS}IAMFullAccess"]), role("vision")))

    assert gaps(RESOLVER, found) == []
    assert "role:nlp becomes administrator of account:111122223333" in lines(RESOLVER, found)


def test_a_policy_under_the_wrong_path_is_a_gap() -> None:
    found = facts(account(role("nlp", attached=[f"{AWS}AWSLambdaBasicExecutionRole"])))

    assert [gap.what for gap in gaps(RESOLVER, found)] == [
        f"the content of {AWS}AWSLambdaBasicExecutionRole, attached to role nlp, is not in the input"
    ]
