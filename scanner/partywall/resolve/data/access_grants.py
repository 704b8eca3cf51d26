"""S3 Access Grants: data that people and roles reach with the role of a location.

S3 user guide, "Managing access with S3 Access Grants": an IAM grantee must be allowed `s3:GetDataAccess`, too; people and groups of the
directory
come by trusted identity propagation.
"""

from collections.abc import Iterator, Mapping

from partywall.model.arn import account_of
from partywall.model.edge import Change, Edge, Lever, Move
from partywall.model.facts import Facts
from partywall.model.facts_data import AccessGrant, Grantee
from partywall.model.facts_identity_center import Assignee
from partywall.model.node import Kind, Node
from partywall.resolve.data.asking import request_on
from partywall.resolve.data.prefixes import literal_start
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.naming import account_node, role_node
from partywall.resolve.iam.rights import Estate
from partywall.resolve.iam.ways import identity_ways
from partywall.resolve.identity_center.people import People, people

_VERBS: Mapping[str, tuple[str, ...]] = {"READ": ("read",), "WRITE": ("write",), "READWRITE": ("read", "write")}


def access_grant_edges(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield who reaches which part of a bucket by a grant."""
    known = people(facts)
    for grant in facts.of(AccessGrant):
        for verb in _VERBS.get(grant.permission, ()):
            yield from _edges(grant, verb, estate, known)


def _edges(grant: AccessGrant, verb: str, estate: Estate, known: People) -> Iterator[Edge]:
    lever, target = _lever(grant), _target(grant)
    match grant.grantee:
        case Grantee.USER:
            yield Edge(known.node(Assignee.USER, grant.grantee_id), verb, target, (grant.at,), lever, note="by an access grant")
        case Grantee.GROUP:
            yield Edge(known.node(Assignee.GROUP, grant.grantee_id), verb, target, (grant.at,), lever, note="by an access grant")
        case Grantee.IAM:
            yield from _iam_edges(grant, verb, estate)


def _iam_edges(grant: AccessGrant, verb: str, estate: Estate) -> Iterator[Edge]:
    rights = estate.rights.get(grant.grantee_id)
    account = account_of(grant.grantee_id)
    if rights is not None:
        request = request_on(rights, "s3:getdataaccess", f"arn:aws:s3:*:{grant.account}:access-grants/*", {})
        for way in identity_ways(rights, request):
            yield edge(rights.node, verb, _target(grant), way, note="by an access grant", also=(grant.at,), moves=_lever(grant))
    elif account and not estate.knows(account):
        source = role_node(grant.grantee_id) if ":role/" in grant.grantee_id else account_node(account)
        yield Edge(source, verb, _target(grant), (grant.at,), _lever(grant), note="by an access grant")


def _target(grant: AccessGrant) -> Node:
    name, _, pattern = grant.scope.partition("/")
    prefix = literal_start(pattern)
    return Node(Kind.PREFIX, "", f"{name}/{prefix}") if prefix else Node(Kind.BUCKET, "", name)


def _lever(grant: AccessGrant) -> Lever:
    text = f"delete access grant {grant.id} of {grant.grantee_id} on s3://{grant.scope}"
    name = f"{grant.scope} / {grant.grantee_id}"
    return Lever(Move.REMOVE, "S3 access grant", grant.account, name, (grant.at,), text, grant.permission, Change(gone=(grant,)))
