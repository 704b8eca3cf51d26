"""Where a document speaks of: its own words, its name, sources.yaml, its folder, the only candidate; else a gap."""

import json
from pathlib import Path

import pytest

from partywall.model.document import Origin, Provenance
from partywall.model.evidence import Json
from tests.unit.files.folders import CLUSTER, gap_texts, namespace, reading

CAPACITY = "111122223333/us-east-2/capacity"
TENANTS = """schema: partywall/tenants/v1
clusters:
- {name: capacity, account: "111122223333", region: us-east-2, orchestrator: eks}
- {name: hp, account: "111122223333", region: us-east-2, orchestrator: slurm}
tenants: []
"""
ASSOC = "Cluster|Account|User|Partition|Share|QOS\nc|root|||1|normal\n"
KEY = "1234abcd-12ab-34cd-56ef-1234567890ab"
KEY_ARN = f"arn:aws:kms:us-east-2:111122223333:key/{KEY}"
KEY_POLICY = {"Policy": json.dumps({"Statement": {"Effect": "Allow", "Principal": "*", "Action": "kms:*", "Resource": "*"}})}


def cluster(name: str, account: str = "111122223333", region: str = "us-east-2") -> dict[str, Json]:
    return {"cluster": {"name": name, "arn": f"arn:aws:eks:{region}:{account}:cluster/{name}", "roleArn": "r"}}


def origins(tmp_path: Path, files: dict[str, object]) -> dict[str, Origin]:
    found = reading(tmp_path, files)
    assert found.gaps == ()
    return {document.name: document.origin for document in found.documents}


def test_the_only_cluster_of_the_folder_is_meant(tmp_path: Path) -> None:
    found = origins(
        tmp_path, {"c.json": CLUSTER, "k8s.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n", "e.json": {"accessEntries": []}}
    )

    assert {origin.cluster for origin in found.values()} == {CAPACITY}


def test_the_tenancy_names_the_cluster_for_each_orchestrator(tmp_path: Path) -> None:
    found = origins(tmp_path, {"tenants.yaml": TENANTS, "ns.json": namespace("a"), "assoc.txt": ASSOC})

    assert found["ns.json"] == Origin("111122223333", "us-east-2", CAPACITY)
    assert found["assoc.txt"].cluster == "111122223333/us-east-2/hp"


def test_a_cluster_that_nobody_names_has_no_name(tmp_path: Path) -> None:
    assert origins(tmp_path, {"a/ns.json": namespace("a"), "b/ns.json": namespace("b")}) == {
        "a/ns.json": Origin(cluster="//cluster"),
        "b/ns.json": Origin(cluster="//cluster"),
    }


def test_folders_that_hold_copies_of_one_object_are_different_clusters(tmp_path: Path) -> None:
    found = origins(tmp_path, {"east/ns.json": namespace("default"), "west/all.json": [namespace("default"), namespace("a")]})

    assert {name: origin.cluster for name, origin in found.items()} == {"east/ns.json": "//east", "west/all.json": "//west"}


@pytest.mark.parametrize("name", ["west/ns.json", "111122223333/us-east-2/west/ns.json", "deep/west/below/ns.json", "ns--west.json"])
def test_a_folder_or_a_key_with_the_name_of_a_cluster_means_it(tmp_path: Path, name: str) -> None:
    found = origins(tmp_path, {"a.json": cluster("east"), "b.json": cluster("west"), name: namespace("a")})

    assert found[name].cluster == "111122223333/us-east-2/west"


def test_the_cluster_described_in_the_nearest_folder_is_meant(tmp_path: Path) -> None:
    found = origins(tmp_path, {"one/a.json": cluster("east"), "two/b.json": cluster("west"), "two/k8s/ns.json": namespace("a")})

    assert found["two/k8s/ns.json"].cluster == "111122223333/us-east-2/west"


