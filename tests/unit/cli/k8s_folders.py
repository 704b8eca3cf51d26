"""Small folders of a cluster, and the command put to them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from partywall.cli.k8s import k8s
from tests.unit.kube import binding, namespace, role

LISTS = {"clusterrolebindings": "ClusterRoleBinding", "rolebindings": "RoleBinding", "clusterroles": "ClusterRole", "roles": "Role"}
CLUSTER = "111122223333/us-east-2/lab"
ARN = "arn:aws:iam::111122223333:role/dev"
CONTROL_PLANE = {
    "cluster": {
        "name": "lab",
        "arn": "arn:aws:eks:us-east-2:111122223333:cluster/lab",
        "version": "1.33",
        "roleArn": "arn:aws:iam::111122223333:role/control-plane",
        "accessConfig": {"authenticationMode": "API"},
    }
}
READER = (
    namespace("vision")
    + namespace("speech")
    + role("reader", "get,list pods", "vision")
    + binding("readers", "Role/reader", "ServiceAccount:vision/web", "vision")
)


def write(into: Path, objects: str = READER, *, listed: bool = True, files: Mapping[str, object] | None = None) -> Path:
    """Write objects, and empty lists of whatever decides, so that nothing else is there."""
    (into / "k8s.yaml").write_text(objects, encoding="utf-8")
    empty = {f"kubectl-get-{plural}.json": {"kind": f"{kind}List", "apiVersion": "v1", "items": []} for plural, kind in LISTS.items()}
    for name, value in {**(empty if listed else {}), **(files or {})}.items():
        (into / name).write_text(json.dumps(value, indent=1), encoding="utf-8")
    return into


def eks(*policies: tuple[str, str], groups: tuple[str, ...] = (), username: str = "") -> dict[str, object]:
    """Answer for a cluster with one access entry; policies are a name and a namespace, or nothing for the whole cluster."""
    entry = {"clusterName": "lab", "principalArn": ARN, "kubernetesGroups": list(groups), "type": "STANDARD", "username": username}
    associated = [
        {
            "policyArn": f"arn:aws:eks::aws:cluster-access-policy/{name}",
            "accessScope": {"type": "namespace", "namespaces": [home]} if home else {"type": "cluster", "namespaces": []},
        }
        for name, home in policies
    ]
    return {
        "aws-eks-describe-cluster.json": CONTROL_PLANE,
        "aws-eks-list-access-entries.json": {"accessEntries": [ARN]},
        "aws-eks-describe-access-entry--dev.json": {"accessEntry": entry},
        "aws-eks-list-associated-access-policies--dev.json": {
            "clusterName": "lab",
            "principalArn": ARN,
            "associatedAccessPolicies": associated,
        },
    }


def run(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(k8s, [*arguments, "--in", str(folder)], standalone_mode=False)


def data(folder: Path, *arguments: str) -> Any:
    return json.loads(run(folder, *arguments, "--format", "json").stdout)
