"""What a resolver says of a node beside its edges."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from partywall.model.evidence import Evidence
from partywall.model.node import Kind, Node


class Standing(StrEnum):
    """How a node stands to the tenants (DESIGN section 3, the table of nodes)."""

    OWNED = "owned"
    SCOPE = "scope"
    PLACE = "place"
    PLATFORM = "platform"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class Cover:
    """The things of one kind in one scope whose name matches a glob (`*` and `?` only)."""

    kind: Kind
    scope: str
    glob: str = "*"

    def matches(self, node: Node) -> bool:
        """Tell whether a node is among the things covered."""
        return node.kind is self.kind and node.scope == self.scope and glob_matches(self.glob, node.name)


@dataclass(frozen=True, slots=True)
class Thing:
    """A node that exists, what it is inside of, and what it covers.

    `starts` overrides whether it acts by itself (None: as its kind does). `covers` are the things a scope stands over; its owners are
    theirs.
    """

    node: Node
    at: Evidence
    parent: Node | None = None
    standing: Standing | None = None
    starts: bool | None = None
    covers: tuple[Cover, ...] = ()
    members: tuple[Node, ...] = ()


@lru_cache(maxsize=4096)
def _pattern(glob: str) -> re.Pattern[str]:
    return re.compile("".join(".*" if c == "*" else "." if c == "?" else re.escape(c) for c in glob), re.DOTALL)


def glob_matches(glob: str, name: str) -> bool:
    """Match `*` and `?` only: a bracket is a bracket, unlike fnmatch."""
    return _pattern(glob).fullmatch(name) is not None