def test_objects_of_one_of_several_clusters_are_a_gap(tmp_path: Path) -> None:
    found = reading(tmp_path, {"a.json": cluster("east"), "b.json": cluster("west"), "ns.json": namespace("a")})

    assert gap_texts(found) == ["ns.json: it may speak of 111122223333/us-east-2/east, 111122223333/us-east-2/west"]
    assert [document.name for document in found.documents] == ["a.json", "b.json"]


def test_an_answer_of_eks_names_its_cluster_itself(tmp_path: Path) -> None:
    entry = {
        "accessEntry": {
            "principalArn": "arn:aws:iam::444455556666:role/x",
            "accessEntryArn": "arn:aws:eks:eu-west-1:444455556666:access-entry/other/role/444455556666/x/1",
        }
    }
    found = origins(
        tmp_path,
        {"a.json": CLUSTER, "b.json": entry, "c.json": {"clusterName": "capacity", "principalArn": "p", "associatedAccessPolicies": []}},
    )

    assert found["b.json"] == Origin("444455556666", "eu-west-1", "444455556666/eu-west-1/other")
    assert found["c.json"].cluster == CAPACITY


def test_a_hyperpod_cluster_on_eks_means_the_eks_cluster_and_on_slurm_itself(tmp_path: Path) -> None:
    arn = "arn:aws:sagemaker:us-east-2:111122223333:cluster/abc"
    on_eks = {
        "ClusterArn": arn,
        "ClusterName": "hp",
        "InstanceGroups": [],
        "Orchestrator": {"Eks": {"ClusterArn": "arn:aws:eks:us-east-2:111122223333:cluster/capacity"}},
    }
    on_slurm = {"ClusterArn": arn, "ClusterName": "batch", "InstanceGroups": [], "Orchestrator": {"Slurm": {}}}
    found = origins(tmp_path, {"eks/a.json": on_eks, "slurm/b.json": on_slurm, "slurm/assoc.txt": ASSOC, "eks/ns.json": namespace("a")})

    assert [found[name].cluster.rsplit("/", 1)[-1] for name in sorted(found)] == ["capacity", "capacity", "batch", "batch"]


@pytest.mark.parametrize(
    ("name", "extra"),
    [
        pytest.param(f"aws-kms-get-key-policy--{KEY}.json", {}, id="an id as key"),
        pytest.param(f"kms-key-policy--{KEY_ARN.replace('/', '%2F').replace(':', '%3A')}.json", {}, id="an ARN as key"),
        pytest.param(
            "kms-key-policy--vision.json",
            {"al.json": {"Aliases": [{"AliasName": "alias/vision", "TargetKeyId": KEY}]}},
            id="an alias as key",
        ),
        pytest.param(
            "kms-key-policy--main.json",
            {"keys.json": {"Keys": [{"KeyId": KEY, "KeyArn": KEY_ARN}]}},
            id="the only key, whatever it is called",
        ),
        pytest.param("policy.json", {"keys.json": {"Keys": [{"KeyId": KEY, "KeyArn": KEY_ARN}]}}, id="the only key"),
        pytest.param(
            "kms-key-policy--a.json",
            {"tenants.yaml": f"tenants:\n- {{name: v, keys: ['{KEY_ARN}']}}\n"},
            id="the only key of the tenancy",
        ),
        pytest.param(
            "policy.json",
            {"sources.yaml": f"schema: partywall/sources/v1\nfiles:\n- {{match: 'pol*.json', subject: {KEY}}}\n"},
            id="sources.yaml",
        ),
    ],
)
def test_the_key_of_a_key_policy_is_an_arn(tmp_path: Path, name: str, extra: dict[str, object]) -> None:
    found = origins(tmp_path, {"c.json": CLUSTER, name: KEY_POLICY, **extra})

    assert found[name].subject == KEY_ARN


