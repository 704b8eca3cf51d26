"""Which object kinds decide which lanes: what is in question depends on what the input holds (DESIGN section 3)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from partywall.model.document import Assessed, Document, Gap, Reading
from partywall.model.facts import Facts, Listed
from partywall.model.facts_data import ResourcePolicy
from partywall.model.verbs import Lane

ACT, VIEW, DATA, NETWORK, COMPUTE, IDENTITY = Lane


@dataclass(frozen=True, slots=True)
class Layer:
    """One kind of object: the layer of controls it belongs to, the fact types that stand for it, and the lanes it can open.

    `documents` are prefixes of document kinds; `listed` are the words under which complete listings of it are recorded, those of Kubernetes
    kinds by their cluster, those of AWS by their account.
    """

    layer: str
    kind: str
    facts: tuple[str, ...]
    lanes: tuple[Lane, ...]
    documents: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()


LAYERS: tuple[Layer, ...] = (
    Layer("organization", "Identity Center assignments", ("Assignment", "PermissionSet"), (IDENTITY,), ("aws:sso-admin:",)),
    Layer("organization", "Identity Center groups", ("Membership", "StoreGroup", "StoreUser"), (IDENTITY,), ("aws:identitystore:",)),
    Layer("organization", "service control policies", ("ControlPolicy",), (), ("aws:organizations:",)),
    Layer(
        "project",
        "Unified Studio projects",
        ("Project", "ProjectMember"),
        (IDENTITY,),
        ("aws:datazone:list-project", "aws:datazone:get-project"),
    ),
    Layer(
        "project",
        "Unified Studio connections",
        ("ProjectConnection",),
        (IDENTITY,),
        ("aws:datazone:list-connections", "aws:datazone:get-connection"),
    ),
    Layer(
        "project",
        "Studio domains and profiles",
        ("StudioDomain", "UserProfile"),
        (IDENTITY, VIEW),
        ("aws:sagemaker:describe-domain", "aws:sagemaker:describe-user-profile"),
    ),
    Layer("cluster", "IAM roles and policies", ("Principal",), (ACT, DATA, IDENTITY), ("aws:iam:",), ("IAM Role",)),
    Layer(
        "cluster",
        "EKS access entries",
        ("AccessEntry", "AccessEntryName", "MappedPrincipal"),
        (ACT, VIEW, DATA, IDENTITY),
        ("aws:eks:describe-access-entry", "aws:eks:list-access-entries"),
        ("AccessEntry",),
    ),
    Layer(
        "cluster",
        "EKS access policies",
        ("AccessPolicy", "AssociationsRead"),
        (ACT, VIEW, DATA, IDENTITY),
        ("aws:eks:list-associated-access-policies",),
    ),
    Layer(
        "cluster",
        "EKS pod identity associations",
        ("PodIdentity", "PodIdentityName"),
        (IDENTITY, DATA),
        ("aws:eks:describe-pod-identity-association", "aws:eks:list-pod-identity-associations"),
    ),
    Layer("cluster", "Kubernetes RBAC", ("Binding", "Role"), (ACT, VIEW, DATA, IDENTITY), (), ("RoleBinding", "ClusterRoleBinding")),
    Layer("cluster", "Kubernetes namespaces", ("Namespace",), (), (), ("Namespace",)),
    Layer(
        "cluster",
        "Slurm associations",
        ("Association",),
        (COMPUTE,),
        ("slurm:sacctmgr-show-assoc", "slurm:scontrol-show-assoc_mgr", "slurm:sacctmgr-dump"),
    ),
    Layer(
        "cluster",
        "Slurm coordinators and administrators",
        ("SlurmUser", "SlurmAccount"),
        (ACT, IDENTITY),
        ("slurm:sacctmgr-show-user", "slurm:sacctmgr-show-account", "slurm:scontrol-show-assoc_mgr", "slurm:sacctmgr-dump"),
    ),
    Layer("cluster", "Slurm configuration", ("SlurmConfig",), (COMPUTE, VIEW), ("slurm:scontrol-show-config", "slurm:slurm.conf")),
    Layer("cluster", "Slurm partitions", ("Partition",), (COMPUTE,), ("slurm:scontrol-show-partition",)),
    Layer("workload", "Kueue queues", ("ClusterQueue", "LocalQueue"), (COMPUTE,), (), ("ClusterQueue",)),
    Layer(
        "workload",
        "HyperPod task governance",
        ("ComputeQuota",),
        (COMPUTE,),
        ("aws:sagemaker:list-compute-quotas", "aws:sagemaker:describe-compute-quota"),
    ),
    Layer("workload", "pods and workloads", ("Workload",), (), (), ("Pod",)),
    Layer("network", "NetworkPolicies", ("NetworkPolicy", "AdminPolicy", "PolicyEndpoint"), (NETWORK,), (), ("NetworkPolicy",)),
    Layer("nodes", "HyperPod clusters and instance groups", ("HyperPodCluster",), (ACT,), ("aws:sagemaker:describe-cluster",)),
    Layer("nodes", "Kubernetes nodes", ("ClusterNode",), (), (), ("Node",)),
    Layer("data", "bucket policies", ("ResourcePolicy of s3",), (DATA,), ("aws:s3api:get-bucket-policy",)),
    Layer("data", "key policies and grants", ("ResourcePolicy of kms", "KeyGrant"), (DATA,), ("aws:kms:",)),
    Layer("data", "secret policies", ("ResourcePolicy of secretsmanager",), (DATA,), ("aws:secretsmanager:",)),
    Layer("data", "image repositories", ("ResourcePolicy of ecr", "Repository"), (DATA,), ("aws:ecr:",)),
    Layer(
        "data", "file systems", ("FileSystem", "FileAccessPoint", "ResourcePolicy of elasticfilesystem"), (DATA,), ("aws:efs:", "aws:fsx:")
    ),
)


def assess(facts: Facts, documents: Iterable[Document], gaps: Iterable[Gap]) -> tuple[tuple[Assessed, int], ...]:
    """Say of every layer and scope what became of it, with the number of objects read."""
    counts = _counts(facts)
    scopes = _document_scopes(documents)
    missing = tuple(gaps)
    out: list[tuple[Assessed, int]] = []
    for layer in LAYERS:
        found = Counter[str]()
        for name in layer.facts:
            found.update(counts.get(name, {}))
        seen = {scope for prefix, where in scopes.items() if prefix.startswith(layer.documents or ("-",)) for scope in where}
        seen |= {listing.scope for listing in facts.of(Listed) if _qualified(listing) in layer.listed}
        blind = any(gap.source.startswith(tuple(layer.documents or ("-",))) for gap in missing)
        rows = [(scope, n, Reading.READ) for scope, n in sorted(found.items())]
        rows += [(scope, 0, Reading.EMPTY) for scope in sorted(seen - found.keys())]
        if blind and not rows:
            rows = [("", 0, Reading.GAP)]
        rows = rows or [("", 0, Reading.NOT_ASSESSED)]
        out += [(Assessed(layer.layer, layer.kind, scope, state), n) for scope, n, state in rows]
    return tuple(out)


def _qualified(listing: Listed) -> str:
    """Return a listing's kind; IAM and Kubernetes both have roles, and only IAM's are of an account."""
    return f"IAM {listing.kind}" if listing.kind == "Role" and "/" not in listing.scope else listing.kind


def covered_lanes(assessed: Iterable[tuple[Assessed, int]]) -> frozenset[Lane]:
    """Return the lanes that something in the input can open or close."""
    read = {row.kind for row, _ in assessed if row.state is not Reading.NOT_ASSESSED}
    return frozenset(lane for layer in LAYERS if layer.kind in read for lane in layer.lanes)


def _counts(facts: Facts) -> Mapping[str, Mapping[str, int]]:
    out: dict[str, dict[str, int]] = {}
    for fact in facts:
        name = type(fact).__name__ + (f" of {fact.store}" if isinstance(fact, ResourcePolicy) else "")
        by_scope = out.setdefault(name, {})
        scope = str(getattr(fact, "cluster", "") or getattr(fact, "account", ""))
        by_scope[scope] = by_scope.get(scope, 0) + 1
    return out


def _document_scopes(documents: Iterable[Document]) -> Mapping[str, frozenset[str]]:
    out: dict[str, set[str]] = {}
    for document in documents:
        out.setdefault(document.kind, set()).add(document.origin.cluster or document.origin.account)
    return {kind: frozenset(scopes) for kind, scopes in out.items()}
