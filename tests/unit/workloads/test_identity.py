"""Which role the pods of a service account get."""

import json

from partywall.model.document import Document
from partywall.model.evidence import Json
from partywall.resolve.workloads import RESOLVER
from tests.unit.kube import document, edges, facts, gaps, inside, namespace, said

ROLE = "arn:aws:iam::111122223333:role/vision-work"
TARGET = "arn:aws:iam::444455556666:role/vision-data"
PODS: Json = {"Service": "pods.eks.amazonaws.com"}
BOTH: Json = ["sts:AssumeRole", "sts:TagSession"]


def association(**more: Json) -> Document:
    value = {"clusterName": "lab", "namespace": "vision", "serviceAccount": "trainer", "roleArn": ROLE, "associationId": "a-1", **more}
    return document("aws:eks:describe-pod-identity-association", {"association": value})


def account(
    arn: str = ROLE,
    principal: Json = PODS,
    condition: Json = None,
    number: str = "111122223333",
    action: Json = BOTH,
    refused: Json = None,
) -> Document:
    statement: dict[str, Json] = {"Effect": "Allow", "Principal": principal, "Action": action}
    if condition:
        statement["Condition"] = condition
    denial: Json = {"Effect": "Deny", "Principal": principal, "Action": action, "Condition": refused}
    trust: Json = {"Version": "2012-10-17", "Statement": [statement, denial] if refused else [statement]}
    described: Json = {"RoleName": arn.rsplit("/", 1)[-1], "Arn": arn, "AssumeRolePolicyDocument": trust, "RolePolicyList": []}
    value: Json = {"UserDetailList": [], "GroupDetailList": [], "RoleDetailList": [described], "Policies": []}
    return document("aws:iam:get-account-authorization-details", value, f"gaad-{number}.json")


RUNS = "service_account:vision/trainer runs as role:vision-work"


def test_an_association_gives_its_role() -> None:
    assert said(RESOLVER, association(), account()) == {RUNS}


def test_a_role_that_does_not_trust_pod_identity_is_not_given() -> None:
    assert said(RESOLVER, association(), account(principal={"Service": "ec2.amazonaws.com"})) == set()


def test_a_trust_that_asks_for_this_namespace_takes_it_and_one_that_asks_for_another_does_not() -> None:
    def trusting(name: str) -> Document:
        return account(condition={"StringEquals": {"aws:RequestTag/kubernetes-namespace": name}})

    assert said(RESOLVER, association(), trusting("vision")) == {RUNS}
    assert said(RESOLVER, association(), trusting("speech")) == set()


def test_without_session_tags_a_trust_that_asks_for_them_is_shut_and_one_that_asks_if_they_exist_is_open() -> None:
    asking = account(condition={"StringEquals": {"aws:RequestTag/kubernetes-namespace": "vision"}})
    if_there = account(condition={"StringEqualsIfExists": {"aws:RequestTag/kubernetes-namespace": "speech"}})

    assert said(RESOLVER, association(disableSessionTags=True), asking) == set()
    assert said(RESOLVER, association(disableSessionTags=True), if_there) == {RUNS}


def test_a_trust_that_lets_nobody_tag_sessions_takes_no_pods_with_tags() -> None:
    assuming = account(action="sts:AssumeRole")

    assert said(RESOLVER, association(), assuming) == set()
    assert said(RESOLVER, association(disableSessionTags=True), assuming) == {RUNS}


def test_a_denial_in_the_trust_wins() -> None:
    speech: Json = {"StringEquals": {"aws:RequestTag/kubernetes-namespace": "speech"}}
    vision: Json = {"StringEquals": {"aws:RequestTag/kubernetes-namespace": "vision"}}

    assert said(RESOLVER, association(), account(refused=speech)) == {RUNS}
    assert said(RESOLVER, association(), account(refused=vision)) == set()


