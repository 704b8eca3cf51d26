"""IAM roles for service accounts: which service accounts of a known cluster a role's trust policy lets in.

EKS user guide, "IAM roles for service accounts": the token's `sub` is `system:serviceaccount:NAMESPACE:NAME`; the role's annotation on a
service account is for the pod's convenience and not needed to call AssumeRoleWithWebIdentity.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from partywall.model.arn import account_of, resource_of
from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Named
from partywall.model.facts_eks import EksCluster, PodIdentity
from partywall.model.facts_iam import Effect, Statement
from partywall.model.facts_kubernetes import Namespace, ServiceAccount, Workload
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane
from partywall.resolve.iam.context import Chosen, Context, Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.rights import Rights, denials
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.trust import trust_grants
from partywall.resolve.iam.ways import Way, opened

WEB_IDENTITY = "sts:assumerolewithwebidentity"


@dataclass(frozen=True, slots=True)
class Tokens:
    """What is known of a cluster whose tokens IAM accepts: its issuer, service accounts and namespaces, each with its evidence."""

    scope: str
    issuer: str
    at: Evidence
    accounts: Mapping[tuple[str, str], Evidence]
    namespaces: Mapping[str, Evidence]


def clusters(facts: Facts) -> dict[str, list[Tokens]]:
    """Return the known clusters by issuer, without its scheme."""
    found: dict[str, list[Tokens]] = {}
    for cluster in facts.of(EksCluster):
        issuer = cluster.issuer.removeprefix("https://").rstrip("/")
        if issuer:
            tokens = Tokens(cluster.cluster, issuer, cluster.at, _accounts(facts, cluster.cluster), _namespaces(facts, cluster.cluster))
            found.setdefault(issuer, []).append(tokens)
    return found


def _accounts(facts: Facts, scope: str) -> dict[tuple[str, str], Evidence]:
    found: dict[tuple[str, str], Evidence] = {}
    for account in facts.of(ServiceAccount):
        if account.cluster == scope:
            found.setdefault((account.namespace, account.name), account.at)
    for association in facts.of(PodIdentity):
        if association.cluster == scope:
            found.setdefault((association.namespace, association.service_account), association.at)
    for workload in facts.of(Workload):
        if workload.cluster == scope:
            found.setdefault((workload.namespace, workload.service_account or "default"), workload.at)
    for named in facts.of(Named):
        if named.node.kind is Kind.SERVICE_ACCOUNT and named.node.scope == scope:
            namespace, _, name = named.node.name.partition("/")
            found.setdefault((namespace, name), named.at)
    return found


def _namespaces(facts: Facts, scope: str) -> dict[str, Evidence]:
    found: dict[str, Evidence] = {}
    for namespace in facts.of(Namespace):
        if namespace.cluster == scope:
            found.setdefault(namespace.name, namespace.at)
    for named in facts.of(Named):
        if named.node.kind is Kind.NAMESPACE and named.node.scope == scope:
            found.setdefault(named.node.name, named.at)
    return found


def provider_issuer(statement: Statement, account: str) -> str:
    """Return the issuer of the OIDC provider that a trust statement names, if it is one of the role's own account."""
    for name in statement.principals:
        resource = resource_of(name.name)
        if name.kind == "Federated" and resource.startswith("oidc-provider/") and account_of(name.name) == account:
            return resource.removeprefix("oidc-provider/")
    return ""


def web_identity_edges(role: Rights, known: Mapping[str, list[Tokens]]) -> Iterator[Edge]:
    """Yield the service accounts that a role lets in, and the namespaces in which a service account of a fitting name may be made."""
    for grant in trust_grants(role.principal):
        issuer = provider_issuer(grant.statement, role.account) if grant.statement.effect is Effect.ALLOW else ""
        for tokens in known.get(issuer, []):
            served: set[str] = set()
            for (namespace, name), at in tokens.accounts.items():
                way = _way(grant, role, tokens.issuer, (f"system:serviceaccount:{namespace}:{name}",))
                if way is not None:
                    served.add(namespace)
                    node = Node(Kind.SERVICE_ACCOUNT, tokens.scope, f"{namespace}/{name}")
                    yield edge(node, "assumes", role.node, way, note="by its token", also=(at, tokens.at))
            for namespace, at in tokens.namespaces.items():
                way = _way(grant, role, tokens.issuer, Chosen(f"system:serviceaccount:{namespace}:*"))
                if way is not None and namespace not in served:
                    node = Node(Kind.NAMESPACE, tokens.scope, namespace)
                    note = "by the token of a service account that may be made there"
                    yield edge(node, "assumes", role.node, way, note=note, also=(at, tokens.at))


def unknown_issuers(rights: Rights, known: Mapping[str, list[Tokens]], namespaces: Iterable[str]) -> Iterator[Gap]:
    """Yield a gap for each trust in an EKS cluster that is not in the input, if it lets in more than one of the namespaces that are."""
    for grant in trust_grants(rights.principal):
        issuer = provider_issuer(grant.statement, rights.account) if grant.statement.effect is Effect.ALLOW else ""
        if not issuer.startswith("oidc.eks.") or issuer in known:
            continue
        entering = [name for name in namespaces if _way(grant, rights, issuer, Chosen(f"system:serviceaccount:{name}:*")) is not None]
        if len(entering) > 1:
            role = rights.principal.holder.name
            what = f"whether the cluster with issuer {issuer}, which role {role} trusts for several namespaces, is one of these"
            remedy = "aws eks describe-cluster"
            yield Gap("iam", what, Reason.ABSENT, Direction.INCOMING, (rights.node,), (Lane.IDENTITY,), remedy, grant.statement.at)


def all_namespaces(facts: Facts) -> list[str]:
    """Return the names of the known namespaces of all clusters."""
    named = (fact.node.name for fact in facts.of(Named) if fact.node.kind is Kind.NAMESPACE)
    return sorted({*(namespace.name for namespace in facts.of(Namespace)), *named})


def _way(grant: Grant, role: Rights, issuer: str, subject: Value) -> Way | None:
    # Whoever makes a pod chooses the audience of its projected token.
    keys: dict[str, Value] = {f"{issuer}:sub".lower(): subject, f"{issuer}:aud".lower(): Chosen("*"), "aws:federatedprovider": Chosen("*")}
    request = Request(WEB_IDENTITY, role.principal.arn, Context(keys))
    return opened(grant, denials(trust_grants(role.principal)), request)
