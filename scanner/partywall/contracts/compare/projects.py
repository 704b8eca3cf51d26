"""The project of a contract, beside the connections that DataZone really holds."""

from collections.abc import Iterator

from partywall.contracts.compare.case import Case
from partywall.contracts.difference import Difference, Drift
from partywall.contracts.records import text
from partywall.model.document import Gap
from partywall.model.facts_datazone import ProjectConnection
from partywall.model.node import cluster_name


def compare_project(case: Case) -> Iterator[Difference | Gap]:
    """Yield what differs between the contract and its project's connection to the cluster."""
    project = text(case.part("project"), "id")
    if not project:
        return
    everywhere = case.facts.of(ProjectConnection)
    mine = [each for each in everywhere if each.project == project and _is_of_cluster(case, each)]
    if not mine:
        domain = text(case.part("project"), "domain") or "DOMAIN"
        remedy = f"aws datazone list-connections --domain-identifier {domain} --project-identifier {project} --type HYPERPOD"
        listed = case.listing("Connection", f"{domain}/{project}")
        elsewhere = [each for each in everywhere if each.project == project]
        if listed is None and not elsewhere:
            yield case.unjudged("project.id", f"no connection of project {project} was read", remedy)
            return
        real = f"connected to {elsewhere[0].cluster_name or elsewhere[0].cluster_arn}" if elsewhere else "no connection"
        message = f"project {project} of {case.tenant} has no connection to cluster {case.cluster_word}; its contract approves one"
        yield case.differs(
            "project.id",
            project,
            Drift.NOT_REAL,
            f"connected to {case.cluster_word}",
            real,
            message,
            (each.at for each in elsewhere),
            "project.id",
        )
    for connection in mine:
        for word, approved, real in (
            ("access", text(case.part("roles"), "access"), connection.access_role),
            ("project", text(case.part("roles"), "project"), connection.project_role),
        ):
            if approved and real and approved != real:
                message = (
                    f"connection {connection.id} of project {project} uses {word} role "
                    f"{real}; the contract of {case.tenant} approves {approved}"
                )
                yield case.differs(f"roles.{word}", f"{connection.id}/{word}", Drift.DIFFERS, approved, real, message, (connection.at,))


def _is_of_cluster(case: Case, connection: ProjectConnection) -> bool:
    name = cluster_name(case.contract.cluster)
    if not name:
        return True
    return name in (connection.cluster_name, connection.cluster_arn.rsplit("/", 1)[-1]) or (
        bool(case.cluster) and cluster_name(case.cluster) == connection.cluster_name
    )
