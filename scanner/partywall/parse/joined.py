"""Join what one answer says by an ARN that only another one explains: HyperPod's ARN of a cluster to the cluster that people know."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from partywall.model.facts import Fact, Listed
from partywall.model.facts_kueue import ComputeQuota, SchedulerConfig
from partywall.model.facts_studio import HyperPodCluster

SUMMARY = "/ComputeQuotaSummaries/"


def joined(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yield the facts, those of task governance at the cluster that `sagemaker describe-cluster` names, and each compute quota once.

    A quota says the ARN of its HyperPod cluster, which holds no name (SageMaker API, DescribeComputeQuota and DescribeCluster).
    """
    known = list(facts)
    scopes = {cluster.arn: cluster.scope for cluster in known if isinstance(cluster, HyperPodCluster)}
    described = {quota.identity for quota in known if isinstance(quota, ComputeQuota) and not quota.at.pointer.startswith(SUMMARY)}
    for fact in known:
        match fact:
            case ComputeQuota() if fact.at.pointer.startswith(SUMMARY) and fact.identity in described:
                continue
            case ComputeQuota() | SchedulerConfig():
                yield replace(fact, cluster=scopes.get(fact.cluster, fact.cluster))
            case Listed(kind="ComputeQuota"):
                yield replace(fact, scope=scopes.get(fact.scope, fact.scope))
            case _:
                yield fact
