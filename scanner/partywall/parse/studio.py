"""SageMaker: Studio domains and profiles, HyperPod clusters; SSM: the preferences of sessions on their nodes."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from partywall.model.arn import account_of, region_of, resource_of
from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact
from partywall.model.facts_studio import (
    HyperPodCluster,
    HyperPodName,
    InstanceGroup,
    SessionPreferences,
    StudioDomain,
    StudioDomainName,
    StudioSpace,
    UserProfile,
)
from partywall.model.tenancy import Orchestrator
from partywall.model.verbs import Lane
from partywall.parse.policy_json import below, entries, text

Parsed: TypeAlias = Fact | Gap
Parser: TypeAlias = Callable[[Document], Iterator[Parsed]]


def domain(doc: Document) -> Iterator[Parsed]:
    """Read `describe-domain`."""
    top = entries(doc.value)
    arn = text(top.get("DomainArn"))
    defaults, spaces, settings = (entries(top.get(key)) for key in ("DefaultUserSettings", "DefaultSpaceSettings", "DomainSettings"))
    portal = entries(defaults.get("StudioWebPortalSettings"))
    unified = entries(settings.get("UnifiedStudioSettings"))
    yield StudioDomain(
        id=text(top.get("DomainId")),
        name=text(top.get("DomainName")),
        account=account_of(arn) or doc.origin.account,
        region=region_of(arn) or doc.origin.region,
        arn=arn,
        execution_role=text(defaults.get("ExecutionRole")),
        space_role=text(spaces.get("ExecutionRole")),
        session_name_mode=text(portal.get("ExecutionRoleSessionNameMode")),
        at=doc.at(),
        project_domain=text(unified.get("DomainId")),
        project=text(unified.get("ProjectId")),
        auth_mode=text(top.get("AuthMode")),
    )


def profiles(doc: Document) -> Iterator[Parsed]:
    """Read `list-user-profiles`: names only, their roles are in `describe-user-profile`."""
    for item, at in below(doc.value, doc.at(), "UserProfiles"):
        yield _profile(doc, item, at, described=False)


def profile(doc: Document) -> Iterator[Parsed]:
    """Read `describe-user-profile`."""
    yield _profile(doc, entries(doc.value), doc.at(), described=True)


def _profile(doc: Document, item: Mapping[str, Json], at: Evidence, *, described: bool) -> UserProfile:
    arn = text(item.get("UserProfileArn"))
    return UserProfile(
        domain=text(item.get("DomainId")),
        name=text(item.get("UserProfileName")),
        account=account_of(arn) or doc.origin.account,
        region=region_of(arn) or doc.origin.region,
        execution_role=text(entries(item.get("UserSettings")).get("ExecutionRole")),
        sign_in=text(item.get("SingleSignOnUserValue")),
        described=described,
        at=at,
    )


def spaces(doc: Document) -> Iterator[Parsed]:
    """Read `list-spaces`."""
    for item, at in below(doc.value, doc.at(), "Spaces"):
        yield _space(doc, item, at, "SpaceSharingSettingsSummary", "OwnershipSettingsSummary")


def space(doc: Document) -> Iterator[Parsed]:
    """Read `describe-space`."""
    yield _space(doc, entries(doc.value), doc.at(), "SpaceSharingSettings", "OwnershipSettings")


def _space(doc: Document, item: Mapping[str, Json], at: Evidence, sharing: str, ownership: str) -> StudioSpace:
    arn = text(item.get("SpaceArn"))
    account, region = account_of(arn) or doc.origin.account, region_of(arn) or doc.origin.region
    owner = text(entries(item.get(ownership)).get("OwnerUserProfileName"))
    return StudioSpace(
        text(item.get("DomainId")),
        text(item.get("SpaceName")),
        account,
        region,
        owner,
        text(entries(item.get(sharing)).get("SharingType")),
        at,
    )


def cluster(doc: Document) -> Iterator[Parsed]:
    """Read `describe-cluster`. What lives in a cluster with EKS is scoped by the EKS cluster's name."""
    top = entries(doc.value)
    arn = text(top.get("ClusterArn"))
    name = text(top.get("ClusterName"))
    orchestrator = entries(top.get("Orchestrator"))
    eks = text(entries(orchestrator.get("Eks")).get("ClusterArn"))
    account, region = account_of(arn) or doc.origin.account, region_of(arn) or doc.origin.region
    own = f"{account}/{region}/{name}"
    inside = f"{account_of(eks)}/{region_of(eks)}/{resource_of(eks).removeprefix('cluster/')}" if eks else doc.origin.cluster or own
    groups = (*_groups(doc, "InstanceGroups"), *_groups(doc, "RestrictedInstanceGroups"))
    kind = Orchestrator.EKS if eks else Orchestrator.SLURM
    yield HyperPodCluster(
        name, resource_of(arn).removeprefix("cluster/"), arn, account, region, kind, eks, inside, groups, doc.at(), _secret(orchestrator)
    )


