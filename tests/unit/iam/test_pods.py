"""What pods may do because of the tags that their sessions carry."""

from typing import Any

from partywall.model.document import Document
from partywall.resolve.data import RESOLVER
from tests.unit.aws import Json, account, allow, answer, arn, bucket, cluster, facts, lines, role, trust

PODS = trust({"Service": "pods.eks.amazonaws.com"}, ["sts:AssumeRole", "sts:TagSession"])
OBJECTS = "arn:aws:s3:::vision-data/*"
TAG = "aws:PrincipalTag/kubernetes-namespace"


def association(namespace: str, **more: Any) -> Document:
    value = {
        "clusterName": "capacity",
        "namespace": namespace,
        "serviceAccount": "trainer",
        "roleArn": arn("pods"),
        "associationArn": "arn:aws:eks:us-east-2:111122223333:podidentityassociation/capacity/a-1",
        "associationId": f"a-{namespace}",
        **more,
    }
    return answer("eks:describe-pod-identity-association", {"association": value}, subject=namespace)


def reached(statement: Json, *documents: Document, trusts: tuple[Json, ...] = (PODS,)) -> list[str]:
    given = account(role("pods", statement, trusts=trusts))
    return lines(RESOLVER, facts(given, cluster(), *documents, named=[bucket("vision-data")]))


def for_namespace(operator: str, namespace: str) -> Json:
    return allow("s3:GetObject", OBJECTS, Condition={operator: {TAG: namespace}})


def test_a_tag_lets_pods_of_its_namespace_and_no_others() -> None:
    found = reached(for_namespace("StringEquals", "vision"), association("vision"), association("nlp"))

    assert found == ["service-account:vision/trainer read bucket:vision-data"]


def test_a_tag_that_every_session_has_is_not_absent() -> None:
    found = reached(for_namespace("StringEqualsIfExists", "vision"), association("vision"), association("nlp"))

    assert found == ["service-account:vision/trainer read bucket:vision-data"]


def test_without_session_tags_what_is_absent_passes() -> None:
    found = reached(for_namespace("StringEqualsIfExists", "vision"), association("nlp", disableSessionTags=True))

    assert found == ["role:pods read bucket:vision-data"]


def test_a_role_with_another_door_is_judged_without_tags_too() -> None:
    doors = (PODS, trust({"Service": "ec2.amazonaws.com"}))
    found = reached(for_namespace("StringEqualsIfExists", "vision"), association("nlp"), trusts=doors)

    assert found == ["role:pods read bucket:vision-data"]
