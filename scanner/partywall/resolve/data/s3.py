"""S3: who reads, writes, lists and re-opens which bucket, or which part of one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from partywall.model.atom import Atom, Control
from partywall.model.edge import Edge
from partywall.model.node import Node
from partywall.resolve.data.asking import admitted, asked, request_on, strangers, where
from partywall.resolve.data.prefixes import WHOLE, Part, listed, node, objects, spoken_of
from partywall.resolve.data.stock import BucketStock
from partywall.resolve.iam.context import NO_ACCESS_POINT, Chosen, Context, Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.grants import Grant
from partywall.resolve.iam.public import is_public
from partywall.resolve.iam.rights import Estate, Rights
from partywall.resolve.iam.ways import Way, may_ask, surest


@dataclass(frozen=True, slots=True)
class Right:
    """An action, the verb it is, and whether it is on objects or on the bucket."""

    action: str
    verb: str
    on_objects: bool


RIGHTS: tuple[Right, ...] = (
    Right("s3:getobject", "read", True),
    Right("s3:putobject", "write", True),
    Right("s3:deleteobject", "delete data", True),
    Right("s3:listbucket", "list contents", False),
    Right("s3:putbucketpolicy", "change policy of", False),
)
# What the key of an encrypted bucket must allow, too (S3 user guide, "Using server-side encryption with AWS KMS keys").
KEY_ACTIONS = {"s3:getobject": "kms:decrypt", "s3:putobject": "kms:generatedatakey"}
Unlock = Callable[[Rights, BucketStock, str], list[Way] | None]


def bucket_edges(estate: Estate, stock: BucketStock, unlock: Unlock) -> Iterator[Edge]:
    """Yield every principal's ways to a bucket. `unlock` returns the ways of its key: None where none is needed."""
    guard = stock.guard
    named = admitted(estate, guard)
    for rights in estate.askers():
        for right in RIGHTS:
            if rights.node not in named and not may_ask(rights, right.action, _region(right, stock, WHOLE)):
                continue
            yield from _edges(rights, right, stock, guard, unlock)
    if guard is not None and not _is_closed(stock):
        yield from _stranger_edges(estate, stock, guard)


def _is_closed(stock: BucketStock) -> bool:
    """Tell whether Block Public Access keeps other accounts out: it does once any statement is public."""
    return stock.restricted and any(is_public(grant.statement) for grant in stock.guard or ())


def _keys(stock: BucketStock) -> dict[str, Value]:
    return {**where(stock.account, stock.region), **NO_ACCESS_POINT, "s3:prefix": Chosen("*")}


def _region(right: Right, stock: BucketStock, prefix: str) -> str:
    return objects(stock, prefix) if right.on_objects else stock.arn


def _edges(rights: Rights, right: Right, stock: BucketStock, guard: tuple[Grant, ...] | None, unlock: Unlock) -> Iterator[Edge]:
    if guard is not None and _is_closed(stock) and stock.account not in ("", rights.account):
        return
    found = _ways(rights, right, stock, guard, WHOLE)
    if not found:
        return
    context = request_on(rights, right.action, stock.arn, _keys(stock)).context
    keys = unlock(rights, stock, KEY_ACTIONS[right.action]) if right.action in KEY_ACTIONS else None
    if keys == []:
        return
    for way in found:
        part = _part(way, right, stock, context)
        for prefix in sorted(part.prefixes):
            if prefix != WHOLE and right.on_objects and not _still(way, _ways(rights, right, stock, guard, prefix)):
                continue
            targets = _targets(rights, right, stock, guard, prefix)
            yield from _unlocked(rights.node, right.verb, targets, _fitting(way, right, part.key_asked), keys)


def _fitting(way: Way, right: Right, asked: str) -> Way:
    """Leave open whether objects exist whose keys a bare wildcard runs into; whoever writes chooses the key."""
    if not asked or right.verb not in ("read", "delete data"):
        return way
    return way.also(Atom("object ARN", "fits", (asked,), Control.UNKNOWN))


def _unlocked(source: Node, verb: str, targets: list[Node], way: Way, keys: list[Way] | None) -> Iterator[Edge]:
    whole = way if keys is None else way.joined(surest(keys))
    for target in targets:
        yield edge(source, verb, target, whole)


def _ways(rights: Rights, right: Right, stock: BucketStock, guard: tuple[Grant, ...] | None, prefix: str) -> list[Way]:
    request = request_on(rights, right.action, _region(right, stock, prefix), _keys(stock), stock.tags)
    return asked(
        rights,
        request,
        stock.account,
        guard,
        sole=False,
        unread=f"the policy of bucket {stock.name}, of another account, is not in the input",
    )


def _still(way: Way, others: list[Way]) -> bool:
    return any(other.grants == way.grants for other in others)


def _part(way: Way, right: Right, stock: BucketStock, context: Context) -> Part:
    """Return the part of the bucket that all of a way's grants have in common: the first one that is not the whole decides."""
    if not right.on_objects:
        parts = [Part(listed(grant.statement, stock, context), "") for grant in way.grants]
    else:
        parts = [spoken_of(grant.statement, stock, context) for grant in way.grants]
    return next((part for part in parts if WHOLE not in part.prefixes), parts[0])


def _targets(rights: Rights, right: Right, stock: BucketStock, guard: tuple[Grant, ...] | None, prefix: str) -> list[Node]:
    """Return the whole bucket, or what is left of it where a Deny takes known prefixes out."""
    if prefix != WHOLE or not right.on_objects or not stock.prefixes:
        return [node(stock, prefix)]
    reached = [part for part in sorted(stock.prefixes) if _ways(rights, right, stock, guard, part)]
    if len(reached) == len(stock.prefixes):
        return [stock.node]
    return [node(stock, part) for part in reached]


def _stranger_edges(estate: Estate, stock: BucketStock, guard: tuple[Grant, ...]) -> Iterator[Edge]:
    for right in RIGHTS:
        for source, way in strangers(estate, right.action, _region(right, stock, WHOLE), stock.account, guard):
            for prefix in sorted(spoken_of(way.grants[0].statement, stock, Context()).prefixes) if right.on_objects else [WHOLE]:
                yield edge(source, right.verb, node(stock, prefix), way)
