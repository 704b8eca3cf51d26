"""One difference between a contract and what is real."""

from dataclasses import dataclass
from enum import StrEnum

from partywall.model.evidence import Evidence


class Drift(StrEnum):
    """Which way a contract and reality differ."""

    NOT_REAL = "approved, not real"
    NOT_APPROVED = "real, not approved"
    DIFFERS = "differs"
    DUE = "due"


@dataclass(frozen=True, slots=True)
class Difference:
    """What a contract says in one field, and what is real.

    `field` is the dotted name of the rule's question (`roles.access`), without names and numbers; `subject` is the thing that differs (a
    role, a namespace, a resource of a queue), so that two differences of one field are two causes. `at` is where the contract says so, or
    would; `real_at` where reality was read.
    """

    tenant: str
    document: str
    field: str
    subject: str
    kind: Drift
    approved: str
    real: str
    text: str
    at: Evidence
    real_at: tuple[Evidence, ...] = ()


# Every field that is compared with reality: each is asked about by a rule of the built-in pack.
FIELDS: tuple[str, ...] = (
    "approvals.by",
    "approvals.things",
    "cluster.account",
    "cluster.orchestrator",
    "cluster.region",
    "cost.labels",
    "cost.slurm_account",
    "cost.tags",
    "data.buckets",
    "data.file_systems",
    "data.keys",
    "data.repositories",
    "data.secrets",
    "isolation",
    "lifecycle.expires",
    "lifecycle.last_review",
    "project.id",
    "rights",
    "roles.access",
    "roles.project",
    "roles.studio",
    "roles.workload",
    "scheduling.borrow",
    "scheduling.exceptions",
    "scheduling.generated",
    "scheduling.guaranteed",
    "scheduling.lend",
    "scheduling.preempt",
    "scheduling.priority_classes",
    "scope.namespaces",
    "scope.slurm_accounts",
    "scope.slurm_partitions",
    "scope.slurm_qos",
    "scope.users",
    "status",
    "visibility.tasks",
)
