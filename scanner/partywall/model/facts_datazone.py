"""What DataZone (Unified Studio) says: domains, projects, members, connections."""

from dataclasses import dataclass

from partywall.model.evidence import Evidence
from partywall.model.facts_identity_center import Assignee


@dataclass(frozen=True, slots=True)
class DataDomain:
    """A DataZone domain."""

    id: str
    account: str
    region: str
    execution_role: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class Project:
    """A project of a domain."""

    domain: str
    id: str
    name: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class ProjectMember:
    """A person or group in a project, by the id that Identity Center gives them."""

    domain: str
    project: str
    assignee: Assignee
    assignee_id: str
    designation: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class ProjectConnection:
    """A connection of a project (or of a whole domain) to a HyperPod cluster, through an access role."""

    domain: str
    id: str
    name: str
    project: str
    shared_in_domain: bool
    kind: str
    cluster_name: str
    cluster_arn: str
    orchestrator: str
    access_role: str
    project_role: str
    account: str
    region: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class ProjectEnvironment:
    """An environment of a project and the roles that were provisioned for it."""

    domain: str
    project: str
    id: str
    account: str
    roles: tuple[str, ...]
    at: Evidence
