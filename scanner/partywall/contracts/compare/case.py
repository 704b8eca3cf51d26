"""One contract beside what is real of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from partywall.contracts.difference import Difference, Drift
from partywall.contracts.records import Record, part, record_of, texts
from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import Workload
from partywall.model.node import Kind, Node, cluster_name
from partywall.model.tenancy import Contract, Ownership, Selector, Tenancy
from partywall.model.thing import glob_matches

# Kinds that people list side by side.
_LISTED = frozenset({"Pod", "ServiceAccount", "RoleBinding", "ClusterRoleBinding", "NetworkPolicy"})

Does = Callable[[str], Iterable[Edge]]
Sees = Callable[[str], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Reality:
    """What was read, who owns what, and on which day it is judged.

    `does` gives all edges that the holders of a group's or permission set's name get to; `sees` the tenants whose tasks a tenant can see.
    """

    tenancy: Tenancy
    facts: Facts
    ownership: Mapping[Node, Ownership]
    as_of: date
    clusters: Mapping[str, tuple[str, ...]]
    principals: frozenset[str]
    listings: Mapping[tuple[str, str], Evidence]
    names: Mapping[tuple[Kind, str], Sequence[Node]]
    namespaces: Mapping[str, Mapping[str, Evidence]]
    queued: Sequence[Workload]
    does: Does | None = None
    sees: Sees | None = None

    def called(self, selector: Selector) -> list[Node]:
        """Return the nodes that an exact selector means."""
        return [node for kind in selector.kinds for node in self.names.get((kind, selector.name), ()) if selector.matches(node)]

    def owners(self, node: Node) -> tuple[str, ...]:
        """Return a node's owners; nobody's and unknown ones have none."""
        found = self.ownership.get(node)
        return found.owners if found else ()


@dataclass(frozen=True, slots=True)
class Case:
    """A contract, the real cluster that it means (empty: none that was read), and reality. `part` reads a section of the record."""

    contract: Contract
    cluster: str
    reality: Reality
    record: Record = field(default_factory=dict)

    @property
    def facts(self) -> Facts:
        """Return what was read."""
        return self.reality.facts

    @property
    def tenant(self) -> str:
        """Return the contract's tenant."""
        return self.contract.tenant

    @property
    def cluster_word(self) -> str:
        """Return the name by which people know the cluster."""
        return cluster_name(self.cluster or self.contract.cluster) or "CLUSTER"

    def listing(self, kind: str, scope: str = "") -> Evidence | None:
        """Return where a complete list of a kind was read, on the contract's cluster unless another scope is given."""
        return self.reality.listings.get((kind, scope or self.cluster))

    def is_left_out(self, kind: str) -> bool:
        """Tell whether lists of Kubernetes kinds were read for the cluster, and none of this one."""
        others = any(scope == self.cluster and each in _LISTED for each, scope in self.reality.listings)
        return others and self.listing(kind) is None

    def part(self, section: str) -> Record:
        """Return a section of the contract, empty where it is absent."""
        return part(self.record, section)

    def names(self, section: str, key: str) -> tuple[str, ...] | None:
        """Return a list of names; None: the contract does not say."""
        return texts(self.part(section), key) if self.part(section).get(key) is not None else None

    def owns(self, node: Node) -> bool:
        """Tell whether the contract's tenant is among the owners of a node."""
        return self.tenant in self.reality.owners(node)

    def owns_namespace(self, name: str, cluster: str = "") -> bool:
        """Tell whether a namespace is the tenant's, by claims or by the contract's own scope."""
        return self.owns(Node(Kind.NAMESPACE, cluster or self.cluster, name)) or any(
            glob_matches(each.rpartition("/")[2], name) for each in self.names("scope", "namespaces") or ()
        )

    def differs(
        self,
        field_name: str,
        subject: str,
        kind: Drift,
        approved: str,
        real: str,
        text: str,
        real_at: Iterable[Evidence] = (),
        place: str = "",
    ) -> Difference:
        """Return a difference of this contract."""
        at = self.contract.place(place or field_name)
        return Difference(self.tenant, self.contract.document, field_name, subject, kind, approved, real, text, at, tuple(real_at))

    def unjudged(self, field_name: str, missing: str, remedy: str) -> Gap:
        """Return the gap of a field that the contract fills and no document answers. It blinds no lane."""
        what = f"`{field_name}` of the contract of {self.tenant} cannot be judged: {missing}"
        at = self.contract.place(field_name)
        return Gap(self.contract.document, what, Reason.ABSENT, Direction.EVERYWHERE, (), (), remedy, at, field_name)


def case_of(contract: Contract, reality: Reality) -> Case:
    """Set a contract beside the cluster that it means: the one of its name, else the only one there is."""
    return Case(contract, _real_cluster(contract, reality), reality, record_of(contract))


def _real_cluster(contract: Contract, reality: Reality) -> str:
    name = cluster_name(contract.cluster)
    scopes = reality.clusters.get(name, ())
    if contract.cluster in scopes or not name:
        return contract.cluster if name else _only(reality)
    if scopes:
        return scopes[0]
    # Kubernetes output alone does not name its cluster; the only one is meant.
    only = _only(reality)
    return only if only.startswith("//") else contract.cluster


def _only(reality: Reality) -> str:
    scopes = {scope for found in reality.clusters.values() for scope in found}
    return scopes.pop() if len(scopes) == 1 else ""
