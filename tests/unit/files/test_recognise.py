"""Answers are known by their content; names decide only between answers that look alike."""

import json
from pathlib import Path

import pytest

from partywall.files.aws_shapes import SHAPES
from partywall.files.recognise import recognise_value
from partywall.model.document import Direction, Reason
from partywall.model.evidence import Json
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane
from tests.unit.files.folders import CLUSTER, gap_texts, kinds, namespace, only, reading

ROLE = {"RoleName": "a", "RoleId": "AROAEXAMPLE", "Arn": "arn:aws:iam::111122223333:role/a", "AssumeRolePolicyDocument": {}}
BUCKET_POLICY = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::capacity-vision-data/*"}],
}
KEY_POLICY = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::111122223333:root"}, "Action": "kms:*", "Resource": "*"}],
}
KEY = "1234abcd-12ab-34cd-56ef-1234567890ab"


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("aws:iam:get-account-authorization-details", {"UserDetailList": [], "GroupDetailList": [], "RoleDetailList": [], "Policies": []}),
        ("aws:iam:list-roles", {"Roles": [ROLE]}),
        ("aws:iam:list-users", {"Users": [{"UserName": "a", "UserId": "b", "Arn": "c"}]}),
        ("aws:identitystore:list-users", {"Users": [{"UserName": "a", "UserId": "b", "IdentityStoreId": "d-1"}]}),
        ("aws:identitystore:list-groups", {"Groups": [{"GroupId": "a", "DisplayName": "b", "IdentityStoreId": "d-1"}]}),
        ("aws:iam:list-policies", {"Policies": [{"PolicyName": "a", "PolicyId": "b", "Arn": "c"}]}),
        ("aws:organizations:list-policies", {"Policies": [{"Id": "p-1", "Type": "SERVICE_CONTROL_POLICY", "AwsManaged": False}]}),
        ("aws:iam:get-policy", {"Policy": {"PolicyName": "a", "Arn": "b"}}),
        ("aws:organizations:describe-policy", {"Policy": {"PolicySummary": {}, "Content": "{}"}}),
        ("aws:s3api:get-bucket-policy", {"Policy": json.dumps(BUCKET_POLICY)}),
        ("aws:kms:get-key-policy", {"Policy": json.dumps(KEY_POLICY)}),
        ("aws:kms:get-key-policy", {"Policy": json.dumps(KEY_POLICY), "PolicyName": "default"}),
        ("aws:kms:list-grants", {"Grants": [{"GrantId": "a", "KeyId": "b"}]}),
        ("aws:s3api:get-bucket-acl", {"Owner": {"ID": "a"}, "Grants": []}),
        ("aws:secretsmanager:get-resource-policy", {"ARN": "arn:aws:secretsmanager:us-east-2:111122223333:secret:a", "Name": "a"}),
        ("aws:secretsmanager:describe-secret", {"ARN": "a", "Name": "a", "CreatedDate": "2026-01-01"}),
        ("aws:efs:describe-file-system-policy", {"FileSystemId": "fs-1", "Policy": "{}"}),
        ("aws:efs:describe-file-systems", {"FileSystems": [{"FileSystemId": "fs-1", "PerformanceMode": "generalPurpose"}]}),
        ("aws:fsx:describe-file-systems", {"FileSystems": [{"FileSystemId": "fs-1", "FileSystemType": "LUSTRE"}]}),
        ("aws:eks:describe-cluster", CLUSTER),
        ("aws:sagemaker:describe-cluster", {"ClusterArn": "a", "ClusterName": "b", "InstanceGroups": []}),
        ("aws:eks:list-access-entries", {"accessEntries": ["arn:aws:iam::111122223333:role/a"]}),
        ("aws:eks:list-access-entries", {"accessEntries": []}),
        ("aws:sso-admin:list-accounts-for-provisioned-permission-set", {"AccountIds": ["111122223333"]}),
        ("aws:ssm:describe-document-permission", {"AccountIds": [], "AccountSharingInfoList": []}),
        ("aws:datazone:list-connections", {"items": [{"connectionId": "a", "domainId": "b"}]}),
        ("aws:datazone:list-projects", {"items": [{"domainId": "a", "id": "b", "createdBy": "c", "domainUnitId": "d"}]}),
        ("aws:ec2:describe-security-groups", {"SecurityGroups": [{"GroupId": "sg-1"}]}),
        ("aws:efs:describe-mount-target-security-groups", {"SecurityGroups": ["sg-1"]}),
        ("aws:iam:policy", BUCKET_POLICY),
        ("kubernetes", namespace("a")),
        ("kubernetes", [namespace("a"), namespace("b")]),
        ("partywall:tenants", {"schema": "partywall/tenants/v1", "tenants": []}),
        ("partywall:tenants", {"tenants": [{"name": "vision"}]}),
        ("partywall:contract", {"schema": "partywall/contract/v1", "tenant": "vision"}),
        ("partywall:sources", {"schema": "partywall/sources/v1", "files": []}),
        ("slurm:provisioning-parameters", {"version": "1.0.0", "workload_manager": "slurm", "controller_group": "c"}),
        ("unknown", [{"op": "add", "path": "/a"}]),
        ("unknown", {"apiVersion": "v1", "kind": "Config", "clusters": [], "contexts": [], "users": []}),
        ("unknown", "a word"),
    ],
)
def test_the_content_says_what_it_is(kind: str, answer: Json) -> None:
    found = recognise_value(answer, "saved-by-somebody.json")

    assert (found.kind, found.rivals) == (kind, ())


def test_every_shape_of_the_table_recognises_itself() -> None:
    """No row hides another: an answer made of a row's own demands is that row's, or one of several that only a name tells apart."""
    lost = []
    for shape in SHAPES:
        answer: dict[str, Json] = {}
        for token in shape.tokens:
            inside: dict[str, Json] = {key: "x" for key in token.inside if not key.startswith("!")}
            made: dict[str, Json] = {"$": "x", "{": inside, "[": ["x"] if token.inside == ("$",) else [inside], "": "x"}
            if not token.absent:
                answer[token.key] = made[token.form]
        found = recognise_value(answer, "x.json")
        if shape.kind != found.kind and shape.kind not in found.rivals and "-for-" not in shape.kind:
            lost.append((shape.kind, found.kind, found.rivals))

    assert [kind for kind, *_ in lost] == [
        "aws:iam:list-groups",
        "aws:sso-admin:list-account-assignments",
    ]


def test_a_name_decides_between_answers_that_look_alike(tmp_path: Path) -> None:
    found = reading(
        tmp_path,
        {
            "aws-iam-list-attached-role-policies--trainer.json": {"AttachedPolicies": [{"PolicyName": "a", "PolicyArn": "b"}]},
            "attached-user-policies--ana.json": {"AttachedPolicies": []},
            "kms-key-policy--vision.json": {"Policy": "not even JSON"},
        },
    )

    assert found.gaps == ()
    assert kinds(found) == {
        "aws-iam-list-attached-role-policies--trainer.json": "aws:iam:list-attached-role-policies",
        "attached-user-policies--ana.json": "aws:iam:list-attached-user-policies",
        "kms-key-policy--vision.json": "aws:kms:get-key-policy",
    }
    assert [document.origin.subject for document in found.documents] == ["ana", "trainer", "alias/vision"]


def test_an_answer_that_may_be_anybodys_is_a_gap(tmp_path: Path) -> None:
    found = reading(tmp_path, {"a.json": {"Policy": "not even JSON"}})

    (gap,) = found.gaps
    assert gap.what.startswith("a.json: it may be the answer of aws s3api get-bucket-policy or aws s3control get-access-point-policy or")
    assert (gap.reason, gap.lanes) == (Reason.AMBIGUOUS, (Lane.DATA,))


def test_the_keys_of_another_sdk_are_a_gap(tmp_path: Path) -> None:
    found = reading(tmp_path, {"gaad.json": {"userDetailList": [], "groupDetailList": [], "roleDetailList": [], "policies": []}})

    assert gap_texts(found) == [
        "gaad.json: it looks like the answer of aws iam get-account-authorization-details with its keys spelt otherwise"
    ]


def test_answers_in_a_row_become_documents_of_their_own_on_their_own_lines(tmp_path: Path) -> None:
    entries = [{"accessEntry": {"principalArn": f"arn:aws:iam::111122223333:role/{name}"}} for name in ("a", "b")]
    found = reading(tmp_path, {"all.json": "\n".join(json.dumps(entry, indent=1) for entry in entries), "array.json": entries})

    assert kinds(found) == {f"{name}.json~{number}": "aws:eks:describe-access-entry" for name in ("all", "array") for number in (1, 2)}
    second = next(document for document in found.documents if document.name == "all.json~2")
    assert second.value == entries[1]
    assert second.text.count("\n", 0, second.text.index("role/b")) + 1 == 8


def test_objects_in_a_row_stay_one_document(tmp_path: Path) -> None:
    document = only(tmp_path, {"ns.json": json.dumps(namespace("a")) + json.dumps(namespace("b"))})

    assert document.value == [namespace("a"), namespace("b")]


def test_a_file_of_several_kinds_is_taken_apart(tmp_path: Path) -> None:
    found = reading(
        tmp_path, {"all.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\nschema: partywall/tenants/v1\ntenants: []\n"}
    )

    assert kinds(found) == {"all.yaml~1": "kubernetes", "all.yaml~2": "partywall:tenants"}


def test_a_typed_list_gives_its_items_their_kind(tmp_path: Path) -> None:
    document = only(tmp_path, {"pods.json": {"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {"name": "a"}}]}})

    assert document.value == {
        "apiVersion": "v1",
        "kind": "PodList",
        "items": [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}],
    }


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("a.json", {"metadata": {"name": "a", "namespace": "b"}, "roleRef": {}, "subjects": []}, "RoleBinding"),
        ("a.json", {"metadata": {"name": "a"}, "roleRef": {}, "subjects": []}, "ClusterRoleBinding"),
        ("a.json", {"metadata": {"name": "a"}, "rules": []}, "ClusterRole"),
        ("a.json", {"metadata": {"name": "a"}, "spec": {"podSelector": {}, "ingress": []}}, "NetworkPolicy"),
        ("config/serviceaccounts/vision/trainer.json", {"metadata": {"name": "trainer"}}, "ServiceAccount"),
        ("config/node/master-0.json", {"metadata": {"name": "master-0"}, "status": {}}, "Node"),
    ],
)
def test_an_object_without_a_kind_is_known_by_content_or_path(tmp_path: Path, name: str, value: Json, kind: str) -> None:
    document = only(tmp_path, {name: value})

    assert isinstance(document.value, dict)
    assert (document.kind, document.value["kind"]) == ("kubernetes", kind)


def test_an_object_whose_kind_nobody_tells_is_listed(tmp_path: Path) -> None:
    assert only(tmp_path, {"config/machines/a.json": {"metadata": {"name": "a"}, "spec": {}}}).kind == "unknown"


def test_a_cluster_dump_on_one_stream_is_read_without_its_logs(tmp_path: Path) -> None:
    pods = json.dumps({"apiVersion": "v1", "kind": "PodList", "items": []}, indent=2)
    log = "==== START logs for container a of pod b/c ====\npassword=hunter2\n==== END logs for container a of pod b/c ====\n"
    document = only(tmp_path, {"dump.txt": f"{pods}\n{log}{pods}\n"})

    assert document.kind == "kubernetes"
    assert isinstance(document.value, list)
    assert len(document.value) == 2
    assert "hunter2" not in document.text
    assert document.text.count("\n") == 13


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("slurm:sacctmgr-show-assoc", "Cluster|Account|User|Partition|Share|QOS|Def QOS\nc|root|||1|normal|\n"),
        ("slurm:sacctmgr-show-assoc", "Account|User|Share|QOS\nroot||1|normal\n"),
        ("slurm:sacctmgr-show-user", "User|Def Acct|Admin|Cluster|Account|Partition\nana|vision|None|c|vision|\n"),
        ("slurm:sacctmgr-show-account", "Account|Descr|Org|Coord Accounts\nvision|v|v|ana\n"),
        ("slurm:sacctmgr-show-qos", "Name|Priority|GraceTime|Preempt|Flags\nnormal|0|00:00:00||\n"),
        (
            "slurm:sacctmgr-show-qos",
            "      Name   Priority  GraceTime    Preempt\n---------- ---------- ---------- ----------\n    normal          0   00:00:00\n",
        ),
        ("slurm:sacctmgr-dump", "# To edit this file\nCluster - 'c':Fairshare=1\nParent - 'root'\n"),
        ("slurm:scontrol-show-config", "Configuration data as of 2026-11-30T10:00:00\nAccountingStorageEnforce = none\n"),
        ("slurm:sacctmgr-show-config", "Configuration data as of 2026-11-30T10:00:00\nAccountingStorageHost = h\nPrivateData = none\n"),
        ("slurm:scontrol-show-partition", "PartitionName=gpu\n   AllowGroups=ALL AllowAccounts=ALL\n"),
        ("slurm:scontrol-show-partition", "PartitionName=gpu AllowGroups=ALL AllowAccounts=ALL\n"),
        ("slurm:scontrol-show-reservation", "No reservations in the system\n"),
        ("slurm:scontrol-show-assoc_mgr", "Current Association Manager state\n\nUser Records\n"),
        ("slurm:scontrol-show-job", "JobId=1 JobName=a\n   UserId=ana(7001)\n"),
        ("slurm:slurm.conf", "# by hand\nClusterName=c\nPrivateData=jobs\ninclude accounting.conf\n"),
        ("slurm:slurm.conf", "PartitionName=gpu Nodes=n[1-4] State=UP\n"),
        ("slurm:slurm.conf", "PriorityWeightPartition=100\n"),
        ("slurm:slurmdbd.conf", "AuthType=auth/munge\nDbdHost=h\nStorageType=accounting_storage/mysql\n"),
        ("slurm:gres.conf", "NodeName=n1 Name=gpu Type=h100 File=/dev/nvidia[0-7]\n"),
        ("slurm:topology.conf", "SwitchName=s1 Nodes=n[1-4]\n"),
        ("slurm:plugstack.conf", "required /usr/lib/slurm/spank_pyxis.so\ninclude /etc/slurm/plugstack.conf.d/*\n"),
        ("unknown", "Dear all,\nplease find the files below = here\n"),
    ],
)
def test_slurm_text_is_known_by_its_content(tmp_path: Path, kind: str, text: str) -> None:
    assert only(tmp_path, {"saved.txt": text}).kind == kind


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("AccessDenied", Reason.DENIED),
        ("AccessDeniedException", Reason.DENIED),
        ("UnauthorizedOperation", Reason.DENIED),
        ("ThrottlingException", Reason.THROTTLED),
        ("UnsupportedOperation", Reason.UNSUPPORTED),
        ("NoSuchBucket", Reason.ABSENT),
        ("InternalError", Reason.UNEVALUABLE),
    ],
)
def test_an_error_in_the_place_of_an_answer_is_a_gap_about_its_subject(tmp_path: Path, code: str, reason: Reason) -> None:
    error = f"\nAn error occurred ({code}) when calling the GetBucketPolicy operation: nothing for you\n"
    found = reading(tmp_path, {"aws-s3api-get-bucket-policy--capacity-vision-data.json": error})

    (gap,) = found.gaps
    assert found.documents == ()
    assert (gap.reason, gap.direction, gap.lanes) == (reason, Direction.INCOMING, (Lane.DATA,))
    assert gap.nodes == (Node(Kind.BUCKET, "", "capacity-vision-data"),)
    assert gap.what == f"aws-s3api-get-bucket-policy--capacity-vision-data.json: {code}: nothing for you"
    assert gap.remedy == "run it with the right to: aws s3api get-bucket-policy --bucket capacity-vision-data --output json"


def test_no_policy_at_all_is_an_answer(tmp_path: Path) -> None:
    error = "An error occurred (NoSuchBucketPolicy) when calling the GetBucketPolicy operation: The bucket policy does not exist"
    document = only(tmp_path, {"aws-s3api-get-bucket-policy--b.json": error})

    assert (document.kind, document.origin.subject, document.value) == ("aws:s3api:get-bucket-policy", "b", {"Policy": '{"Statement": []}'})


def test_a_refused_limit_blinds_nothing(tmp_path: Path) -> None:
    error = "An error occurred (AccessDeniedException) when calling the ListPolicies operation: no"

    (gap,) = reading(tmp_path, {"aws-organizations-list-policies.json": error}).gaps

    assert gap.lanes == ()


def test_an_empty_answer_file_is_a_gap(tmp_path: Path) -> None:
    found = reading(
        tmp_path, {"aws-iam-get-account-authorization-details.json": "", "kubectl-get-rolebindings.json": "\n", "notes.txt": ""}
    )

    assert gap_texts(found) == [
        "aws-iam-get-account-authorization-details.json: the file is empty: the command printed nothing, so it failed",
        "kubectl-get-rolebindings.json: the file is empty: the command printed nothing, so it failed",
    ]
    assert kinds(found) == {"notes.txt": "unknown"}


def test_kubectl_refused_is_a_gap_and_a_kind_that_is_not_installed_is_none(tmp_path: Path) -> None:
    found = reading(
        tmp_path,
        {
            "kubectl-get-pods.json": 'Error from server (Forbidden): pods is forbidden: User "reader" cannot list resource "pods"\n',
            "kubectl-get-clusterqueues.json": 'error: the server doesn\'t have a resource type "clusterqueues"\n',
        },
    )

    assert [(gap.source, gap.reason) for gap in found.gaps] == [("kubectl-get-pods.json", Reason.DENIED)]
    assert kinds(found) == {"kubectl-get-clusterqueues.json": "unknown"}


@pytest.mark.parametrize(
    ("files", "incomplete"),
    [
        pytest.param({"a.json": {"Roles": [ROLE], "IsTruncated": True, "Marker": "x"}}, True, id="first page only"),
        pytest.param({"a.json": {"Roles": [ROLE], "IsTruncated": False, "Marker": "x"}}, False, id="the flag beats the token"),
        pytest.param(
            {"a-1.json": {"accessEntries": ["a"], "nextToken": "x"}, "a-2.json": {"accessEntries": ["b"]}}, False, id="both pages"
        ),
        pytest.param(
            {"a-1.json": {"accessEntries": ["a"], "nextToken": "x"}, "a-3.json": {"accessEntries": ["b"]}},
            True,
            id="a page between is missing",
        ),
        pytest.param(
            {"a.json": {"apiVersion": "v1", "kind": "List", "metadata": {"continue": "x", "remainingItemCount": 7}, "items": []}},
            True,
            id="kubectl",
        ),
        pytest.param(
            {"a.json": {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": []}}, False, id="a whole list"
        ),
    ],
)
def test_a_listing_that_goes_on_elsewhere_is_a_gap(tmp_path: Path, files: dict[str, object], incomplete: bool) -> None:
    found = reading(tmp_path, files)

    assert [gap.reason for gap in found.gaps] == ([Reason.ABSENT] if incomplete else [])
    assert len(found.documents) == len(files)
