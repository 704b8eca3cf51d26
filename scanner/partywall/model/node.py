"""The things of the graph, named in the words of their own system."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a node is. The value is also the word for it in a report."""

    # identity
    PERSON = "person"
    IDENTITY_GROUP = "identity group"
    PERMISSION_SET = "permission set"
    ROLE = "role"
    IAM_USER = "IAM user"
    IAM_GROUP = "IAM group"
    ACCOUNT = "account"
    OIDC = "identity provider"
    ANYONE = "anyone"
    SERVICE = "service"
    # Unified Studio and Studio
    PROJECT = "project"
    CONNECTION = "connection"
    STUDIO_DOMAIN = "Studio domain"
    USER_PROFILE = "user profile"
    # Kubernetes
    CLUSTER = "cluster"
    CLUSTER_ADMIN = "cluster admin"
    GROUP = "group"
    USER = "user"
    ALL_AUTHENTICATED = "all authenticated users"
    SERVICE_ACCOUNT = "service account"
    NAMESPACE = "namespace"
    NAMESPACES = "namespaces"
    PODS = "pods"
    NODES = "nodes"
    QUEUE = "cluster queue"
    LOCAL_QUEUE = "local queue"
    CAPACITY = "capacity"
    CLUSTER_OBJECT = "cluster object"
    # data
    BUCKET = "bucket"
    PREFIX = "prefix"
    KEY = "key"
    SECRET = "secret"
    REPOSITORY = "repository"
    FILE_SYSTEM = "file system"
    DIRECTORY = "directory"
    LOG_GROUP = "log group"
    # Slurm
    SLURM_ACCOUNT = "slurm account"
    SLURM_ACCOUNTS = "slurm accounts"
    OS_USER = "os user"
    PARTITION = "partition"
    QOS = "qos"
    RESERVATION = "reservation"
    SLURM_JOBS = "jobs"
    SLURM_ADMIN = "slurm administrator"
    LOGIN_NODE = "login node"


@dataclass(frozen=True, slots=True, order=True)
class Node:
    """One thing.

    `scope` is its canonical home: `account/region/cluster` for what lives in a cluster, an account id for an account's things, nothing
    for global names.

    `name` is the name that its own system uses: an ARN, `namespace/name` for a service account, `BUCKET/PREFIX` for a prefix.
    """

    kind: Kind
    scope: str
    name: str

    def __str__(self) -> str:
        return label(self)


_ARN_KINDS = frozenset({Kind.ROLE, Kind.IAM_USER, Kind.IAM_GROUP, Kind.KEY, Kind.SECRET, Kind.REPOSITORY, Kind.LOG_GROUP})
_BARE = frozenset({Kind.FILE_SYSTEM, Kind.DIRECTORY, Kind.ANYONE})


def cluster_name(scope: str) -> str:
    """Return the cluster's own name from its canonical scope."""
    return scope.rsplit("/", 1)[-1]


def label(node: Node) -> str:
    """Print a node in the words of its own system."""
    match node.kind:
        case Kind.BUCKET | Kind.PREFIX:
            return f"s3://{node.name}"
        case Kind.NAMESPACE:
            return f"namespace/{node.name}"
        case Kind.IDENTITY_GROUP | Kind.GROUP:
            return f"group {node.name}"
        case Kind.NAMESPACES:
            return (
                f"all namespaces of {cluster_name(node.scope)}"
                if node.name == "*"
                else f"namespaces {node.name} of {cluster_name(node.scope)}"
            )
        case (
            Kind.CLUSTER_ADMIN | Kind.ALL_AUTHENTICATED | Kind.SLURM_ADMIN | Kind.NODES | Kind.LOGIN_NODE | Kind.CAPACITY | Kind.SLURM_JOBS
        ):
            return f"{node.kind.value} of {cluster_name(node.scope)}" + (f" ({node.name})" if node.name and node.name != "*" else "")
        case kind if kind in _ARN_KINDS or kind in _BARE:
            return node.name
        case _:
            return f"{node.kind.value} {node.name}"
