"""Whoever may tag a store re-opens it, where policies ask for the tag.

S3 user guide, "Enabling ABAC in general purpose buckets": a bucket's tags count only once the bucket says so, which is not read here.
"""

from collections.abc import Iterable, Iterator

from partywall.model.edge import Edge
from partywall.model.facts import Facts
from partywall.model.node import Kind
from partywall.resolve.data.asking import asked, request_on, where
from partywall.resolve.data.stock import BucketStock, Holding
from partywall.resolve.iam.context import Chosen, Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.rights import Estate, Rights
from partywall.resolve.iam.tagging import asked_tags
from partywall.resolve.iam.ways import Way

# Kind of store, the service whose statements ask for its tags, the action that sets them, and what that is worth.
TAGGING: tuple[tuple[Kind, str, str, str], ...] = (
    (Kind.BUCKET, "s3", "s3:putbuckettagging", "change policy of"),
    (Kind.SECRET, "secretsmanager", "secretsmanager:tagresource", "change policy of"),
    (Kind.KEY, "kms", "kms:tagresource", "administer key"),
)
_UNREAD = "whether the bucket's tags count for access was not read"


def tag_edges(facts: Facts, estate: Estate, stores: Iterable[Holding], stocks: Iterable[BucketStock]) -> Iterator[Edge]:
    """Yield who may set a tag of which store that policies ask for."""
    wanted = asked_tags(facts)
    places = [
        *stores,
        *(Holding(stock.node, stock.arn, stock.account, stock.region, stock.at, stock.guard, stock.tags) for stock in stocks),
    ]
    for kind, service, action, verb in TAGGING:
        tags = wanted.of(service)
        able = [rights for rights in estate.askers() if rights.allows(action)] if tags else []
        for place in places:
            for rights in able if place.node.kind is kind else ():
                for tag in tags:
                    for way in _ways(rights, place, action, tag):
                        yield edge(rights.node, verb, place.node, way, note=f"{action}: policies ask for the tag {tag}")


def _ways(rights: Rights, place: Holding, action: str, tag: str) -> Iterator[Way]:
    keys: dict[str, Value] = {**where(place.account, place.region), "aws:tagkeys": (tag,), f"aws:requesttag/{tag}": Chosen("*")}
    request = request_on(rights, action, place.arn, keys, place.tags)
    sole, is_bucket = place.node.kind is Kind.KEY, place.node.kind is Kind.BUCKET
    for way in asked(rights, request, place.account, place.guard, sole=sole, unread=f"the policy of {place.node.name} is not in the input"):
        yield way.unsure(_UNREAD) if is_bucket else way
