"""IAM: who may do what, who may become whom, and what else IAM's own rights are worth.

What `__all__` names is for use as a library (docs/iam.md): parse documents into `Facts`, then ask `can` and `who_can`, or put `Rights`, a
`Request` and a `Guard` of your own to `decide`.
"""

from collections.abc import Iterator

from partywall.model.edge import Edge
from partywall.model.facts import Facts, Named
from partywall.model.facts_data import ResourcePolicy
from partywall.model.facts_datazone import ProjectConnection
from partywall.model.facts_eks import NodeGroup
from partywall.model.facts_identity_center import Assignment, Entitlement, PermissionSet
from partywall.model.facts_kubernetes import Namespace, ServiceAccount, Workload
from partywall.model.facts_studio import StudioDomain, UserProfile
from partywall.model.node import Kind
from partywall.resolve import Resolved, Resolver
from partywall.resolve.iam.context import Context
from partywall.resolve.iam.controls import assumptions
from partywall.resolve.iam.decide import Decision, Outcome, Reason, decide
from partywall.resolve.iam.edges import distinct
from partywall.resolve.iam.entering import things
from partywall.resolve.iam.estate import ESTATE_FACTS, estate
from partywall.resolve.iam.federation import all_namespaces, clusters, unknown_issuers
from partywall.resolve.iam.inside import administered
from partywall.resolve.iam.questions import Answer, all_answered, answered, can, unlisted, who_can
from partywall.resolve.iam.rights import Estate, Guard, Rights
from partywall.resolve.iam.statements import Request
from partywall.resolve.iam.steps import steps
from partywall.resolve.iam.unread import unread_roles

__all__ = [
    "RESOLVER",
    "Answer",
    "Context",
    "Decision",
    "Estate",
    "Guard",
    "Outcome",
    "Reason",
    "Request",
    "Rights",
    "all_answered",
    "answered",
    "can",
    "decide",
    "estate",
    "unlisted",
    "who_can",
]


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield who becomes whom by IAM."""
    world = estate(facts)
    if not world.rights:
        return
    yield from world.gaps
    made = list(steps(facts, world))
    found = list(distinct(each for each in made if isinstance(each, Edge)))
    yield from found
    yield from (each for each in made if not isinstance(each, Edge))
    yield from administered(world, frozenset(edge.target.name for edge in found if edge.target.kind is Kind.ACCOUNT))
    entered = frozenset(edge.target for edge in found if edge.verb == "assumes")
    yield from things(facts, world, clusters(facts), entered)
    yield from unread_roles(facts, world)
    tokens, namespaces = clusters(facts), all_namespaces(facts)
    for rights in world.rights.values():
        yield from unknown_issuers(rights, tokens, namespaces)
    yield from assumptions(facts)


RESOLVER = Resolver(
    "iam",
    (
        *ESTATE_FACTS,
        NodeGroup,
        ResourcePolicy,
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
