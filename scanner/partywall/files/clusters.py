"""The clusters that the input names, and where it names them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from partywall.model.document import Document
from partywall.model.evidence import Json

EKS = "eks"
SLURM = "slurm"
# Amazon EKS resource types whose ARN names the cluster (Service Authorization Reference, "Resource types defined by Amazon EKS").
EKS_ARN = re.compile(
    r"arn:aws[\w-]*:eks:(?P<region>[\w-]+):(?P<account>\d{12}):"
    r"(?:cluster|access-entry|podidentityassociation|addon|nodegroup|fargateprofile|identityproviderconfig|capability)/(?P<name>[\w.-]+)"
)
_HYPERPOD_ARN = re.compile(r"arn:aws[\w-]*:sagemaker:(?P<region>[\w-]+):(?P<account>\d{12}):cluster/[\w-]+")


@dataclass(frozen=True, slots=True, order=True)
class Cluster:
    """One cluster; `folder` is where a document describes it, None where only the tenancy names it."""

    account: str
    region: str
    name: str
    orchestrator: str
    folder: str | None = None

    @property
    def scope(self) -> str:
        """Return the canonical scope, `account/region/name`."""
        return f"{self.account}/{self.region}/{self.name}"


def clusters_of(documents: Sequence[Document]) -> tuple[Cluster, ...]:
    """Return every cluster that a document names, each once for each folder, those that the tenancy names only last."""
    named = sorted(set(_named(documents)), key=lambda cluster: (cluster.scope, cluster.folder or "", cluster.orchestrator))
    told = [cluster for cluster in named if cluster.folder is not None]
    wanted = [cluster for cluster in named if cluster.folder is None]
    return (*told, *(cluster for cluster in wanted if not any(_same(cluster, other) for other in told)))


def _same(one: Cluster, other: Cluster) -> bool:
    """Tell whether two records can be the same cluster: what the tenancy leaves out does not tell them apart."""
    return one.name == other.name and all(left in {"", right} for left, right in ((one.account, other.account), (one.region, other.region)))


def _named(documents: Sequence[Document]) -> Iterator[Cluster]:
    for document in documents:
        if document.kind.startswith("aws:eks:"):
            yield from _of_eks(document)
        elif document.kind == "aws:sagemaker:describe-cluster":
            yield from _of_hyperpod(document)
        elif document.kind == "partywall:tenants" and isinstance(document.value, dict):
            yield from _of_tenancy(document.value.get("clusters"))
            contracts = document.value.get("contracts")
            yield from _of_tenancy(
                [part.get("cluster") for part in contracts if isinstance(part, dict)] if isinstance(contracts, list) else None
            )
        elif document.kind == "partywall:contract" and isinstance(document.value, dict):
            yield from _of_tenancy([document.value.get("cluster")])


def _of_eks(document: Document) -> Iterator[Cluster]:
    found = EKS_ARN.search(document.text)
    if found:
        yield Cluster(found["account"], found["region"], found["name"], EKS, document.folder)


def _of_hyperpod(document: Document) -> Iterator[Cluster]:
    value = document.value if isinstance(document.value, dict) else {}
    orchestrator = value.get("Orchestrator")
    eks = orchestrator.get("Eks") if isinstance(orchestrator, dict) else None
    arn = eks.get("ClusterArn") if isinstance(eks, dict) else None
    if isinstance(arn, str) and (found := EKS_ARN.match(arn)):
        yield Cluster(found["account"], found["region"], found["name"], EKS, document.folder)
        return
    own = _HYPERPOD_ARN.match(str(value.get("ClusterArn")))
    if own and eks is None:
        yield Cluster(own["account"], own["region"], str(value.get("ClusterName", "")), SLURM, document.folder)


def _of_tenancy(clusters: Json) -> Iterator[Cluster]:
    for cluster in clusters if isinstance(clusters, list) else ():
        if isinstance(cluster, dict) and isinstance(cluster.get("name"), str):
            words = {key: str(cluster[key]) if cluster.get(key) is not None else "" for key in ("account", "region", "orchestrator")}
            yield Cluster(words["account"], words["region"], str(cluster["name"]), words["orchestrator"].lower(), None)


def ancestors(folder: str) -> Iterator[str]:
    """Yield a folder and the folders above it, the input itself last."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""
