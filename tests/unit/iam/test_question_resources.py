"""What guards the resource that a question is about, and what of it was not read."""

import json

from partywall.model.atom import Control
from partywall.model.document import Document
from partywall.resolve import iam
from partywall.resolve.iam import Outcome, can
from tests.unit.aws import ACCOUNT, OTHER, REGION, account, allow, answer, arn, deny, facts, policy, role, trust
from tests.unit.iam.asking import DECRYPT, KEY, MAY_READ, NLP, OBJECT, READ, ROOT, SECRET, bucket, grants, key_policy, lets, notes, outcome


def test_a_bucket_policy_that_was_not_read_is_said_where_it_matters() -> None:
    known = facts(account(NLP, role("audit")))

    assert outcome(known) is Outcome.ALLOWED
    assert outcome(known, "audit") is Outcome.UNDECIDABLE
    assert "the policy of the resource is not in the input" in notes(known, "audit")


def test_what_carries_no_policy_of_its_own_leaves_nothing_unread() -> None:
    known = facts(account(NLP))
    cluster = f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/capacity"
    hyperpod = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:cluster/abc"
    shared = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package-group/abc"

    assert outcome(known, action="eks:DescribeCluster", resource=cluster) is Outcome.IMPLICIT
    assert outcome(known, action="sagemaker:UpdateCluster", resource=hyperpod) is Outcome.IMPLICIT
    assert outcome(known, action="sagemaker:DescribeModelPackageGroup", resource=shared) is Outcome.UNDECIDABLE
    assert outcome(known, action="lambda:InvokeFunction", resource=f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:f") is Outcome.UNDECIDABLE


def test_another_accounts_resource_may_be_shared_although_it_carries_no_policy() -> None:
    known = facts(account(role("nlp", allow("eks:*"))))

    assert outcome(known, action="eks:DescribeCluster", resource=f"arn:aws:eks:{REGION}:{OTHER}:cluster/c") is Outcome.UNDECIDABLE


def test_policies_that_were_not_read_leave_a_no_open_and_a_yes_standing() -> None:
    known = facts(account(role("nlp", MAY_READ, attached=[f"arn:aws:iam::{ACCOUNT}:policy/gone"])), bucket())

    assert outcome(known) is Outcome.ALLOWED
    assert outcome(known, action="s3:PutObject") is Outcome.UNDECIDABLE
    assert [gap.what for gap in iam.answered(known, "nlp", READ, OBJECT).gaps] == [
        f"the content of arn:aws:iam::{ACCOUNT}:policy/gone, attached to role nlp, is not in the input"
    ]


def test_a_boundary_that_was_not_read_leaves_everything_open() -> None:
    known = facts(account(role("nlp", MAY_READ, boundary=f"arn:aws:iam::{ACCOUNT}:policy/gone")), bucket())

    assert outcome(known) is Outcome.UNDECIDABLE


def test_across_accounts_both_sides_must_allow() -> None:
    nlp = account(NLP, role("audit"))
    open_ = bucket(lets({"AWS": f"arn:aws:iam::{ACCOUNT}:root"}), home=OTHER)

    assert outcome(facts(nlp, open_)) is Outcome.ALLOWED
    assert outcome(facts(nlp, open_), "audit") is Outcome.IMPLICIT
    assert outcome(facts(nlp, bucket(home=OTHER))) is Outcome.IMPLICIT


def test_block_public_access_keeps_other_accounts_out_of_a_public_bucket() -> None:
    flags = {"BlockPublicAcls": True, "IgnorePublicAcls": True, "BlockPublicPolicy": True, "RestrictPublicBuckets": True}
    block = answer("s3api:get-public-access-block", {"PublicAccessBlockConfiguration": flags}, subject="vision-data")
    known = [account(role("nlp")), bucket(lets("*"))]

    assert outcome(facts(*known), "*") is Outcome.ALLOWED
    assert outcome(facts(*known, block), "anonymous") is Outcome.EXPLICIT
    assert outcome(facts(*known, block)) is Outcome.ALLOWED


def test_an_acl_counts_unless_the_bucket_s_owner_owns_all() -> None:
    row = {"Grantee": {"Type": "Group", "URI": "http://acs.amazonaws.com/groups/global/AllUsers"}, "Permission": "READ"}
    acl = answer("s3api:get-bucket-acl", {"Owner": {"ID": "a"}, "Grants": [row]}, subject="vision-data")
    known = [account(role("nlp")), bucket(), acl]
    listing = ("*", "s3:ListBucket", "arn:aws:s3:::vision-data")

    def owned(mode: str) -> Document:
        return answer(
            "s3api:get-bucket-ownership-controls", {"OwnershipControls": {"Rules": [{"ObjectOwnership": mode}]}}, subject="vision-data"
        )

    assert outcome(facts(*known), *listing) is Outcome.UNDECIDABLE
    assert outcome(facts(*known, owned("ObjectWriter")), *listing) is Outcome.ALLOWED
    assert outcome(facts(*known, owned("BucketOwnerEnforced")), *listing) is Outcome.IMPLICIT
    assert outcome(facts(*known, owned("ObjectWriter")), "*", "s3:PutObject") is Outcome.IMPLICIT


def test_an_encrypted_bucket_says_that_the_key_is_a_question_of_its_own() -> None:
    rule = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": KEY}}
    encryption = answer("s3api:get-bucket-encryption", {"ServerSideEncryptionConfiguration": {"Rules": [rule]}}, subject="vision-data")

    assert f"asks for kms:Decrypt on key {KEY}" in notes(facts(account(NLP), bucket(), encryption))


def test_through_an_access_point_the_bucket_must_allow_too() -> None:
    point = f"arn:aws:s3:{REGION}:{ACCOUNT}:accesspoint/vision"
    points = answer(
        "s3control:list-access-points", {"AccessPointList": [{"Name": "vision", "Bucket": "vision-data", "AccessPointArn": point}]}
    )
    own = answer("s3control:get-access-point-policy", {"Policy": json.dumps(policy())}, subject=point)
    through = f"{point}/object/model.bin"
    only = allow(READ, f"{point}/object/*")
    delegating = lets("*", Condition={"StringEquals": {"s3:DataAccessPointAccount": ACCOUNT}})

    def asked(*documents: Document) -> Outcome:
        return outcome(facts(account(role("nlp", only)), points, own, *documents), resource=through)

    assert asked(bucket()) is Outcome.IMPLICIT
    assert asked(bucket(delegating)) is Outcome.ALLOWED
    assert outcome(facts(account(role("nlp", allow(READ))), points, own, bucket()), resource=through) is Outcome.ALLOWED
    assert outcome(facts(account(role("nlp", allow(READ))), own), resource=through) is not Outcome.IMPLICIT


def test_a_key_policy_must_delegate_and_an_alias_is_its_key() -> None:
    alias = {"AliasName": "alias/vision", "AliasArn": f"arn:aws:kms:{REGION}:{ACCOUNT}:alias/vision", "TargetKeyId": KEY.rsplit("/", 1)[-1]}
    aliases = answer("kms:list-aliases", {"Aliases": [alias]})
    nlp = account(role("nlp", allow(DECRYPT)))
    delegating = key_policy(trust({"AWS": ROOT}, "kms:*", Resource="*"))
    known = facts(nlp, aliases, delegating)

    assert outcome(known, action=DECRYPT, resource=KEY) is Outcome.ALLOWED
    assert outcome(known, action=DECRYPT, resource=alias["AliasArn"]) is Outcome.ALLOWED
    assert outcome(facts(nlp, key_policy()), action=DECRYPT, resource=KEY) is Outcome.IMPLICIT
    assert outcome(facts(nlp), action=DECRYPT, resource=KEY) is Outcome.UNDECIDABLE
    assert outcome(facts(nlp, delegating), action=DECRYPT, resource=alias["AliasArn"]) is Outcome.UNDECIDABLE


def test_a_grant_of_a_key_needs_no_policy_and_yields_to_a_deny() -> None:
    shut = account(role("nlp", deny(DECRYPT)), role("audit"))
    known = facts(account(role("nlp"), role("audit")), key_policy(), grants())

    assert outcome(known, action=DECRYPT, resource=KEY) is Outcome.ALLOWED
    assert outcome(known, action="kms:Encrypt", resource=KEY) is Outcome.IMPLICIT
    assert outcome(known, "audit", DECRYPT, KEY) is Outcome.IMPLICIT
    assert outcome(facts(shut, key_policy(), grants()), action=DECRYPT, resource=KEY) is Outcome.EXPLICIT


def test_a_grant_with_an_encryption_context_is_the_callers_to_meet() -> None:
    known = facts(account(role("nlp")), key_policy(), grants(Constraints={"EncryptionContextSubset": {"team": "vision"}}))
    decision = can(known, "nlp", DECRYPT, KEY)

    assert decision.outcome is Outcome.CONDITIONAL
    assert decision.residual.control is Control.CALLER


def test_a_secret_lets_in_whom_its_policy_names() -> None:
    read = "secretsmanager:GetSecretValue"
    own = answer(
        "secretsmanager:get-resource-policy",
        {"ARN": SECRET, "ResourcePolicy": json.dumps(policy(trust({"AWS": arn("nlp")}, read, Resource="*")))},
    )
    known = facts(account(role("nlp"), role("audit")), own)

    assert outcome(known, action=read, resource=SECRET) is Outcome.ALLOWED
    assert outcome(known, "audit", read, SECRET) is Outcome.IMPLICIT


def test_the_registry_lets_in_beside_the_repository() -> None:
    pull, repository = "ecr:BatchGetImage", f"arn:aws:ecr:{REGION}:{ACCOUNT}:repository/vision/train"
    registry = trust({"AWS": f"arn:aws:iam::{OTHER}:root"}, pull, Resource=f"arn:aws:ecr:{REGION}:{ACCOUNT}:repository/*")
    own = answer("ecr:get-repository-policy", {"registryId": ACCOUNT, "repositoryName": "vision/train", "policyText": json.dumps(policy())})
    whole = answer("ecr:get-registry-policy", {"registryId": ACCOUNT, "policyText": json.dumps(policy(registry))})
    nlp = account(role("nlp", allow(pull), account=OTHER))

    assert outcome(facts(nlp, own), action=pull, resource=repository) is Outcome.IMPLICIT
    assert outcome(facts(nlp, own, whole), action=pull, resource=repository) is Outcome.ALLOWED
