"""What is easily lost in silence, or kept though it should not be."""

import json
from pathlib import Path

import pytest

from partywall.errors import TenancyError
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane
from tests.unit.files.folders import CLUSTER, gap_texts, kinds, namespace, only, reading

SECRET = "arn:aws:secretsmanager:us-east-2:111122223333:secret:team/vision-a1b2c3"
REPOSITORY = "arn:aws:ecr:us-east-2:111122223333:repository/team/vision"
DENIED = "An error occurred (AccessDeniedException) when calling the GetResourcePolicy operation: no"


@pytest.mark.parametrize("schema", ["schema: partywall/tenants/v1", 'schema: "partywall/contract/v1"', "{'schema': 'partywall/tenants/v1'"])
def test_a_broken_tenancy_file_stops_the_scan_and_names_the_place(tmp_path: Path, schema: str) -> None:
    with pytest.raises(TenancyError, match=r"^owners\.yaml:\d+:\d+: .+; .+"):
        reading(tmp_path, {"owners.yaml": f"{schema}\ntenants:\n- name: vision\n  name: nlp\n"})


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("aws-eks-list-access-entries.json", ["arn:aws:iam::111122223333:role/a"], "not what `aws eks list-access-entries` prints"),
        ("aws-iam-list-roles.txt", "ROLES\tarn:aws:iam::111122223333:role/a\n", "not what `aws iam list-roles` prints"),
        ("kubectl-get-pods.txt", "NAME   READY   STATUS\na      1/1     Running\n", "not what `kubectl get -o json` prints"),
        ("sacctmgr-show-assoc.txt", "c|root|||1|normal\n", "not what `sacctmgr -P show assoc` prints"),
    ],
)
def test_what_is_named_after_a_command_and_is_not_its_output_is_a_gap(tmp_path: Path, name: str, content: object, told: str) -> None:
    assert gap_texts(reading(tmp_path, {name: content})) == [f"{name}: {told}"]


def test_a_secret_value_given_by_mistake_is_not_kept(tmp_path: Path) -> None:
    value = {"ARN": SECRET, "Name": "team/vision", "VersionIdsToStages": {}, "CreatedDate": "2026-01-01", "SecretString": "hunter2"}
    document = only(tmp_path, {"secret.json": value})

    assert (document.kind, document.text, document.value) == ("unknown", "", [])


def test_credentials_of_a_connection_are_not_kept(tmp_path: Path) -> None:
    value = {
        "connectionId": "c",
        "domainId": "dzd_1",
        "connectionCredentials": {"accessKeyId": "A", "secretAccessKey": "hunter2", "sessionToken": "hun\\"},
    }
    document = only(tmp_path, {"connection.json": value})

    assert "hunter2" not in document.text
    assert isinstance(document.value, dict)
    assert document.value["connectionCredentials"] == {"accessKeyId": "A", "secretAccessKey": "(redacted)", "sessionToken": "(redacted)"}


def test_the_words_of_an_error_inside_a_log_are_no_error(tmp_path: Path) -> None:
    log = "step 1 done\nAn error occurred (AccessDenied) when calling the GetObject operation: no\nstep 2 done\n"
    found = reading(tmp_path, {"vision/train-0/logs.txt": log})

    assert (kinds(found), found.gaps) == ({"vision/train-0/logs.txt": "unknown"}, ())


def test_an_error_tells_its_command_where_the_name_does_not(tmp_path: Path) -> None:
    (gap,) = reading(
        tmp_path, {"saved.json": "An error occurred (AccessDenied) when calling the GetAccountAuthorizationDetails operation: no"}
    ).gaps

    assert gap.remedy == "run it with the right to: aws iam get-account-authorization-details --output json"


def test_a_refused_policy_blinds_the_thing_whose_name_the_file_name_can_only_hint_at(tmp_path: Path) -> None:
    found = reading(
        tmp_path,
        {
            "c.json": CLUSTER,
            "secrets.json": {"SecretList": [{"ARN": SECRET, "Name": "team/vision"}]},
            "repositories.json": {"repositories": [{"repositoryName": "team/vision", "repositoryArn": REPOSITORY}]},
            "aws-secretsmanager-get-resource-policy--team-vision.json": DENIED,
            "aws-ecr-get-repository-policy--team_vision.json": DENIED,
        },
    )

    assert [gap.nodes for gap in found.gaps] == [
        (Node(Kind.REPOSITORY, "111122223333", REPOSITORY),),
        (Node(Kind.SECRET, "111122223333", SECRET),),
    ]


