"""A contract beside facts, for the tests of the comparison."""

from collections.abc import Iterable
from datetime import date

from partywall.contracts.bind import bind
from partywall.contracts.compare import compare
from partywall.contracts.difference import FIELDS, Difference
from partywall.model.document import Gap
from partywall.model.edge import Edge, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Facts, Listed
from partywall.model.facts_datazone import ProjectConnection
from partywall.model.facts_eks import (
    AccessEntry,
    PodIdentity,
)
from partywall.model.facts_iam import Holder, HolderKind, Principal
from partywall.model.facts_kubernetes import Workload
from partywall.model.facts_kueue import ClusterQueue, LocalQueue, Preemption, Quota
from partywall.model.facts_slurm import Association
from partywall.model.facts_studio import HyperPodCluster, InstanceGroup
from partywall.model.node import Kind, Node
from partywall.model.tenancy import Orchestrator
from tests.unit.contracts.written import CLUSTER, ROLE, tenants

DAY = date(2026, 11, 30)
AT = Evidence("real.json", "/0")
OWN = "tenants:\n  - {name: a, namespaces: [train], kubernetes_groups: [team-a]}\n  - {name: b, namespaces: [other]}\n"
SET_ROLE = "arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/us-east-2/AWSReservedSSO_team-a_"


def compared(contract: str, *facts: Fact, own: str = OWN, edges: Iterable[Edge] = (), sees: Iterable[str] = ()) -> list[Difference | Gap]:
    tenancy = tenants(f"{own}contracts:\n  - {{tenant: a, {contract}}}\n")
    ownership = bind([], [], tenancy).ownership
    found = list(compare(tenancy, Facts(facts), ownership, DAY, does=lambda _: edges, sees=lambda _: sees))
    assert all(each.field in FIELDS for each in found if isinstance(each, Difference))
    return found


def texts(found: list[Difference | Gap]) -> list[str]:
    return [each.text if isinstance(each, Difference) else each.what for each in found]


def entry(arn: str, *groups: str) -> AccessEntry:
    return AccessEntry(CLUSTER, arn, "", groups, "STANDARD", AT)


def principal(arn: str) -> Principal:
    return Principal(Holder(HolderKind.ROLE, "111122223333", arn.rsplit("/", 1)[-1]), arn, AT)


ENTRIES = Listed("AccessEntry", CLUSTER, AT)
ROLES = Listed("Role", "111122223333", AT)
ACCESS = f"roles: {{access: '{ROLE.format('access')}'}}"


def pod_identity(account: str, role: str, target: str = "") -> PodIdentity:
    namespace, name = account.split("/")
    return PodIdentity(CLUSTER, namespace, name, "a-1", role, target, "", True, "", AT)


WORKLOAD = f"roles: {{workload: {{train/job: {{role: '{ROLE.format('w')}'}}}}}}"


NAMESPACES = Listed("Namespace", CLUSTER, AT)


def queue(
    name: str, nominal: float = 64, borrowing: float | None = 0, lending: float | None = None, preemption: Preemption | None = None
) -> ClusterQueue:
    quota = Quota("p5", "nvidia.com/gpu", nominal, borrowing, lending)
    return ClusterQueue(CLUSTER, name, None, "pool", (quota,), preemption or Preemption(), False, AT)


DOOR = LocalQueue(CLUSTER, "train", "lq", "qa", AT)


def workload(namespace: str, *, node: str = "", priority: str = "") -> Workload:
    labels = {"kueue.x-k8s.io/priority-class": priority} if priority else {}
    return Workload(CLUSTER, namespace, "Pod", "p", {}, "default", False, (), AT, node_name=node, object_labels=labels)


def edge(verb: str) -> Edge:
    lever = Lever(Move.REMOVE, "RoleBinding", CLUSTER, "x", (AT,), "remove it")
    return Edge(Node(Kind.GROUP, CLUSTER, "team-a"), verb, Node(Kind.NAMESPACE, CLUSTER, "train"), (AT,), lever)


def connection(project: str, role: str) -> ProjectConnection:
    return ProjectConnection(
        "dzd_1", "c-1", "hyperpod", project, False, "HYPERPOD", "capacity", "", "EKS", role, "", "111122223333", "us-east-2", AT
    )


def association(account: str, user: str = "", parent: str = "") -> Association:
    return Association(CLUSTER, account, user, "", parent, (), {}, AT)


SLURM_OWN = "tenants:\n  - {name: a, slurm_accounts: [vision, 'vision-*'], users: ['v-*']}\n"
SLURM_ROWS = (association("vision", parent="root"), association("dev", parent="vision"), association("vision", "v-ana"))


def group(*taints: str) -> HyperPodCluster:
    made = InstanceGroup("gpu", ROLE.format("node"), "", AT, taints)
    return HyperPodCluster("hp", "x", "", "111122223333", "us-east-2", Orchestrator.EKS, "", CLUSTER, (made,), AT)
