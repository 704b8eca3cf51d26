"""Answers of the AWS CLI about EKS."""

import json

import pytest

from partywall.model.document import Document, Form, Gap
from partywall.model.evidence import Json
from partywall.model.facts_eks import (
    AccessEntry,
    AccessPolicy,
    Addon,
    AuthenticationMode,
    EksCluster,
    IdentityProvider,
    NodeGroup,
    PodIdentity,
)
from tests.unit.kube import CLUSTER, document, facts, parsed


def test_a_cluster() -> None:
    body: Json = {
        "name": "lab",
        "arn": "arn:aws:eks:us-east-2:111122223333:cluster/lab",
        "version": "1.32",
        "identity": {"oidc": {"issuer": "https://oidc.example/id/1"}},
        "resourcesVpcConfig": {"endpointPublicAccess": True, "publicAccessCidrs": ["0.0.0.0/0"]},
        "accessConfig": {"authenticationMode": "API_AND_CONFIG_MAP"},
    }

    (found,) = facts(document("aws:eks:describe-cluster", {"cluster": body})).of(EksCluster)

    assert (found.issuer, found.mode, found.public, found.cidrs) == (
        "oidc.example/id/1",
        AuthenticationMode.API_AND_CONFIG_MAP,
        True,
        ("0.0.0.0/0",),
    )


def test_the_scope_comes_from_an_arn_where_the_reader_did_not_give_it() -> None:
    value: Json = {
        "accessEntry": {
            "principalArn": "arn:aws:iam::111122223333:role/a",
            "accessEntryArn": "arn:aws:eks:us-east-2:111122223333:access-entry/lab/role/x",
        }
    }
    plain = Document("a.json", "aws:eks:describe-access-entry", Form.JSON, value, json.dumps(value), "")

    (found,) = facts(plain).of(AccessEntry)

    assert (found.cluster, found.type) == (CLUSTER, "STANDARD")


def test_a_scope_of_an_unknown_type_is_the_widest() -> None:
    item: Json = {"policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy", "accessScope": {"type": "galaxy"}}
    given = document(
        "aws:eks:list-associated-access-policies", {"principalArn": "arn:aws:iam::111122223333:role/a", "associatedAccessPolicies": [item]}
    )

    (found,) = facts(given).of(AccessPolicy)

    assert found.cluster_wide


def test_a_list_that_goes_on_is_a_gap_and_no_complete_list() -> None:
    given = document("aws:eks:list-access-entries", {"accessEntries": [], "nextToken": "more"})

    assert [type(item) for item in parsed(given)] == [Gap]
    assert not facts(given).listed("AccessEntry", CLUSTER)


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ('{"enableNetworkPolicy": "true"}', {"enableNetworkPolicy": "true"}),
        ("enableNetworkPolicy: 'true'\n", {"enableNetworkPolicy": "true"}),
        ("", {}),
    ],
)
def test_the_configuration_of_an_addon_is_json_or_yaml_in_a_string(written: str, values: dict[str, str]) -> None:
    (found,) = facts(document("aws:eks:describe-addon", {"addon": {"addonName": "vpc-cni", "configurationValues": written}})).of(Addon)

    assert found.values == values


def test_a_configuration_that_is_neither_is_a_gap() -> None:
    given = document("aws:eks:describe-addon", {"addon": {"addonName": "vpc-cni", "configurationValues": "[1"}})

    assert [type(item) for item in parsed(given)] == [Gap, Addon]
    assert facts(given).of(Addon)[0].values is None


def test_an_addon_that_is_only_listed_has_an_unknown_configuration() -> None:
    assert facts(document("aws:eks:list-addons", {"addons": ["vpc-cni"]})).of(Addon)[0].values is None


@pytest.mark.parametrize("lacking", ["namespace", "serviceAccount", "roleArn"])
def test_an_association_that_lacks_a_part_is_a_gap(lacking: str) -> None:
    body = {"namespace": "vision", "serviceAccount": "a", "roleArn": "arn:aws:iam::111122223333:role/a"}
    del body[lacking]

    assert [type(item) for item in parsed(document("aws:eks:describe-pod-identity-association", {"association": dict(body)}))] == [Gap]


def test_session_tags_are_on_unless_they_are_switched_off() -> None:
    body = {"namespace": "vision", "serviceAccount": "a", "roleArn": "arn:aws:iam::111122223333:role/a"}

    (on,) = facts(document("aws:eks:describe-pod-identity-association", {"association": dict(body)})).of(PodIdentity)
    (off,) = facts(document("aws:eks:describe-pod-identity-association", {"association": {**body, "disableSessionTags": True}})).of(
        PodIdentity
    )

    assert (on.session_tags, off.session_tags) == (True, False)


def test_an_identity_provider_and_a_node_group() -> None:
    provider: Json = {
        "identityProviderConfig": {
            "oidc": {"identityProviderConfigName": "okta", "issuerUrl": "https://id.example", "groupsPrefix": "okta:"}
        }
    }
    group: Json = {"nodegroup": {"nodegroupName": "gpu", "nodeRole": "arn:aws:iam::111122223333:role/nodes"}}

    given = facts(document("aws:eks:describe-identity-provider-config", provider), document("aws:eks:describe-nodegroup", group))

    assert given.of(IdentityProvider)[0].groups_prefix == "okta:"
    assert given.of(NodeGroup)[0].role_arn == "arn:aws:iam::111122223333:role/nodes"


@pytest.mark.parametrize("command", ["list-clusters", "list-access-policies", "list-capabilities", "list-fargate-profiles"])
def test_names_that_grant_nothing_are_no_facts(command: str) -> None:
    assert parsed(document(f"aws:eks:{command}", {})) == []


def test_a_capability_with_a_role_is_a_gap_on_that_role() -> None:
    body: Json = {"capabilityName": "ack", "type": "ACK", "roleArn": "arn:aws:iam::111122223333:role/ack"}

    (gap,) = parsed(document("aws:eks:describe-capability", {"capability": body}))

    assert isinstance(gap, Gap)
    assert [node.name for node in gap.nodes] == ["arn:aws:iam::111122223333:role/ack"]


def test_listed_node_groups_show_that_there_are_nodes() -> None:
    assert [group.name for group in facts(document("aws:eks:list-nodegroups", {"nodegroups": ["gpu"]})).of(NodeGroup)] == ["gpu"]
