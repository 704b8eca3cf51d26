"""What guards a resource that somebody asks about: its own policy, whose it is, where, its tags, and what else lets callers in.

KMS developer guide, "Grants in AWS KMS" and "Aliases in AWS KMS"; S3 user guide, "Blocking public access to your Amazon S3 storage" and
"Controlling ownership of objects and disabling ACLs"; ECR user guide, "Private registry permissions".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from partywall.model.arn import account_of, region_of, resource_of
from partywall.model.atom import Control
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_data import (
    AccessPoint,
    Bucket,
    BucketEncryption,
    BucketGrant,
    BucketOwnership,
    BucketTags,
    FileSystem,
    Key,
    KeyAlias,
    KeyGrant,
    PublicAccessBlock,
    ResourcePolicy,
    Secret,
    Store,
)
from partywall.model.facts_iam import Effect, PrincipalName, Statement
from partywall.resolve.iam.context import NO_ACCESS_POINT, Open, Value
from partywall.resolve.iam.globs import is_wild
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.rights import Estate
from partywall.resolve.iam.trust import trust_grants

_ALIAS_ACTIONS = frozenset({"kms:createalias", "kms:updatealias", "kms:deletealias"})
_ACL_GROUPS = "http://acs.amazonaws.com/groups/global/"
_ACL: Mapping[str, tuple[str, ...]] = {
    "READ": ("s3:ListBucket", "s3:ListBucketVersions", "s3:ListBucketMultipartUploads"),
    "WRITE": ("s3:PutObject", "s3:DeleteObject"),
    "READ_ACP": ("s3:GetBucketAcl",),
    "WRITE_ACP": ("s3:PutBucketAcl",),
}


@dataclass(frozen=True, slots=True)
class Resource:
    """What is asked for: an ARN or a pattern of ARNs, and all that the input says of it.

    `policy` is None where it was not read. `restricted`: Block Public Access is on. `lent` are KMS grants, `keys` the condition keys that
    the resource fills in, `behind` the bucket behind an access point, `notes` what a reader has to know.
    """

    arn: str
    account: str = ""
    policy: tuple[Grant, ...] | None = None
    tags: Mapping[str, str] | None = None
    keys: Mapping[str, Value] = field(default_factory=dict)
    restricted: bool = False
    lent: tuple[KeyGrant, ...] = ()
    behind: "Resource | None" = None
    notes: tuple[str, ...] = ()


def resource_for(facts: Facts, estate: Estate, action: str, arn: str) -> Resource:
    """Return what an action (lower case) on an ARN, a pattern of ARNs or `*` runs into."""
    service = action.partition(":")[0]
    if service == "sts" and ":role/" in arn:
        return _role(estate, arn)
    if service == "iam":
        known = estate.rights.get(arn)
        return Resource(arn, account_of(arn), (), known.principal.tags if known else None, {"aws:requestedregion": ("us-east-1",)})
    match service:
        case "s3":
            return _access_point(facts, action, arn) if ":accesspoint/" in arn else _bucket(facts, action, arn)
        case "kms":
            return _key(facts, action, arn)
        case "elasticfilesystem":
            return _file_system(facts, arn)
        case "secretsmanager":
            tags = next((secret.tags for secret in facts.of(Secret) if secret.arn == arn and secret.tags is not None), None)
            return Resource(arn, account_of(arn), _policy(facts, Store.SECRETS, arn), tags, _region(arn))
        case "ecr":
            registry = f"{arn.partition('repository/')[0]}repository/*"
            # The registry's policy alone does not say what the repository's own one lets in.
            own = _policy(facts, Store.ECR, arn)
            policy = None if own is None else (*own, *(_policy(facts, Store.ECR, registry) or ()))
            return Resource(arn, account_of(arn), policy, None, _region(arn))
        case _:
            return Resource(arn, account_of(arn), None, None, _region(arn))


def _region(arn: str) -> dict[str, Value]:
    region = region_of(arn)
    return {"aws:requestedregion": (region,)} if region and not is_wild(region) else {}


def _policy(facts: Facts, store: Store, name: str) -> tuple[Grant, ...] | None:
    held = [policy for policy in facts.of(ResourcePolicy) if policy.store is store and policy.resource == name]
    return tuple(Grant(statement, policy) for policy in held for statement in policy.policy.statements) if held else None


def _role(estate: Estate, arn: str) -> Resource:
    rights = estate.rights.get(arn)
    # STS answers in the Region that the caller asks.
    keys: dict[str, Value] = {"aws:requestedregion": Open(Control.CALLER)}
    if rights is None:
        gone = estate.knows(account_of(arn)) and not is_wild(arn)
        notes = ("the roles of its account were listed, and this one is not among them",) if gone else ()
        return Resource(arn, account_of(arn), () if gone else None, None, keys, notes=notes)
    principal = rights.principal
    return Resource(arn, rights.account, trust_grants(principal) if principal.trust else None, principal.tags, keys)


def _bucket(facts: Facts, action: str, arn: str) -> Resource:
    name = resource_of(arn).partition("/")[0]
    if not name or is_wild(name):
        return Resource(arn, keys=NO_ACCESS_POINT)
    buckets = [bucket for bucket in facts.of(Bucket) if bucket.name == name]
    policies = [policy for policy in facts.of(ResourcePolicy) if policy.store is Store.S3 and policy.resource == name]
    homes = (*(bucket.account for bucket in buckets), *(policy.account for policy in policies))
    account = next(filter(None, homes), "")
    region = next((bucket.region for bucket in buckets if bucket.region), "")
    tags = next((dict(tagged.tags) for tagged in facts.of(BucketTags) if tagged.bucket == name), None)
    blocks = [
        block
        for block in facts.of(PublicAccessBlock)
        if block.bucket == name or (not block.bucket and block.account and block.account == account)
    ]
    own = _policy(facts, Store.S3, name)
    if own is not None and not any(block.ignores_acls for block in blocks):
        own = (*own, *_acl(facts, name))
    keys: dict[str, Value] = {**NO_ACCESS_POINT, **({"aws:requestedregion": (region,)} if region else {})}
    notes: tuple[str, ...] = () if account else (f"nobody says whose bucket {name} is: it is taken for one of the caller's own account",)
    notes += tuple(_locks(facts, action, name))
    return Resource(arn, account, own, tags, keys, any(block.restricts_policies for block in blocks), notes=notes)


def _locks(facts: Facts, action: str, bucket: str) -> Iterator[str]:
    """Say which key the caller must be able to use as well (S3 user guide, "Using server-side encryption with AWS KMS keys")."""
    needed = {"s3:getobject": "kms:Decrypt", "s3:putobject": "kms:GenerateDataKey"}.get(action)
    for encryption in facts.of(BucketEncryption):
        if needed and encryption.bucket == bucket and encryption.key:
            yield f"the bucket's default encryption asks for {needed} on key {encryption.key}, which is a question of its own"


def _acl(facts: Facts, bucket: str) -> Iterator[Grant]:
    """Yield the rows of a bucket's ACL as statements of its policy; where nobody says whether ACLs count, nobody can evaluate them."""
    ownership = next((found for found in facts.of(BucketOwnership) if found.bucket == bucket), None)
    if ownership is not None and not ownership.acls_enabled:
        return
    broken = "" if ownership else "whether ACLs count was not read"
    for row in facts.of(BucketGrant):
        whole = row.grantee.startswith(_ACL_GROUPS)
        if row.bucket != bucket or row.is_owner or (row.grantee.startswith("http") and not whole):
            continue
        who = PrincipalName("*", "*") if whole else PrincipalName("CanonicalUser", row.grantee)
        actions = _ACL.get(row.permission) or tuple(action for found in _ACL.values() for action in found)
        yield Grant(Statement(row.at, Effect.ALLOW, "", actions=actions, principals=(who,), broken=broken), row)


