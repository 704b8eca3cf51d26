"""What Kueue and HyperPod task governance say about quota. `cluster` is the canonical scope `account/region/name` of the EKS cluster."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import LabelSelector

NOWHERE = Evidence("", "")


@dataclass(frozen=True, slots=True)
class Quota:
    """What a queue has of one resource in one flavor. A limit of None is none at all."""

    flavor: str
    resource: str
    nominal: float
    borrowing: float | None
    lending: float | None
    at: Evidence = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Preemption:
    """Whose workloads a queue may evict: `within` the queue, by `reclaim` in its cohort, and in order to borrow (`borrow`).

    `threshold` is the highest priority that is evicted in order to borrow; None: any that is lower than the evicting one's.
    """

    within: str = "Never"
    reclaim: str = "Never"
    borrow: str = "Never"
    threshold: int | None = None


@dataclass(frozen=True, slots=True)
class ClusterQueue:
    """A cluster queue. `namespaces` None admits nobody, an empty selector everybody (measured on Kueue 0.12 and 0.19).

    `strict` makes the first job that does not fit hold up all behind it; `checks` are the admission checks that every job must pass.
    """

    cluster: str
    name: str
    namespaces: LabelSelector | None
    cohort: str
    quotas: tuple[Quota, ...]
    preemption: Preemption
    stopped: bool
    at: Evidence
    strict: bool = False
    checks: tuple[str, ...] = ()
    weight: float | None = None


@dataclass(frozen=True, slots=True)
class LocalQueue:
    """A namespace's door to a cluster queue."""

    cluster: str
    namespace: str
    name: str
    queue: str
    at: Evidence
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Cohort:
    """A cohort object; cohorts that are only named by queues have none."""

    cluster: str
    name: str
    parent: str
    quotas: tuple[Quota, ...]
    at: Evidence


@dataclass(frozen=True, slots=True)
class ResourceFlavor:
    """A kind of node that quota is counted in: by which labels its nodes are found, and which taints keep others off them."""

    cluster: str
    name: str
    labels: Mapping[str, str]
    taints: tuple[tuple[str, str, str], ...]
    at: Evidence


@dataclass(frozen=True, slots=True)
class WorkloadPriority:
    """A class of priority that any job may name by a label; only Kueue looks at it."""

    cluster: str
    name: str
    value: int
    at: Evidence


@dataclass(frozen=True, slots=True)
class AdmissionCheck:
    """A check that holds up the jobs of the queues that name it. `active` is None where its status was not given."""

    cluster: str
    name: str
    controller: str
    active: bool | None
    at: Evidence


@dataclass(frozen=True, slots=True)
class KueueConfig:
    """What the manager's configuration says about jobs that name no queue, and about how capacity is shared.

    `namespaces` None means that the selector is left at its default; `release` is the version of the configuration's API; `features` are
    the feature gates that it sets; `narrows_pods` says that it has selectors of its own for pods.
    """

    cluster: str
    manages_all: bool
    namespaces: LabelSelector | None
    frameworks: tuple[str, ...]
    release: str
    at: Evidence
    fair_sharing: bool = False
    features: tuple[tuple[str, bool], ...] = ()
    narrows_pods: bool = False


@dataclass(frozen=True, slots=True)
class QueueGate:
    """An admission policy whose text speaks of Kueue's label for a queue, or (`ranks`) of that for a class of priority.

    It may demand or forbid the label; its expression is not evaluated.
    """

    cluster: str
    kind: str
    name: str
    at: Evidence
    ranks: bool = False


class Strategy(StrEnum):
    """How a compute quota shares (SageMaker API, `ResourceSharingStrategy`)."""

    LEND = "Lend"
    DONT_LEND = "DontLend"
    LEND_AND_BORROW = "LendAndBorrow"


@dataclass(frozen=True, slots=True)
class ComputeQuota:
    """A compute quota of HyperPod task governance: what a team has, lends and borrows (`borrow_limit` in percent of its own)."""

    cluster: str
    name: str
    team: str
    enabled: bool
    strategy: Strategy
    borrow_limit: int | None
    absolute_limits: Mapping[str, float]
    preempts: str
    resources: Mapping[str, float]
    weight: int
    identity: str
    created_by: str
    at: Evidence
    status: str = ""

    @property
    def namespace(self) -> str:
        """Return the namespace that task governance makes for the team (HyperPod developer guide, "Allocate compute")."""
        return f"hyperpod-ns-{self.team}"

    @property
    def queue(self) -> str:
        """Return the name of the team's cluster queue."""
        return f"hyperpod-ns-{self.team}-clusterqueue"

    @property
    def may_borrow(self) -> Mapping[str, float | None]:
        """Return what the team may borrow of each resource, None for any amount (SageMaker API, ResourceSharingConfig).

        Without a limit of its own it may borrow half of what it has: the API's default of BorrowLimit is 50.
        """
        if self.strategy is not Strategy.LEND_AND_BORROW:
            return dict.fromkeys(self.resources, 0.0)
        if self.absolute_limits:
            return {resource: self.absolute_limits.get(resource) for resource in self.resources}
        share = (50 if self.borrow_limit is None else self.borrow_limit) / 100
        return {resource: amount * share for resource, amount in self.resources.items()}


@dataclass(frozen=True, slots=True)
class SchedulerConfig:
    """The cluster policy of HyperPod task governance: priority classes with weights, and whether idle capacity is shared."""

    cluster: str
    name: str
    priorities: tuple[tuple[str, int], ...]
    fair_share: bool | None
    idle_sharing: bool | None
    identity: str
    at: Evidence
