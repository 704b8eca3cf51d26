"""Ports of a connection: names resolved at the pod connected to, and the port space cut where rules cut it."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from partywall.model.facts_network import PROTOCOLS, Ports
from partywall.resolve.netpol.ends import End

LAST = 65535
EVERY = tuple(Ports(protocol) for protocol in PROTOCOLS)


def resolved(ports: tuple[Ports, ...] | None, end: End) -> tuple[Ports, ...] | None:
    """Put numbers for names: a name that the pod does not have matches nothing (API reference, NetworkPolicyPort)."""
    if ports is None or not any(part.name for part in ports):
        return ports
    found: list[Ports] = []
    for part in ports:
        if not part.name:
            found.append(part)
        elif end.imagined:
            found.append(Ports(part.protocol))
        else:
            found += [
                Ports(part.protocol, number, number)
                for name, number, protocol in end.ports
                if (name, protocol) == (part.name, part.protocol)
            ]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Cut:
    """The port space cut at every bound of some rules, so that each part is wholly inside or outside each of them."""

    parts: tuple[Ports, ...]
    starts: Mapping[str, tuple[int, Sequence[int]]]

    def covered(self, ports: tuple[Ports, ...] | None) -> Iterable[int]:
        """Return the numbers of the parts that lie inside a rule's ports."""
        if ports is None:
            return range(len(self.parts))
        found: set[int] = set()
        for one in ports:
            offset, starts = self.starts[one.protocol]
            found.update(range(offset + bisect_left(starts, one.first), offset + bisect_left(starts, one.last + 1)))
        return sorted(found)


@lru_cache(maxsize=4096)
def cut(rules: frozenset[tuple[Ports, ...]]) -> Cut:
    """Cut the port space at every bound of some rules."""
    bounds: dict[str, set[int]] = {protocol: {1} for protocol in PROTOCOLS}
    for ports in rules:
        for part in ports:
            bounds[part.protocol].update((part.first, part.last + 1))
    parts: list[Ports] = []
    starts: dict[str, tuple[int, Sequence[int]]] = {}
    for protocol in PROTOCOLS:
        begun = sorted(bounds[protocol] - {LAST + 1})
        starts[protocol] = (len(parts), begun)
        parts += [Ports(protocol, first, after - 1) for first, after in pairwise((*begun, LAST + 1))]
    return Cut(tuple(parts), starts)


def within(part: Ports, ports: tuple[Ports, ...] | None) -> bool:
    """Tell whether a part lies inside a rule's ports."""
    return ports is None or any(one.protocol == part.protocol and one.first <= part.first and part.last <= one.last for one in ports)


def merged(parts: Iterable[Ports]) -> tuple[Ports, ...]:
    """Join neighbouring parts."""
    found: list[Ports] = []
    for part in sorted(parts, key=lambda one: (PROTOCOLS.index(one.protocol), one.first)):
        if found and found[-1].protocol == part.protocol and found[-1].last >= part.first - 1:
            found[-1] = Ports(part.protocol, found[-1].first, max(found[-1].last, part.last))
        else:
            found.append(part)
    return tuple(found)


def words(parts: Sequence[Ports]) -> str:
    """Say which ports, in words for a note."""
    joined = merged(parts)
    if joined == EVERY:
        return "every port"
    shown = ", ".join(map(str, joined[:4]))
    return shown if len(joined) <= 4 else f"{shown} and {len(joined) - 4} more"
