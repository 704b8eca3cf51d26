"""Pod classes and places of one cluster as columns: who gets to whom, for all at once, per part of the port space.

A class is what no policy tells apart: namespace, the labels and port names that some policy asks about, where blocks cut its address,
and whose network it uses. Sets of classes and places are the bits of an integer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import Workload
from partywall.model.facts_network import Ports
from partywall.resolve.netpol.atoms import NAMED, NODES, Atom, atoms
from partywall.resolve.netpol.ends import End, Held
from partywall.resolve.netpol.enforcement import Enforcement, enforcement
from partywall.resolve.netpol.estate import Estate, blocks_of, estate, peers, pods_of, sight
from partywall.resolve.netpol.judge import Judge, by_namespace
from partywall.resolve.netpol.ports import merged
from partywall.resolve.netpol.profiles import Profile, profile
from partywall.resolve.rbac.places import namespaces

Opened = Mapping[Ports, int]


@dataclass(frozen=True, slots=True)
class Column:
    """One class of pods with its members, or one place outside the pods' network; a class without members is one that there could be."""

    end: End
    members: tuple[Workload, ...] = ()
    atom: Atom | None = None


@dataclass(frozen=True)
class Board:
    """One cluster's classes and places. `sure` judges what surely gets through, `could` what possibly does where something is not known."""

    estate: Estate
    force: Enforcement
    profile: Profile
    columns: Sequence[Column]
    sure: Judge
    could: Judge | None
    spaces: Mapping[str, int] = field(default_factory=dict)

    def opened(self, target: int) -> Opened:
        """Return the sources that surely get to a target, by part of the port space."""
        return _opened(self.sure, self.columns[target].end)

    def possible(self, target: int) -> Opened:
        """Return the sources that possibly get to a target."""
        return self.opened(target) if self.could is None else _opened(self.could, self.columns[target].end)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Return the named places outside the pods' network, as sets of columns."""
        found: dict[str, int] = {}
        for number, column in enumerate(self.columns):
            for name in column.atom.names if column.atom else ():
                found[name] = found.get(name, 0) | 1 << number
        return found

    def between(self, groups: Mapping[str, Iterable[str]]) -> dict[tuple[str, str], tuple[Ports, ...]]:
        """Return by which ports groups of namespaces (tenants) surely get to each other; pairs that do not are left out.

        A namespace stands in one group at most.
        """
        masks = {name: self._mask(members) for name, members in groups.items()}
        owners = {number: name for name, mask in masks.items() for number in members(mask)}
        everyone = self._mask(name for names in groups.values() for name in names)
        among: dict[int, tuple[str, ...]] = {}
        found: dict[tuple[str, str], dict[Ports, None]] = {}
        for target, mask in masks.items():
            for part, bits in self._into(mask).items():
                outsiders = bits & everyone & ~mask
                if outsiders not in among:
                    among[outsiders] = tuple(_owners(outsiders, owners, masks))
                for source in among[outsiders]:
                    found.setdefault((source, target), {})[part] = None
        return {pair: merged(parts) for pair, parts in found.items()}

    def _mask(self, names: Iterable[str]) -> int:
        mask = 0
        for name in names:
            mask |= self.spaces.get(name, 0)
        return mask

    def _into(self, mask: int) -> dict[Ports, int]:
        joined: dict[Ports, int] = {}
        for target in members(mask):
            for part, bits in self.opened(target).items():
                joined[part] = joined.get(part, 0) | bits
        return joined


def members(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _owners(bits: int, owners: Mapping[int, str], masks: Mapping[str, int]) -> Iterator[str]:
    """Yield the groups that a set touches: one step for each group, however many of its columns are in it."""
    while bits:
        name = owners[(bits & -bits).bit_length() - 1]
        yield name
        bits &= ~masks[name]


def _opened(judge: Judge, end: End) -> Opened:
    found: dict[Ports, int] = {}
    for way in judge.ways(end):
        for part, bits in way.parts:
            found[part] = found.get(part, 0) | bits
    return found


def board(facts: Facts, cluster: str, places: Mapping[str, Sequence[str]] | None = None) -> Board:
    """Lay out one cluster. `places` names ranges outside (VPC endpoints, services) beside those that every cluster has."""
    here = estate(facts, cluster, namespaces(facts).get(cluster, {}))
    force = enforcement(facts, cluster)
    rules = profile(force.engine)
    named = {**NAMED, NODES: here.node_places, **(places or {})}
    columns = [*_classes(here), *(Column(atom.end(here.node_labels), atom=atom) for atom in atoms(blocks_of(here), named))]
    ends = [column.end for column in columns]
    spaces: dict[str, int] = {}
    for number, end in enumerate(ends):
        if end.namespace:
            spaces[end.namespace] = spaces.get(end.namespace, 0) | 1 << number
    sure = Judge(here.ground(False, rules.blocks_hold_pods), ends, here.policies, here.admin)
    could = Judge(here.ground(True, rules.blocks_hold_pods), ends, here.policies, here.admin) if _open_questions(here, sure, ends) else None
    return Board(here, force, rules, columns, sure, could, spaces)


def _classes(here: Estate) -> Iterator[Column]:
    seen = sight(here)
    inward = by_namespace(policy for policy in here.policies if policy.ingress is not None)
    for name in here.places:
        for end, found in pods_of(name, here.workloads.get(name, ()), seen, inward.get(name, ())):
            yield Column(end, found)


def _open_questions(here: Estate, judge: Judge, ends: Sequence[End]) -> bool:
    """Tell whether anything that decides is not known: labels, addresses, which node a pod stands on, what a name means."""
    homeless = any(end.namespace and not end.addresses for end in ends)
    nodeless = any(end.on_host and not end.outside and end.node is None for end in ends)
    return bool(
        judge.ground.unread
        or (homeless and any(judge.ground.held(block) is Held.MAYBE for block in blocks_of(here)))
        or any(peer.domains or (peer.nodes is not None and nodeless) for peer in peers(here))
    )
