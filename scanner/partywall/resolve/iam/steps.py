"""The single steps from one principal to another that IAM gives, from all rooms."""

from collections.abc import Iterator

from partywall.model.document import Assumption, Gap
from partywall.model.edge import Certainty, Edge
from partywall.model.facts import Facts
from partywall.model.facts_eks import EksCluster
from partywall.model.facts_iam import HolderKind
from partywall.model.thing import Thing
from partywall.resolve.iam.abilities import abilities
from partywall.resolve.iam.changing import changing_edges
from partywall.resolve.iam.federation import clusters, web_identity_edges
from partywall.resolve.iam.passing import Takers, passing_edges
from partywall.resolve.iam.rewriting import administrator_edges, household, rewriting_edges
from partywall.resolve.iam.rights import Estate
from partywall.resolve.iam.tagging import asked_tags, tagging_edges
from partywall.resolve.iam.trust import assume_edges, assumers, unread_targets


def steps(facts: Facts, world: Estate) -> Iterator[Edge | Thing | Assumption | Gap]:
    """Yield who becomes whom in one step, with what must be said beside."""
    tokens = clusters(facts)
    ready = assumers(world)
    for rights in world.rights.values():
        if rights.principal.holder.kind is HolderKind.ROLE:
            yield from assume_edges(world, rights, ready)
            yield from web_identity_edges(rights, tokens)
    yield from unread_targets(world)
    able, home = abilities(world), household(facts)
    administrators = list(administrator_edges(able, home))
    yield from administrators
    known = frozenset(edge.source for edge in administrators if edge.certainty is Certainty.SURE)
    takers = Takers(world, _cluster_arns(facts))
    yield from passing_edges(able, takers, known)
    yield from changing_edges(able, takers, known)
    yield from rewriting_edges(able, home, known)
    yield from tagging_edges(able, home, asked_tags(facts), known)


def _cluster_arns(facts: Facts) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for cluster in facts.of(EksCluster):
        account = cluster.cluster.split("/", 1)[0]
        found[account] = (*found.get(account, ()), cluster.arn)
    return found
