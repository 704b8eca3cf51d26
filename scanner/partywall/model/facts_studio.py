"""What SageMaker says of Studio domains and of HyperPod clusters, and SSM of the sessions on their nodes."""

from dataclasses import dataclass

from partywall.model.evidence import Evidence
from partywall.model.tenancy import Orchestrator


@dataclass(frozen=True, slots=True)
class StudioDomain:
    """A Studio domain with the execution roles that its profiles and spaces fall back to."""

    id: str
    name: str
    account: str
    region: str
    arn: str
    execution_role: str
    space_role: str
    session_name_mode: str
    at: Evidence
    project_domain: str = ""
    project: str = ""
    auth_mode: str = ""


@dataclass(frozen=True, slots=True)
class StudioDomainName:
    """A Studio domain that the list of domains names."""

    id: str
    account: str
    region: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class UserProfile:
    """A user profile. `described` is False where only its name was listed; `sign_in` is the Identity Center user it belongs to."""

    domain: str
    name: str
    account: str
    region: str
    execution_role: str
    sign_in: str
    described: bool
    at: Evidence


@dataclass(frozen=True, slots=True)
class StudioSpace:
    """A space of a domain and who owns it."""

    domain: str
    name: str
    account: str
    region: str
    owner: str
    sharing: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class InstanceGroup:
    """One instance group: the role its nodes run with, the scripts they run as root when they are made, and their taints' effects."""

    name: str
    role: str
    scripts: str
    at: Evidence
    taints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HyperPodCluster:
    """A HyperPod cluster; `scope` is the canonical scope of what lives in it (that of its EKS cluster, where it has one)."""

    name: str
    id: str
    arn: str
    account: str
    region: str
    orchestrator: Orchestrator
    eks_arn: str
    scope: str
    groups: tuple[InstanceGroup, ...]
    at: Evidence
    accounting_secret: str = ""


@dataclass(frozen=True, slots=True)
class HyperPodName:
    """A HyperPod cluster that the list of clusters names."""

    name: str
    account: str
    region: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class SessionPreferences:
    """The Session Manager preferences of an account and Region: does a session run as the OS user that the caller's tag names?"""

    account: str
    region: str
    run_as: bool
    default_user: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class NotebookInstance:
    """A SageMaker notebook instance and its role."""

    name: str
    account: str
    region: str
    role: str
    at: Evidence
