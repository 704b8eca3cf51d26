"""Finding the claims on a node without trying them all: exact names in a table, globs by a literal piece in a known place."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from partywall.model.node import Kind, Node
from partywall.model.tenancy import Claim, known_names
from partywall.model.thing import glob_matches

_WILD = re.compile(r"[*?]")
# What stands before the name proper in an ARN: no wildcard of a claim on one kind of thing swallows it, for it comes once.
_TAIL = re.compile(r":(?:role|user|group|key|repository)/|:secret:")


@dataclass(slots=True)
class _Shelf:
    """Globs by one literal piece; `sizes` are the lengths of the pieces, so that a name is looked up once for each."""

    globs: dict[str, list[tuple[re.Pattern[str], Claim]]] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=list)

    def find(self, name: str, cut: Callable[[int], str]) -> Iterator[Claim]:
        for size in self.sizes:
            for pattern, claim in self.globs.get(cut(size), ()):
                if pattern.fullmatch(name):
                    yield claim


@dataclass(slots=True)
class _OfKind:
    """The claims on things of one kind: exact names, and globs by how they begin, how they end, and how the name in an ARN begins."""

    exact: dict[str, list[Claim]] = field(default_factory=dict)
    begins: _Shelf = field(default_factory=_Shelf)
    ends: _Shelf = field(default_factory=_Shelf)
    tails: _Shelf = field(default_factory=_Shelf)


class ClaimIndex:
    """Claims by what they select."""

    __slots__ = ("_kinds",)

    def __init__(self, claims: Iterable[Claim]) -> None:
        self._kinds: dict[Kind, _OfKind] = {}
        for claim in claims:
            for kind in claim.selector.kinds:
                _add(self._kinds.setdefault(kind, _OfKind()), claim)
        for of_kind in self._kinds.values():
            for shelf in (of_kind.begins, of_kind.ends, of_kind.tails):
                shelf.sizes = sorted({len(piece) for piece in shelf.globs})

    def of(self, node: Node, aliases: tuple[str, ...] = ()) -> list[Claim]:
        """Return the claims that select a node, under any of its names, in the order of the claims."""
        of_kind = self._kinds.get(node.kind)
        if of_kind is None:
            return []
        found: dict[int, Claim] = {}
        for name in (*known_names(node), *aliases):
            for claim in _named(of_kind, name):
                if not claim.selector.scope or glob_matches(claim.selector.scope, node.scope):
                    found.setdefault(id(claim), claim)
        return list(found.values())


def _add(of_kind: _OfKind, claim: Claim) -> None:
    name = claim.selector.name
    if claim.selector.is_exact:
        of_kind.exact.setdefault(name, []).append(claim)
        return
    pieces = _WILD.split(name)
    mark = _TAIL.search(name)
    tail = _WILD.split(name[mark.end() :])[0] if mark else ""
    piece, shelf = max(
        ((pieces[0] if not mark else "", of_kind.begins), (pieces[-1], of_kind.ends), (tail, of_kind.tails)),
        key=lambda choice: len(choice[0]),
    )
    pattern = re.compile("".join(".*" if c == "*" else "." if c == "?" else re.escape(c) for c in name), re.DOTALL)
    shelf.globs.setdefault(piece, []).append((pattern, claim))


def _named(of_kind: _OfKind, name: str) -> Iterator[Claim]:
    yield from of_kind.exact.get(name, ())
    yield from of_kind.begins.find(name, lambda size: name[:size])
    yield from of_kind.ends.find(name, lambda size: name[max(len(name) - size, 0) :])
    mark = _TAIL.search(name) if of_kind.tails.sizes else None
    if mark is not None:
        yield from of_kind.tails.find(name, lambda size: name[mark.end() : mark.end() + size])
