"""Further doors to a bucket: ACLs, access points, and file systems that show it.

S3 user guide, "Controlling ownership of objects and disabling ACLs" (ACLs count only where they are enabled), "Configuring IAM policies
for using
access points" (the access point and the bucket must both allow); FSx for Lustre user guide, "Linking your file system to an Amazon S3
bucket".
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from partywall.model.edge import Certainty, Change, Edge, Lever, Move
from partywall.model.facts import Facts
from partywall.model.facts_data import AccessPoint, BucketGrant, BucketOwnership, DataLink, FileSystem, ResourcePolicy, Store
from partywall.model.node import Kind, Node
from partywall.model.residual import FALSE
from partywall.resolve.data.asking import asked, request_on, where
from partywall.resolve.data.stock import BucketStock
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.naming import ANYONE
from partywall.resolve.iam.rights import Estate, Rights
from partywall.resolve.iam.statements import applies
from partywall.resolve.iam.ways import Way

_GROUPS = "http://acs.amazonaws.com/groups/global/"
_PERMISSIONS: Mapping[str, tuple[str, ...]] = {
    "READ": ("list contents",),
    "WRITE": ("write",),
    "WRITE_ACP": ("change policy of",),
    "READ_ACP": (),
    "FULL_CONTROL": ("list contents", "write", "change policy of"),
}


def acl_edges(facts: Facts, stocks: Mapping[str, BucketStock]) -> Iterator[Edge]:
    """Yield what a bucket's ACL lets the whole world do; where nobody says whether ACLs count, that is unknown."""
    ownership = {found.bucket: found for found in facts.of(BucketOwnership)}
    for grant in facts.of(BucketGrant):
        stock = stocks.get(grant.bucket)
        enabled = ownership.get(grant.bucket)
        if (
            not grant.grantee.startswith(_GROUPS)
            or (enabled is not None and not enabled.acls_enabled)
            or (stock is not None and stock.ignores_acls)
        ):
            continue
        for verb in _PERMISSIONS.get(grant.permission, ()):
            yield _acl_edge(grant, verb, enabled)


def _acl_edge(grant: BucketGrant, verb: str, enabled: BucketOwnership | None) -> Edge:
    text = f"remove {grant.permission} of {grant.grantee.removeprefix(_GROUPS)} from the ACL of bucket {grant.bucket}"
    lever = Lever(
        Move.REMOVE,
        "S3 ACL grant",
        "",
        f"{grant.bucket} / {grant.grantee} / {grant.permission}",
        (grant.at,),
        text,
        change=Change(gone=(grant,)),
    )
    because = (grant.at, *((enabled.at,) if enabled else ()))
    certainty = Certainty.SURE if enabled else Certainty.UNKNOWN
    note = "by its ACL" if enabled else "by its ACL, if ACLs are enabled; the ownership controls were not read"
    return Edge(ANYONE, verb, Node(Kind.BUCKET, "", grant.bucket), because, lever, certainty, note=note)


_OBJECTS = (("s3:getobject", "read"), ("s3:putobject", "write"), ("s3:deleteobject", "delete data"))


def access_point_edges(facts: Facts, estate: Estate, stocks: Mapping[str, BucketStock]) -> Iterator[Edge]:
    """Yield who reaches a bucket through an access point: both must allow, and a bucket may leave the decision to its access points."""
    policies = {policy.resource: policy for policy in facts.of(ResourcePolicy) if policy.store is Store.ACCESS_POINT}
    for point in {found.arn: found for found in facts.of(AccessPoint)}.values():
        policy = policies.get(point.name)
        guard = tuple(Grant(statement, policy) for statement in policy.policy.statements) if policy else None
        for action, verb in _OBJECTS:
            for rights in estate.askers():
                yield from _through(rights, point, stocks.get(point.bucket), guard, action, verb)


def _through(
    rights: Rights, point: AccessPoint, stock: BucketStock | None, guard: tuple[Grant, ...] | None, action: str, verb: str
) -> Iterator[Edge]:
    region = f"{point.arn}/object/*"
    unread = f"the policy of access point {point.name} is not in the input"
    request = request_on(rights, action, region, where(point.account, ""))
    for way in asked(rights, request, point.account, guard, sole=False, unread=unread):
        behind = _behind(rights, point, stock, action)
        if behind is not None:
            yield edge(
                rights.node,
                verb,
                Node(Kind.BUCKET, "", point.bucket),
                way.joined(behind),
                note=f"through access point {point.name}",
                also=(point.at,),
            )


def _behind(rights: Rights, point: AccessPoint, stock: BucketStock | None, action: str) -> Way | None:
    """Return how the bucket lets a request through that came by an access point."""
    keys = {**where(point.account, ""), "s3:dataaccesspointaccount": (point.account,), "s3:dataaccesspointarn": (point.arn,)}
    request = request_on(rights, action, f"arn:aws:s3:::{point.bucket}/*", keys)
    found = asked(
        rights,
        request,
        stock.account if stock else point.account,
        stock.guard if stock else None,
        sole=False,
        unread="the bucket's policy is not in the input",
    )
    if found:
        return found[0]
    for grant in (stock.guard or ()) if stock else ():
        if any(name.kind == "*" for name in grant.statement.principals) and applies(grant.statement, request) is not FALSE:
            return Way((grant,))
    return (
        None
        if stock and stock.guard is not None
        else Way((), why="whether the bucket leaves the decision to its access points is not in the input")
    )


def link_edges(facts: Facts, reads: list[Edge]) -> Iterator[Edge]:
    """Yield who reads a directory by reading the bucket that it is exported to; `reads` are the edges of reading buckets."""
    places = {system.id: f"{system.account}/{system.region}" for system in facts.of(FileSystem)}
    for link in facts.of(DataLink):
        if not link.exports:
            continue
        scope, path = places.get(link.file_system, ""), link.path.rstrip("/")
        target = Node(Kind.DIRECTORY, scope, f"{link.file_system}:{path}") if path else Node(Kind.FILE_SYSTEM, scope, link.file_system)
        text = f"turn off automatic export of {link.file_system}:{link.path} to s3://{link.bucket_path}"
        name = f"{link.file_system}:{link.path} / {link.bucket_path}"
        lever = Lever(
            Move.SET,
            "data repository association",
            scope,
            name,
            (link.at,),
            text,
            change=Change(gone=(link,), come=(replace(link, exports=False),)),
        )
        for read in reads:
            if _overlaps(read.target, link.bucket_path.rstrip("/") + "/"):
                because = (link.at, *read.because)
                yield Edge(
                    read.source,
                    "read",
                    target,
                    because,
                    lever,
                    read.certainty,
                    read.condition,
                    f"by automatic export to s3://{link.bucket_path}",
                )


def _overlaps(target: Node, path: str) -> bool:
    read = f"{target.name.rstrip('/')}/"
    return read.startswith(path) or path.startswith(read)
