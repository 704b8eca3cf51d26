"""Reading the answers of HyperPod task governance."""

from partywall.model.document import Document, Form, Gap, Origin
from partywall.model.evidence import Json
from partywall.model.facts import Fact, Listed
from partywall.model.facts_kueue import ComputeQuota, SchedulerConfig, Strategy
from partywall.parse.governance import PARSERS

CLUSTER = "111122223333/us-east-2/capacity"
QUOTA: dict[str, Json] = {
    "Name": "vision",
    "ComputeQuotaArn": "arn:aws:sagemaker:us-east-2:111122223333:compute-quota/abc123def456",
    "ComputeQuotaTarget": {"TeamName": "vision", "FairShareWeight": 10},
    "ComputeQuotaConfig": {
        "ComputeQuotaResources": [
            {"InstanceType": "ml.p5.48xlarge", "Count": 8},
            {"InstanceType": "ml.g5.xlarge", "Accelerators": 2, "VCpu": 8},
        ],
        "ResourceSharingConfig": {"Strategy": "Lend"},
        "PreemptTeamTasks": "Never",
    },
}


def parsed(kind: str, value: Json) -> list[Fact | Gap]:
    return list(PARSERS[kind](Document("answer.json", kind, Form.JSON, value, "", "", origin=Origin(cluster=CLUSTER))))


def test_a_compute_quota_is_a_team_and_its_share() -> None:
    (quota,) = parsed("aws:sagemaker:describe-compute-quota", QUOTA)

    assert isinstance(quota, ComputeQuota)
    assert (quota.team, quota.namespace, quota.queue) == ("vision", "hyperpod-ns-vision", "hyperpod-ns-vision-clusterqueue")
    assert (quota.strategy, quota.preempts, quota.weight, quota.enabled) == (Strategy.LEND, "Never", 10, True)
    assert quota.resources == {"ml.p5.48xlarge": 8, "ml.g5.xlarge/accelerators": 2, "ml.g5.xlarge/vcpu": 8}


def test_a_list_that_ends_is_complete_and_one_that_goes_on_is_not() -> None:
    whole = parsed("aws:sagemaker:list-compute-quotas", {"ComputeQuotaSummaries": [QUOTA]})
    part = parsed("aws:sagemaker:list-compute-quotas", {"ComputeQuotaSummaries": [QUOTA], "NextToken": "x"})

    assert [type(fact) for fact in whole] == [ComputeQuota, Listed]
    assert [type(fact) for fact in part] == [ComputeQuota]


def test_a_strategy_that_we_do_not_know_is_a_gap() -> None:
    config: dict[str, Json] = {"ResourceSharingConfig": {"Strategy": "Auction"}}
    (gap,) = parsed("aws:sagemaker:describe-compute-quota", {**QUOTA, "ComputeQuotaConfig": config})

    assert isinstance(gap, Gap)
    assert gap.what == "the sharing strategy Auction of compute quota vision"


def test_a_scheduler_config_holds_classes_and_whether_idle_capacity_is_shared() -> None:
    value: Json = {
        "Name": "policy",
        "SchedulerConfig": {
            "PriorityClasses": [{"Name": "training", "Weight": 80}],
            "FairShare": "Enabled",
            "IdleResourceSharing": "Disabled",
        },
    }
    (found,) = parsed("aws:sagemaker:describe-cluster-scheduler-config", value)

    assert isinstance(found, SchedulerConfig)
    assert (found.priorities, found.fair_share, found.idle_sharing) == ((("training", 80),), True, False)
