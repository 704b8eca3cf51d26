"""Who may assume a role."""

from collections.abc import Sequence

from partywall.model.atom import Control
from partywall.resolve.iam import RESOLVER
from tests.unit.aws import (
    ACCOUNT,
    OTHER,
    STRANGER,
    Json,
    account,
    allow,
    arn,
    deny,
    edges,
    facts,
    gaps,
    lines,
    managed,
    role,
    starters,
    trust,
)

ROOT = f"arn:aws:iam::{ACCOUNT}:root"
MAY = allow("sts:AssumeRole", arn("vision"))


def assuming(*roles: Json, policies: Sequence[Json] = ()) -> list[str]:
    return [line for line in lines(RESOLVER, facts(account(*roles, policies=policies))) if " assumes " in line]


def test_a_role_named_by_the_trust_needs_no_policy_of_its_own() -> None:
    assert assuming(role("nlp"), role("vision", trusts=[trust({"AWS": arn("nlp")})])) == ["role:nlp assumes role:vision"]


def test_a_trust_in_the_account_asks_for_a_policy_too() -> None:
    both = assuming(role("nlp", MAY), role("audit"), role("vision", trusts=[trust({"AWS": ROOT})]))

    assert both == ["role:nlp assumes role:vision"]


def test_the_twelve_digits_stand_for_the_root() -> None:
    assert assuming(role("nlp", MAY), role("vision", trusts=[trust({"AWS": ACCOUNT})])) == ["role:nlp assumes role:vision"]


def test_a_policy_alone_opens_no_trust() -> None:
    assert assuming(role("nlp", allow("*")), role("vision", trusts=[trust({"Service": "ec2.amazonaws.com"})])) == []


def test_a_deny_of_the_asker_wins_over_a_trust_that_names_it() -> None:
    assert assuming(role("nlp", deny("sts:*")), role("vision", trusts=[trust({"AWS": arn("nlp")})])) == []


def test_a_boundary_caps_a_role_that_the_trust_names() -> None:
    bound = managed("bound", allow("s3:*"))
    nlp = role("nlp", boundary=f"arn:aws:iam::{ACCOUNT}:policy/bound")

    assert assuming(nlp, role("vision", trusts=[trust({"AWS": arn("nlp")})]), policies=[bound]) == []


def test_a_boundary_that_is_absent_leaves_it_unknown() -> None:
    nlp = role("nlp", boundary=f"arn:aws:iam::{ACCOUNT}:policy/absent")

    assert assuming(nlp, role("vision", trusts=[trust({"AWS": arn("nlp")})])) == ["role:nlp assumes role:vision (unknown)"]


def test_across_accounts_both_sides_must_allow() -> None:
    there = role("batch", account=OTHER)
    vision = role("vision", trusts=[trust({"AWS": arn("batch", OTHER)})])

    assert assuming(there, vision) == []
    assert assuming(role("batch", MAY, account=OTHER), vision) == ["role:batch assumes role:vision"]


def test_an_account_that_nobody_read_enters_as_a_whole() -> None:
    assert assuming(role("vision", trusts=[trust({"AWS": f"arn:aws:iam::{STRANGER}:root"})])) == [f"account:{STRANGER} assumes role:vision"]


def test_a_star_lets_the_world_in() -> None:
    assert "anyone:anyone assumes role:vision" in assuming(role("vision", trusts=[trust("*")]))


def test_an_organization_condition_keeps_the_world_out() -> None:
    inside = trust("*", Condition={"StringEquals": {"aws:PrincipalOrgID": "o-exampleorg"}})

    assert not [line for line in assuming(role("vision", trusts=[inside])) if "anyone" in line]


def test_a_role_that_is_gone_enters_nothing() -> None:
    assert assuming(role("vision", trusts=[trust({"AWS": arn("deleted")})])) == []


def test_a_recreated_principal_shows_as_an_id_that_matches_nobody() -> None:
    assert assuming(role("nlp", MAY), role("vision", trusts=[trust({"AWS": "AROANLPXXXXXXXXXXXXX"})])) == []


def test_a_session_name_is_the_callers_choice() -> None:
    named = trust({"AWS": arn("nlp")}, Condition={"StringEquals": {"sts:RoleSessionName": "vision"}})
    (edge,) = [edge for edge in edges(RESOLVER, facts(account(role("nlp"), role("vision", trusts=[named])))) if edge.verb == "assumes"]

    assert edge.condition is not None
    assert edge.condition.control is Control.CALLER


def test_a_project_tag_pins_the_trust_to_one_project() -> None:
    pinned = trust({"AWS": ROOT}, Condition={"StringEquals": {"aws:PrincipalTag/AmazonDataZoneProject": "4vision"}})
    nlp = role("nlp", MAY, tags={"AmazonDataZoneProject": "4nlp"})
    own = role("own", MAY, tags={"AmazonDataZoneProject": "4vision"})

    assert assuming(nlp, own, role("vision", trusts=[pinned])) == ["role:own assumes role:vision"]


def test_a_role_of_an_unread_account_is_unknown() -> None:
    nlp = role("nlp", allow("sts:AssumeRole", arn("data", OTHER)))

    assert assuming(nlp) == ["role:nlp assumes role:data (unknown)"]


def test_an_unknown_operator_is_neither_yes_nor_no() -> None:
    odd = trust({"AWS": arn("nlp")}, Condition={"StringSounds": {"aws:PrincipalTag/team": "vision"}})

    assert assuming(role("nlp"), role("vision", trusts=[odd])) == ["role:nlp assumes role:vision (unknown)"]


def test_a_trust_statement_without_grammar_is_a_gap() -> None:
    broken = {"Effect": "Perhaps", "Principal": "*", "Action": "sts:AssumeRole"}
    found = gaps(RESOLVER, facts(account(role("vision", trusts=[broken]))))

    assert [gap.what for gap in found] == ['a statement of the trust policy of role vision cannot be evaluated: Effect is "Perhaps"']


def test_what_nobody_known_enters_acts_by_itself() -> None:
    known = facts(
        account(
            role("nlp", MAY),
            role("vision", trusts=[trust({"AWS": ROOT})]),
            role("job", trusts=[trust({"Service": "lambda.amazonaws.com"})]),
        )
    )

    assert starters(RESOLVER, known) == {"role:nlp", "role:job"}


def test_the_trust_statement_is_the_lever_and_moving_it_closes_the_way() -> None:
    known = facts(account(role("nlp"), role("vision", trusts=[trust({"AWS": arn("nlp")})])))
    (edge,) = [edge for edge in edges(RESOLVER, known) if edge.verb == "assumes"]

    assert edge.lever.text == "remove the statement for sts:AssumeRole from the trust policy of role vision"
    assert edge.lever.change is not None
    assert [found for found in edges(RESOLVER, known.patched(edge.lever.change)) if found.verb == "assumes"] == []
