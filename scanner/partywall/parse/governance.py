"""HyperPod task governance: compute quotas and cluster policies (SageMaker API)."""

from collections.abc import Callable, Iterator, Mapping

from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Listed
from partywall.model.facts_kueue import ComputeQuota, SchedulerConfig, Strategy
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane
from partywall.parse.kubernetes_objects import Object, mapping, parts, text

Parsed = Iterator[Fact | Gap]
_UNITS = (("Count", ""), ("Accelerators", "accelerators"), ("VCpu", "vcpu"), ("MemoryInGiB", "memory"))


def compute_quota(document: Document) -> Parsed:
    """Read `describe-compute-quota`."""
    if isinstance(document.value, Mapping):
        yield from _quota(document.value, document.at(), document)


def compute_quotas(document: Document) -> Parsed:
    """Read `list-compute-quotas`: the same content, without who made it."""
    if not isinstance(document.value, Mapping):
        return
    for number, item in parts(document.value, "ComputeQuotaSummaries"):
        yield from _quota(item, document.at(f"/ComputeQuotaSummaries/{number}"), document)
    if not text(document.value, "NextToken"):
        clusters = [_cluster(item, document) for _, item in parts(document.value, "ComputeQuotaSummaries")]
        for cluster in dict.fromkeys((*clusters, document.origin.cluster)):
            yield Listed("ComputeQuota", cluster, document.at("/ComputeQuotaSummaries"))


def _cluster(item: Object, document: Document) -> str:
    """Return the cluster's scope, or else its HyperPod ARN, which `joined` turns into one."""
    return document.origin.cluster or text(item, "ClusterArn")


def _quota(item: Object, at: Evidence, document: Document) -> Parsed:
    target, config = mapping(item, "ComputeQuotaTarget"), mapping(item, "ComputeQuotaConfig")
    sharing = mapping(config, "ResourceSharingConfig")
    strategy, limit = text(sharing, "Strategy") or Strategy.LEND_AND_BORROW.value, sharing.get("BorrowLimit")
    team, cluster = text(target, "TeamName"), _cluster(item, document)
    if strategy not in set(Strategy):
        node = Node(Kind.QUEUE, cluster, f"hyperpod-ns-{team}-clusterqueue")
        what = f"the sharing strategy {strategy} of compute quota {text(item, 'Name')}"
        yield Gap(document.name, what, Reason.UNEVALUABLE, Direction.INCOMING, (node,), (Lane.COMPUTE,), "judge it by hand", at)
        return
    weight = target.get("FairShareWeight")
    yield ComputeQuota(
        cluster,
        text(item, "Name"),
        team,
        text(item, "ActivationState") != "Disabled",
        Strategy(strategy),
        limit if isinstance(limit, int) else None,
        dict(_amounts(sharing, "AbsoluteBorrowLimits")),
        text(config, "PreemptTeamTasks") or "LowerPriority",
        dict(_amounts(config, "ComputeQuotaResources")),
        weight if isinstance(weight, int) else 0,
        text(item, "ComputeQuotaArn"),
        text(mapping(item, "CreatedBy"), "UserProfileArn") or text(mapping(item, "CreatedBy", "IamIdentity"), "Arn"),
        at,
        text(item, "Status"),
    )


def _amounts(config: Object, key: str) -> Iterator[tuple[str, float]]:
    """Yield what is given of each instance type: `TYPE` counts instances, `TYPE/accelerators` parts of them."""
    for _, item in parts(config, key):
        for field, unit in _UNITS:
            amount = item.get(field)
            if isinstance(amount, int | float) and not isinstance(amount, bool):
                yield f"{text(item, 'InstanceType')}{f'/{unit}' if unit else ''}", float(amount)


def scheduler_config(document: Document) -> Parsed:
    """Read `describe-cluster-scheduler-config`."""
    if not isinstance(document.value, Mapping):
        return
    item = document.value
    config, at = mapping(item, "SchedulerConfig"), document.at()
    priorities = tuple(
        (text(part, "Name"), weight) for _, part in parts(config, "PriorityClasses") if isinstance(weight := part.get("Weight"), int)
    )
    states = {"Enabled": True, "Disabled": False}
    fair, idle = states.get(text(config, "FairShare")), states.get(text(config, "IdleResourceSharing"))
    yield SchedulerConfig(_cluster(item, document), text(item, "Name"), priorities, fair, idle, text(item, "ClusterSchedulerConfigArn"), at)


PARSERS: Mapping[str, Callable[[Document], Parsed]] = {
    "aws:sagemaker:describe-compute-quota": compute_quota,
    "aws:sagemaker:list-compute-quotas": compute_quotas,
    "aws:sagemaker:describe-cluster-scheduler-config": scheduler_config,
}
