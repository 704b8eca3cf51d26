"""Addresses that are no pod's: the address space cut wherever rules or named places cut it, each part one thing to all rules."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv6Address
from types import MappingProxyType

from partywall.model.facts_network import Block
from partywall.resolve.netpol.ends import End, place, span

# EC2 user guide, "Retrieve instance metadata"; EKS user guide, "How EKS Pod Identity works"; VPC user guide, "Amazon DNS server".
METADATA, POD_IDENTITY, RESOLVER = "instance metadata", "Pod Identity agent", "Amazon DNS resolver"
NAMED: Mapping[str, tuple[str, ...]] = {
    METADATA: ("169.254.169.254/32", "fd00:ec2::254/128"),
    POD_IDENTITY: ("169.254.170.23/32", "fd00:ec2::23/128"),
    RESOLVER: ("169.254.169.253/32", "fd00:ec2::253/128"),
}
NODES = "nodes"
_LAST = {4: (1 << 32) - 1, 6: (1 << 128) - 1}


@dataclass(frozen=True, slots=True)
class Atom:
    """A range of addresses that no rule tells apart, ends included, and the places that it lies in."""

    version: int
    first: int
    last: int
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.first_address) if self.first == self.last else f"{self.first_address}-{self.last_address}"

    @property
    def first_address(self) -> IPv4Address | IPv6Address:
        """Return its first address."""
        return _address(self.version, self.first)

    @property
    def last_address(self) -> IPv4Address | IPv6Address:
        """Return its last address."""
        return _address(self.version, self.last)

    def end(self, labels: Mapping[str, Mapping[str, str]] = MappingProxyType({})) -> End:
        """Return it as an end of a connection; `labels` are those of nodes, by their address."""
        found = place(f"{self.first_address}-{self.last_address}")
        return replace(found, node=labels.get(str(self)), outside=False) if NODES in self.names else found


def _address(version: int, number: int) -> IPv4Address | IPv6Address:
    return IPv4Address(number) if version == 4 else IPv6Address(number)


def atoms(blocks: Iterable[Block], places: Mapping[str, Sequence[str]] = NAMED) -> list[Atom]:
    """Cut both address spaces at every bound of some blocks and places."""
    spans = [span(text) for block in blocks for text in (block.cidr, *block.without)]
    named = [(name, span(text)) for name, ranges in places.items() for text in ranges]
    found: list[Atom] = []
    for version, last in _LAST.items():
        mine = [one for one in (*spans, *(one for _, one in named)) if one.version == version]
        starts = sorted({0, *(one.first for one in mine), *(one.last + 1 for one in mine if one.last < last)})
        for first, after in zip(starts, (*starts[1:], last + 1), strict=True):
            names = dict.fromkeys(name for name, one in named if one.version == version and one.first <= first <= one.last)
            found.append(Atom(version, first, after - 1, tuple(names)))
    return found


class Cuts:
    """Finds what addresses are to all rules, many times over and quickly."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        """Cut the address space where blocks do."""
        found = atoms(blocks, {})
        self._starts = {version: [atom.first for atom in found if atom.version == version] for version in _LAST}

    def among(self, addresses: Sequence[str]) -> tuple[tuple[int, int], ...]:
        """Return the parts that addresses lie in; equal answers mean that no block tells them apart."""
        return tuple((one.version, bisect_right(self._starts[one.version], one.first)) for one in map(span, addresses))