def test_a_policy_of_nobody_knows_what_is_a_gap(tmp_path: Path) -> None:
    found = reading(tmp_path, {"c.json": CLUSTER, "policy.json": KEY_POLICY})

    (gap,) = found.gaps
    assert gap.what == "policy.json: it does not say which key it speaks of"
    assert gap.remedy == "add the key to the name, as in aws-kms-get-key-policy--NAME.json, or to sources.yaml"


def test_a_bucket_policy_names_its_bucket_itself(tmp_path: Path) -> None:
    policy = {
        "Policy": json.dumps(
            {"Statement": [{"Resource": ["arn:aws:s3:::b", "arn:aws:s3:::b/*"], "Action": "s3:*", "Effect": "Deny", "Principal": "*"}]}
        )
    }

    assert origins(tmp_path, {"s3-bucket-policy--other.json": policy})["s3-bucket-policy--other.json"].subject == "b"


def test_account_and_region_come_from_arns_then_from_folders(tmp_path: Path) -> None:
    role = {"RoleName": "a", "RoleId": "A", "Arn": "arn:aws:iam::777788889999:role/a"}
    found = origins(
        tmp_path,
        {
            "111122223333/us-west-2/buckets.json": {"Buckets": [{"Name": "a"}], "Owner": {}},
            "111122223333/role.json": {"Role": role},
            "111122223333/roles.json": {"Roles": []},
        },
    )

    assert found["111122223333/us-west-2/buckets.json"] == Origin("111122223333", "us-west-2")
    assert found["111122223333/role.json"].account == "777788889999"
    assert found["111122223333/roles.json"].account == "111122223333"


def test_sources_give_provenance_and_the_last_entry_wins(tmp_path: Path) -> None:
    sources = """schema: partywall/sources/v1
files:
- {match: "**", at: "2026-11-01T00:00:00Z", by: "arn:aws:sts::111122223333:assumed-role/Reader/a"}
- {match: "prod/*.json", cluster: 111122223333/us-east-2/prod, at: "2026-11-02T00:00:00Z", request: kubectl get ns}
"""
    found = reading(tmp_path, {"sources.yaml": sources, "prod/ns.json": namespace("a"), "prod/deep/ns.json": namespace("b")})

    named = {document.name: document for document in found.documents}
    assert named["prod/ns.json"].origin.cluster == "111122223333/us-east-2/prod"
    assert named["prod/ns.json"].provenance == Provenance(
        "supplied", "2026-11-02T00:00:00Z", "arn:aws:sts::111122223333:assumed-role/Reader/a", "kubectl get ns"
    )
    assert named["prod/deep/ns.json"].provenance.at == "2026-11-01T00:00:00Z"
    assert found.taken == "2026-11-02T00:00:00Z"


def test_a_wrong_key_of_sources_is_a_gap_with_its_line_and_the_nearest_name(tmp_path: Path) -> None:
    found = reading(tmp_path, {"sources.yaml": "schema: partywall/sources/v1\nfiles:\n- match: '*'\n  clustre: a\n- account: '1'\n"})

    assert gap_texts(found) == [
        "sources.yaml:4: unknown key 'clustre'; did you mean 'cluster'?",
        "sources.yaml:5: an entry needs `match`, a pattern of file names",
    ]


def test_the_time_of_reading_dates_what_has_no_date(tmp_path: Path) -> None:
    assert reading(tmp_path, {"a.json": namespace("a")}).taken == "2026-11-30T10:00:00Z"


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        pytest.param({"metadata": {"name": "a"}}, {"metadata": {"name": "a"}}, False, id="identical"),
        pytest.param(
            {"metadata": {"name": "a", "resourceVersion": "1"}, "status": 1},
            {"metadata": {"name": "a"}, "status": 2},
            False,
            id="status only",
        ),
        pytest.param(
            {"metadata": {"name": "a", "labels": {"t": "x"}}}, {"metadata": {"name": "a", "labels": {"t": "y"}}}, True, id="labels"
        ),
        pytest.param({"metadata": {"name": "a", "annotations": {"r": "x"}}}, {"metadata": {"name": "a"}}, True, id="annotations"),
        pytest.param(
            {"metadata": {"name": "a", "namespace": "n"}}, {"metadata": {"name": "a", "namespace": "m"}}, False, id="two namespaces"
        ),
    ],
)
def test_two_copies_that_differ_are_a_gap(tmp_path: Path, one: dict[str, Json], other: dict[str, Json], differ: bool) -> None:
    kind = {"apiVersion": "v1", "kind": "ServiceAccount"}
    found = reading(tmp_path, {"a.json": {**kind, **one}, "b.json": {"apiVersion": "v1", "kind": "List", "items": [{**kind, **other}]}})

    assert gap_texts(found) == (["ServiceAccount a: a.json# and b.json#/items/0 say different things"] if differ else [])


