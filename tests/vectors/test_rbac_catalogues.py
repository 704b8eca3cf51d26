"""Every dangerous right that two public catalogues name is found by what it means, and nothing once its group, place or verb is another."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from partywall.model.evidence import Json
from partywall.resolve import Resolver
from partywall.resolve.eks import RESOLVER as EKS
from partywall.resolve.rbac import RESOLVER as RBAC
from partywall.resolve.workloads import RESOLVER as WORKLOADS
from tests.unit.kube import binding, document, namespace, role, said

CATALOGUES: Mapping[str, list[dict[str, Any]]] = yaml.safe_load(
    (Path(__file__).parents[2] / "fixtures" / "vectors" / "k8s" / "rbac-catalogues.yaml").read_text("utf-8")
)
ENTRIES = [pytest.param(entry, id=f"{name}: {entry['name']}") for name, entries in CATALOGUES.items() for entry in entries]
RESOLVERS: tuple[Resolver, ...] = (RBAC, EKS, WORKLOADS)

SPACES = namespace("vision") + namespace("speech") + namespace("kube-system")
TOKEN = """---
apiVersion: v1
kind: Secret
metadata: {name: robot, namespace: kube-system, annotations: {kubernetes.io/service-account.name: robot}}
type: kubernetes.io/service-account-token
"""
CLUSTER = document("aws:eks:describe-cluster", {"cluster": {"name": "lab", "accessConfig": {"authenticationMode": "CONFIG_MAP"}}})
WORK = "arn:aws:iam::111122223333:role/vision-work"
ASSOCIATION = document(
    "aws:eks:describe-pod-identity-association",
    {"association": {"clusterName": "lab", "namespace": "vision", "serviceAccount": "trainer", "roleArn": WORK, "associationId": "a-1"}},
)
TRUST: Json = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "pods.eks.amazonaws.com"}, "Action": ["sts:AssumeRole", "sts:TagSession"]},
    ],
}
ACCOUNT = document(
    "aws:iam:get-account-authorization-details",
    {
        "UserDetailList": [],
        "GroupDetailList": [],
        "RoleDetailList": [{"RoleName": "vision-work", "Arn": WORK, "AssumeRolePolicyDocument": TRUST, "RolePolicyList": []}],
        "Policies": [],
    },
    "gaad-111122223333.json",
)


def sentences(rules: str, home: str) -> set[str]:
    """Bind rules in a namespace, or to the whole cluster, and return all that is said."""
    written = role("held", rules, home) + binding("held", f"{'Role' if home else 'ClusterRole'}/held", "Group:team", home)
    return {text for resolver in RESOLVERS for text in said(resolver, SPACES + TOKEN + written, CLUSTER, ASSOCIATION, ACCOUNT)}


def home_of(entry: Mapping[str, Any]) -> str:
    return "" if entry.get("wide") else str(entry.get("namespace", "vision"))


def expected(entry: Mapping[str, Any]) -> set[str]:
    return {f"group:team {text}" for text in entry["finds"]}


def changed(entry: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the entry with another API group, another verb, and another place."""
    rules = [rule.split() for rule in entry["rules"].split(";")]
    # Nothing is served in this group any more, whatever the resource is called.
    yield "group", ";".join(f"{verbs} {resources} extensions" for verbs, resources, *_ in rules), home_of(entry)
    yield "verb", ";".join(f"use {' '.join(rest)}" for _, *rest in rules), home_of(entry)
    # What belongs to the whole cluster is not given by a binding in a namespace, and a namespace is not its neighbour.
    yield "namespace", entry["rules"], "vision" if entry.get("wide") else "speech"


def test_the_catalogues_are_whole() -> None:
    assert {name: len(entries) for name, entries in CATALOGUES.items()} == {"kubiscan": 41, "kubiscan-swallowed": 6, "rbac-police": 23}


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_is_found(entry: Mapping[str, Any]) -> None:
    found = sentences(entry["rules"], home_of(entry))

    assert expected(entry) - found == set()
    assert entry.get("also", entry["name"]) in {*found, entry["name"]}


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_with_another_group_verb_or_place_is_not_found(entry: Mapping[str, Any]) -> None:
    found = {what: expected(entry) & sentences(rules, home) for what, rules, home in changed(entry)}

    assert found == {"group": set(), "verb": set(), "namespace": set()}