def test_a_refused_access_entry_list_blinds_its_cluster(tmp_path: Path) -> None:
    (gap,) = reading(tmp_path, {"c.json": CLUSTER, "aws-eks-list-access-entries.json": DENIED}).gaps

    assert gap.nodes == (Node(Kind.CLUSTER_ADMIN, "111122223333/us-east-2/capacity", "*"),)
    assert gap.lanes == tuple(Lane)


@pytest.mark.parametrize(
    ("name", "lanes"),
    [
        ("kubectl-get-networkpolicies.json", (Lane.NETWORK,)),
        ("kubectl-get-clusterqueues.json", (Lane.COMPUTE,)),
        ("kubectl-get-configmap-kueue-manager-config.json", (Lane.COMPUTE,)),
        ("kubectl-get-rolebindings.json", tuple(Lane)),
    ],
)
def test_a_refused_kind_of_object_blinds_what_it_decides(tmp_path: Path, name: str, lanes: tuple[Lane, ...]) -> None:
    (gap,) = reading(tmp_path, {name: "Error from server (Forbidden): it is forbidden\n"}).gaps

    assert gap.lanes == lanes


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("aws-s3control-get-public-access-block.json", "aws:s3control:get-public-access-block"),
        ("public-access-block--111122223333.json", "aws:s3control:get-public-access-block"),
        ("public-access-block--capacity-vision-data.json", "aws:s3api:get-public-access-block"),
    ],
)
def test_a_public_access_block_is_a_buckets_or_an_accounts(tmp_path: Path, name: str, kind: str) -> None:
    assert only(tmp_path, {name: {"PublicAccessBlockConfiguration": {"RestrictPublicBuckets": True}}}).kind == kind


def test_a_public_access_block_of_nobody_knows_what_is_a_gap(tmp_path: Path) -> None:
    found = reading(tmp_path, {"buckets.json": {"Buckets": [{"Name": "a"}]}, "block.json": {"PublicAccessBlockConfiguration": {}}})

    assert [gap.source for gap in found.gaps] == ["block.json"]


def test_the_policy_of_a_bucket_saved_without_its_wrapping_is_a_bare_policy(tmp_path: Path) -> None:
    policy = {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/*"}],
    }
    document = only(tmp_path, {"bucket-policy--b.json": json.dumps(policy)})

    assert (document.kind, document.origin.subject) == ("aws:iam:policy", "b")


def test_a_file_of_objects_and_a_rivalling_answer_loses_neither(tmp_path: Path) -> None:
    found = reading(tmp_path, {"all.json": json.dumps(namespace("a")) + json.dumps({"Policy": "?"})})

    assert kinds(found) == {"all.json~1": "kubernetes"}
    assert [gap.source for gap in found.gaps] == ["all.json~2"]


def test_notes_in_another_encoding_are_listed_and_a_listing_in_one_is_a_gap(tmp_path: Path) -> None:
    found = reading(
        tmp_path,
        {
            "notes.txt": "für später\n".encode("latin-1"),
            "saved.txt": "Account|Descr|Org|Coord Accounts\nvision|Fakultät|v|\n".encode("latin-1"),
        },
    )

    assert kinds(found) == {"notes.txt": "unknown"}
    assert gap_texts(found) == ["saved.txt:2: not UTF-8: byte offset 46: invalid continuation byte"]


@pytest.mark.parametrize("name", ["tenants.yaml", "contracts/vision.yaml", "slurm.conf", "prod/slurmdbd.conf"])
@pytest.mark.parametrize("content", ["", "\n", "# later\n", "null\n"])
def test_an_empty_file_with_a_name_of_ours_is_a_gap(tmp_path: Path, name: str, content: str) -> None:
    (gap,) = reading(tmp_path, {name: content}).gaps

    assert gap.source == name
    assert gap.lanes
