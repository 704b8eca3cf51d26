"""How stores stand: what lies in what, and which of them hold things of many."""

from collections.abc import Iterator

from partywall.model.document import Direction, Gap, Reason
from partywall.model.facts import Facts
from partywall.model.facts_data import LogGroup, ResourcePolicy, Store
from partywall.model.facts_iam import Effect, Statement
from partywall.model.facts_studio import HyperPodCluster
from partywall.model.node import Kind, Node
from partywall.model.thing import Cover, Standing, Thing
from partywall.model.verbs import Lane
from partywall.resolve.data.prefixes import node
from partywall.resolve.data.stock import Holding, buckets, file_systems, keyed
from partywall.resolve.iam.rights import Estate
from partywall.resolve.iam.vocabulary import SETTLED, complaints


def things(facts: Facts, estate: Estate) -> Iterator[Thing]:
    """Yield the stores that exist."""
    for stock in buckets(facts, estate).values():
        yield Thing(stock.node, stock.at)
        for prefix in sorted(stock.prefixes):
            yield Thing(node(stock, prefix), stock.at, parent=stock.node)
    accounting = {cluster.accounting_secret: cluster for cluster in facts.of(HyperPodCluster) if cluster.accounting_secret}
    for store in (*keyed(facts, estate), *file_systems(facts)):
        yield _standing(store, accounting.get(store.arn))
    for group in facts.of(LogGroup):
        covers = _covers(facts, group)
        yield Thing(
            Node(Kind.LOG_GROUP, f"{group.account}/{group.region}", group.name),
            group.at,
            standing=Standing.SCOPE if covers else None,
            covers=covers,
        )


def _standing(store: Holding, cluster: HyperPodCluster | None) -> Thing:
    """Let the secret of a cluster's accounting database stand for all that it accounts for."""
    if cluster is None:
        return Thing(store.node, store.at)
    return Thing(store.node, store.at, standing=Standing.SCOPE, covers=(Cover(Kind.SLURM_ACCOUNT, cluster.scope),))


def _covers(facts: Facts, group: LogGroup) -> tuple[Cover, ...]:
    """Return whose logs a group holds: Container Insights and HyperPod write all tenants' logs of a cluster into one group each.

    CloudWatch user guide, "Container Insights log groups"; SageMaker AI developer guide, "HyperPod cluster logs".
    """
    parts = group.name.strip("/").split("/")
    if parts[:2] == ["aws", "containerinsights"] and len(parts) >= 4:
        return (Cover(Kind.NAMESPACE, f"{group.account}/{group.region}/{parts[2]}"),)
    if parts[:3] == ["aws", "sagemaker", "Clusters"] and len(parts) >= 4:
        scope = next(
            (cluster.scope for cluster in facts.of(HyperPodCluster) if cluster.name == parts[3]),
            f"{group.account}/{group.region}/{parts[3]}",
        )
        return (Cover(Kind.NAMESPACE, scope), Cover(Kind.SLURM_ACCOUNT, scope))
    return ()


_NODES = {Store.KMS: Kind.KEY, Store.SECRETS: Kind.SECRET, Store.ECR: Kind.REPOSITORY}


def guard_gaps(facts: Facts) -> Iterator[Gap]:
    """Yield what of a store's own policy cannot be evaluated: it may let anybody in."""
    for policy in facts.of(ResourcePolicy):
        for statement in policy.policy.statements:
            what = f"a statement of the policy of {policy.resource}"
            if statement.broken:
                yield _gap(policy, statement, f"{what} cannot be evaluated: {statement.broken}")
            for name in statement.principals if statement.effect is Effect.ALLOW else ():
                if name.kind == "CanonicalUser":
                    yield _gap(policy, statement, f"{what} lets in canonical user {name.name}: which account that is, is not in the input")
            for complaint in complaints(statement):
                blinds = complaint.unevaluable and complaint.part not in SETTLED
                yield _gap(policy, statement, f"{what}: {complaint.part}: {complaint.text}", (Lane.DATA,) if blinds else ())


def _gap(policy: ResourcePolicy, statement: Statement, what: str, lanes: tuple[Lane, ...] = (Lane.DATA,)) -> Gap:
    reason = Reason.UNEVALUABLE if lanes else Reason.UNSUPPORTED
    return Gap("data", what, reason, Direction.INCOMING, (_node(policy),), lanes, "correct the policy", statement.at)


def _node(policy: ResourcePolicy) -> Node:
    if policy.store in _NODES:
        return Node(_NODES[policy.store], policy.account, policy.resource)
    return Node(Kind.FILE_SYSTEM if policy.store is Store.EFS else Kind.BUCKET, "", policy.resource)
