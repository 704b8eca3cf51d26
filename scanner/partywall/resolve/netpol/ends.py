"""Who may be at an end of a connection, and where: pods by what policies can see of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from ipaddress import IPv4Address, ip_address, ip_network
from typing import NamedTuple

from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_network import Block, Peer
from partywall.resolve.labels import NAME_LABEL, chosen, keys_of, selects


@dataclass(frozen=True, slots=True)
class End:
    """Pods that no policy can tell apart. `imagined` ones do not exist yet: they may give a port any name.

    `relabelled` replaces the labels of the namespace: what they would be after somebody who may has changed them. An end without a
    namespace is a node, or `outside` the cluster, and seen by its addresses alone; `node` are the labels of the node that it stands on or
    is, None where they were not read.
    """

    namespace: str
    labels: Mapping[str, str]
    ports: tuple[tuple[str, int, str], ...] = ()
    addresses: tuple[str, ...] = ()
    on_host: bool = False
    imagined: bool = False
    relabelled: Mapping[str, str] | None = None
    node: Mapping[str, str] | None = None
    outside: bool = False


def place(*addresses: str) -> End:
    """Return an end that is neither pod nor node: some addresses outside the cluster."""
    return End("", {}, (), addresses, on_host=True, outside=True)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a cluster's policies are judged on: namespaces with their labels, those whose labels were not read, the addresses that pods get.

    `lenient` takes whatever is not known as it would open most. `blocks_hold_pods` is false where an ipBlock never means pods.
    """

    namespaces: Mapping[str, Mapping[str, str]]
    unread: frozenset[str] = frozenset()
    addresses: tuple[str, ...] = ()
    lenient: bool = False
    blocks_hold_pods: bool = True
    _seen: dict[tuple[LabelSelector, bool], frozenset[str]] = field(default_factory=dict, repr=False, compare=False)
    _held: dict[Block, "Held"] = field(default_factory=dict, repr=False, compare=False)

    def selects(self, selector: LabelSelector, namespace: str) -> bool:
        """Tell whether a selector selects a namespace."""
        return namespace in self.selected(selector)

    def selected(self, selector: LabelSelector) -> frozenset[str]:
        """Return the namespaces that a selector selects: surely, or on a lenient ground possibly."""
        return self.spaces(selector, self.lenient)

    def spaces(self, selector: LabelSelector, possibly: bool) -> frozenset[str]:
        """Return the namespaces that a selector selects, surely or possibly; where labels were not read only the name is sure."""
        key = (selector, possibly and bool(self.unread))
        found = self._seen.get(key)
        if found is None:
            names = dict.fromkeys((*self.namespaces, *sorted(self.unread)))
            found = self._seen[key] = frozenset(name for name in names if self._selects(selector, name, possibly))
        return found

    def held(self, block: Block) -> "Held":
        """Tell whether a block holds all, some or none of the addresses that pods get."""
        if block not in self._held:
            self._held[block] = _held_of_all(block, self.addresses)
        return self._held[block]

    def _selects(self, selector: LabelSelector, namespace: str, possibly: bool) -> bool:
        if namespace in self.unread:
            could = chosen((selector,), (), {NAME_LABEL: namespace}) is not None
            return could and (possibly or all(key == NAME_LABEL for key in keys_of(selector)))
        labels = self.namespaces.get(namespace, {})
        return selects(selector, {**labels, NAME_LABEL: namespace})


def meets(peer: Peer, home: str, end: End, ground: Ground) -> bool:
    """Tell whether a peer of a NetworkPolicy in namespace `home` means an end: surely, or on a lenient ground possibly."""
    held = means(peer, home, end, ground)
    return held is Held.YES or (held is Held.MAYBE and ground.lenient)


def means(peer: Peer, home: str, end: End, ground: Ground) -> "Held":
    """Tell whether a peer means an end, where that is known."""
    if peer.block is not None:
        return holds(peer.block, end, ground)
    if peer.nodes is not None:
        return _on_node(peer.nodes, end)
    if peer.domains:
        # Nobody knows the addresses behind a name; no pod has one, and neither has what lies on the link (metadata, Pod Identity agent).
        return Held.NO if end.namespace or _on_link(end) else Held.MAYBE
    if end.on_host:
        # Traffic of a pod on the host's network comes from the node; selectors do not see it (Kubernetes, "Network Policies").
        return Held.NO
    if peer.pods is not None and not selects(peer.pods, end.labels):
        return Held.NO
    return _in_space(peer, home, end, ground)


