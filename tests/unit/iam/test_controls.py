"""Service and resource control policies, level by level (Organizations user guide, "SCP evaluation", "RCP evaluation")."""

import json
from typing import Any

import pytest

from partywall.model.document import Assumption, Document
from partywall.model.facts_iam import ControlKind
from partywall.model.residual import TRUE
from partywall.resolve.iam import RESOLVER
from partywall.resolve.iam.controls import controls
from partywall.resolve.iam.estate import estate
from partywall.resolve.iam.rights import Guard
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.ways import identity_ways, ways
from tests.unit.aws import ACCOUNT, OTHER, Json, account, allow, answer, deny, facts, managed, policy, role

KEY = f"arn:aws:kms:us-east-2:{ACCOUNT}:key/1"
BUCKET = "arn:aws:s3:::vision/x"
SCP, RCP = "SERVICE_CONTROL_POLICY", "RESOURCE_CONTROL_POLICY"


def content(name: str, *statements: Json, kind: str = SCP) -> Document:
    value = {"Policy": {"PolicySummary": {"Id": name, "Name": name, "Type": kind}, "Content": json.dumps(policy(*statements))}}
    return answer("organizations:describe-policy", value, subject=name)


def attached(target: str, *names: str, kind: str = SCP, **more: Any) -> Document:
    value = {"Policies": [{"Id": name, "Type": kind} for name in names], **more}
    return answer("organizations:list-policies-for-target", value, subject=target, name=f"{target}-{kind}.json")


def below(child: str, parent: str) -> Document:
    return answer("organizations:list-parents", {"Parents": [{"Id": parent, "Type": "ROOT"}]}, subject=child)


TREE = (below(ACCOUNT, "ou-1"), below("ou-1", "r-1"))
READER = account(role("reader", allow("*")))


def word(*documents: Document, action: str = "s3:getobject", region: str = BUCKET) -> str:
    """Say what becomes of the reader's request: allowed, the condition, or denied."""
    rights = estate(facts(READER, *documents)).rights[f"arn:aws:iam::{ACCOUNT}:role/reader"]
    found = identity_ways(rights, Request(action, region, rights.context))
    if not found:
        return "denied"
    return "allowed" if found[0].residual is TRUE else found[0].residual.text


def test_every_level_must_allow() -> None:
    levels = (attached("r-1", "p-FullAWSAccess"), attached("ou-1", "p-some"), attached(ACCOUNT, "p-FullAWSAccess"))

    assert word(*TREE, *levels, content("p-some", allow("s3:*"))) == "allowed"
    assert word(*TREE, *levels, content("p-some", allow("kms:*"))) == "denied"


def test_one_level_adds_up() -> None:
    both = attached(ACCOUNT, "p-kms", "p-s3")

    assert word(both, content("p-kms", allow("kms:*")), content("p-s3", allow("s3:*"))) == "allowed"


def test_a_deny_of_any_level_counts_with_its_condition() -> None:
    levels = (attached("r-1", "p-FullAWSAccess", "p-region"), attached("ou-1", "p-FullAWSAccess"), attached(ACCOUNT, "p-FullAWSAccess"))
    condition = {"StringNotEquals": {"aws:RequestedRegion": ["us-east-2"]}}

    found = word(*TREE, *levels, content("p-region", deny("*", Condition=condition)))

    assert found == "aws:RequestedRegion not StringNotEquals us-east-2"


@pytest.mark.parametrize(
    "documents",
    [
        pytest.param((attached(ACCOUNT, "p-lost"),), id="a policy whose content was not read takes nothing away"),
        pytest.param((attached(ACCOUNT, "p-kms", NextToken="more"), content("p-kms", allow("kms:*"))), id="a list that goes on is no list"),
        pytest.param((attached("ou-9", "p-kms"), content("p-kms", allow("kms:*"))), id="a unit that the account is not known to be in"),
    ],
)
def test_what_was_not_read_takes_nothing_away(documents: tuple[Document, ...]) -> None:
    assert word(*documents) == "allowed"


def test_targets_of_a_policy_carry_its_denials_only() -> None:
    targets = answer("organizations:list-targets-for-policy", {"Targets": [{"TargetId": ACCOUNT, "Type": "ACCOUNT"}]}, subject="p-mixed")

    assert word(targets, content("p-mixed", allow("kms:*"), deny("iam:*"))) == "allowed"
    assert word(targets, content("p-mixed", allow("kms:*"), deny("s3:*"))) == "denied"


def test_a_member_is_below_the_only_root() -> None:
    members = answer("organizations:list-accounts", {"Accounts": [{"Id": ACCOUNT}]})
    rooted = (attached("r-1", "p-none"), content("p-none", deny("s3:*")))

    assert word(*rooted) == "allowed"
    assert word(members, *rooted) == "denied"


def test_the_management_account_is_under_no_service_control_policy() -> None:
    organization = answer("organizations:describe-organization", {"Organization": {"Id": "o-1", "MasterAccountId": ACCOUNT}})

    assert word(attached(ACCOUNT, "p-none"), content("p-none", deny("*")), organization) == "allowed"


def test_a_parent_of_its_own_ends_the_chain() -> None:
    found = controls(facts(below(ACCOUNT, "ou-1"), below("ou-1", "ou-1")), ControlKind.SERVICE)

    assert found.above[ACCOUNT] == ("ou-1", ACCOUNT)


def test_a_resource_control_policy_limits_whoever_asks_on_services_that_have_them() -> None:
    guarded = (attached(ACCOUNT, "p-RCPFullAWSAccess", "p-perimeter", kind=RCP),)
    perimeter = content("p-perimeter", {**deny("*"), "Principal": "*"}, kind=RCP)
    caller = account(role("reader", allow("*"), account=OTHER))
    rights = estate(facts(caller, READER, *guarded, perimeter)).rights[f"arn:aws:iam::{OTHER}:role/reader"]

    def crossing(action: str, region: str) -> bool:
        return bool(ways(rights, Request(action, region, rights.context), Guard(ACCOUNT, ())))

    assert word(*guarded, perimeter, action="kms:decrypt", region=KEY) == "denied"
    assert word(*guarded, perimeter, action="sagemaker:describecluster", region="*") == "allowed"
    assert not crossing("kms:decrypt", KEY)


def test_what_is_assumed_is_said() -> None:
    def assumed(*documents: Document) -> list[str]:
        return [found.text for found in RESOLVER.resolve(facts(READER, *documents)) if isinstance(found, Assumption)]

    assert assumed() == ["service and resource control policies were not read; they could only take rights away"]
    assert "control policy p-lost is not applied: its content was not read" in assumed(attached(ACCOUNT, "p-lost"))
    assert "control policy p-free is not applied: what it is attached to was not read" in assumed(content("p-free", deny("*")))


def test_a_ceiling_with_a_statement_that_nobody_can_read_takes_nothing_away_for_certain() -> None:
    broken = {"Effect": "Allow", "Action": "s3:*", "NotAction": "kms:*", "Resource": "*"}
    bound = managed("bound", broken)
    bounded = account(role("reader", allow("*"), boundary=f"arn:aws:iam::{ACCOUNT}:policy/bound"), policies=[bound])

    def certainty(described: Document, *documents: Document) -> str:
        rights = estate(facts(described, *documents)).rights[f"arn:aws:iam::{ACCOUNT}:role/reader"]
        return " ".join(way.certainty.word for way in identity_ways(rights, Request("s3:getobject", BUCKET, rights.context)))

    assert certainty(bounded) == "unknown"
    assert certainty(READER, attached(ACCOUNT, "p-broken"), content("p-broken", broken)) == "unknown"
