"""One question: who of these gets to those, by which ports, what decides, and what the answer cannot see."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address, ip_network

from partywall.errors import UsageError
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_network import Ports
from partywall.model.node import cluster_name
from partywall.resolve.netpol.atoms import NAMED, NODES
from partywall.resolve.netpol.board import Board, Opened, board, members
from partywall.resolve.netpol.doubts import Doubt, blind_spots, doubts
from partywall.resolve.netpol.enforcement import State
from partywall.resolve.netpol.estate import clusters
from partywall.resolve.netpol.explain import Because, Meeting
from partywall.resolve.netpol.ports import Cut, cut, within

ASKED = "the address asked about"


class Verdict(Enum):
    """What becomes of a connection. Where selectors mean several, allowed says that some of them get through, denied that none does."""

    ALLOWED = "allowed"
    DENIED = "denied"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Row:
    """Part of the port space: what becomes of it and what decides. `partly` where not all that the selectors mean get through."""

    ports: Ports
    verdict: Verdict
    because: tuple[Because, ...] = ()
    partly: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """All parts of the port space in order, why some are unknown, and what no part of the answer can see."""

    cluster: str
    source: str
    target: str
    rows: tuple[Row, ...]
    doubts: tuple[Doubt, ...]
    blind: tuple[str, ...]


def answer(facts: Facts, source: str, target: str, cluster: str = "", places: Mapping[str, Sequence[str]] | None = None) -> Answer:
    """Answer who of `source` gets to `target`, per protocol and range of ports.

    A selector is `NAMESPACE`, `NAMESPACE/NAME` of a pod or of what makes pods, an address or CIDR, or the name of a place (`instance
    metadata`, `Pod Identity agent`, `Amazon DNS resolver`, `nodes`, or a key of `places`, which gives ranges by name). `cluster` is the
    canonical scope or the name; it may be left out where the facts speak of one. Raises UsageError for a selector that means nothing.
    """
    scope = _cluster(facts, cluster)
    asked = {**(places or {}), ASKED: [text for text in (source, target) if _is_address(text)]}
    found = board(facts, scope, asked)
    sources, targets = (_columns(found, text, places or {}) for text in (source, target))
    if not any(found.columns[number].end.namespace for number in (*members(sources), *members(targets))):
        raise UsageError(f"neither {source} nor {target} is in the cluster: at least one end must be")
    spotted = tuple(doubts(found, sources, targets))
    rows = tuple(_joined(_rows(found, sources, targets, spotted)))
    return Answer(scope, source, target, rows, spotted, tuple(blind_spots(found, sources | targets)))


def _cluster(facts: Facts, name: str) -> str:
    known = clusters(facts)
    fitting = [scope for scope in known if not name or name in (scope, cluster_name(scope))]
    if len(fitting) != 1:
        names = ", ".join(map(cluster_name, known)) or "none"
        raise UsageError(f"say which cluster: network policies were given or listed of {names}")
    return fitting[0]


def _is_address(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _columns(found: Board, text: str, places: Mapping[str, Sequence[str]]) -> int:
    """Return the columns that a selector means."""
    if _is_address(text):
        return _at(found, text)
    if text in (NODES, *NAMED, *places):
        mask = found.places.get(text, 0)
    else:
        namespace, slash, name = text.partition("/")
        mask = found.spaces.get(namespace, 0)
        if slash and name != "*":
            mask = sum(1 << number for number in members(mask) if any(one.name == name for one in found.columns[number].members))
    if not mask:
        spaces = ", ".join(sorted(found.spaces)[:8])
        raise UsageError(f"{text} is no namespace, no pod or workload, no address and no place of this cluster; its namespaces: {spaces}")
    return mask


def _at(found: Board, text: str) -> int:
    """Return the pods that have an address; without one, the place outside."""
    whole = ip_network(text, strict=False)
    pods = sum(
        1 << number
        for number, column in enumerate(found.columns)
        if any(ip_address(one) in whole for one in column.end.addresses if column.end.namespace)
        or any(ip_address(one) in whole for workload in column.members for one in workload.ips if _is_address(one))
    )
    outside = sum(
        1 << number
        for number, column in enumerate(found.columns)
        if column.atom
        and column.atom.version == whole.version
        and int(whole[0]) <= column.atom.first
        and column.atom.last <= int(whole[-1])
    )
    return pods if whole.num_addresses == 1 and pods else pods | outside


def _rows(found: Board, sources: int, targets: int, spotted: Sequence[Doubt]) -> Iterator[Row]:
    opened = {target: (found.opened(target), found.possible(target)) for target in members(targets)}
    for part in _space(found, sources | targets, opened).parts:
        yield _row(found, sources, part, opened, spotted)


def _row(found: Board, sources: int, part: Ports, opened: Mapping[int, tuple[Opened, Opened]], spotted: Sequence[Doubt]) -> Row:
    sure = {target: _at_part(both[0], part) & sources & ~(1 << target) for target, both in opened.items()}
    could = {target: _at_part(both[1], part) & sources for target, both in opened.items()}
    if found.force.state is State.OFF:
        at = found.force.at or Evidence("", "")
        return Row(part, Verdict.ALLOWED, (Because("policies are not in force", at),))
    allowed, possible = any(sure.values()), any(could.values())
    shown = sure if allowed else could if possible else dict.fromkeys(opened, sources)
    target = next((number for number, bits in shown.items() if bits), next(iter(opened)))
    source = next(members(shown[target] or sources))
    because = Meeting(found, found.columns[source].end, found.columns[target].end, part).deciders()
    verdict = Verdict.ALLOWED if allowed else Verdict.UNKNOWN if possible else Verdict.DENIED
    if any(doubt.touches(verdict is Verdict.ALLOWED) for doubt in spotted):
        verdict = Verdict.UNKNOWN
    partly = allowed and any(bits != sources & ~(1 << target) for target, bits in sure.items())
    return Row(part, verdict, because, partly)


def _at_part(opened: Opened, part: Ports) -> int:
    bits = 0
    for ports, sources in opened.items():
        bits |= sources if within(part, (ports,)) else 0
    return bits


def _space(found: Board, asked: int, opened: Mapping[int, tuple[Opened, Opened]]) -> Cut:
    """Cut the port space where anything that decides about these ends cuts it."""
    homes = {found.columns[number].end.namespace for number in members(asked)}
    parts = {part for both in opened.values() for each in both for part in each}
    rules = [
        rule.ports
        for policy in found.estate.policies
        if policy.namespace in homes
        for rule in (*(policy.ingress or ()), *(policy.egress or ()))
    ]
    rules += [rule.ports for policy in found.estate.admin for rule in (*policy.ingress, *policy.egress)]
    parts |= {part for ports in rules for part in ports or () if not part.name}
    named = {port for number in members(asked) for port in found.columns[number].end.ports}
    parts |= {Ports(protocol, number, number) for _, number, protocol in named}
    return cut(frozenset({tuple(sorted(parts, key=str))}))


def _joined(rows: Iterable[Row]) -> Iterator[Row]:
    """Join neighbouring parts of which the same is true."""
    last: Row | None = None
    for row in rows:
        if last is not None and _same(last, row):
            last = Row(Ports(last.ports.protocol, last.ports.first, row.ports.last), last.verdict, last.because, last.partly)
            continue
        if last is not None:
            yield last
        last = row
    if last is not None:
        yield last


def _same(one: Row, other: Row) -> bool:
    return (one.verdict, one.because, one.partly, one.ports.protocol) == (other.verdict, other.because, other.partly, other.ports.protocol)