def _in_space(peer: Peer, home: str, end: End, ground: Ground) -> "Held":
    if peer.namespaces is None:
        return Held.YES if end.namespace == home else Held.NO
    if end.relabelled is not None:
        return Held.YES if selects(peer.namespaces, {**end.relabelled, NAME_LABEL: end.namespace}) else Held.NO
    if end.namespace in ground.spaces(peer.namespaces, False):
        return Held.YES
    return Held.MAYBE if end.namespace in ground.unread and end.namespace in ground.spaces(peer.namespaces, True) else Held.NO


def _on_node(selector: LabelSelector, end: End) -> "Held":
    if not end.on_host or end.outside:
        return Held.NO
    if selector == LabelSelector():
        return Held.YES
    if end.node is None:
        return Held.MAYBE
    return Held.YES if selects(selector, end.node) else Held.NO


def _on_link(end: End) -> bool:
    return bool(end.addresses) and all(any(_is_inside(span(one), span(never)) for never in _NEVER_PODS) for one in end.addresses)


class Held(Enum):
    """Whether a block of addresses holds an end."""

    YES = "yes"
    NO = "no"
    MAYBE = "maybe"


# No pod has such an address: loopback, link-local (instance metadata, Pod Identity agent), multicast.
_NEVER_PODS = ("127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "fe80::/10", "ff00::/8", "fd00:ec2::/32")


def holds(block: Block, end: End, ground: Ground) -> Held:
    """Tell whether a block holds an end's addresses; where those are not known, whether it holds all that pods could get."""
    if not ground.blocks_hold_pods and not end.on_host:
        return Held.NO
    if end.addresses:
        return Held.YES if any(_covers(block, one) for one in end.addresses) else Held.NO
    return ground.held(block)


def _held_of_all(block: Block, ranges: Sequence[str]) -> Held:
    if ranges:
        if all(_covers(block, one) for one in ranges):
            return Held.YES
        return Held.MAYBE if any(_touches(block, one) for one in ranges) else Held.NO
    shape = _shape(block)
    if any(_is_inside(shape.whole, span(never)) for never in _NEVER_PODS):
        return Held.NO
    whole = shape.whole.version == 4 and block.cidr.endswith("/0")
    inner = all(any(_is_inside(gap, span(never)) for never in _NEVER_PODS) for gap in shape.gaps)
    return Held.YES if whole and inner else Held.MAYBE


class Span(NamedTuple):
    """A range of addresses as numbers, ends included."""

    version: int
    first: int
    last: int


class _Shape(NamedTuple):
    """A block as numbers."""

    whole: Span
    gaps: tuple[Span, ...]


def known(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses that are some; what else stands there says nothing about where a pod is."""
    return tuple(one for one in addresses if _is_address(one))


@lru_cache(maxsize=262144)
def _is_address(text: str) -> bool:
    try:
        return span(text).first == span(text).last
    except ValueError:
        return False


@lru_cache(maxsize=262144)
def span(text: str) -> Span:
    """Return an address, a CIDR or a range `first-last` as numbers."""
    first, dash, last = text.partition("-")
    if dash:
        one, other = ip_address(first), ip_address(last)
        return Span(one.version, int(one), int(other))
    if "/" not in text and ":" not in text:
        # A pod's address: by far the most frequent, and quicker this way than as a network of one.
        number = int(IPv4Address(text))
        return Span(4, number, number)
    network = ip_network(text, strict=False)
    return Span(network.version, int(network.network_address), int(network.broadcast_address))


@lru_cache(maxsize=65536)
def _shape(block: Block) -> _Shape:
    return _Shape(span(block.cidr), tuple(map(span, block.without)))


def _is_inside(inner: Span, outer: Span) -> bool:
    return inner.version == outer.version and outer.first <= inner.first and inner.last <= outer.last


def _overlap(one: Span, other: Span) -> bool:
    return one.version == other.version and one.first <= other.last and other.first <= one.last


def _covers(block: Block, text: str) -> bool:
    part, shape = span(text), _shape(block)
    return _is_inside(part, shape.whole) and not any(_overlap(part, gap) for gap in shape.gaps)


def _touches(block: Block, text: str) -> bool:
    part, shape = span(text), _shape(block)
    return _overlap(part, shape.whole) and not any(_is_inside(part, gap) for gap in shape.gaps)
