"""Who may be at an end of a connection, and where: pods by what policies can see of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from ipaddress import ip_network
from typing import NamedTuple

from partywall.model.facts_kubernetes import LabelSelector
from partywall.model.facts_network import Block, Peer
from partywall.resolve.labels import NAME_LABEL, chosen, selects


@dataclass(frozen=True, slots=True)
class End:
    """Pods that no policy can tell apart. `imagined` ones do not exist yet: they may give a port any name.

    `relabelled` replaces the labels of the namespace: what they would be after somebody who may has changed them.
    """

    namespace: str
    labels: Mapping[str, str]
    ports: tuple[tuple[str, int, str], ...] = ()
    addresses: tuple[str, ...] = ()
    on_host: bool = False
    imagined: bool = False
    relabelled: Mapping[str, str] | None = None


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
    _seen: dict[LabelSelector, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)
    _held: dict[Block, "Held"] = field(default_factory=dict, repr=False, compare=False)

    def selects(self, selector: LabelSelector, namespace: str) -> bool:
        """Tell whether a selector selects a namespace."""
        return namespace in self.selected(selector)

    def selected(self, selector: LabelSelector) -> frozenset[str]:
        """Return the namespaces that a selector selects."""
        found = self._seen.get(selector)
        if found is None:
            names = dict.fromkeys((*self.namespaces, *sorted(self.unread)))
            found = self._seen[selector] = frozenset(name for name in names if self._selects(selector, name))
        return found

    def held(self, block: Block) -> "Held":
        """Tell whether a block holds all, some or none of the addresses that pods get."""
        if block not in self._held:
            self._held[block] = _held_of_all(block, self.addresses)
        return self._held[block]

    def _selects(self, selector: LabelSelector, namespace: str) -> bool:
        if namespace in self.unread and self.lenient:
            return chosen((selector,), (), {NAME_LABEL: namespace}) is not None
        labels = self.namespaces.get(namespace, {})
        return selects(selector, {**labels, NAME_LABEL: namespace})


def meets(peer: Peer, home: str, end: End, ground: Ground) -> bool:
    """Tell whether a peer of a policy in namespace `home` means an end."""
    if peer.block is not None:
        held = holds(peer.block, end, ground)
        return held is Held.YES or (held is Held.MAYBE and ground.lenient)
    if end.on_host:
        # Traffic of a pod on the host's network comes from the node; selectors do not see it (Kubernetes, "Network Policies").
        return False
    if peer.namespaces is None:
        if end.namespace != home:
            return False
    elif end.relabelled is not None:
        if not selects(peer.namespaces, {**end.relabelled, NAME_LABEL: end.namespace}):
            return False
    elif not ground.selects(peer.namespaces, end.namespace):
        return False
    return peer.pods is None or selects(peer.pods, end.labels)


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
    if any(_is_inside(shape.whole, _span(never)) for never in _NEVER_PODS):
        return Held.NO
    whole = shape.whole.version == 4 and block.cidr.endswith("/0")
    inner = all(any(_is_inside(gap, _span(never)) for never in _NEVER_PODS) for gap in shape.gaps)
    return Held.YES if whole and inner else Held.MAYBE


class _Span(NamedTuple):
    """A range of addresses as numbers, ends included."""

    version: int
    first: int
    last: int


class _Shape(NamedTuple):
    """A block as numbers."""

    whole: _Span
    gaps: tuple[_Span, ...]


@lru_cache(maxsize=262144)
def _span(text: str) -> _Span:
    network = ip_network(text, strict=False)
    return _Span(network.version, int(network.network_address), int(network.broadcast_address))


@lru_cache(maxsize=65536)
def _shape(block: Block) -> _Shape:
    return _Shape(_span(block.cidr), tuple(map(_span, block.without)))


def _is_inside(inner: _Span, outer: _Span) -> bool:
    return inner.version == outer.version and outer.first <= inner.first and inner.last <= outer.last


def _overlap(one: _Span, other: _Span) -> bool:
    return one.version == other.version and one.first <= other.last and other.first <= one.last


def _covers(block: Block, text: str) -> bool:
    part, shape = _span(text), _shape(block)
    return _is_inside(part, shape.whole) and not any(_overlap(part, gap) for gap in shape.gaps)


def _touches(block: Block, text: str) -> bool:
    part, shape = _span(text), _shape(block)
    return _overlap(part, shape.whole) and not any(_is_inside(part, gap) for gap in shape.gaps)
