"""What stores of data are there, and who their own policies let in."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from partywall.model.evidence import Evidence
from partywall.model.facts_iam import Policy


class Store(StrEnum):
    """A service whose resources carry policies of their own."""

    S3 = "s3"
    KMS = "kms"
    SECRETS = "secretsmanager"
    ECR = "ecr"
    EFS = "elasticfilesystem"
    ACCESS_POINT = "s3-access-point"


@dataclass(frozen=True, slots=True)
class ResourcePolicy:
    """A resource's own policy. `resource` is a bucket's name, a file system's id, else an ARN. An empty policy says that there is none."""

    store: Store
    resource: str
    account: str
    policy: Policy
    at: Evidence


@dataclass(frozen=True, slots=True)
class Bucket:
    """An S3 bucket; `account` is empty where nobody says whose it is."""

    name: str
    account: str
    region: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class BucketTags:
    """The tags of a bucket."""

    bucket: str
    tags: Mapping[str, str]
    at: Evidence


@dataclass(frozen=True, slots=True)
class BucketEncryption:
    """The KMS key of a bucket's default encryption; empty where S3 keeps the key."""

    bucket: str
    key: str
    account: str
    region: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class PublicAccessBlock:
    """S3 Block Public Access of a bucket, or of a whole account (empty `bucket`)."""

    bucket: str
    account: str
    restricts_policies: bool
    ignores_acls: bool
    at: Evidence


@dataclass(frozen=True, slots=True)
class BucketOwnership:
    """Whether ACLs count: not where the bucket's owner is enforced as the owner of all objects."""

    bucket: str
    acls_enabled: bool
    at: Evidence


@dataclass(frozen=True, slots=True)
class BucketGrant:
    """One row of a bucket's ACL."""

    bucket: str
    grantee: str
    permission: str
    is_owner: bool
    at: Evidence


@dataclass(frozen=True, slots=True)
class AccessPoint:
    """An S3 access point and the bucket behind it."""

    arn: str
    name: str
    bucket: str
    account: str
    at: Evidence


class Grantee(StrEnum):
    """Whom an S3 Access Grant names."""

    IAM = "IAM"
    USER = "DIRECTORY_USER"
    GROUP = "DIRECTORY_GROUP"


@dataclass(frozen=True, slots=True)
class AccessGrant:
    """An S3 Access Grant: data that is reached with the role of a location, invisible in the grantee's own policies."""

    id: str
    scope: str
    account: str
    permission: str
    grantee: Grantee
    grantee_id: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class Key:
    """A KMS key."""

    arn: str
    account: str
    at: Evidence
    aws_managed: bool = False
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class KeyAlias:
    """A name of a key."""

    alias: str
    key: str
    account: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class KeyGrant:
    """A KMS grant: use of a key that no policy mentions."""

    key: str
    account: str
    grantee: str
    operations: tuple[str, ...]
    constraint: str
    id: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret of Secrets Manager."""

    arn: str
    account: str
    key: str
    at: Evidence
    tags: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Repository:
    """An ECR repository; `uri` is how images name it."""

    arn: str
    account: str
    name: str
    uri: str
    mutable: bool
    at: Evidence


@dataclass(frozen=True, slots=True)
class FileSystem:
    """An EFS or FSx file system."""

    id: str
    account: str
    region: str
    arn: str
    service: str
    at: Evidence
    tags: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class FileAccessPoint:
    """An EFS access point and the directory that it opens."""

    id: str
    file_system: str
    path: str
    arn: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class DataLink:
    """A data repository association: a path of a file system that shows, and may export to, an S3 prefix."""

    file_system: str
    path: str
    bucket_path: str
    exports: bool
    imports: bool
    id: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class LogGroup:
    """A CloudWatch log group."""

    name: str
    account: str
    region: str
    arn: str
    at: Evidence