def _access_point(facts: Facts, action: str, arn: str) -> Resource:
    """Return an access point with the bucket behind it: both must allow (S3 user guide, "Using access points")."""
    name = resource_of(arn).removeprefix("accesspoint/").partition("/")[0]
    account = account_of(arn)
    point = next((found for found in facts.of(AccessPoint) if found.name == name and found.account == account), None)
    keys: dict[str, Value] = {
        **_region(arn),
        "s3:dataaccesspointaccount": (account,),
        "s3:dataaccesspointarn": (f"{arn.partition(':accesspoint/')[0]}:accesspoint/{name}",),
    }
    own = _policy(facts, Store.ACCESS_POINT, name)
    if point is None:
        return Resource(arn, account, own, None, keys, notes=(f"which bucket stands behind access point {name} was not read",))
    _, _, key = resource_of(arn).partition("/object/")
    behind = _bucket(facts, action, f"arn:aws:s3:::{point.bucket}" + (f"/{key}" if key else ""))
    bucket_keys = {**behind.keys, **keys}
    bucket = Resource(
        behind.arn, behind.account or point.account, behind.policy, behind.tags, bucket_keys, behind.restricted, notes=behind.notes
    )
    return Resource(arn, account, own, None, keys, behind=bucket)


def _key(facts: Facts, action: str, arn: str) -> Resource:
    """Return a key; use of an alias is use of its key."""
    notes: tuple[str, ...] = ()
    if ":alias/" in arn and action not in _ALIAS_ACTIONS:
        alias, account = resource_of(arn), account_of(arn)
        target = next((found.key for found in facts.of(KeyAlias) if found.alias == alias and found.account == account), "")
        notes = (f"{alias} is an alias of key {target}" if target else f"which key has the alias {alias} was not read",)
        arn = f"{arn.partition(':alias/')[0]}:key/{target or '*'}"
    account = account_of(arn)
    aliases = tuple(found.alias for found in facts.of(KeyAlias) if found.account == account and arn.endswith(f"/{found.key}"))
    keys: dict[str, Value] = _region(arn)
    if any(found.account == account for found in facts.of(KeyAlias)):
        keys["kms:resourcealiases"] = aliases
    if any(key.arn == arn and not key.enabled for key in facts.of(Key)):
        notes += ("the key is disabled: it serves nobody until it is enabled again",)
    lent = tuple(grant for grant in facts.of(KeyGrant) if grant.key == arn)
    return Resource(arn, account, _policy(facts, Store.KMS, arn), None, keys, lent=lent, notes=notes)


def _file_system(facts: Facts, arn: str) -> Resource:
    name = resource_of(arn).removeprefix("file-system/")
    system = next((found for found in facts.of(FileSystem) if found.id == name), None)
    tags = dict(system.tags) if system is not None and system.tags is not None else None
    # Whoever mounts a file system chooses whether to come by an access point.
    keys: dict[str, Value] = {**_region(arn), "elasticfilesystem:accesspointarn": Open(Control.CALLER)}
    return Resource(arn, account_of(arn) or (system.account if system else ""), _policy(facts, Store.EFS, name), tags, keys)


def placed(at: Evidence, *, actions: tuple[str, ...], broken: str = "", who: PrincipalName | None = None) -> Statement:
    """Return a statement that stands for something else that allows: a grant of a key, policies that were not read."""
    principals = (who,) if who is not None else ()
    return Statement(at, Effect.ALLOW, "", actions=actions, resources=("*",), principals=principals, broken=broken)
