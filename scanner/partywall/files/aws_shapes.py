"""What the answers of the AWS CLI look like, as a table: enough keys to tell one command's answer from another's.

A row is `SERVICE COMMAND: TOKENS`. `Key` must be there; `Key$` is a string, `Key{a,b}` an object with these keys, `Key[a,b]` a list of
objects with these keys, `Key[$]` a list of strings; `!Key` must be absent, and a key inside may be negated too. The names are those of
`aws SERVICE COMMAND`, the keys those of its answers in the AWS CLI v2 Command Reference (botocore's service models).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

ROWS = """
iam get-account-authorization-details: RoleDetailList
iam get-account-authorization-details: UserDetailList
iam get-account-authorization-details: GroupDetailList
iam list-roles: Roles[RoleName,RoleId]
iam list-users: Users[UserName,UserId,Arn,!IdentityStoreId] !Group
iam list-groups: Groups[GroupName,GroupId,Arn]
iam list-groups-for-user: Groups[GroupName,GroupId,Arn]
iam list-policies: Policies[PolicyName,PolicyId,Arn] !RoleDetailList !UserDetailList !GroupDetailList
iam get-role: Role{RoleName,RoleId}
iam get-user: User{UserName,UserId,Arn}
iam get-group: Group{GroupName} Users
iam get-policy: Policy{PolicyName,Arn}
iam get-policy-version: PolicyVersion{Document}
iam list-policy-versions: Versions[VersionId,IsDefaultVersion]
iam get-role-policy: RoleName PolicyName PolicyDocument
iam get-user-policy: UserName PolicyName PolicyDocument
iam get-group-policy: GroupName PolicyName PolicyDocument
iam list-attached-role-policies: AttachedPolicies[PolicyName,PolicyArn]
iam list-attached-user-policies: AttachedPolicies[PolicyName,PolicyArn]
iam list-attached-group-policies: AttachedPolicies[PolicyName,PolicyArn]
iam list-role-policies: PolicyNames[$]
iam list-user-policies: PolicyNames[$]
iam list-group-policies: PolicyNames[$]
iam list-role-tags: Tags[Key,Value]
iam list-open-id-connect-providers: OpenIDConnectProviderList
iam get-open-id-connect-provider: Url ClientIDList
iam list-saml-providers: SAMLProviderList
iam list-instance-profiles: InstanceProfiles[InstanceProfileName]
iam list-entities-for-policy: PolicyGroups PolicyUsers PolicyRoles
sts get-caller-identity: UserId$ Account$ Arn$
organizations describe-organization: Organization{Id,MasterAccountId}
organizations list-accounts: Accounts[Id,Arn,Email]
organizations describe-account: Account{Id,Arn,Email}
organizations list-roots: Roots[Id,PolicyTypes]
organizations list-parents: Parents[Id,Type]
organizations list-children: Children[Id,Type]
organizations list-organizational-units-for-parent: OrganizationalUnits[Id,Arn]
organizations list-policies: Policies[Id,Type,AwsManaged] !RoleDetailList !UserDetailList !GroupDetailList
organizations list-policies-for-target: Policies[Id,Type,AwsManaged] !RoleDetailList !UserDetailList !GroupDetailList
organizations list-targets-for-policy: Targets[TargetId,Type]
organizations describe-policy: Policy{PolicySummary,Content}
organizations describe-effective-policy: EffectivePolicy
sso-admin list-instances: Instances[InstanceArn,IdentityStoreId]
sso-admin list-permission-sets: PermissionSets[$]
sso-admin list-permission-sets-provisioned-to-account: PermissionSets[$]
sso-admin describe-permission-set: PermissionSet{PermissionSetArn}
sso-admin get-inline-policy-for-permission-set: InlinePolicy$
sso-admin list-managed-policies-in-permission-set: AttachedManagedPolicies
sso-admin list-customer-managed-policy-references-in-permission-set: CustomerManagedPolicyReferences
sso-admin get-permissions-boundary-for-permission-set: PermissionsBoundary
sso-admin list-accounts-for-provisioned-permission-set: AccountIds[$] !AccountSharingInfoList
sso-admin list-account-assignments: AccountAssignments[PermissionSetArn,PrincipalId]
sso-admin list-account-assignments-for-principal: AccountAssignments[PermissionSetArn,PrincipalId]
sso-admin describe-instance-access-control-attribute-configuration: InstanceAccessControlAttributeConfiguration
sso-admin list-applications: Applications[ApplicationArn]
sso-admin describe-application: ApplicationArn ApplicationProviderArn
sso-admin list-application-assignments: ApplicationAssignments
identitystore list-users: Users[UserId,IdentityStoreId]
identitystore list-groups: Groups[GroupId,IdentityStoreId]
identitystore list-group-memberships: GroupMemberships[MembershipId,GroupId]
identitystore list-group-memberships-for-member: GroupMemberships[MembershipId,GroupId]
identitystore describe-group: GroupId IdentityStoreId !MembershipId
identitystore describe-user: UserId IdentityStoreId !MembershipId
account-access list-entitlements: entitlements
account-access list-entitlements: Entitlements
account-access get-entitlement: entitlement
sagemaker list-clusters: ClusterSummaries
sagemaker describe-cluster: ClusterArn InstanceGroups
sagemaker describe-cluster: ClusterArn RestrictedInstanceGroups
sagemaker list-cluster-nodes: ClusterNodeSummaries
sagemaker describe-cluster-node: NodeDetails
sagemaker list-compute-quotas: ComputeQuotaSummaries
sagemaker describe-compute-quota: ComputeQuotaArn ComputeQuotaTarget
sagemaker list-cluster-scheduler-configs: ClusterSchedulerConfigSummaries
sagemaker describe-cluster-scheduler-config: ClusterSchedulerConfigArn Name
sagemaker list-domains: Domains[DomainId]
sagemaker describe-domain: DomainArn DomainId
sagemaker list-user-profiles: UserProfiles[UserProfileName]
sagemaker describe-user-profile: UserProfileArn UserProfileName
sagemaker list-spaces: Spaces[SpaceName]
sagemaker describe-space: SpaceArn SpaceName
sagemaker list-tags: Tags[Key,Value]
eks list-clusters: clusters[$]
eks describe-cluster: cluster{name,arn,roleArn}
eks list-access-entries: accessEntries[$]
eks describe-access-entry: accessEntry{principalArn}
eks list-associated-access-policies: associatedAccessPolicies
eks list-access-policies: accessPolicies
eks list-pod-identity-associations: associations[associationId,namespace]
eks describe-pod-identity-association: association{associationArn}
eks list-addons: addons[$]
eks describe-addon: addon{addonName}
eks list-identity-provider-configs: identityProviderConfigs
eks describe-identity-provider-config: identityProviderConfig
eks list-capabilities: capabilities[capabilityName]
eks describe-capability: capability{capabilityName}
eks list-nodegroups: nodegroups[$]
eks describe-nodegroup: nodegroup{nodegroupName}
eks list-fargate-profiles: fargateProfileNames[$]
eks describe-fargate-profile: fargateProfile{fargateProfileName}
ssm get-document: Name Content DocumentType
ssm describe-document: Document{Name,DocumentType}
ssm list-documents: DocumentIdentifiers
ssm describe-document-permission: AccountIds AccountSharingInfoList
datazone list-domains: items[arn,id,managedAccountId]
datazone list-projects: items[domainId,id,createdBy,domainUnitId]
datazone list-connections: items[connectionId,domainId]
datazone list-environments: items[projectId,domainId,provider]
datazone list-project-profiles: items[domainId,id,status,!projectId,!createdBy]
datazone list-environment-blueprint-configurations: items[domainId,environmentBlueprintId]
datazone list-domain-units-for-parent: items[id,name,!domainId,!arn,!status]
datazone list-project-memberships: members
datazone list-policy-grants: grantList
datazone list-entity-owners: owners !domainId
datazone search-user-profiles: items[domainId,type,details]
datazone search-group-profiles: items[domainId,groupName]
datazone get-domain: id arn domainExecutionRole
datazone get-domain-unit: id domainId owners
datazone get-project: id domainId name createdBy !projectId !environmentConfigurations
datazone get-project-profile: id domainId environmentConfigurations
datazone get-connection: connectionId domainId
datazone get-environment: id domainId projectId provider
datazone get-environment-blueprint-configuration: domainId environmentBlueprintId
datazone get-user-profile: domainId id type details
datazone get-group-profile: domainId id groupName
s3api list-buckets: Buckets[Name]
s3api get-bucket-location: LocationConstraint
s3api get-bucket-policy: Policy$
s3api get-bucket-policy-status: PolicyStatus
s3api get-public-access-block: PublicAccessBlockConfiguration
s3control get-public-access-block: PublicAccessBlockConfiguration
s3api get-bucket-encryption: ServerSideEncryptionConfiguration
s3api get-bucket-ownership-controls: OwnershipControls
s3api get-bucket-acl: Grants Owner
s3api get-bucket-tagging: TagSet
s3control list-access-points: AccessPointList
s3control get-access-point: AccessPointArn Bucket
s3control get-access-point-policy: Policy$
s3control list-access-grants-instances: AccessGrantsInstancesList
s3control list-access-grants: AccessGrantsList
s3control list-access-grants-locations: AccessGrantsLocationsList
s3control get-access-grants-instance-resource-policy: Policy$ Organization
s3control get-access-grants-instance-resource-policy: Policy$ CreatedAt
kms list-keys: Keys[KeyId,KeyArn]
kms describe-key: KeyMetadata{KeyId}
kms get-key-policy: Policy$ PolicyName
kms get-key-policy: Policy$
kms list-key-policies: PolicyNames[$]
kms list-grants: Grants[GrantId,KeyId]
kms list-aliases: Aliases[AliasName]
kms list-resource-tags: Tags[TagKey,TagValue]
secretsmanager list-secrets: SecretList
secretsmanager describe-secret: ARN Name VersionIdsToStages !SecretString !SecretBinary
secretsmanager describe-secret: ARN Name LastChangedDate !SecretString !SecretBinary
secretsmanager describe-secret: ARN Name CreatedDate !SecretString !SecretBinary
secretsmanager get-resource-policy: ARN Name !VersionIdsToStages !LastChangedDate !CreatedDate !SecretString !SecretBinary
ecr describe-repositories: repositories[repositoryName]
ecr get-repository-policy: repositoryName policyText
ecr get-registry-policy: registryId policyText !repositoryName
ecr list-tags-for-resource: tags[Key,Value]
fsx describe-file-systems: FileSystems[FileSystemType]
efs describe-file-systems: FileSystems[FileSystemId,PerformanceMode]
fsx describe-volumes: Volumes[VolumeId,VolumeType,FileSystemId]
fsx describe-data-repository-associations: Associations[AssociationId]
fsx describe-s3-access-point-attachments: S3AccessPointAttachments
efs describe-access-points: AccessPoints[AccessPointId]
efs describe-file-system-policy: FileSystemId Policy
efs describe-mount-targets: MountTargets[MountTargetId]
efs describe-mount-target-security-groups: SecurityGroups[$]
ec2 describe-security-groups: SecurityGroups[GroupId]
ec2 describe-security-group-rules: SecurityGroupRules
ec2 describe-vpc-endpoints: VpcEndpoints
ec2 describe-subnets: Subnets[SubnetId]
ec2 describe-vpcs: Vpcs[VpcId]
ec2 describe-instances: Reservations[Instances]
logs describe-log-groups: logGroups
logs describe-resource-policies: resourcePolicies
logs describe-destinations: destinations
grafana list-workspaces: workspaces[authentication]
grafana describe-workspace: workspace{authentication}
grafana list-permissions: permissions
grafana describe-workspace-authentication: authentication
amp list-workspaces: workspaces[workspaceId]
amp describe-workspace: workspace{workspaceId}
amp describe-resource-policy: policyDocument policyStatus
ram get-resource-shares: resourceShares
ram list-principals: principals[resourceShareArn]
ram list-resources: resources[resourceShareArn]
"""


class Match(StrEnum):
    """How well an answer fits a row: not at all, as an empty list can, or by what is in it."""

    NO = "no"
    EMPTY = "empty"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Token:
    """One demand on the top level of an answer."""

    key: str
    absent: bool = False
    form: str = ""
    inside: tuple[str, ...] = ()

    def match(self, answer: Mapping[str, object]) -> Match:
        """Tell how well an answer meets this demand."""
        if self.absent or self.key not in answer:
            return Match.FULL if self.absent and self.key not in answer else Match.NO
        found = answer[self.key]
        match self.form:
            case "$":
                return _yes(isinstance(found, str))
            case "{":
                return _yes(isinstance(found, dict) and _holds(found, self.inside))
            case "[":
                return self._list(found)
            case _:
                return Match.FULL

    def _list(self, found: object) -> Match:
        if not isinstance(found, list):
            return Match.NO
        if not found:
            return Match.EMPTY
        if self.inside == ("$",):
            return _yes(isinstance(found[0], str))
        return _yes(isinstance(found[0], dict) and _holds(found[0], self.inside))


def _yes(holds: bool) -> Match:
    return Match.FULL if holds else Match.NO


def _holds(found: Mapping[str, object], keys: tuple[str, ...]) -> bool:
    return all((key[1:] not in found) if key.startswith("!") else (key in found) for key in keys)


@dataclass(frozen=True, slots=True)
class Shape:
    """One row of the table."""

    service: str
    command: str
    tokens: tuple[Token, ...]

    @property
    def kind(self) -> str:
        """Return the document kind."""
        return f"aws:{self.service}:{self.command}"

    @property
    def weight(self) -> int:
        """Return how many keys the row demands."""
        return sum(not token.absent for token in self.tokens)

    def match(self, answer: Mapping[str, object]) -> Match:
        """Tell how well an answer fits."""
        found = {token.match(answer) for token in self.tokens}
        return Match.NO if Match.NO in found else Match.EMPTY if Match.EMPTY in found else Match.FULL


_TOKEN = re.compile(r"(?P<not>!?)(?P<key>\w+)(?P<form>[$\[{]?)(?P<inside>[^\]}]*)[\]}]?")


def _token(word: str) -> Token:
    found = _TOKEN.fullmatch(word)
    if found is None:
        raise ValueError(f"no such token: {word}")
    inside = tuple(found["inside"].split(",")) if found["inside"] else ()
    return Token(found["key"], found["not"] == "!", found["form"], inside)


def _shape(row: str) -> Shape:
    name, _, tokens = row.partition(": ")
    service, command = name.split(" ")
    return Shape(service, command, tuple(_token(word) for word in tokens.split()))


SHAPES: tuple[Shape, ...] = tuple(_shape(row) for row in ROWS.strip().splitlines())
KINDS: frozenset[str] = frozenset(shape.kind for shape in SHAPES)
# What the CLI and the SDKs print around an answer; it says nothing about which answer it is.
ENVELOPE = frozenset(
    {"ResponseMetadata", "NextToken", "nextToken", "IsTruncated", "Truncated", "Marker", "NextMarker", "nextMarker", "MaxItems"}
)


def candidates(answer: Mapping[str, object]) -> tuple[str, ...]:
    """Return the commands whose answer this can be, the surest only: what an empty list can be counts where nothing fits better."""
    found = [(shape, shape.match(answer)) for shape in SHAPES if shape.tokens[0].key in answer]
    full = [shape for shape, match in found if match is Match.FULL]
    fitting = full or [shape for shape, match in found if match is Match.EMPTY]
    most = max((shape.weight for shape in fitting), default=0)
    return tuple(dict.fromkeys(shape.kind for shape in fitting if shape.weight == most))
