"""Assignments, entitlements, memberships."""

import json

from partywall.model.document import Document
from partywall.model.node import Kind, Node
from partywall.resolve.data import RESOLVER as DATA
from partywall.resolve.iam import RESOLVER as IAM
from partywall.resolve.identity_center import RESOLVER
from tests.unit.aws import ACCOUNT, OTHER, account, allow, answer, arn, bucket, facts, gaps, lines, policy, role

SET = "arn:aws:sso:::permissionSet/ssoins-1111222233334444/ps-aaaabbbbccccdddd"
SSO = "aws-reserved/sso.amazonaws.com/us-east-2/AWSReservedSSO_Team-vision_0123456789abcdef"
GROUP = "11111111-2222-3333-4444-555555555555"
USER = "66666666-2222-3333-4444-555555555555"
NAMED = answer("sso-admin:describe-permission-set", {"PermissionSet": {"Name": "Team-vision", "PermissionSetArn": SET}}, subject=SET)
GROUPS = answer("identitystore:list-groups", {"Groups": [{"GroupId": GROUP, "DisplayName": "vision-people", "IdentityStoreId": "d-1"}]})
USERS = answer("identitystore:list-users", {"Users": [{"UserId": USER, "UserName": "ana", "IdentityStoreId": "d-1"}]})


def assigned(kind: str = "GROUP", who: str = GROUP, home: str = ACCOUNT) -> Document:
    row = {"AccountId": home, "PermissionSetArn": SET, "PrincipalType": kind, "PrincipalId": who}
    return answer("sso-admin:list-account-assignments", {"AccountAssignments": [row]})


def test_an_assignment_leads_to_the_provisioned_role_of_the_account() -> None:
    elsewhere = role(SSO, account=OTHER)

    assert lines(RESOLVER, facts(assigned(), NAMED, GROUPS, account(role(SSO), elsewhere))) == [
        "identity-group:vision-people is assigned role:AWSReservedSSO_Team-vision_0123456789abcdef"
    ]


def test_a_person_may_be_assigned_directly() -> None:
    found = lines(RESOLVER, facts(assigned("USER", USER), NAMED, USERS, account(role(SSO))))

    assert found == ["person:ana is assigned role:AWSReservedSSO_Team-vision_0123456789abcdef"]


def test_a_group_that_is_claimed_by_its_id_keeps_it() -> None:
    claimed = Node(Kind.IDENTITY_GROUP, "", GROUP)

    assert lines(RESOLVER, facts(assigned(), NAMED, GROUPS, account(role(SSO)), named=[claimed])) == [
        f"identity-group:{GROUP} is assigned role:AWSReservedSSO_Team-vision_0123456789abcdef"
    ]


def test_a_role_that_was_not_provisioned_is_no_way() -> None:
    assert lines(RESOLVER, facts(assigned(), NAMED, GROUPS, account(role("other")))) == []


def test_an_account_that_nobody_read_leaves_a_gap_behind_the_set() -> None:
    known = facts(assigned(home=OTHER), NAMED, GROUPS, account(role("other")))

    assert lines(RESOLVER, known) == ["identity-group:vision-people is assigned permission-set:Team-vision"]
    assert [gap.what for gap in gaps(RESOLVER, known)] == [f"the role of permission set Team-vision in account {OTHER} was not read"]


def test_a_permission_set_says_what_its_role_may_do_where_nobody_read_the_account() -> None:
    inline = answer(
        "sso-admin:get-inline-policy-for-permission-set", {"InlinePolicy": json.dumps(policy(allow("s3:GetObject")))}, subject=SET
    )
    others = (
        answer("sso-admin:list-managed-policies-in-permission-set", {"AttachedManagedPolicies": []}, subject=SET),
        answer("sso-admin:list-customer-managed-policy-references-in-permission-set", {"CustomerManagedPolicyReferences": []}, subject=SET),
    )
    named = [Node(Kind.ROLE, ACCOUNT, arn(SSO)), bucket("vision-data")]

    assert "role:AWSReservedSSO_Team-vision_0123456789abcdef read bucket:vision-data" in lines(
        DATA, facts(inline, *others, NAMED, named=named)
    )
    assert gaps(IAM, facts(inline, *others, NAMED, named=named)) == []
    assert [gap.reason.value for gap in gaps(IAM, facts(inline, NAMED, named=named))] == ["absent"]


def test_a_set_without_a_name_is_a_gap() -> None:
    assert [gap.reason.value for gap in gaps(RESOLVER, facts(assigned(), GROUPS, account(role(SSO))))] == ["absent"]


def test_an_entitlement_needs_no_permission_set() -> None:
    entitled = answer(
        "account-access:list-entitlements", {"entitlements": [{"roleArn": arn("vision"), "principalType": "GROUP", "principalId": GROUP}]}
    )

    assert lines(RESOLVER, facts(entitled, GROUPS)) == ["identity-group:vision-people is assigned role:vision"]


def test_members_are_joined_by_their_ids() -> None:
    row = {"IdentityStoreId": "d-1", "MembershipId": "m", "GroupId": GROUP, "MemberId": {"UserId": USER}}
    memberships = answer("identitystore:list-group-memberships", {"GroupMemberships": [row]})

    assert lines(RESOLVER, facts(memberships, GROUPS, USERS)) == ["person:ana is member of identity-group:vision-people"]
