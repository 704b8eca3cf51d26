"""Copies of one thing: a folder often holds an object twice, alone and in a list. They count once, and a lever moves all of them."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

F = TypeVar("F")


def distinct(facts: Iterable[F], content: Callable[[F], Hashable]) -> Iterator[tuple[F, tuple[F, ...]]]:
    """Yield the first of the facts that say the same, with all of them; `content` is what they say, without the place."""
    copies: dict[Hashable, list[F]] = {}
    for fact in facts:
        copies.setdefault(content(fact), []).append(fact)
    yield from ((found[0], tuple(found)) for found in copies.values())
