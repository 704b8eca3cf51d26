"""What was listed and never asked about, and kinds left out between their companions, are questions."""

from pathlib import Path

import pytest
import yaml

from partywall.model.document import Document, Form, Origin
from partywall.model.evidence import Json
from partywall.model.facts_kueue import ComputeQuota
from partywall.model.report import Report
from partywall.parse.everything import parse
from tests.unit.engine.folders import CLEAN, TENANTS, binding, folder, namespace, told

ACCOUNT = "222233334444"
OWNED = TENANTS.replace("kubernetes_groups: [maple-team]", "kubernetes_groups: [maple-team]\n  buckets: [maple-data]")
LISTED: dict[str, Json] = {"aws-s3api-list-buckets.json": {"Buckets": [{"Name": "orchid-data"}, {"Name": "maple-data"}]}}
EMPTY = "An error occurred (NoSuchBucketPolicy) when calling the GetBucketPolicy operation: The bucket policy does not exist\n"
DENIED = "An error occurred (AccessDenied) when calling the GetBucketPolicy operation: Access Denied\n"


def open_cells(report: Report) -> set[str]:
    return {cell for gap in report.gaps for cell in gap.cells}


def answers(**policies: str) -> dict[str, Json]:
    named = {f"aws-s3api-get-bucket-policy--{name.replace('_', '-')}.json": text for name, text in policies.items()}
    return {**LISTED, **named}


def test_a_listed_bucket_whose_policy_was_not_asked_for_is_a_question(tmp_path: Path) -> None:
    report = told(folder(tmp_path, tenants=OWNED, files=answers(orchid_data=EMPTY)))

    assert open_cells(report) == {"any -> maple: data"}
    (gap,) = [gap for gap in report.gaps if gap.cells]
    assert gap.what == "the policy of s3://maple-data not read, unlike those of others"
    assert gap.remedy == "aws s3api get-bucket-policy --bucket maple-data --output json"
    assert gap.place is not None
    assert gap.place.document == "aws-s3api-list-buckets.json"


def test_an_answer_that_there_is_none_is_an_answer(tmp_path: Path) -> None:
    report = told(folder(tmp_path, tenants=OWNED, files=answers(orchid_data=EMPTY, maple_data=EMPTY)))

    assert open_cells(report) == set()


def test_a_denied_answer_is_told_once(tmp_path: Path) -> None:
    report = told(folder(tmp_path, tenants=OWNED, files=answers(orchid_data=EMPTY, maple_data=DENIED)))

    assert [gap.reason for gap in report.gaps if gap.cells] == ["denied"]


def test_where_nobody_asked_for_policies_they_are_not_assessed(tmp_path: Path) -> None:
    report = told(folder(tmp_path, tenants=OWNED, files=LISTED))

    assert open_cells(report) == set()


def test_a_listing_of_things_without_names_breaks_nothing(tmp_path: Path) -> None:
    files: dict[str, Json] = {
        "aws-kms-list-keys.json": {"Keys": [{}, {"KeyArn": "arn:aws:kms:us-west-2:222233334444:key/k", "KeyId": "k"}]},
        "aws-kms-get-key-policy--other.json": {"Policy": '{"Version": "2012-10-17", "Statement": []}', "PolicyName": "default"},
        "aws-identitystore-list-groups.json": {"Groups": [{"IdentityStoreId": "d-1"}, {"GroupId": "g", "IdentityStoreId": "d-1"}]},
        "aws-identitystore-list-group-memberships--other.json": {"GroupMemberships": []},
    }

    assert told(folder(tmp_path, files=files)).documents


def listing(kind: str, *items: str) -> str:
    """Write a list as `kubectl get -o yaml` does, of objects written as YAML documents."""
    objects = [found for item in items for found in yaml.safe_load_all(item) if found]
    return str(yaml.safe_dump({"apiVersion": "v1", "kind": "List" if objects else f"{kind}List", "items": objects}))