def test_a_target_role_asks_for_the_external_id_of_the_association() -> None:
    def asking(external: str) -> Document:
        condition: Json = {"StringEquals": {"sts:ExternalId": external}}
        return account(TARGET, {"AWS": "arn:aws:iam::111122223333:root"}, condition, number="444455556666")

    described = association(targetRoleArn=TARGET, externalId="e-1")
    goes_on = "service_account:vision/trainer runs as role:vision-data"

    assert goes_on in said(RESOLVER, described, account(), asking("e-1"))
    assert goes_on not in said(RESOLVER, described, account(), asking("e-2"))


def test_a_trust_that_asks_for_another_cluster_or_account_takes_nobody_here() -> None:
    def asking(key: str, value: str) -> Document:
        return account(condition={"StringEquals": {key: value}})

    assert said(RESOLVER, association(), asking("aws:RequestTag/eks-cluster-name", "other")) == set()
    assert said(RESOLVER, association(), asking("aws:SourceAccount", "444455556666")) == set()


def test_a_condition_that_the_association_does_not_decide_stays() -> None:
    (edge,) = edges(RESOLVER, facts(association(), account(condition={"StringEquals": {"aws:SourceOrgID": "o-1"}})))

    assert edge.condition is not None
    assert edge.condition.text == "the trust policy of vision-work says aws:SourceOrgID StringEquals o-1"


def test_a_session_policy_leaves_it_open_what_follows() -> None:
    assert said(RESOLVER, association(policy=json.dumps({"Statement": []})), account()) == {f"{RUNS} (conditional)"}


def test_an_association_goes_on_to_its_target_role() -> None:
    found = said(RESOLVER, association(targetRoleArn=TARGET), account())

    assert found == {RUNS, "service_account:vision/trainer runs as role:vision-data"}


def test_a_role_that_was_not_read_is_given_and_is_a_gap() -> None:
    (gap,) = gaps(RESOLVER, association())

    assert said(RESOLVER, association()) == {RUNS}
    assert [node.name for node in gap.nodes] == [ROLE]


def test_a_role_that_does_not_exist_is_not_given() -> None:
    assert said(RESOLVER, association(), account("arn:aws:iam::111122223333:role/other")) == set()
    assert gaps(RESOLVER, association(), account("arn:aws:iam::111122223333:role/other")) == []


def test_a_listed_association_without_its_role_is_a_gap_on_the_service_account() -> None:
    item: Json = {"clusterName": "lab", "namespace": "vision", "serviceAccount": "trainer", "associationId": "a-1"}
    listing = document("aws:eks:list-pod-identity-associations", {"associations": [item]})

    (gap,) = gaps(RESOLVER, listing)

    assert [node.name for node in gap.nodes] == ["vision/trainer"]
    assert "--association-id a-1" in gap.remedy
    assert gaps(RESOLVER, listing, association(), account()) == []


ANNOTATED = f"""---
apiVersion: v1
kind: ServiceAccount
metadata: {{name: trainer, namespace: vision, annotations: {{eks.amazonaws.com/role-arn: "{ROLE}"}}}}
"""


def test_an_annotation_gives_nothing_and_is_a_gap_while_the_trust_is_unread() -> None:
    assert said(RESOLVER, ANNOTATED) == set()
    assert [node.name for gap in gaps(RESOLVER, ANNOTATED) for node in gap.nodes] == ["vision/trainer"]
    assert gaps(RESOLVER, ANNOTATED, account()) == []


def test_moving_the_association_closes_it() -> None:
    given = facts(association(), account())
    (edge,) = edges(RESOLVER, given)

    assert edge.lever.change is not None
    assert edges(RESOLVER, given.patched(edge.lever.change)) == []


def test_a_namespace_has_every_service_account_that_anything_names() -> None:
    pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: one, namespace: speech}\n"
    pod += "spec: {serviceAccountName: runner, containers: [{name: a}]}\n"
    has = inside(RESOLVER, "has service account", namespace("vision"), pod, association())

    assert has == {"vision/trainer", "speech/runner", "vision/default", "speech/default"}