def test_two_copies_of_a_role_that_differ_are_a_gap(tmp_path: Path) -> None:
    role: dict[str, Json] = {"RoleName": "a", "RoleId": "A", "Arn": "arn:aws:iam::111122223333:role/a", "RoleLastUsed": {}}
    found = reading(
        tmp_path,
        {
            "a.json": {"RoleDetailList": [role]},
            "b.json": {"RoleDetailList": [{**role, "RoleLastUsed": {"Region": "x"}}]},
            "c.json": {"RoleDetailList": [{**role, "Tags": []}]},
        },
    )

    assert gap_texts(found) == [
        "arn:aws:iam::111122223333:role/a: a.json#/RoleDetailList/0 and c.json#/RoleDetailList/0 say different things"
    ]


def test_a_cluster_of_the_same_name_elsewhere_is_told_apart_by_the_region(tmp_path: Path) -> None:
    answer = {"clusterName": "a", "principalArn": "p", "associatedAccessPolicies": []}
    found = origins(tmp_path, {"x.json": cluster("a"), "y.json": cluster("a", region="us-west-2"), "us-west-2/p.json": answer})

    assert found["us-west-2/p.json"].cluster == "111122223333/us-west-2/a"


@pytest.mark.parametrize(("other", "differ"), [(["b", "a"], False), (["a"], True)])
def test_two_lists_of_one_cluster_must_agree(tmp_path: Path, other: list[str], differ: bool) -> None:
    found = reading(tmp_path, {"c.json": CLUSTER, "one.json": {"accessEntries": ["a", "b"]}, "other.json": {"accessEntries": other}})

    assert gap_texts(found) == (
        [f"aws eks list-access-entries of {CAPACITY}: one.json# and other.json# say different things"] if differ else []
    )


def test_answers_in_yaml_name_their_account_too(tmp_path: Path) -> None:
    text = "RoleDetailList:\n- Arn: arn:aws:iam::777788889999:role/a\n  RoleName: a\nUserDetailList: []\n"

    assert origins(tmp_path, {"gaad.yaml": text})["gaad.yaml"].account == "777788889999"


def test_a_managed_policy_may_be_used_more_in_one_account_than_in_another(tmp_path: Path) -> None:
    policy: dict[str, Json] = {"PolicyName": "a", "Arn": "arn:aws:iam::aws:policy/a", "AttachmentCount": 1}
    found = reading(tmp_path, {f"{n}.json": {"RoleDetailList": [], "Policies": [{**policy, "AttachmentCount": n}]} for n in (1, 2)})

    assert found.gaps == ()


def test_a_key_policy_named_after_an_alias_of_the_tenancy_means_it(tmp_path: Path) -> None:
    arns = [f"arn:aws:kms:us-east-2:111122223333:alias/{name}" for name in ("vision", "nlp")]
    tenants = f"tenants:\n- {{name: v, keys: ['{arns[0]}']}}\n- {{name: n, keys: ['{arns[1]}']}}\n"

    found = origins(tmp_path, {"tenants.yaml": tenants, "kms-key-policy--nlp.json": KEY_POLICY})

    assert found["kms-key-policy--nlp.json"].subject == arns[1]
