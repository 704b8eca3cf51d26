"""DataZone projects: who is in them, which role they use, and through which role a connection leads on."""

from collections.abc import Iterator

from partywall.model.edge import Change, Edge, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_datazone import Project, ProjectConnection, ProjectEnvironment, ProjectMember
from partywall.model.node import Kind, Node
from partywall.model.thing import Thing
from partywall.resolve.iam.naming import role_node
from partywall.resolve.iam.rights import Estate
from partywall.resolve.identity_center.people import people


def project_node(domain: str, project: str) -> Node:
    """Return the node of a project."""
    return Node(Kind.PROJECT, domain, project)


def project_things(facts: Facts) -> Iterator[Thing]:
    """Yield projects and connections."""
    for project in facts.of(Project):
        yield Thing(project_node(project.domain, project.id), project.at)
    for connection in facts.of(ProjectConnection):
        parent = project_node(connection.domain, connection.project) if connection.project else None
        yield Thing(Node(Kind.CONNECTION, connection.domain, connection.id), connection.at, parent=parent)


def project_edges(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield members, project roles and access roles."""
    yield from _members(facts)
    for environment in facts.of(ProjectEnvironment):
        for role in environment.roles:
            yield _runs_as(project_node(environment.domain, environment.project), role, environment.at, f"environment {environment.id}")
    for connection in facts.of(ProjectConnection):
        yield from _connection(facts, estate, connection)


def _members(facts: Facts) -> Iterator[Edge]:
    known = people(facts)
    domains = {project.id: project.domain for project in facts.of(Project)} | {
        connection.project: connection.domain for connection in facts.of(ProjectConnection)
    }
    for member in facts.of(ProjectMember):
        source = known.node(member.assignee, member.assignee_id)
        target = project_node(member.domain or domains.get(member.project, ""), member.project)
        text = f"take {source} out of project {member.project}"
        lever = Lever(
            Move.REMOVE,
            "project membership",
            target.scope,
            f"{member.project} / {source}",
            (member.at,),
            text,
            change=Change(gone=(member,)),
        )
        yield Edge(source, "joins", target, (member.at,), lever, note=member.designation)


def _runs_as(project: Node, role: str, at: Evidence, what: str) -> Edge:
    text = f"give project {project.name} a role of its own"
    return Edge(
        project,
        "runs as",
        role_node(role),
        (at,),
        Lever(Move.SET, "project role", project.scope, f"{project.name} / {role}", (at,), text),
        note=what,
    )


def _connection(facts: Facts, estate: Estate, connection: ProjectConnection) -> Iterator[Edge]:
    """Lead a connection's project, or every one of its domain, to its access role; where both roles were read, the trust decides."""
    for project, at in _projects(facts, connection):
        if connection.project_role:
            yield _runs_as(
                project,
                connection.project_role,
                connection.at.below("environmentUserRole"),
                f"connection {connection.name or connection.id}",
            )
        if not connection.access_role:
            continue
        if connection.access_role in estate.rights and connection.project_role in estate.rights:
            continue
        text = f"give connection {connection.name or connection.id} an access role of its own"
        lever = Lever(
            Move.REMOVE,
            "project connection",
            connection.domain,
            f"{connection.id} / {connection.access_role}",
            (connection.at,),
            text,
            change=Change(gone=(connection,)),
        )
        yield Edge(
            project,
            "assumes",
            role_node(connection.access_role),
            (connection.at, *at),
            lever,
            note=f"by connection {connection.name or connection.id}",
        )


def _projects(facts: Facts, connection: ProjectConnection) -> Iterator[tuple[Node, tuple[Evidence, ...]]]:
    if connection.shared_in_domain:
        for project in facts.of(Project):
            if project.domain == connection.domain:
                yield project_node(project.domain, project.id), (project.at,)
    elif connection.project:
        yield project_node(connection.domain, connection.project), ()
