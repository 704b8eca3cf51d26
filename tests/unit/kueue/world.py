"""Small clusters with queues, written as the YAML that people write."""

from typing import TypeVar

from partywall.model.edge import Edge
from partywall.model.facts import Fact, Facts
from partywall.resolve.kueue import resolve
from tests.unit.netpol.world import CLUSTER, SPACES, facts_of

__all__ = ["CLUSTER", "SPACES", "compute", "config", "door", "facts_of", "may", "queue", "said"]
T = TypeVar("T")


def queue(name: str, selector: str = "{}", **spec: str) -> str:
    """Write a ClusterQueue with 8 GPUs of one flavor; `spec` adds fields, `limits` to the quota."""
    limits = spec.pop("limits", "")
    more = "".join(f"  {key}: {value}\n" for key, value in spec.items())
    quota = f"{{name: gpu, nominalQuota: 8{limits}}}"
    groups = f"[{{coveredResources: [gpu], flavors: [{{name: p5, resources: [{quota}]}}]}}]"
    head = f"apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {{name: {name}}}\n"
    return f"{head}spec:\n  namespaceSelector: {selector}\n  resourceGroups: {groups}\n{more}---\n"


def door(namespace: str, to: str, name: str = "") -> str:
    """Write a LocalQueue."""
    head = f"apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {{name: {name or to}, namespace: {namespace}}}\n"
    return f"{head}spec: {{clusterQueue: {to}}}\n---\n"


def config(text: str) -> str:
    """Write Kueue's configuration."""
    body = "".join(f"    {line}\n" for line in ("apiVersion: config.kueue.x-k8s.io/v1beta1", *text.splitlines()))
    meta = "metadata: {name: kueue-manager-config, namespace: kueue-system}"
    return f"apiVersion: v1\nkind: ConfigMap\n{meta}\ndata:\n  controller_manager_config.yaml: |\n{body}---\n"


def may(namespace: str, group: str, resource: str, verb: str = "create") -> str:
    """Let the team of a namespace do something in it."""
    return f"""
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {{name: {verb}-{resource}, namespace: {namespace}}}
rules: [{{apiGroups: ['{group}'], resources: [{resource}], verbs: [{verb}]}}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {{name: {verb}-{resource}, namespace: {namespace}}}
roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: Role, name: {verb}-{resource}}}
subjects: [{{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-{namespace}}}]
---
"""


def said(facts: Facts, kind: type[T]) -> list[T]:
    """Return what the resolver says of one type."""
    return [item for item in resolve(facts) if isinstance(item, kind)]


def compute(text: str, *more: Fact) -> list[tuple[str, str, str]]:
    """Return the edges by name."""
    return [(edge.source.name, edge.verb, edge.target.name) for edge in said(facts_of(text, *more), Edge)]
