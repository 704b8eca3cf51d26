"""What Kubernetes objects say. `cluster` is the canonical scope `account/region/name`; a cluster-scoped object has the namespace ``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from partywall.model.evidence import Evidence
from partywall.model.node import Kind, Node


@dataclass(frozen=True, slots=True)
class Namespace:
    """A namespace and its labels; `kubernetes.io/metadata.name` is set by the server and always present."""

    cluster: str
    name: str
    labels: Mapping[str, str]
    at: Evidence
    annotations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ServiceAccount:
    """A service account; `role_arn` is what its `eks.amazonaws.com/role-arn` annotation wishes for, which only a trust policy grants."""

    cluster: str
    namespace: str
    name: str
    role_arn: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class TokenSecret:
    """A long-lived token of a service account that lies in a Secret."""

    cluster: str
    namespace: str
    name: str
    service_account: str
    at: Evidence


class SubjectKind(StrEnum):
    """Who a binding names."""

    USER = "User"
    GROUP = "Group"
    SERVICE_ACCOUNT = "ServiceAccount"


@dataclass(frozen=True, slots=True)
class Subject:
    """One subject of a binding; `namespace` is filled for service accounts only."""

    kind: SubjectKind
    name: str
    namespace: str = ""

    def __str__(self) -> str:
        name = f"{self.namespace}/{self.name}" if self.kind is SubjectKind.SERVICE_ACCOUNT else self.name
        return f"{self.kind.value} {name}"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a role. Equality is that of its content, so that equal rules are compiled once."""

    verbs: tuple[str, ...]
    groups: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    at: Evidence = field(default=Evidence("", ""), compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class LabelSelector:
    """A label selector: all labels and all requirements (`key`, `operator`, `values`) hold."""

    labels: tuple[tuple[str, str], ...] = ()
    expressions: tuple[tuple[str, str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Role:
    """A Role, or a ClusterRole where `namespace` is empty. `aggregates` are its aggregation selectors, None where it has none."""

    cluster: str
    namespace: str
    name: str
    rules: tuple[Rule, ...]
    at: Evidence
    labels: Mapping[str, str] = field(default_factory=dict)
    aggregates: tuple[LabelSelector, ...] | None = None

    @property
    def kind(self) -> str:
        """Return the object's kind."""
        return "Role" if self.namespace else "ClusterRole"


@dataclass(frozen=True, slots=True)
class Binding:
    """A RoleBinding, or a ClusterRoleBinding where `namespace` is empty; it refers to a Role or a ClusterRole by name."""

    cluster: str
    namespace: str
    name: str
    role_kind: str
    role: str
    subjects: tuple[Subject, ...]
    at: Evidence
    places: tuple[Evidence, ...] = ()

    @property
    def kind(self) -> str:
        """Return the object's kind."""
        return "RoleBinding" if self.namespace else "ClusterRoleBinding"


@dataclass(frozen=True, slots=True)
class Mount:
    """A volume of a pod: where it comes from (`hostPath`, `persistentVolumeClaim`, `csi`, ...) and what it names there."""

    source: str
    name: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Workload:
    """A pod, or what makes pods; `labels` are those of the pods. `runs` is false for a pod that has ended."""

    cluster: str
    namespace: str
    kind: str
    name: str
    labels: Mapping[str, str]
    service_account: str
    host_network: bool
    ports: tuple[tuple[str, int, str], ...]
    at: Evidence
    group: str = ""
    owned: bool = False
    privileged: tuple[str, ...] = ()
    mounts: tuple[Mount, ...] = ()
    images: tuple[str, ...] = ()
    node_name: str = ""
    node_selector: Mapping[str, str] = field(default_factory=dict)
    tolerations: tuple[tuple[str, str, str, str], ...] = ()
    object_labels: Mapping[str, str] = field(default_factory=dict)
    object_annotations: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    spec_at: Evidence = field(default=Evidence("", ""), compare=False)
    ips: tuple[str, ...] = ()
    runs: bool = True


@dataclass(frozen=True, slots=True)
class PersistentVolume:
    """A volume of the cluster: `driver` and `handle` say what lies behind, `claim` (`namespace/name`) who has it."""

    cluster: str
    name: str
    driver: str
    handle: str
    attributes: Mapping[str, str]
    claim: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class VolumeClaim:
    """A claim on a volume."""

    cluster: str
    namespace: str
    name: str
    volume: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class ClusterNode:
    """A node, its labels, taints (`key`, `value`, `effect`) and addresses."""

    cluster: str
    name: str
    labels: Mapping[str, str]
    taints: tuple[tuple[str, str, str], ...]
    at: Evidence
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Admission:
    """Something that may refuse or rewrite objects: a webhook, an admission policy, an engine's rule. Its content is not evaluated."""

    cluster: str
    kind: str
    namespace: str
    name: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class ConfigMap:
    """A ConfigMap that decides something (`aws-auth`, `amazon-vpc-cni`, `kueue-manager-config`, ...)."""

    cluster: str
    namespace: str
    name: str
    data: Mapping[str, str]
    at: Evidence


@dataclass(frozen=True, slots=True)
class OtherObject:
    """An object of a kind that we know to grant and to limit nothing that is asked about; it tells that its namespace exists."""

    cluster: str
    kind: str
    namespace: str
    name: str
    at: Evidence


def subject_node(cluster: str, subject: Subject) -> Node:
    """Return the node of a subject; a user named `system:serviceaccount:NAMESPACE:NAME` is that service account."""
    if subject.kind is SubjectKind.SERVICE_ACCOUNT:
        return Node(Kind.SERVICE_ACCOUNT, cluster, f"{subject.namespace}/{subject.name}")
    if subject.kind is SubjectKind.GROUP:
        return Node(Kind.GROUP, cluster, subject.name)
    prefix, _, rest = subject.name.partition("system:serviceaccount:")
    namespace, colon, name = rest.partition(":")
    if not prefix and colon and namespace and name:
        return Node(Kind.SERVICE_ACCOUNT, cluster, f"{namespace}/{name}")
    return Node(Kind.USER, cluster, subject.name)