def _secret(orchestrator: Mapping[str, Json]) -> str:
    """Return the ARN of the accounting database's secret, wherever in the Slurm settings it stands."""
    todo: list[Json] = [orchestrator.get("Slurm")]
    while todo:
        value = todo.pop()
        for key, item in entries(value).items():
            if isinstance(item, str) and ":secretsmanager:" in item and "Secret" in key:
                return item
            todo.append(item)
    return ""


def _groups(doc: Document, key: str) -> Iterator[InstanceGroup]:
    for item, at in below(doc.value, doc.at(), key):
        scripts = text(entries(item.get("LifeCycleConfig")).get("SourceS3Uri"))
        # SageMaker API, ClusterKubernetesConfigDetails: what the nodes have now, and what they are to have.
        taints = tuple(text(taint.get("Effect")) for taint, _ in below(entries(item.get("KubernetesConfig")), at, "CurrentTaints"))
        yield InstanceGroup(text(item.get("InstanceGroupName")), text(item.get("ExecutionRole")), scripts, at, taints)


def session_document(doc: Document) -> Iterator[Parsed]:
    """Read `ssm get-document` of a Session document.

    Systems Manager user guide, "Turn on Run As support for Linux and macOS managed nodes": `inputs.runAsEnabled` and
    `inputs.runAsDefaultUser`.
    """
    top = entries(doc.value)
    if text(top.get("DocumentType")) not in ("Session", "") or text(top.get("Name")) not in ("SSM-SessionManagerRunShell", ""):
        return
    content: Json = top.get("Content")
    at = doc.at("/Content")
    if isinstance(content, str):
        try:
            content = json.loads(content)
        except ValueError:
            yield Gap(
                doc.name,
                "the Session Manager preferences are no JSON",
                Reason.UNPARSABLE,
                Direction.EVERYWHERE,
                (),
                (Lane.ACT, Lane.IDENTITY),
                "",
                at,
            )
            return
    inputs = entries(entries(content).get("inputs"))
    enabled = inputs.get("runAsEnabled") in (True, "true")
    yield SessionPreferences(doc.origin.account, doc.origin.region, enabled, text(inputs.get("runAsDefaultUser")), at)


def domains(doc: Document) -> Iterator[Parsed]:
    """Read `list-domains`: names only."""
    for item, at in below(doc.value, doc.at(), "Domains"):
        arn = text(item.get("DomainArn"))
        account, region = account_of(arn) or doc.origin.account, region_of(arn) or doc.origin.region
        yield StudioDomainName(text(item.get("DomainId")), account, region, at)


def clusters(doc: Document) -> Iterator[Parsed]:
    """Read `list-clusters`: names only."""
    for item, at in below(doc.value, doc.at(), "ClusterSummaries"):
        arn = text(item.get("ClusterArn"))
        account, region = account_of(arn) or doc.origin.account, region_of(arn) or doc.origin.region
        yield HyperPodName(text(item.get("ClusterName")), account, region, at)


PARSERS: Mapping[str, Parser] = {
    "aws:sagemaker:list-clusters": clusters,
    "aws:sagemaker:list-domains": domains,
    "aws:sagemaker:describe-domain": domain,
    "aws:sagemaker:list-user-profiles": profiles,
    "aws:sagemaker:describe-user-profile": profile,
    "aws:sagemaker:list-spaces": spaces,
    "aws:sagemaker:describe-space": space,
    "aws:sagemaker:describe-cluster": cluster,
    "aws:ssm:get-document": session_document,
}
