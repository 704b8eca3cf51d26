"""IAM: who may become which role, and what else IAM's own rights are worth."""

from collections.abc import Iterator

from partywall.model.edge import Certainty, Edge
from partywall.model.facts import Facts, Named
from partywall.model.facts_datazone import ProjectConnection
from partywall.model.facts_eks import EksCluster, NodeGroup
from partywall.model.facts_iam import (
    HolderKind,
)
from partywall.model.facts_identity_center import Assignment, Entitlement, PermissionSet
from partywall.model.facts_kubernetes import Namespace, ServiceAccount, Workload
from partywall.model.facts_studio import StudioDomain, UserProfile
from partywall.model.node import Kind
from partywall.resolve import Resolved, Resolver
from partywall.resolve.iam.controls import assumptions
from partywall.resolve.iam.edges import distinct
from partywall.resolve.iam.entering import things
from partywall.resolve.iam.estate import ESTATE_FACTS, estate
from partywall.resolve.iam.federation import all_namespaces, clusters, unknown_issuers, web_identity_edges
from partywall.resolve.iam.inside import administered
from partywall.resolve.iam.passing import passing_edges
from partywall.resolve.iam.rewriting import administrator_edges, rewriting_edges
from partywall.resolve.iam.rights import Estate
from partywall.resolve.iam.trust import assume_edges, assumers, unread_targets
from partywall.resolve.iam.unread import unread_roles


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield who becomes whom by IAM."""
    world = estate(facts)
    if not world.rights:
        return
    yield from world.gaps
    found = list(distinct(_edges(facts, world)))
    yield from found
    yield from administered(world, frozenset(edge.target.name for edge in found if edge.target.kind is Kind.ACCOUNT))
    entered = frozenset(edge.target for edge in found if edge.verb == "assumes")
    yield from things(facts, world, clusters(facts), entered)
    yield from unread_roles(facts, world)
    tokens, namespaces = clusters(facts), all_namespaces(facts)
    for rights in world.rights.values():
        yield from unknown_issuers(rights, tokens, namespaces)
    yield from assumptions(facts)


def _edges(facts: Facts, world: Estate) -> Iterator[Edge]:
    tokens = clusters(facts)
    ready = assumers(world)
    for rights in world.rights.values():
        if rights.principal.holder.kind is HolderKind.ROLE:
            yield from assume_edges(world, rights, ready)
            yield from web_identity_edges(rights, tokens)
    yield from unread_targets(world)
    administrators = list(administrator_edges(facts, world))
    yield from administrators
    known = frozenset(edge.source for edge in administrators if edge.certainty is Certainty.SURE)
    yield from passing_edges(world, _cluster_arns(facts), known)
    yield from rewriting_edges(facts, world, known)


def _cluster_arns(facts: Facts) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for cluster in facts.of(EksCluster):
        account = cluster.cluster.split("/", 1)[0]
        found[account] = (*found.get(account, ()), cluster.arn)
    return found


RESOLVER = Resolver(
    "iam",
    (
        *ESTATE_FACTS,
        NodeGroup,
        Namespace,
        ServiceAccount,
        Workload,
        Named,
        Assignment,
        Entitlement,
        PermissionSet,
        StudioDomain,
        UserProfile,
        ProjectConnection,
    ),
    resolve,
)
