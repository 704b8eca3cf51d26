"""Which part of a bucket a statement speaks of."""

from dataclasses import dataclass
from functools import lru_cache

from partywall.model.facts_iam import Effect, Statement
from partywall.model.node import Kind, Node
from partywall.resolve.data.stock import BucketStock
from partywall.resolve.iam.context import Context
from partywall.resolve.iam.globs import LITERAL_MARK, LITERAL_STAR, arn_covers, arn_meets, is_wild, matches, meets
from partywall.resolve.iam.variables import expand

WHOLE = ""


def node(stock: BucketStock, prefix: str) -> Node:
    """Return the node of a prefix, or of the bucket for the whole."""
    return Node(Kind.PREFIX, "", f"{stock.name}/{prefix}") if prefix else stock.node


def objects(stock: BucketStock, prefix: str) -> str:
    """Return the region of the objects under a prefix."""
    return f"{stock.arn}/{prefix}*"


def literal_start(pattern: str) -> str:
    """Return the folder that a key pattern certainly stays in: `a/b/c*` stays in `a/b/`."""
    end = next((place for place, char in enumerate(pattern) if char in "*?"), len(pattern))
    start = pattern[:end].replace(LITERAL_STAR, "*").replace(LITERAL_MARK, "?")
    return start[: start.rfind("/") + 1]


@dataclass(frozen=True, slots=True)
class Part:
    """The prefixes that a statement names (WHOLE for all), and what keys must fit where only a bare wildcard meets the bucket."""

    prefixes: frozenset[str]
    key_asked: str


_ALL = Part(frozenset({WHOLE}), "")


def spoken_of(statement: Statement, stock: BucketStock, context: Context) -> Part:
    """Return the part of a bucket whose objects a statement names."""
    if statement.effect is not Effect.ALLOW or statement.not_resources or not statement.resources:
        return _ALL
    texts = (expand(resource, context, variables=statement.variables) for resource in statement.resources)
    return _part(tuple(text.pattern for text in texts if not text.void), stock.arn, frozenset(stock.prefixes))


@lru_cache(maxsize=262144)
def _part(patterns: tuple[str, ...], arn: str, known: frozenset[str]) -> Part:
    region = f"{arn}/*"
    meeting = [pattern for pattern in patterns if arn_meets(pattern, region)]
    if any(arn_covers(pattern, region) for pattern in meeting):
        return _ALL
    prefixes = frozenset(prefix for pattern in meeting for prefix in _prefixes(pattern, arn, known))
    is_meant = any(pattern.startswith(f"{arn}/") for pattern in meeting)
    return Part(prefixes, "" if is_meant or not meeting else meeting[-1])


def _prefixes(pattern: str, arn: str, known: frozenset[str]) -> frozenset[str]:
    start = max(map(literal_start, _keys(pattern, arn)), key=len, default=WHOLE)
    inside = frozenset(prefix for prefix in known if arn_meets(pattern, f"{arn}/{prefix}*"))
    if start:
        return frozenset({start}) | {prefix for prefix in inside if not start.startswith(prefix)}
    return inside or frozenset({WHOLE})


def _keys(pattern: str, arn: str) -> list[str]:
    """Return what a pattern asks of the keys of a bucket's objects: a star may stand for the bucket's name, and run on into the key."""
    ends = (end for end in range(1, len(pattern) + 1) if matches(pattern[:end], f"{arn}/"))
    return [f"*{pattern[end:]}" if pattern[end - 1] == "*" else pattern[end:] for end in ends]


def listed(statement: Statement, stock: BucketStock, context: Context) -> frozenset[str]:
    """Return the prefixes that a statement's `s3:prefix` conditions allow to list; WHOLE without such a condition."""
    limits = [
        comparison
        for comparison in statement.comparisons
        if comparison.key.lower() == "s3:prefix" and "not" not in comparison.operator.lower()
    ]
    if not limits or "null" in limits[0].operator.lower():
        return frozenset({WHOLE})
    found: set[str] = set()
    for value in limits[0].values:
        text = expand(value, context, variables=statement.variables)
        if text.void:
            continue
        start = literal_start(text.pattern)
        if start:
            found.add(start)
        elif text.pattern == "*" or (not is_wild(text.pattern) and not text.pattern):
            found |= {WHOLE} if text.pattern else set()
        else:
            found |= {prefix for prefix in stock.prefixes if meets(text.pattern, f"{prefix}*")} or {WHOLE}
    return frozenset(found)
