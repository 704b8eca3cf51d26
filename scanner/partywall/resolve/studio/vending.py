"""Credentials that DataZone hands out, and memberships that it gives, by IAM's leave.

Service authorization reference, "Actions, resources, and condition keys for Amazon DataZone": these actions have no resource types, so
IAM cannot limit them to a project; DataZone itself asks for membership on top. Memberships name people and groups by DataZone's own ids,
so whether a role is a member is not in the input, and each such way is unknown. An account's own domains and environments only.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from partywall.model.arn import account_of
from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_datazone import DataDomain, Project, ProjectConnection, ProjectEnvironment
from partywall.model.node import Node
from partywall.resolve.data.asking import request_on
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.naming import role_node
from partywall.resolve.iam.rights import Estate
from partywall.resolve.iam.ways import Way, identity_ways
from partywall.resolve.studio.projects import project_node

ENVIRONMENT = "datazone:getenvironmentcredentials"
DOMAIN = "datazone:getdomainexecutionrolecredentials"
CONNECTION = "datazone:getconnection"
MEMBER = "datazone:createprojectmembership"


@dataclass(frozen=True, slots=True)
class Vended:
    """What one action hands out: for which target, in which account, and what DataZone asks for beside."""

    action: str
    verb: str
    target: Node
    account: str
    asks: str
    at: Evidence


def vending_edges(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield who may ask DataZone for whose credentials, or make itself a member of which project."""
    offers = list(_offers(facts))
    for rights in estate.askers() if offers else ():
        for action in sorted({offer.action for offer in offers}):
            if not rights.allows(action):
                continue
            ways = identity_ways(rights, replace(request_on(rights, action, "*", {}), wildcard_only=True))
            mine = [offer for offer in offers if offer.action == action and offer.account in ("", rights.account)]
            yield from _vended(rights.node, ways, mine)


def _vended(source: Node, ways: Iterable[Way], offers: list[Vended]) -> Iterator[Edge]:
    for way in ways:
        for offer in offers:
            if offer.target != source:
                unknown = way.unsure(f"whether {offer.asks} was not read")
                yield edge(source, offer.verb, offer.target, unknown, note=offer.action, also=(offer.at,))


def _offers(facts: Facts) -> Iterator[Vended]:
    for environment in facts.of(ProjectEnvironment):
        for role in environment.roles:
            asks = f"DataZone counts it as a member of project {environment.project}"
            yield Vended(ENVIRONMENT, "reads credential of", role_node(role), environment.account or account_of(role), asks, environment.at)
    for domain in facts.of(DataDomain):
        if domain.execution_role:
            asks = f"DataZone counts it as a user of domain {domain.id}"
            yield Vended(DOMAIN, "reads credential of", role_node(domain.execution_role), domain.account, asks, domain.at)
    for connection in facts.of(ProjectConnection):
        if connection.access_role:
            asks = f"DataZone counts it as a member of project {connection.project or connection.domain}"
            account = account_of(connection.access_role)
            yield Vended(CONNECTION, "reads credential of", role_node(connection.access_role), account, asks, connection.at)
    accounts = {domain.id: domain.account for domain in facts.of(DataDomain)}
    for project in facts.of(Project):
        asks = f"DataZone counts it as an owner of project {project.id}"
        yield Vended(MEMBER, "joins", project_node(project.domain, project.id), accounts.get(project.domain, ""), asks, project.at)
