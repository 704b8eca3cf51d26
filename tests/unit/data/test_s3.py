"""Buckets, their prefixes, their policies and their keys."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from partywall.model.atom import Control
from partywall.model.document import Document
from partywall.resolve.data import RESOLVER
from tests.unit.aws import (
    ACCOUNT,
    OTHER,
    STRANGER,
    Json,
    account,
    allow,
    answer,
    arn,
    bucket,
    deny,
    edges,
    facts,
    lines,
    managed,
    policy,
    role,
    trust,
)

DATA = "arn:aws:s3:::vision-data"
READ = allow("s3:GetObject", f"{DATA}/*")
KEY = f"arn:aws:kms:us-east-2:{ACCOUNT}:key/11111111-2222-3333-4444-555555555555"


def bucket_policy(*statements: Json, home: str = ACCOUNT) -> Document:
    return answer("s3api:get-bucket-policy", {"Policy": json.dumps(policy(*statements))}, subject="vision-data", home=home)


def key_policy(*statements: Json) -> Document:
    return answer("kms:get-key-policy", {"Policy": json.dumps(policy(*statements)), "PolicyName": "default"}, subject=KEY)


def encrypted() -> Document:
    rule = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": KEY}}
    return answer("s3api:get-bucket-encryption", {"ServerSideEncryptionConfiguration": {"Rules": [rule]}}, subject="vision-data")


def blocked() -> Document:
    flags = dict.fromkeys(("BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets"), True)
    return answer("s3api:get-public-access-block", {"PublicAccessBlockConfiguration": flags}, subject="vision-data")


def reached(
    *statements: Json, documents: Sequence[Document] = (), prefixes: Sequence[str] = (), home: str = ACCOUNT, team: str = ""
) -> list[str]:
    known = facts(
        account(role("nlp", *statements, account=home, tags={"team": team} if team else {})),
        *documents,
        named=[bucket("vision-data"), *map(bucket, prefixes)],
    )
    return lines(RESOLVER, known)


def test_an_allow_reads_the_bucket() -> None:
    assert reached(READ) == ["role:nlp read bucket:vision-data"]


def test_objects_and_bucket_are_two_resources() -> None:
    assert reached(allow(["s3:GetObject", "s3:ListBucket"], DATA)) == ["role:nlp list contents bucket:vision-data"]


def test_a_prefix_of_a_name_catches_more_buckets() -> None:
    assert reached(allow("s3:GetObject", "arn:aws:s3:::vision*")) == ["role:nlp read bucket:vision-data"]


def test_a_boundary_bounds_the_part_too() -> None:
    bound = managed("bound", allow("s3:*", [f"{DATA}/nlp/*", f"{DATA}/open/*"]), allow("s3:GetObject", f"{DATA}/more/*"))
    nlp = role("nlp", allow("s3:*", "*"), boundary=f"arn:aws:iam::{ACCOUNT}:policy/bound")
    found = lines(RESOLVER, facts(account(nlp, policies=[bound]), named=[bucket("vision-data")]))

    assert [line for line in found if " read " in line] == [f"role:nlp read prefix:vision-data/{part}/" for part in ("more", "nlp", "open")]


def test_two_sides_that_share_no_part_of_a_bucket_open_nothing() -> None:
    opened = trust({"AWS": f"arn:aws:iam::{OTHER}:root"}, "s3:GetObject", Resource=f"{DATA}/public/*")

    assert reached(allow("s3:GetObject", f"{DATA}/private/*"), documents=[bucket_policy(opened)], home=OTHER) == []


def test_a_bare_wildcard_runs_into_keys() -> None:
    assert reached(allow("s3:GetObject", "arn:aws:s3:::*/public/*")) == ["role:nlp read prefix:vision-data/public/ (conditional)"]
    assert reached(allow("s3:GetObject", "arn:aws:s3:::*nlp*")) == ["role:nlp read bucket:vision-data (conditional)"]
    assert reached(allow("s3:PutObject", "arn:aws:s3:::*nlp*")) == ["role:nlp write bucket:vision-data"]


def test_a_part_of_a_bucket_is_a_prefix() -> None:
    assert reached(allow("s3:GetObject", f"{DATA}/public/*")) == ["role:nlp read prefix:vision-data/public/"]


def test_a_deny_takes_a_claimed_prefix_out() -> None:
    found = reached(READ, deny("s3:*", f"{DATA}/secret/*"), prefixes=["vision-data/secret/", "vision-data/open/"])

    assert found == ["role:nlp read prefix:vision-data/open/"]


def test_listing_is_bounded_by_its_prefix_condition() -> None:
    bounded = allow("s3:ListBucket", DATA, Condition={"StringLike": {"s3:prefix": ["nlp/*"]}})

    assert reached(bounded) == ["role:nlp list contents prefix:vision-data/nlp/"]


def test_a_bucket_policy_grants_beside_the_own_policies() -> None:
    assert reached(documents=[bucket_policy(trust({"AWS": arn("nlp")}, "s3:GetObject", Resource=f"{DATA}/*"))]) == [
        "role:nlp read bucket:vision-data"
    ]


def test_a_bucket_policy_denies_what_the_own_policies_grant() -> None:
    shut = {"Effect": "Deny", "NotPrincipal": {"AWS": arn("vision")}, "Action": "s3:*", "Resource": [DATA, f"{DATA}/*"]}

    assert reached(READ, documents=[bucket_policy(shut)]) == []


def test_a_deny_for_other_principal_arns_is_decided() -> None:
    shut = {
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": f"{DATA}/*",
        "Condition": {"ArnNotLike": {"aws:PrincipalArn": arn("vision*")}},
    }

    assert reached(READ, documents=[bucket_policy(shut)]) == []


def test_across_accounts_the_bucket_must_allow_too() -> None:
    opened = trust({"AWS": f"arn:aws:iam::{OTHER}:root"}, "s3:GetObject", Resource=f"{DATA}/*")

    assert reached(READ, documents=[bucket_policy()], home=OTHER) == []
    assert reached(documents=[bucket_policy(opened)], home=OTHER) == []
    assert reached(READ, documents=[bucket_policy(opened)], home=OTHER) == ["role:nlp read bucket:vision-data"]


def test_an_account_that_nobody_read_is_let_in_as_a_whole() -> None:
    opened = trust({"AWS": STRANGER}, "s3:GetObject", Resource=f"{DATA}/*")

    assert reached(documents=[bucket_policy(opened)]) == [f"account:{STRANGER} read bucket:vision-data"]


def test_a_public_bucket_is_everybodys_unless_it_is_blocked() -> None:
    public = bucket_policy(trust("*", "s3:GetObject", Resource=f"{DATA}/*"))

    assert reached(documents=[public]) == ["anyone:anyone read bucket:vision-data", "role:nlp read bucket:vision-data"]
    assert reached(documents=[public, blocked()]) == ["role:nlp read bucket:vision-data"]


def test_a_public_bucket_with_an_organization_condition_is_not_public() -> None:
    inside = trust("*", "s3:GetObject", Resource=f"{DATA}/*", Condition={"StringEquals": {"aws:PrincipalOrgID": "o-exampleorg"}})

    assert not [line for line in reached(documents=[bucket_policy(inside)]) if line.startswith("anyone")]


def test_the_key_of_an_encrypted_bucket_must_let_in_too() -> None:
    root = trust({"AWS": f"arn:aws:iam::{ACCOUNT}:root"}, "kms:*", Resource="*")

    assert [line for line in reached(READ, documents=[encrypted(), key_policy(root)]) if " read " in line] == []
    both = reached(READ, allow("kms:Decrypt", KEY), documents=[encrypted(), key_policy(root)])
    assert "role:nlp read bucket:vision-data" in both


def test_a_team_tag_decides_the_prefix() -> None:
    own = allow("s3:GetObject", f"{DATA}/${{aws:PrincipalTag/team}}/*")

    assert reached(own, prefixes=["vision-data/vision/"], team="vision") == ["role:nlp read prefix:vision-data/vision/"]
    assert reached(own, prefixes=["vision-data/vision/"], team="nlp") == ["role:nlp read prefix:vision-data/nlp/"]
    assert reached(own) == []


@pytest.mark.parametrize(
    ("condition", "control"),
    [
        pytest.param({"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}, Control.ENVIRONMENT, id="network"),
        pytest.param({"Bool": {"aws:MultiFactorAuthPresent": "true"}}, Control.ENVIRONMENT, id="sign-in"),
        pytest.param({"StringEquals": {"s3:ExistingObjectTag/team": "nlp"}}, Control.UNKNOWN, id="object tag"),
        pytest.param({"StringLike": {"aws:userAgent": "*"}}, Control.CALLER, id="caller's word"),
    ],
)
def test_what_is_left_open_says_who_decides(condition: dict[str, Any], control: Control) -> None:
    known = facts(account(role("nlp", allow("s3:GetObject", f"{DATA}/*", Condition=condition))), named=[bucket("vision-data")])
    (edge,) = edges(RESOLVER, known)

    assert edge.condition is not None
    assert edge.condition.control is control


def test_direct_calls_do_not_come_through_a_service() -> None:
    via = allow("s3:GetObject", f"{DATA}/*", Condition={"ForAnyValue:StringEquals": {"aws:CalledVia": "athena.amazonaws.com"}})

    assert reached(via) == []


def test_an_acl_for_everybody_counts_where_acls_do() -> None:
    grants = [{"Grantee": {"Type": "Group", "URI": "http://acs.amazonaws.com/groups/global/AllUsers"}, "Permission": "READ"}]
    acl = answer("s3api:get-bucket-acl", {"Owner": {"ID": "a"}, "Grants": grants}, subject="vision-data")
    on, off = (
        answer("s3api:get-bucket-ownership-controls", {"OwnershipControls": {"Rules": [{"ObjectOwnership": mode}]}}, subject="vision-data")
        for mode in ("ObjectWriter", "BucketOwnerEnforced")
    )

    assert reached(documents=[acl, on]) == ["anyone:anyone list contents bucket:vision-data"]
    assert reached(documents=[acl, off]) == []
    assert reached(documents=[acl]) == ["anyone:anyone list contents bucket:vision-data (unknown)"]


def test_an_account_beside_a_principal_of_its_own_spares_nobody_else() -> None:
    shut = {"Effect": "Deny", "Action": "s3:*", "Resource": [DATA, f"{DATA}/*"]}
    root = f"arn:aws:iam::{ACCOUNT}:root"

    assert reached(READ, documents=[bucket_policy({**shut, "NotPrincipal": {"AWS": [arn("vision"), root]}})]) == []
    assert reached(READ, documents=[bucket_policy({**shut, "NotPrincipal": {"AWS": [arn("nlp"), root]}})]) == [
        "role:nlp read bucket:vision-data"
    ]


def test_the_list_of_buckets_is_all_of_an_account_unless_it_is_a_part() -> None:
    listing = {"Buckets": [{"Name": "vision-data"}]}
    known = [facts(answer("s3api:list-buckets", value)) for value in (listing, {**listing, "Prefix": "vis"}, {**listing, "NextToken": "x"})]

    assert [bool(each.listed("Bucket", ACCOUNT)) for each in known] == [True, False, False]
