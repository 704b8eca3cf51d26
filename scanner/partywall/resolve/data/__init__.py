"""Data: who may read, write, re-open or run what lies in buckets, keys, secrets, repositories, file systems and logs."""

from collections.abc import Iterator

from partywall.model.edge import Edge
from partywall.model.facts import Facts, Named
from partywall.model.facts_data import (
    AccessGrant,
    AccessPoint,
    Bucket,
    BucketEncryption,
    BucketGrant,
    BucketOwnership,
    BucketTags,
    DataLink,
    FileAccessPoint,
    FileSystem,
    Key,
    KeyAlias,
    KeyGrant,
    LogGroup,
    PublicAccessBlock,
    Repository,
    ResourcePolicy,
    Secret,
)
from partywall.model.facts_identity_center import StoreGroup, StoreUser
from partywall.model.facts_kubernetes import Workload
from partywall.model.node import Kind
from partywall.resolve import Resolved, Resolver
from partywall.resolve.data.access_grants import access_grant_edges
from partywall.resolve.data.code import image_edges, script_edges
from partywall.resolve.data.doors import access_point_edges, acl_edges, link_edges
from partywall.resolve.data.keys import key_edges, key_ring
from partywall.resolve.data.s3 import bucket_edges
from partywall.resolve.data.standing import guard_gaps, things
from partywall.resolve.data.stock import buckets, file_systems, keyed, log_groups
from partywall.resolve.data.stores import access_point_edges as mount_edges
from partywall.resolve.data.stores import store_edges
from partywall.resolve.data.tags import tag_edges
from partywall.resolve.iam.edges import distinct
from partywall.resolve.iam.estate import ESTATE_FACTS, estate
from partywall.resolve.iam.rights import Estate


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield who may do what with data."""
    world = estate(facts)
    yield from things(facts, world)
    yield from distinct(_edges(facts, world))
    yield from guard_gaps(facts)


def _edges(facts: Facts, world: Estate) -> Iterator[Edge]:
    stores = keyed(facts, world)
    ring = key_ring(facts, stores)
    stocks = buckets(facts, world)
    yield from acl_edges(facts, stocks)
    yield from access_grant_edges(facts, world)
    yield from access_point_edges(facts, world, stocks)
    reads: list[Edge] = []
    for stock in stocks.values():
        for found in bucket_edges(world, stock, ring.unlock):
            yield found
            if found.verb == "read":
                reads.append(found)
    yield from link_edges(facts, reads)
    for store in stores:
        if store.node.kind is Kind.KEY:
            yield from key_edges(world, store, ring)
        else:
            yield from store_edges(world, store, ring.unlock_secret)
    systems = file_systems(facts)
    for store in (*systems, *log_groups(facts)):
        yield from store_edges(world, store)
    yield from mount_edges(facts, world, systems)
    yield from script_edges(facts, world)
    yield from image_edges(facts, world, stores)
    yield from tag_edges(facts, world, stores, stocks.values())


RESOLVER = Resolver(
    "data",
    (
        *ESTATE_FACTS,
        ResourcePolicy,
        Bucket,
        BucketEncryption,
        BucketGrant,
        BucketOwnership,
        BucketTags,
        PublicAccessBlock,
        AccessPoint,
        AccessGrant,
        StoreUser,
        StoreGroup,
        Key,
        KeyAlias,
        KeyGrant,
        Secret,
        Repository,
        FileAccessPoint,
        FileSystem,
        DataLink,
        LogGroup,
        Workload,
        Named,
    ),
    resolve,
)
