"""Who becomes whom: trust in all its spellings, and what follows over several steps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partywall.model.document import Assumption
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_iam import Effect, Statement
from partywall.model.residual import FALSE
from partywall.resolve.iam import RESOLVER
from partywall.resolve.iam.becoming import bits, closure, reach
from partywall.resolve.iam.heads import speaks_of
from partywall.resolve.iam.statements import Request, applies
from tests.unit.aws import ACCOUNT, Json, account, allow, arn, deny, facts, gaps, lines, managed, policy, role, short, trust

ROOT = {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}
ASSUME = allow("sts:AssumeRole")
SET = "AWSReservedSSO_Team_0123456789abcdef"
RESERVED = "aws-reserved/sso.amazonaws.com"


def entered(*trusts: Json, path: str = f"{RESERVED}/us-east-2/{SET}", statements: tuple[Json, ...] = (ASSUME,)) -> list[str]:
    """Return how the role of a permission set gets into role `data`."""
    found = lines(RESOLVER, facts(account(role("data", trusts=trusts), role(path, *statements))))
    return [line for line in found if line.startswith(f"role:{SET} ")]


INTO = [f"role:{SET} assumes role:data"]


@pytest.mark.parametrize(
    ("pattern", "with_region", "without"),
    [
        pytest.param(f"role/{RESERVED}/us-east-2/AWSReservedSSO_Team_*", INTO, [], id="region in the path"),
        pytest.param(f"role/{RESERVED}/AWSReservedSSO_Team_*", [], INTO, id="no region in the path"),
        pytest.param(f"role/{RESERVED}*/AWSReservedSSO_Team_*", INTO, INTO, id="any path"),
        pytest.param("role/*/AWSReservedSSO_Team_*", INTO, INTO, id="star over the path"),
        pytest.param("role/AWSReservedSSO_Team_*", [], [], id="no path at all"),
        pytest.param(f"role/{RESERVED}*/AWSReservedSSO_Team_fedcba9876543210", [], [], id="suffix of an assignment that is gone"),
        pytest.param(f"role/{RESERVED}*/AWSReservedSSO_Teams_*", [], [], id="another set"),
    ],
)
def test_a_permission_set_is_met_by_its_path_and_its_suffix(pattern: str, with_region: list[str], without: list[str]) -> None:
    like = trust(ROOT, Condition={"ArnLike": {"aws:PrincipalArn": f"arn:aws:iam::{ACCOUNT}:{pattern}"}})

    assert entered(like) == with_region
    assert entered(like, path=f"{RESERVED}/{SET}") == without


def test_a_pattern_in_a_principal_is_no_pattern() -> None:
    assert entered(trust({"AWS": f"arn:aws:iam::{ACCOUNT}:role/{RESERVED}/us-east-2/AWSReservedSSO_Team_*"})) == []
    assert entered(trust({"AWS": arn(f"{RESERVED}/us-east-2/{SET}")}), statements=()) == INTO
    assert entered(trust({"AWS": arn(f"{RESERVED}/us-east-2/AWSReservedSSO_Team_fedcba9876543210")})) == []


def test_an_external_id_is_the_callers_to_know() -> None:
    assert entered(trust(ROOT, Condition={"StringEquals": {"sts:ExternalId": "x"}})) == [f"{INTO[0]} (conditional)"]


def test_who_may_tag_sessions_chooses_the_tags_that_are_not_pinned() -> None:
    def reading(*trusts: Json) -> list[str]:
        team = {"StringEquals": {"aws:PrincipalTag/team": "vision"}}
        robots = role("robots", allow("sts:AssumeRole", arn("vision"), Condition=team), trusts=trusts, tags={"team": "robots"})
        found = lines(RESOLVER, facts(account(robots, role("vision", trusts=[trust(ROOT)]))))
        return [line for line in found if line.startswith("role:robots ")]

    tagging = trust({"AWS": arn("ci")}, ["sts:AssumeRole", "sts:TagSession"])
    pinned = {**tagging, "Condition": {"StringEquals": {"aws:RequestTag/team": "robots"}}}

    assert reading(trust({"AWS": arn("ci")})) == []
    assert reading(tagging) == ["role:robots assumes role:vision (conditional)"]
    assert reading(pinned) == []


def test_a_tag_of_itself_makes_its_own_row_unknown_and_a_tag_of_another_edits_it() -> None:
    abac = allow("s3:GetObject", Condition={"StringEquals": {"aws:ResourceTag/team": "${aws:PrincipalTag/team}"}})
    known = facts(account(role("robots", abac, allow("iam:TagRole")), role("vision", abac)))

    assert [gap.what for gap in gaps(RESOLVER, known)] == ["what role robots reaches once it gives itself another tag team"]
    assert lines(RESOLVER, known) == ["role:robots edits policies of role:vision"]


SETS_TEAM = {"Null": {"aws:RequestTag/team": "false"}}


@pytest.mark.parametrize(
    "statements",
    [
        pytest.param([allow("iam:TagRole", arn("other"))], id="another role"),
        pytest.param([allow("iam:TagRole", Condition={"ForAllValues:StringEquals": {"aws:TagKeys": ["cost"]}})], id="another tag"),
        pytest.param(
            [allow("iam:TagRole"), deny("iam:TagRole", Condition={"Null": {"aws:RequestTag/team": "false"}})], id="this tag denied"
        ),
    ],
)
def test_a_tag_that_cannot_be_set_is_no_way(statements: list[Json]) -> None:
    abac = allow("s3:GetObject", Condition={"StringEquals": {"aws:ResourceTag/team": "${aws:PrincipalTag/team}"}})
    known = facts(account(role("robots", abac, *statements), role("vision", abac)))

    assert (lines(RESOLVER, known), gaps(RESOLVER, known)) == ([], [])


def test_a_tag_for_which_no_policy_asks_is_no_way() -> None:
    known = facts(account(role("robots", allow("iam:TagRole")), role("vision", allow("s3:GetObject"))))

    assert (lines(RESOLVER, known), gaps(RESOLVER, known)) == ([], [])


def ways(known: Facts) -> list[str]:
    """Return the edges in words, without what an account contains."""
    return [line for line in lines(RESOLVER, known) if " contains " not in line]


def older(*versions: Json) -> list[str]:
    own = f"arn:aws:iam::{ACCOUNT}:policy/own"
    kept = [{"VersionId": f"v{number}", "IsDefaultVersion": False, "Document": found} for number, found in enumerate(versions)]
    made = managed("own", allow("s3:GetObject", "arn:aws:s3:::own/*"), allow("iam:SetDefaultPolicyVersion", own))
    written = {**made, "PolicyVersionList": [*made["PolicyVersionList"], *kept]}
    return ways(facts(account(role("nlp", attached=[own]), policies=[written])))


def test_an_older_version_counts_by_what_it_brings_back() -> None:
    own = allow("iam:SetDefaultPolicyVersion", f"arn:aws:iam::{ACCOUNT}:policy/own")
    administrator = f"role:nlp becomes administrator of account:{ACCOUNT}"

    assert older() == []
    assert older(policy(own)) == []
    assert administrator in older(policy(allow("*")))
    assert older(policy(allow("s3:GetObject"))) == [f"{administrator} (unknown)"]
    assert older(policy(allow("*"), deny("iam:*"))) == [f"{administrator} (unknown)"]


def test_what_runs_already_is_one_unknown_way_and_not_one_for_each_role() -> None:
    function = trust({"Service": "lambda.amazonaws.com"})
    others = [role(name, trusts=[function]) for name in ("a", "b", "c")]
    found = lines(RESOLVER, facts(account(role("ci", allow("lambda:UpdateFunctionCode")), *others)))

    assert found == [
        "role:ci passes service:lambda.amazonaws.com (unknown)",
        *(f"service:lambda.amazonaws.com runs as role:{name}" for name in ("a", "b", "c")),
    ]


def test_nothing_runs_where_no_other_role_admits_the_service() -> None:
    ci = role("ci", allow("lambda:UpdateFunctionCode"), trusts=[trust({"Service": "lambda.amazonaws.com"})])

    assert lines(RESOLVER, facts(account(ci, role("a", trusts=[trust({"Service": "ec2.amazonaws.com"})])))) == []


def test_not_knowing_the_address_of_an_instance_is_said() -> None:
    target = {**role("node", trusts=[trust({"Service": "ec2.amazonaws.com"})]), "InstanceProfileList": [{"Arn": "arn:aws:iam::1:x"}]}
    found = RESOLVER.resolve(facts(account(role("ci", allow("ec2-instance-connect:SendSSHPublicKey")), target)))

    texts = [each.text for each in found if isinstance(each, Assumption) and each.source == "iam"]
    assert texts == ["who may not call ec2:describeinstances is taken not to know how to reach an instance"]


def test_a_time_that_is_over_is_no_way() -> None:
    def nlp(operator: str, moment: str) -> list[str]:
        when = allow("iam:PutRolePolicy", arn("nlp"), Condition={operator: {"aws:CurrentTime": moment}})
        return ways(facts(account(role("nlp", when))))

    assert nlp("DateLessThan", "2020-01-01T00:00:00Z") == []
    assert nlp("DateLessThan", "2999-01-01T00:00:00Z") == [f"role:nlp becomes administrator of account:{ACCOUNT} (conditional)"]
    assert nlp("DateLessThan", "soon") != []


def test_whoever_writes_a_providers_metadata_signs_in_to_what_trusts_it() -> None:
    provider = f"arn:aws:iam::{ACCOUNT}:saml-provider/corporate"
    people = role("people", trusts=[trust({"Federated": provider}, "sts:AssumeRoleWithSAML")])
    found = lines(RESOLVER, facts(account(role("ci", allow("iam:UpdateSAMLProvider", provider)), people)))

    assert found == ["role:ci edits trust of role:people"]


def test_several_steps_are_one_way_and_the_closure_tells_sure_from_possible() -> None:
    first = role("a", ASSUME, trusts=[trust({"Service": "lambda.amazonaws.com"})])
    second = role("b", allow("iam:UpdateAssumeRolePolicy", arn("c")), trusts=[trust({"AWS": arn("a")})])
    third = role("c", trusts=[trust(ROOT, Condition={"StringEquals": {"sts:ExternalId": "x"}})])
    found = closure(facts(account(first, second, third, role("d", allow("lambda:UpdateFunctionCode")))))
    node = {short(each): each for each in found.nodes}

    assert [short(each) for each in found.reached(node["role:a"], surely=True)] == ["role:b", "role:c"]
    assert [short(each) for each in found.reached(node["role:d"], surely=True)] == []
    assert [short(each) for each in found.reached(node["role:d"])] == ["role:a", "role:b", "role:c", "service:lambda.amazonaws.com"]
    assert sorted(f"{short(edge.source)} {edge.verb} {short(edge.target)}" for edge in found.edges) == [
        "role:a assumes role:b",
        "role:a assumes role:c",
        "role:b edits trust of role:c",
        "role:d passes service:lambda.amazonaws.com",
        "service:lambda.amazonaws.com runs as role:a",
    ]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25))
def test_rows_of_bits_are_what_walking_finds(pairs: list[tuple[int, int]]) -> None:
    def walked(start: int) -> set[int]:
        seen, todo = {start}, [start]
        while todo:
            here = todo.pop()
            todo += [target for source, target in pairs if source == here and target not in seen]
            seen |= {target for source, target in pairs if source == here}
        return seen

    assert [set(bits(row)) for row in reach(10, pairs)] == [walked(node) for node in range(10)]


PATTERNS = st.text("ar:n*?/${}x", max_size=8)


@given(st.lists(PATTERNS, max_size=3), st.text("ar:n/x", max_size=8))
def test_a_quick_look_at_the_beginnings_hides_nothing(patterns: list[str], end: str) -> None:
    resources = tuple(f"arn:aws:iam::1:{pattern}" for pattern in patterns)
    statement = Statement(Evidence("p.json", "/0"), Effect.ALLOW, "", actions=("*",), resources=resources)
    found = f"arn:aws:iam::1:{end}"

    assert speaks_of(statement, found) or applies(statement, Request("iam:passrole", found)) is FALSE