BINDINGS = listing("RoleBinding", binding("orchid-team", "orchid", "edit", "own"))
CLUSTER_BINDINGS = listing("ClusterRoleBinding")


def test_lists_of_both_kinds_of_bindings_are_complete(tmp_path: Path) -> None:
    files: dict[str, Json] = {"kubectl-get-rolebindings.yaml": BINDINGS, "kubectl-get-clusterrolebindings.yaml": CLUSTER_BINDINGS}
    report = told(folder(tmp_path, k8s=namespace("orchid") + namespace("maple"), files=files))

    assert open_cells(report) == set()


@pytest.mark.parametrize(
    ("files", "missing"),
    [
        ({"kubectl-get-rolebindings.yaml": BINDINGS}, "the cluster role bindings"),
        ({"kubectl-get-clusterrolebindings.yaml": CLUSTER_BINDINGS}, "the role bindings"),
    ],
)
def test_one_kind_of_bindings_without_the_other_leaves_every_team_in_question(tmp_path: Path, files: dict[str, Json], missing: str) -> None:
    report = told(folder(tmp_path, k8s=namespace("orchid") + namespace("maple"), files=files))

    assert [gap.what for gap in report.gaps if gap.cells] == [f"{missing} of quay"]
    assert {"any -> orchid: act", "any -> maple: act", "any -> maple: data"} <= open_cells(report)


def test_single_objects_call_for_no_list(tmp_path: Path) -> None:
    assert open_cells(told(folder(tmp_path, k8s=CLEAN))) == set()


def test_one_list_of_several_kinds_calls_for_no_other(tmp_path: Path) -> None:
    mixed = listing("List", namespace("orchid"), namespace("maple"), binding("orchid-team", "orchid", "edit", "own"))

    assert open_cells(told(folder(tmp_path, k8s=mixed))) == set()


QUOTA: dict[str, Json] = {
    "ComputeQuotaArn": f"arn:aws:sagemaker:us-west-2:{ACCOUNT}:compute-quota/a1b2c3d4e5f6",
    "ComputeQuotaId": "a1b2c3d4e5f6",
    "Name": "orchid-quota",
    "ComputeQuotaVersion": 1,
    "Status": "Created",
    "ClusterArn": f"arn:aws:sagemaker:us-west-2:{ACCOUNT}:cluster/qy1eks0k3t9x",
    "ComputeQuotaConfig": {"ComputeQuotaResources": [{"InstanceType": "ml.p5.48xlarge", "Count": 1}]},
    "ComputeQuotaTarget": {"TeamName": "orchid", "FairShareWeight": 10},
    "ActivationState": "Enabled",
}
HYPERPOD: dict[str, Json] = {
    "ClusterArn": f"arn:aws:sagemaker:us-west-2:{ACCOUNT}:cluster/qy1eks0k3t9x",
    "ClusterName": "quay-hp",
    "ClusterStatus": "InService",
    "InstanceGroups": [],
    "Orchestrator": {"Eks": {"ClusterArn": f"arn:aws:eks:us-west-2:{ACCOUNT}:cluster/quay"}},
}


def test_a_compute_quota_belongs_to_the_cluster_that_its_arn_means() -> None:
    def document(kind: str, value: Json) -> Document:
        return Document(f"{kind}.json", kind, Form.JSON, value, "", "", origin=Origin(ACCOUNT, "us-west-2"))

    summaries: Json = {"ComputeQuotaSummaries": [QUOTA]}
    facts, gaps = parse(
        [
            document("aws:sagemaker:list-compute-quotas", summaries),
            document("aws:sagemaker:describe-compute-quota", QUOTA),
            document("aws:sagemaker:describe-cluster", HYPERPOD),
        ]
    )

    assert gaps == ()
    assert [(quota.cluster, quota.at.document) for quota in facts.of(ComputeQuota)] == [
        (f"{ACCOUNT}/us-west-2/quay", "aws:sagemaker:describe-compute-quota.json")
    ]
    assert facts.listed("ComputeQuota", f"{ACCOUNT}/us-west-2/quay")
