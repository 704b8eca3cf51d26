"""Data that others run: scripts that make nodes, images that pods pull."""

from collections.abc import Iterator

from partywall.model.arn import account_of, region_of, resource_of
from partywall.model.atom import Atom, Control
from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_data import Repository
from partywall.model.facts_kubernetes import Workload
from partywall.model.facts_studio import HyperPodCluster, InstanceGroup
from partywall.model.node import Kind, Node
from partywall.resolve.data.asking import asked, request_on, where
from partywall.resolve.data.stock import Holding, buckets
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.rights import Estate
from partywall.resolve.iam.ways import Way


def script_edges(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield who may write the scripts that a cluster's nodes run as root when they are made.

    SageMaker AI developer guide, "Customize SageMaker HyperPod clusters using lifecycle scripts".
    """
    stocks = buckets(facts, estate)
    for cluster in facts.of(HyperPodCluster):
        for group in _by_scripts(cluster):
            name, _, prefix = group.scripts.removeprefix("s3://").partition("/")
            stock = stocks.get(name)
            account, region = (stock.account, stock.region) if stock else ("", "")
            for rights in estate.askers():
                request = request_on(rights, "s3:putobject", f"arn:aws:s3:::{name}/{prefix}*", where(account, region))
                for way in asked(
                    rights,
                    request,
                    account,
                    stock.guard if stock else None,
                    sole=False,
                    unread=f"the policy of bucket {name} is not in the input",
                ):
                    note = f"in {group.scripts}"
                    yield edge(
                        rights.node,
                        "writes scripts run by",
                        Node(Kind.NODES, cluster.scope, "*"),
                        way,
                        note=note,
                        also=(group.at.below("LifeCycleConfig", "SourceS3Uri"),),
                    )


def _by_scripts(cluster: HyperPodCluster) -> list[InstanceGroup]:
    """Return one instance group for each place of scripts."""
    found: dict[str, InstanceGroup] = {}
    for group in cluster.groups:
        if group.scripts.startswith("s3://"):
            found.setdefault(group.scripts, group)
    return list(found.values())


def image_edges(facts: Facts, estate: Estate, stores: list[Holding]) -> Iterator[Edge]:
    """Yield who may push to a repository from which pods of a namespace pull.

    A digest in the image's name pins the content; where tags cannot be overwritten, a push counts only once a pod asks for a new tag.
    """
    frozen = {repository.arn for repository in facts.of(Repository) if not repository.mutable}
    pullers = _pullers(facts)
    for store in stores:
        users = pullers.get((account_of(store.arn), region_of(store.arn), resource_of(store.arn).removeprefix("repository/")), {})
        if store.node.kind is not Kind.REPOSITORY or not users:
            continue
        for rights in estate.askers():
            request = request_on(rights, "ecr:putimage", store.arn, where(store.account, store.region), store.tags)
            for way in asked(
                rights, request, store.account, store.guard, sole=False, unread=f"the policy of {store.arn} is not in the input"
            ):
                for namespace, at in users.items():
                    yield edge(rights.node, "pushes images run by", namespace, _new_tag(way) if store.arn in frozen else way, also=(at,))


def _new_tag(way: Way) -> Way:
    return way.also(Atom("image tag", "is", ("one not pushed before",), Control.UNKNOWN))


def _pullers(facts: Facts) -> dict[tuple[str, str, str], dict[Node, Evidence]]:
    """Return the namespaces whose workloads pull from each repository: ECR's host name holds account and Region."""
    found: dict[tuple[str, str, str], dict[Node, Evidence]] = {}
    for workload in facts.of(Workload):
        for image in workload.images:
            host, _, path = image.partition("/")
            parts = host.split(".")
            if len(parts) < 6 or parts[1:3] != ["dkr", "ecr"] or "@" in path:
                continue
            place = (parts[0], parts[3], path.partition(":")[0])
            found.setdefault(place, {}).setdefault(Node(Kind.NAMESPACE, workload.cluster, workload.namespace), workload.at)
    return found
