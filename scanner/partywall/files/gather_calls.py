"""The read-only calls that make an input folder, as tables.

Every call is a Get, a List, a Describe or a show; a test holds that. `{item}` is one thing of the listing that a loop walks, `{parent}`
the thing outside of it. Names of commands and options: AWS CLI v2 Command Reference; kubectl reference; man pages of sacctmgr and
scontrol.
"""

from dataclasses import dataclass
from enum import StrEnum


class Where(StrEnum):
    """How often a call is made: once for an account, for an account's Region, or for an EKS cluster."""

    ACCOUNT = "account"
    REGION = "region"
    EKS = "eks"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the AWS CLI. `each` is a JMESPath query that lists what to call `then` for.

    The file is named after the loop's item, and after `both`, `{parent}/{item}`, where items of two parents may have one name.
    """

    where: Where
    command: str
    each: str = ""
    then: tuple["Call", ...] = ()
    both: bool = False


def _each(where: Where, command: str, each: str, *then: str) -> Call:
    return Call(where, command, each, tuple(Call(where, call) for call in then))


_A, _R, _E = Where.ACCOUNT, Where.REGION, Where.EKS

AWS_CALLS: tuple[Call, ...] = (
    Call(_A, "sts get-caller-identity"),
    Call(_A, "iam get-account-authorization-details"),
    _each(
        _A,
        "iam list-open-id-connect-providers",
        "OpenIDConnectProviderList[].Arn",
        "iam get-open-id-connect-provider --open-id-connect-provider-arn {item}",
    ),
    Call(_A, "organizations describe-organization"),
    _each(
        _A,
        "organizations list-policies --filter SERVICE_CONTROL_POLICY",
        "Policies[].Id",
        "organizations describe-policy --policy-id {item}",
        "organizations list-targets-for-policy --policy-id {item}",
    ),
    _each(
        _A,
        "s3api list-buckets",
        "Buckets[].Name",
        "s3api get-bucket-policy --bucket {item}",
        "s3api get-public-access-block --bucket {item}",
        "s3api get-bucket-encryption --bucket {item}",
        "s3api get-bucket-ownership-controls --bucket {item}",
        "s3api get-bucket-acl --bucket {item}",
        "s3api get-bucket-tagging --bucket {item}",
    ),
    Call(
        _R,
        "sso-admin list-instances",
        "Instances[].InstanceArn",
        (
            Call(
                _R,
                "sso-admin list-permission-sets --instance-arn {item}",
                "PermissionSets[]",
                (
                    Call(_R, "sso-admin describe-permission-set --instance-arn {parent} --permission-set-arn {item}"),
                    Call(_R, "sso-admin get-inline-policy-for-permission-set --instance-arn {parent} --permission-set-arn {item}"),
                    Call(_R, "sso-admin list-managed-policies-in-permission-set --instance-arn {parent} --permission-set-arn {item}"),
                    Call(
                        _R, "sso-admin list-account-assignments --instance-arn {parent} --permission-set-arn {item} --account-id {account}"
                    ),
                ),
            ),
        ),
    ),
    Call(
        _R,
        "sso-admin list-instances",
        "Instances[].IdentityStoreId",
        (
            Call(_R, "identitystore list-users --identity-store-id {item}"),
            Call(
                _R,
                "identitystore list-groups --identity-store-id {item}",
                "Groups[].GroupId",
                (Call(_R, "identitystore list-group-memberships --identity-store-id {parent} --group-id {item}"),),
            ),
        ),
    ),
    _each(_R, "sagemaker list-clusters", "ClusterSummaries[].ClusterName", "sagemaker describe-cluster --cluster-name {item}"),
    _each(
        _R,
        "sagemaker list-compute-quotas",
        "ComputeQuotaSummaries[].ComputeQuotaId",
        "sagemaker describe-compute-quota --compute-quota-id {item}",
    ),
    _each(
        _R,
        "sagemaker list-cluster-scheduler-configs",
        "ClusterSchedulerConfigSummaries[].ClusterSchedulerConfigId",
        "sagemaker describe-cluster-scheduler-config --cluster-scheduler-config-id {item}",
    ),
    Call(
        _R,
        "sagemaker list-domains",
        "Domains[].DomainId",
        (
            Call(_R, "sagemaker describe-domain --domain-id {item}"),
            Call(
                _R,
                "sagemaker list-user-profiles --domain-id-equals {item}",
                "UserProfiles[].UserProfileName",
                (Call(_R, "sagemaker describe-user-profile --domain-id {parent} --user-profile-name {item}", both=True),),
            ),
        ),
    ),
    Call(
        _R,
        "datazone list-domains",
        "items[].id",
        (
            Call(
                _R,
                "datazone list-projects --domain-identifier {item}",
                "items[].id",
                (
                    Call(_R, "datazone list-project-memberships --domain-identifier {parent} --project-identifier {item}", both=True),
                    Call(_R, "datazone list-connections --domain-identifier {parent} --project-identifier {item}", both=True),
                ),
            ),
        ),
    ),
    Call(_R, "kms list-aliases"),
    _each(
        _R,
        "kms list-keys",
        "Keys[].KeyId",
        "kms describe-key --key-id {item}",
        "kms get-key-policy --key-id {item} --policy-name default",
        "kms list-grants --key-id {item}",
    ),
    _each(_R, "secretsmanager list-secrets", "SecretList[].ARN", "secretsmanager get-resource-policy --secret-id {item}"),
    _each(_R, "ecr describe-repositories", "repositories[].repositoryName", "ecr get-repository-policy --repository-name {item}"),
    Call(_R, "fsx describe-file-systems"),
    _each(_R, "efs describe-file-systems", "FileSystems[].FileSystemId", "efs describe-file-system-policy --file-system-id {item}"),
    Call(_R, "efs describe-access-points"),
    Call(_R, "ssm get-document --name SSM-SessionManagerRunShell"),
    Call(_R, "ec2 describe-security-groups"),
    Call(_R, "ec2 describe-subnets"),
    Call(_R, "ec2 describe-vpc-endpoints"),
    Call(_E, "eks describe-cluster --name {cluster}"),
    _each(
        _E,
        "eks list-access-entries --cluster-name {cluster}",
        "accessEntries[]",
        "eks describe-access-entry --cluster-name {cluster} --principal-arn {item}",
        "eks list-associated-access-policies --cluster-name {cluster} --principal-arn {item}",
    ),
    _each(
        _E,
        "eks list-pod-identity-associations --cluster-name {cluster}",
        "associations[].associationId",
        "eks describe-pod-identity-association --cluster-name {cluster} --association-id {item}",
    ),
    _each(_E, "eks list-addons --cluster-name {cluster}", "addons[]", "eks describe-addon --cluster-name {cluster} --addon-name {item}"),
)

# Kinds in every namespace; secrets are not among them.
KUBERNETES_KINDS: tuple[str, ...] = (
    "namespaces",
    "serviceaccounts",
    "pods",
    "nodes",
    "resourcequotas",
    "persistentvolumes",
    "persistentvolumeclaims",
    "deployments.apps",
    "daemonsets.apps",
    "statefulsets.apps",
    "jobs.batch",
    "cronjobs.batch",
    "roles.rbac.authorization.k8s.io",
    "rolebindings.rbac.authorization.k8s.io",
    "clusterroles.rbac.authorization.k8s.io",
    "clusterrolebindings.rbac.authorization.k8s.io",
    "networkpolicies.networking.k8s.io",
    "storageclasses.storage.k8s.io",
    "mutatingwebhookconfigurations.admissionregistration.k8s.io",
    "validatingwebhookconfigurations.admissionregistration.k8s.io",
    "validatingadmissionpolicies.admissionregistration.k8s.io",
    "validatingadmissionpolicybindings.admissionregistration.k8s.io",
    "policyendpoints.networking.k8s.aws",
    "clusterqueues.kueue.x-k8s.io",
    "localqueues.kueue.x-k8s.io",
    "cohorts.kueue.x-k8s.io",
    "resourceflavors.kueue.x-k8s.io",
    "workloadpriorityclasses.kueue.x-k8s.io",
)
CONFIG_MAPS: tuple[tuple[str, str], ...] = (
    ("kube-system", "aws-auth"),
    ("kube-system", "amazon-vpc-cni"),
    ("kueue-system", "kueue-manager-config"),
)
# Run on the controller or a login node, by a Slurm administrator: others see what PrivateData leaves them.
SLURM_CALLS: tuple[str, ...] = (
    "sacctmgr -P show assoc format=cluster,account,user,partition,parentname,share,qos,defaultqos,grptres,grpjobs,maxtres,maxjobs",
    "sacctmgr -P show user withcoord format=user,defaultaccount,admin,coordinators",
    "sacctmgr -P show account withcoord format=account,description,organization,coordinators",
    "sacctmgr -P show qos",
    "sacctmgr show config",
    "scontrol show config",
    "scontrol show partition",
    "scontrol show node",
    "scontrol show reservation",
    "scontrol show assoc_mgr",
)
