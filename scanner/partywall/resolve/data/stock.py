"""Which stores of data there are: those that documents list, those that tenancy files name, and those that a policy names literally."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from partywall.model.arn import account_of, arn_part, region_of, resource_of
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Named
from partywall.model.facts_data import (
    AccessGrant,
    AccessPoint,
    Bucket,
    BucketEncryption,
    BucketTags,
    DataLink,
    FileSystem,
    Key,
    LogGroup,
    PublicAccessBlock,
    Repository,
    ResourcePolicy,
    Secret,
    Store,
)
from partywall.model.facts_iam import Effect
from partywall.model.facts_studio import HyperPodCluster
from partywall.model.node import Kind, Node
from partywall.resolve.iam.globs import is_wild
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.rights import Estate


@dataclass(frozen=True, slots=True)
class Holding:
    """One store: its node, its ARN, and what is known of it. `guard` is None where its own policy was not read."""

    node: Node
    arn: str
    account: str
    region: str
    at: Evidence
    guard: tuple[Grant, ...] | None = None
    tags: dict[str, str] | None = None


@dataclass(slots=True)
class BucketStock:
    """A bucket with its known prefixes, and whether its public access is blocked."""

    name: str
    at: Evidence
    account: str = ""
    region: str = ""
    guard: tuple[Grant, ...] | None = None
    prefixes: set[str] = field(default_factory=set)
    keys: list[BucketEncryption] = field(default_factory=list)
    restricted: bool = False
    ignores_acls: bool = False
    tags: dict[str, str] | None = None

    @property
    def node(self) -> Node:
        """Return the bucket's node."""
        return Node(Kind.BUCKET, "", self.name)

    @property
    def arn(self) -> str:
        """Return the bucket's ARN."""
        return f"arn:aws:s3:::{self.name}"


def buckets(facts: Facts, estate: Estate) -> dict[str, BucketStock]:
    """Return the buckets by name."""
    found: dict[str, BucketStock] = {}
    for name, account, region, at in _bucket_names(facts, estate):
        stock = found.setdefault(name, BucketStock(name, at))
        stock.account = stock.account or account
        stock.region = stock.region or region
    for policy in facts.of(ResourcePolicy):
        if policy.store is Store.S3:
            stock = found[policy.resource]
            stock.guard = (*(stock.guard or ()), *(Grant(statement, policy) for statement in policy.policy.statements))
    for named in facts.of(Named):
        if named.node.kind is Kind.PREFIX:
            name, _, prefix = named.node.name.partition("/")
            found[name].prefixes.add(prefix)
    for encryption in facts.of(BucketEncryption):
        found[encryption.bucket].keys.append(encryption)
    for tagged in facts.of(BucketTags):
        found[tagged.bucket].tags = dict(tagged.tags)
    for stock in found.values():
        stock.region = stock.region or estate.region
    _block(facts, found)
    return found


def _block(facts: Facts, found: dict[str, BucketStock]) -> None:
    """Apply Block Public Access: the bucket's own and its account's count together (S3 user guide, "Blocking public access")."""
    for block in facts.of(PublicAccessBlock):
        for stock in found.values():
            if block.bucket == stock.name or (not block.bucket and block.account and block.account == stock.account):
                stock.restricted = stock.restricted or block.restricts_policies
                stock.ignores_acls = stock.ignores_acls or block.ignores_acls


def _bucket_names(facts: Facts, estate: Estate) -> Iterator[tuple[str, str, str, Evidence]]:
    for bucket in facts.of(Bucket):
        yield bucket.name, bucket.account, bucket.region, bucket.at
    for policy in facts.of(ResourcePolicy):
        if policy.store is Store.S3:
            yield policy.resource, policy.account, "", policy.at
    for encryption in facts.of(BucketEncryption):
        yield encryption.bucket, encryption.account, "", encryption.at
    for tagged in facts.of(BucketTags):
        yield tagged.bucket, "", "", tagged.at
    for grant in facts.of(AccessGrant):
        yield grant.scope.partition("/")[0], "", "", grant.at
    for point in facts.of(AccessPoint):
        yield point.bucket, point.account, "", point.at
    for link in facts.of(DataLink):
        yield link.bucket_path.partition("/")[0], "", "", link.at
    for named in facts.of(Named):
        if named.node.kind in (Kind.BUCKET, Kind.PREFIX):
            yield named.node.name.partition("/")[0], "", "", named.at
    for arn, at in literals(estate, "s3"):
        yield resource_of(arn).partition("/")[0], "", "", at


def literals(estate: Estate, service: str) -> Iterator[tuple[str, Evidence]]:
    """Yield the resources of a service that Allow statements name without a wildcard in what identifies them."""
    seen: set[str] = set()
    for rights in estate.rights.values():
        for grant in rights.grants:
            if grant.statement.effect is not Effect.ALLOW or not grant.statement.at.document:
                continue
            for pattern in grant.statement.resources:
                if pattern in seen or arn_part(pattern, 2) != service or "${" in pattern:
                    continue
                seen.add(pattern)
                own = resource_of(pattern).partition("/")[0] if service == "s3" else pattern
                if own and not is_wild(own) and ":" not in (own if service == "s3" else ""):
                    yield pattern, grant.statement.at


