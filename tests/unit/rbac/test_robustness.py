"""Whatever stands in a file, parsing and resolving it never breaks: a part of the wrong type is as good as absent."""

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from partywall.model.document import Gap
from partywall.model.evidence import Json
from partywall.model.facts import Facts
from partywall.parse import eks, kubernetes
from partywall.resolve.eks import RESOLVER as EKS
from partywall.resolve.nodes import RESOLVER as NODES
from partywall.resolve.rbac import RESOLVER as RBAC
from partywall.resolve.workloads import RESOLVER as WORKLOADS
from tests.unit.kube import document

WRONG: tuple[Json, ...] = (None, "", "text", 0, -1, 1.5, True, [], {}, [None], ["x"], [{}], [[]], {"x": None}, {"name": 1})

OBJECTS: tuple[Json, ...] = (
    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a", "labels": {"pod-security.kubernetes.io/enforce": "baseline"}}},
    {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {"name": "a", "namespace": "a", "annotations": {"eks.amazonaws.com/role-arn": "x"}},
    },
    {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "r", "labels": {"x": "y"}},
        "rules": [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "resourceNames": ["n"]}],
        "aggregationRule": {
            "clusterRoleSelectors": [{"matchLabels": {"x": "y"}, "matchExpressions": [{"key": "k", "operator": "Exists"}]}]
        },
    },
    {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "b", "namespace": "a"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "r"},
        "subjects": [{"kind": "Group", "name": "g"}, {"kind": "ServiceAccount", "name": "s", "namespace": "a"}],
    },
    {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "c", "namespace": "a"},
        "spec": {
            "jobTemplate": {
                "spec": {
                    "template": {
                        "metadata": {"labels": {"x": "y"}},
                        "spec": {
                            "containers": [
                                {
                                    "name": "a",
                                    "image": "i",
                                    "ports": [{"containerPort": 1}],
                                    "securityContext": {"capabilities": {"add": ["X"]}},
                                }
                            ],
                            "volumes": [
                                {"hostPath": {"path": "/"}},
                                {"persistentVolumeClaim": {"claimName": "c"}},
                                {"nfs": {"server": "s"}},
                            ],
                            "tolerations": [{"key": "k"}],
                        },
                    }
                }
            }
        },
    },
    {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "p"},
        "spec": {"csi": {"driver": "efs.csi.aws.com", "volumeHandle": "fs-1::fsap-1"}, "claimRef": {"namespace": "a", "name": "c"}},
    },
    {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n"},
        "spec": {"taints": [{"key": "k"}]},
        "status": {"addresses": [{"type": "InternalIP"}]},
    },
    {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "aws-auth", "namespace": "kube-system"},
        "data": {"mapRoles": "- rolearn: a\n  groups: [x]\n"},
    },
    {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "kubernetes.io/service-account-token",
        "metadata": {"name": "t", "annotations": {"kubernetes.io/service-account.name": "a"}},
    },
)

ANSWERS: tuple[tuple[str, Json], ...] = (
    (
        "describe-cluster",
        {
            "cluster": {
                "name": "lab",
                "identity": {"oidc": {"issuer": "x"}},
                "resourcesVpcConfig": {"publicAccessCidrs": ["x"]},
                "accessConfig": {"authenticationMode": "API"},
            }
        },
    ),
    ("list-access-entries", {"accessEntries": ["arn:aws:iam::111122223333:role/a"]}),
    (
        "describe-access-entry",
        {
            "accessEntry": {
                "principalArn": "arn:aws:iam::111122223333:role/a",
                "kubernetesGroups": ["g"],
                "username": "u:{{SessionName}}",
                "type": "STANDARD",
            }
        },
    ),
    (
        "list-associated-access-policies",
        {
            "principalArn": "x",
            "associatedAccessPolicies": [{"policyArn": "a/b", "accessScope": {"type": "namespace", "namespaces": ["a", "b*"]}}],
        },
    ),
    ("list-pod-identity-associations", {"associations": [{"namespace": "a", "serviceAccount": "s", "associationId": "i"}]}),
    (
        "describe-pod-identity-association",
        {
            "association": {
                "namespace": "a",
                "serviceAccount": "s",
                "roleArn": "arn:aws:iam::1:role/a",
                "targetRoleArn": "x",
                "policy": "{}",
            }
        },
    ),
    ("describe-addon", {"addon": {"addonName": "vpc-cni", "configurationValues": "{}"}}),
    ("list-addons", {"addons": ["a"]}),
    ("describe-identity-provider-config", {"identityProviderConfig": {"oidc": {"issuerUrl": "x"}}}),
    ("list-identity-provider-configs", {"identityProviderConfigs": [{"name": "x"}]}),
    ("describe-nodegroup", {"nodegroup": {"nodegroupName": "x", "labels": {"a": "b"}}}),
    ("describe-capability", {"capability": {"roleArn": "x"}}),
)


def broken(value: Json, chance: random.Random) -> Json:
    """Return a copy in which one part, anywhere, is of another type or gone."""
    value = copy.deepcopy(value)
    places = list(_places(value))
    holder, key = chance.choice(places)
    if isinstance(holder, dict) and chance.random() < 0.2:
        del holder[key]
    else:
        holder[key] = copy.deepcopy(chance.choice(WRONG))
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every part as its container and key, so that it can be changed there."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key
        yield from _places(item)


@pytest.mark.parametrize("seed", range(40))
def test_broken_objects_and_answers_break_nothing(seed: int) -> None:
    chance = random.Random(seed)
    documents = [document("kubernetes", [broken(obj, chance) if chance.random() < 0.7 else obj for obj in OBJECTS])]
    documents += [document(f"aws:eks:{name}", broken(value, chance) if chance.random() < 0.7 else value) for name, value in ANSWERS]

    items = [item for one in documents for item in (kubernetes.parse(one) if one.kind == "kubernetes" else eks.PARSERS[one.kind](one))]
    facts = Facts(item for item in items if not isinstance(item, Gap))

    for resolver in (RBAC, EKS, WORKLOADS, NODES):
        assert list(resolver.resolve(facts)) is not None
