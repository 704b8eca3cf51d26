"""Service accounts by their tokens."""

import pytest

from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import Namespace, ServiceAccount
from partywall.resolve.iam import RESOLVER
from tests.unit.aws import ACCOUNT, CLUSTER, ISSUER, account, cluster, facts, lines, role, trust

AT = Evidence("k8s.yaml", "/0")
SPACES = [Namespace(CLUSTER, "vision", {}, AT), Namespace(CLUSTER, "nlp", {}, AT)]
TRAINER = ServiceAccount(CLUSTER, "vision", "trainer", "", AT)


def entering(operator: str, subject: str | None, **more: object) -> list[str]:
    condition: dict[str, dict[str, object]] = {"StringEquals": {f"{ISSUER}:aud": "sts.amazonaws.com"}}
    if subject is not None:
        condition.setdefault(operator, {})[f"{ISSUER}:sub"] = subject
    provider = f"arn:aws:iam::{more.get('home', ACCOUNT)}:oidc-provider/{more.get('issuer', ISSUER)}"
    statement = trust({"Federated": provider}, "sts:AssumeRoleWithWebIdentity", Condition=condition)
    found = lines(RESOLVER, facts(account(role("data", trusts=[statement])), cluster(), more=[*SPACES, TRAINER]))
    return [line for line in found if " assumes " in line]


def test_an_exact_subject_lets_one_in() -> None:
    assert entering("StringEquals", "system:serviceaccount:vision:trainer") == ["service-account:vision/trainer assumes role:data"]


def test_a_wildcard_namespace_lets_in_whoever_may_make_such_a_name() -> None:
    found = entering("StringLike", "system:serviceaccount:*:trainer")

    assert found == ["namespace:nlp assumes role:data", "service-account:vision/trainer assumes role:data"]


def test_no_subject_lets_the_cluster_in() -> None:
    assert "namespace:nlp assumes role:data" in entering("StringEquals", None)


@pytest.mark.parametrize(
    ("operator", "subject", "more"),
    [
        pytest.param("StringEquals", "system:serviceaccount:*:trainer", {}, id="a star that is a character"),
        pytest.param("StringEquals", "system:serviceaccount:other:x", {}, id="a namespace that is not there"),
        pytest.param("StringLike", "system:serviceaccount:*:trainer", {"issuer": "oidc.example.com/id/1"}, id="another issuer"),
        pytest.param("StringLike", "system:serviceaccount:*:trainer", {"home": "444455556666"}, id="a provider of another account"),
    ],
)
def test_lets_nobody_in(operator: str, subject: str, more: dict[str, object]) -> None:
    assert entering(operator, subject, **more) == []
