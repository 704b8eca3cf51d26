"""What each kind of thing is before anybody claims it: who acts by itself, what is a place, what is the platform's."""

from collections.abc import Mapping

from partywall.model.node import Kind, Node
from partywall.model.thing import Standing, glob_matches

# What acts by itself. A role or service account does only where a resolver says that who enters it is not fully known.
STARTS: frozenset[Kind] = frozenset(
    {
        Kind.PERSON,
        Kind.IDENTITY_GROUP,
        Kind.IAM_USER,
        Kind.ACCOUNT,
        Kind.ANYONE,
        Kind.PROJECT,
        Kind.GROUP,
        Kind.USER,
        Kind.NAMESPACE,
        Kind.SLURM_ACCOUNT,
        Kind.OS_USER,
    }
)

# The kinds that are not simply owned by whoever claims them, or nobody's.
STANDINGS: Mapping[Kind, Standing] = {
    # everybody may be there, and nothing of anybody's is in it
    Kind.ALL_AUTHENTICATED: Standing.PLACE,
    Kind.STUDIO_DOMAIN: Standing.PLACE,
    Kind.LOGIN_NODE: Standing.PLACE,
    # stands over things of several
    Kind.NAMESPACES: Standing.SCOPE,
    Kind.SLURM_ACCOUNTS: Standing.SCOPE,
    Kind.SLURM_JOBS: Standing.SCOPE,
    Kind.CAPACITY: Standing.SCOPE,
    # whoever runs the cluster, or AWS
    Kind.CLUSTER: Standing.PLATFORM,
    Kind.CLUSTER_ADMIN: Standing.PLATFORM,
    Kind.CLUSTER_OBJECT: Standing.PLATFORM,
    Kind.NODES: Standing.PLATFORM,
    Kind.SLURM_ADMIN: Standing.PLATFORM,
    Kind.SERVICE: Standing.PLATFORM,
    # not one of ours
    Kind.ANYONE: Standing.OUTSIDE,
    Kind.ACCOUNT: Standing.OUTSIDE,
}

# Names that the systems themselves keep for whoever runs them, each with the page that says so.
_RESERVED: Mapping[Kind, tuple[tuple[str, str], ...]] = {
    Kind.ROLE: (
        # IAM user guide, "Create a service-linked role": only the linked service can assume it, and its path is fixed.
        ("arn:*:iam::*:role/aws-service-role/*", "a service-linked role of AWS"),
    ),
    Kind.NAMESPACE: (
        # Kubernetes, "Namespaces": the prefix `kube-` is reserved for Kubernetes system namespaces.
        ("kube-*", "a system namespace of Kubernetes"),
        # SageMaker HyperPod, "Install packages on the Amazon EKS cluster using Helm" and "Set up SageMaker HyperPod task governance".
        ("aws-hyperpod", "a namespace of HyperPod's own operators"),
        ("kueue-system", "the namespace of task governance"),
        # SageMaker HyperPod, "Creating and managing Spaces": the add-on's own namespaces.
        ("jupyter-k8s-*", "a namespace of HyperPod's Spaces add-on"),
        ("hyperpod-inference-system", "the namespace of HyperPod's inference operator"),
        ("hyperpod-observability", "the namespace of HyperPod's observability add-on"),
        # CloudWatch, "Install ... with the Amazon CloudWatch Observability EKS add-on"; GuardDuty, "EKS Runtime Monitoring".
        ("amazon-cloudwatch", "the namespace of the CloudWatch add-on"),
        ("amazon-guardduty", "the namespace of the GuardDuty add-on"),
        ("cert-manager", "the namespace of the cert-manager add-on"),
    ),
    # Kubernetes, "Using RBAC Authorization": the prefix `system:` is reserved for Kubernetes system use. EKS, "Create access entries":
    # user and group names must not begin with `eks:`, `aws:`, `amazon:` or `iam:`, which are EKS's own.
    Kind.USER: (
        ("system:*", "a user of Kubernetes itself"),
        ("eks:*", "a user of EKS itself"),
        ("aws:*", "a user of AWS itself"),
        # HyperPod's Helm chart binds `job-auto-restart` to the name under which its service-linked role enters.
        ("hyperpod-service-linked-role", "HyperPod's service-linked role"),
    ),
    Kind.GROUP: (("system:*", "a group of Kubernetes itself"), ("eks:*", "a group of EKS itself"), ("aws:*", "a group of AWS itself")),
    # Slurm, "Accounting and Resource Limits": the account and the user `root` are created with the database and stand above all others.
    Kind.SLURM_ACCOUNT: (("root", "the root of all Slurm accounts"),),
    # slurm.conf, `SlurmUser`: the user that slurmctld runs as, `slurm` by recommendation; root runs slurmd.
    Kind.OS_USER: (("root", "the superuser"), ("slurm", "the user that Slurm runs as")),
}


def starts_by_kind(kind: Kind) -> bool:
    """Tell whether things of a kind act by themselves."""
    return kind in STARTS


def standing_by_kind(kind: Kind) -> Standing:
    """Return how things of a kind stand to the tenants when nobody says."""
    return STANDINGS.get(kind, Standing.OWNED)


def reserved(node: Node) -> str | None:
    """Say what a name is that its system keeps for itself; None: a name like any other."""
    for glob, what in _RESERVED.get(node.kind, ()):
        if glob_matches(glob, node.name):
            return what
    return None
