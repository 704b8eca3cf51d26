"""Document kinds that no parser takes: which of them can change nothing, and which leave a lane in question."""

from collections.abc import Iterator, Mapping

from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.verbs import Lane

# Read elsewhere (the tenancy), or only listed: infrastructure as code, and files of no known shape.
LISTED_ONLY = ("partywall:", "iac:", "unknown")

# Answers that name or describe things whose rights stand in other answers. AWS CLI command reference, one page a command.
NO_EFFECT = frozenset(
    f"aws:{service}:{command}"
    for service, commands in {
        "datazone": "get-domain-unit get-environment-blueprint-configuration get-group-profile get-project-profile get-user-profile "
        "list-domain-units-for-parent list-environment-blueprint-configurations list-project-profiles search-group-profiles "
        "search-user-profiles",
        "ec2": "describe-instances describe-security-group-rules describe-security-groups describe-subnets describe-vpc-endpoints "
        "describe-vpcs",
        "ecr": "list-tags-for-resource",
        "efs": "describe-mount-target-security-groups describe-mount-targets",
        "eks": "list-access-policies list-clusters list-nodegroups describe-addon-versions",
        "iam": "get-policy list-entities-for-policy list-groups list-instance-profiles list-policies list-policy-versions list-role-tags",
        "kms": "list-key-policies list-resource-tags",
        "logs": "describe-destinations describe-log-groups",
        "organizations": "describe-account describe-effective-policy list-children list-organizational-units-for-parent "
        "list-policies list-roots describe-organization",
        "s3api": "get-bucket-policy-status",
        "sagemaker": "describe-cluster-node list-cluster-nodes list-cluster-scheduler-configs list-tags",
        "ssm": "describe-document list-documents",
        "sso-admin": "describe-application list-accounts-for-provisioned-permission-set list-applications list-tags-for-resource",
        "sts": "get-caller-identity",
    }.items()
    for command in commands.split()
)

# The lanes that an unread answer of a service could have opened; every lane for a service that is not here.
LANES: Mapping[str, tuple[Lane, ...]] = {
    "amp": (Lane.VIEW,),
    "datazone": (Lane.IDENTITY,),
    "ecr": (Lane.DATA,),
    "efs": (Lane.DATA,),
    "fsx": (Lane.DATA,),
    "grafana": (Lane.VIEW,),
    "iam": (Lane.IDENTITY,),
    "kms": (Lane.DATA,),
    "logs": (Lane.VIEW,),
    "ram": (Lane.DATA, Lane.IDENTITY),
    "s3api": (Lane.DATA,),
    "s3control": (Lane.DATA,),
    "ssm": (Lane.IDENTITY,),
    "sso-admin": (Lane.IDENTITY,),
}


def unread(document: Document) -> Iterator[Gap]:
    """Yield what stays in question because a document of this kind is not read yet."""
    if document.kind.startswith(LISTED_ONLY) or document.kind in NO_EFFECT:
        return
    service = document.kind.split(":")[1] if ":" in document.kind else ""
    yield Gap(
        source=document.kind,
        what=f"{document.name}: answers of this kind are recognised and not read yet",
        reason=Reason.UNSUPPORTED,
        direction=Direction.EVERYWHERE,
        lanes=LANES.get(service, tuple(Lane)),
        at=document.at(),
    )
