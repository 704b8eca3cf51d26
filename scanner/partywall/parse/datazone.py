"""DataZone (Unified Studio): domains, projects, members, connections. Secrets of a connection are never read."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from partywall.model.arn import account_of, region_of
from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact
from partywall.model.facts_datazone import DataDomain, Project, ProjectConnection, ProjectEnvironment, ProjectMember
from partywall.model.facts_identity_center import Assignee
from partywall.model.verbs import Lane
from partywall.parse.policy_json import below, entries, rows, text

Parsed: TypeAlias = Fact | Gap
Parser: TypeAlias = Callable[[Document], Iterator[Parsed]]


def domains(doc: Document) -> Iterator[Parsed]:
    """Read `list-domains`."""
    for item, at in below(doc.value, doc.at(), "items"):
        yield _domain(doc, item, at)


def domain(doc: Document) -> Iterator[Parsed]:
    """Read `get-domain`."""
    yield _domain(doc, entries(doc.value), doc.at())


def _domain(doc: Document, item: Mapping[str, Json], at: Evidence) -> DataDomain:
    arn = text(item.get("arn"))
    return DataDomain(
        text(item.get("id")),
        account_of(arn) or doc.origin.account,
        region_of(arn) or doc.origin.region,
        text(item.get("domainExecutionRole")),
        at,
    )


def projects(doc: Document) -> Iterator[Parsed]:
    """Read `list-projects`."""
    for item, at in below(doc.value, doc.at(), "items"):
        yield Project(text(item.get("domainId")), text(item.get("id")), text(item.get("name")), at)


def project(doc: Document) -> Iterator[Parsed]:
    """Read `get-project`."""
    item = entries(doc.value)
    yield Project(text(item.get("domainId")), text(item.get("id")), text(item.get("name")), doc.at())


def members(doc: Document) -> Iterator[Parsed]:
    """Read `list-project-memberships`, which names no project: `DOMAIN/PROJECT` or the project is the document's subject."""
    subject = doc.origin.subject or doc.key
    if not subject:
        remedy = "name the file `...--PROJECT.json`, or list it in sources.yaml"
        yield Gap(
            doc.name,
            "the answer does not say which project it is of",
            Reason.AMBIGUOUS,
            Direction.EVERYWHERE,
            (),
            (Lane.IDENTITY,),
            remedy,
            doc.at(),
        )
        return
    of_domain, _, of_project = subject.rpartition("/")
    for item, at in below(doc.value, doc.at(), "members"):
        details = entries(item.get("memberDetails"))
        user, group = text(entries(details.get("user")).get("userId")), text(entries(details.get("group")).get("groupId"))
        assignee = Assignee.GROUP if group else Assignee.USER
        yield ProjectMember(of_domain, of_project, assignee, group or user, text(item.get("designation")), at)


def connections(doc: Document) -> Iterator[Parsed]:
    """Read `list-connections`."""
    for item, at in below(doc.value, doc.at(), "items"):
        yield _connection(doc, item, at)


def connection(doc: Document) -> Iterator[Parsed]:
    """Read `get-connection`."""
    yield _connection(doc, entries(doc.value), doc.at())


def _connection(doc: Document, item: Mapping[str, Json], at: Evidence) -> ProjectConnection:
    properties = entries(entries(item.get("props")).get("hyperPodProperties"))
    places = [entries(entries(endpoint).get("awsLocation")) for endpoint in rows(item.get("physicalEndpoints"))]
    place = next((place for place in places if text(place.get("accessRole"))), places[0] if places else {})
    arn = text(properties.get("clusterArn"))
    return ProjectConnection(
        domain=text(item.get("domainId")),
        id=text(item.get("connectionId")),
        name=text(item.get("name")),
        project=text(item.get("projectId")),
        shared_in_domain=text(item.get("scope")) == "DOMAIN",
        kind=text(item.get("type")),
        cluster_name=text(properties.get("clusterName")),
        cluster_arn=arn,
        orchestrator=text(properties.get("orchestrator")),
        access_role=text(place.get("accessRole")),
        project_role=text(item.get("environmentUserRole")),
        account=text(place.get("awsAccountId")) or account_of(arn) or doc.origin.account,
        region=text(place.get("awsRegion")) or region_of(arn) or doc.origin.region,
        at=at,
    )


def environments(doc: Document) -> Iterator[Parsed]:
    """Read `list-environments` and `get-environment`."""
    found = list(below(doc.value, doc.at(), "items")) or [(entries(doc.value), doc.at())]
    for item, at in found:
        resources = [entries(row) for row in rows(item.get("provisionedResources"))]
        roles = tuple(text(row.get("value")) for row in resources if ":role/" in text(row.get("value")))
        yield ProjectEnvironment(
            text(item.get("domainId")), text(item.get("projectId")), text(item.get("id")), text(item.get("awsAccountId")), roles, at
        )


PARSERS: Mapping[str, Parser] = {
    "aws:datazone:list-domains": domains,
    "aws:datazone:get-domain": domain,
    "aws:datazone:list-projects": projects,
    "aws:datazone:get-project": project,
    "aws:datazone:list-project-memberships": members,
    "aws:datazone:list-connections": connections,
    "aws:datazone:get-connection": connection,
    "aws:datazone:list-environments": environments,
    "aws:datazone:get-environment": environments,
}
