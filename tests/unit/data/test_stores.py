"""Keys, secrets, repositories, logs; data that others run."""

import json

from partywall.model.document import Document
from partywall.model.evidence import Evidence
from partywall.model.facts_eks import PodIdentity
from partywall.model.facts_kubernetes import Workload
from partywall.resolve.data import RESOLVER
from tests.unit.aws import (
    ACCOUNT,
    CLUSTER,
    REGION,
    STRANGER,
    Json,
    account,
    allow,
    answer,
    arn,
    bucket,
    edges,
    facts,
    lines,
    policy,
    role,
    trust,
)

KEY = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/11111111-2222-3333-4444-555555555555"
SECRET = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:vision/db-AbCdEf"
REPOSITORY = f"arn:aws:ecr:{REGION}:{ACCOUNT}:repository/vision/train"
ROOT = trust({"AWS": f"arn:aws:iam::{ACCOUNT}:root"}, "kms:*", Resource="*")
AT = Evidence("k8s.yaml", "/0")


def key_policy(*statements: Json) -> Document:
    return answer("kms:get-key-policy", {"Policy": json.dumps(policy(*statements))}, subject=KEY)


def grants(**more: object) -> Document:
    grant = {"KeyId": KEY, "GrantId": "g", "GranteePrincipal": arn("nlp"), "Operations": ["Decrypt"], **more}
    return answer("kms:list-grants", {"Grants": [grant]}, subject=KEY)


def test_a_key_policy_that_names_the_root_delegates() -> None:
    nlp, other = role("nlp", allow("kms:Decrypt", KEY)), role("other")

    assert lines(RESOLVER, facts(account(nlp, other), key_policy(ROOT))) == [f"role:nlp decrypt with key:{KEY.rsplit('/')[-1]}"]


def test_without_delegation_own_policies_do_nothing() -> None:
    only = trust({"AWS": arn("vision")}, "kms:*", Resource="*")

    assert lines(RESOLVER, facts(account(role("nlp", allow("kms:*"))), key_policy(only))) == []


def test_a_key_policy_that_nobody_read_leaves_it_unknown() -> None:
    assert lines(RESOLVER, facts(account(role("nlp", allow("kms:Decrypt", KEY))))) == [
        f"role:nlp decrypt with key:{KEY.rsplit('/')[-1]} (unknown)"
    ]


def test_a_grant_needs_no_policy() -> None:
    (edge,) = edges(RESOLVER, facts(account(role("nlp")), key_policy(ROOT), grants()))

    assert (edge.verb, edge.lever.text) == ("decrypt with", f"retire grant g of key {KEY}")


def test_an_encryption_context_is_the_callers_to_write() -> None:
    known = facts(account(role("nlp")), key_policy(ROOT), grants(Constraints={"EncryptionContextSubset": {"team": "nlp"}}))

    assert lines(RESOLVER, known) == [f"role:nlp decrypt with key:{KEY.rsplit('/')[-1]} (conditional)"]


def test_a_secret_is_read_by_its_policy_or_by_ones_own() -> None:
    opened = answer(
        "secretsmanager:get-resource-policy",
        {
            "ARN": SECRET,
            "Name": "vision/db",
            "ResourcePolicy": json.dumps(policy(trust({"AWS": arn("b")}, "secretsmanager:GetSecretValue", Resource="*"))),
        },
    )
    found = lines(
        RESOLVER, facts(account(role("a", allow("secretsmanager:GetSecretValue", f"{SECRET[:-6]}??????")), role("b"), role("c")), opened)
    )

    assert found == ["role:a read secret value secret:db-AbCdEf", "role:b read secret value secret:db-AbCdEf"]


def test_a_repository_lets_another_account_pull() -> None:
    text = json.dumps(policy({"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{STRANGER}:root"}, "Action": "ecr:BatchGetImage"}))
    opened = answer("ecr:get-repository-policy", {"registryId": ACCOUNT, "repositoryName": "vision/train", "policyText": text})

    assert lines(RESOLVER, facts(opened)) == [f"account:{STRANGER} pull images repository:train"]


def workload(image: str) -> Workload:
    return Workload(CLUSTER, "vision", "Pod", "p", {}, "default", False, (), AT, images=(image,))


def repositories(mutability: str) -> Document:
    row = {"repositoryArn": REPOSITORY, "repositoryName": "vision/train", "repositoryUri": "", "imageTagMutability": mutability}
    return answer("ecr:describe-repositories", {"repositories": [row]})


def pushing(image: str, mutability: str = "MUTABLE") -> list[str]:
    nlp = role("nlp", allow("ecr:PutImage"))
    found = lines(RESOLVER, facts(account(nlp), repositories(mutability), more=[workload(image)]))
    return [line for line in found if "run by" in line]


def test_whoever_pushes_runs_in_the_pods_that_pull() -> None:
    host = f"{ACCOUNT}.dkr.ecr.{REGION}.amazonaws.com"

    assert pushing(f"{host}/vision/train:latest") == ["role:nlp pushes images run by namespace:vision"]
    assert pushing(f"{host}/vision/train:latest", "IMMUTABLE") == ["role:nlp pushes images run by namespace:vision (conditional)"]
    assert pushing(f"{host}/vision/train@sha256:abc") == []
    assert pushing(f"{host}/other:latest") == []


def test_whoever_writes_lifecycle_scripts_runs_on_the_nodes() -> None:
    group = {"InstanceGroupName": "g", "ExecutionRole": arn("node"), "LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-scripts/base/"}}
    eks = {"Eks": {"ClusterArn": f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/capacity"}}
    hyperpod = answer(
        "sagemaker:describe-cluster",
        {
            "ClusterArn": f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:cluster/abc123",
            "ClusterName": "pod",
            "InstanceGroups": [group],
            "Orchestrator": eks,
        },
    )
    nlp = role("nlp", allow("s3:PutObject", "arn:aws:s3:::sagemaker-*/*"))
    found = lines(RESOLVER, facts(account(nlp), hyperpod, named=[bucket("sagemaker-scripts")]))

    assert "role:nlp writes scripts run by nodes:*" in found


def test_pod_tags_make_a_right_of_the_service_account() -> None:
    shared = role(
        "shared",
        allow("s3:GetObject", "arn:aws:s3:::all/${aws:PrincipalTag/kubernetes-namespace}/*"),
        trusts=[trust({"Service": "pods.eks.amazonaws.com"}, ["sts:AssumeRole", "sts:TagSession"])],
    )
    pods = [PodIdentity(CLUSTER, space, "sa", f"a-{space}", arn("shared"), "", "", True, "", AT) for space in ("vision", "nlp")]
    found = lines(RESOLVER, facts(account(shared), more=pods, named=[bucket("all/vision/"), bucket("all/nlp/")]))

    assert found == ["service-account:nlp/sa read prefix:all/nlp/", "service-account:vision/sa read prefix:all/vision/"]