_LISTS: tuple[tuple[Kind, str, str], ...] = (
    (Kind.KEY, "kms", "key/"),
    (Kind.SECRET, "secretsmanager", "secret:"),
    (Kind.REPOSITORY, "ecr", "repository/"),
)
_STORES = {Store.KMS: Kind.KEY, Store.SECRETS: Kind.SECRET, Store.ECR: Kind.REPOSITORY}


def keyed(facts: Facts, estate: Estate) -> list[Holding]:
    """Return keys, secrets and repositories: what is named by an ARN and may carry a policy of its own."""
    places: dict[Node, tuple[str, Evidence]] = {}
    for arn, kind, at in _arns(facts, estate):
        places.setdefault(Node(kind, account_of(arn), arn), (arn, at))
    guards = _guards(facts)
    tags = {secret.arn: dict(secret.tags) for secret in facts.of(Secret) if secret.tags is not None}
    return [
        Holding(node, arn, account_of(arn), region_of(arn), at, _guard(guards, arn), tags.get(arn)) for node, (arn, at) in places.items()
    ]


def _arns(facts: Facts, estate: Estate) -> Iterator[tuple[str, Kind, Evidence]]:
    yield from _listed_arns(facts)
    for policy in facts.of(ResourcePolicy):
        if policy.store in _STORES and not is_wild(policy.resource) and policy.resource.startswith("arn:"):
            yield policy.resource, _STORES[policy.store], policy.at
    for named in facts.of(Named):
        if named.node.kind in _STORES.values() and named.node.name.startswith("arn:"):
            yield named.node.name, named.node.kind, named.at
    aws_managed = {key.arn for key in facts.of(Key) if key.aws_managed}
    for kind, service, prefix in _LISTS:
        for arn, at in literals(estate, service):
            if resource_of(arn).startswith(prefix) and arn not in aws_managed:
                yield arn, kind, at


def _listed_arns(facts: Facts) -> Iterator[tuple[str, Kind, Evidence]]:
    yield from ((key.arn, Kind.KEY, key.at) for key in facts.of(Key) if not key.aws_managed)
    yield from ((secret.arn, Kind.SECRET, secret.at) for secret in facts.of(Secret))
    yield from ((cluster.accounting_secret, Kind.SECRET, cluster.at) for cluster in facts.of(HyperPodCluster) if cluster.accounting_secret)
    yield from ((repository.arn, Kind.REPOSITORY, repository.at) for repository in facts.of(Repository))


def _guards(facts: Facts) -> dict[str, tuple[Grant, ...]]:
    found: dict[str, tuple[Grant, ...]] = {}
    for policy in facts.of(ResourcePolicy):
        found[policy.resource] = (*found.get(policy.resource, ()), *(Grant(statement, policy) for statement in policy.policy.statements))
    return found


def _guard(guards: dict[str, tuple[Grant, ...]], arn: str) -> tuple[Grant, ...] | None:
    registry = guards.get(f"{arn.partition('repository/')[0]}repository/*", ()) if ":ecr:" in arn else ()
    own = guards.get(arn)
    return own if own is not None else registry or None


def file_systems(facts: Facts) -> list[Holding]:
    """Return EFS and FSx file systems."""
    guards = _guards(facts)
    found = {system.id: system for system in facts.of(FileSystem)}
    things = [
        Holding(
            Node(Kind.FILE_SYSTEM, _scope(system.account, system.region), system.id),
            system.arn,
            system.account,
            system.region,
            system.at,
            _own_words(guards.get(system.id)),
            dict(system.tags) if system.tags is not None else None,
        )
        for system in found.values()
    ]
    claimed = (named for named in facts.of(Named) if named.node.kind is Kind.FILE_SYSTEM and named.node.name not in found)
    return [*things, *(Holding(named.node, f"arn:aws:*:*:*:file-system/{named.node.name}", "", "", named.at) for named in claimed)]


def _own_words(guard: tuple[Grant, ...] | None) -> tuple[Grant, ...] | None:
    """Drop what a file system's policy grants to everybody: that is for whoever reaches its mount targets, which the network decides.

    EFS user guide, "Using IAM to control file system data access".
    """
    if guard is None:
        return None
    return tuple(
        grant for grant in guard if grant.statement.effect is Effect.DENY or all(name.kind != "*" for name in grant.statement.principals)
    )


def _scope(account: str, region: str) -> str:
    return f"{account}/{region}" if account and region else ""


def log_groups(facts: Facts) -> list[Holding]:
    """Return CloudWatch log groups; rights on them are rights on their streams."""
    return [
        Holding(
            Node(Kind.LOG_GROUP, _scope(group.account, group.region), group.name), f"{group.arn}:*", group.account, group.region, group.at
        )
        for group in {group.arn: group for group in facts.of(LogGroup)}.values()
    ]
