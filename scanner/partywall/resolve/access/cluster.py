"""One cluster, laid out to be asked: bindings by whom they name, access policies by principal, doors, and what was listed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from partywall.model.document import Direction, Gap
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Listed
from partywall.model.facts_eks import AccessEntry, AccessEntryName, AccessPolicy, EksCluster, IdentityProvider, MappedPrincipal
from partywall.model.facts_kubernetes import Binding, Role, Rule, ServiceAccount, Subject, SubjectKind, Workload
from partywall.model.node import cluster_name
from partywall.resolve.eks.doors import Door, doors
from partywall.resolve.eks.gaps import gaps
from partywall.resolve.eks.grants import policy_grants
from partywall.resolve.eks.principals import Principals, principals
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.judge import Asker
from partywall.resolve.rbac.places import namespaces
from partywall.resolve.rbac.roles import built_in, effective
from partywall.resolve.twins import distinct

# A user name, or a group's; service accounts go by their user name.
Key: TypeAlias = tuple[str, str]
_NOWHERE = Evidence("", "")
# Kubernetes makes these namespaces (Kubernetes, "Namespaces", initial namespaces).
INITIAL = ("default", "kube-node-lease", "kube-public", "kube-system")
# What every API server binds to groups (Kubernetes 1.36, bootstrap policy); it makes them again when they are missing.
_BOUND: Mapping[str, tuple[str, ...]] = {
    "system:basic-user": ("system:authenticated",),
    "system:discovery": ("system:authenticated",),
    "system:public-info-viewer": ("system:authenticated", "system:unauthenticated"),
    "system:service-account-issuer-discovery": ("system:serviceaccounts",),
}


@dataclass(frozen=True, slots=True)
class Named:
    """A binding, and which of its subjects is meant."""

    binding: Binding
    number: int

    @property
    def subject(self) -> Subject:
        """Return the subject."""
        return self.binding.subjects[self.number]

    @property
    def at(self) -> Evidence:
        """Return where the subject stands."""
        return self.binding.places[self.number] if self.binding.places else self.binding.at


@dataclass(frozen=True, slots=True)
class Cluster:
    """What decides in one cluster. `assumed` are the names of Kubernetes' own bindings that the input leaves out."""

    scope: str
    facts: Facts
    roles: Mapping[tuple[str, str], Role]
    rules: Mapping[tuple[str, str], tuple[Rule, ...]]
    bound: Mapping[Key, Sequence[Named]]
    bindings: tuple[Binding, ...]
    assumed: tuple[str, ...]
    doors: tuple[Door, ...]
    by_principal: Mapping[str, Sequence[Door]]
    unopened: Mapping[str, Sequence[Gap]]
    unread_map: tuple[Gap, ...]
    policies: Mapping[str, Sequence[Grant]]
    principals: Principals
    places: Mapping[str, Evidence]
    eks: EksCluster | None
    providers: tuple[IdentityProvider, ...]
    users: Sequence[str] = field(default=())

    @property
    def name(self) -> str:
        """Return the cluster's own name."""
        return cluster_name(self.scope) or "the cluster"

    def of(self, asker: Asker) -> Iterator[Named]:
        """Yield the bindings that name an asker or one of its groups."""
        yield from self.bound.get(("user", asker.user), ())
        for group in sorted(asker.groups):
            yield from self.bound.get(("group", group), ())

    def rules_of(self, binding: Binding) -> tuple[Rule, ...] | None:
        """Return the rules that a binding hands out, None where its role is not there."""
        return self.rules.get((binding.namespace if binding.role_kind == "Role" else "", binding.role))

    def is_listed(self, kind: str, namespace: str = "") -> bool:
        """Tell whether all of a kind were listed, in a namespace or (empty) in all: a list of a single other namespace says nothing."""
        if not self.facts.listed(kind, self.scope):
            return False
        if kind != "RoleBinding":
            return True
        lists = {one.at.document for one in self.facts.of(Listed) if (one.kind, one.scope) == (kind, self.scope)}
        homes = {binding.namespace for binding in self.bindings if binding.namespace and binding.at.document in lists}
        return len(homes) != 1 or (namespace in homes if namespace else set(self.places) <= homes)

    def doors_of(self, arn: str) -> Sequence[Door]:
        """Return the doors of a principal."""
        return self.by_principal.get(self.principals.canonical(arn), ())


def scopes(facts: Facts) -> tuple[str, ...]:
    """Return the clusters of which the facts say anything about rights."""
    rights: list[Binding | Role | ServiceAccount | Workload] = [
        *facts.of(Binding),
        *facts.of(Role),
        *facts.of(ServiceAccount),
        *facts.of(Workload),
    ]
    entries: list[EksCluster | AccessEntry | AccessEntryName | AccessPolicy | MappedPrincipal] = [
        *facts.of(EksCluster),
        *facts.of(AccessEntry),
        *facts.of(AccessEntryName),
        *facts.of(AccessPolicy),
        *facts.of(MappedPrincipal),
    ]
    return tuple(dict.fromkeys((*(one.cluster for one in entries), *(one.cluster for one in rights), *namespaces(facts))))


def clusters(facts: Facts, wanted: Sequence[str]) -> Iterator[Cluster]:
    """Lay out some clusters."""
    known = principals(facts)
    every = [door for door in doors(facts, known) if not known.is_gone(door.principal)]
    unread = [gap for gap in gaps(facts, known) if isinstance(gap, Gap)]
    policies: dict[tuple[str, str], list[Grant]] = {}
    for grant in policy_grants(facts, known):
        policies.setdefault((grant.cluster, grant.source.name), []).append(grant)
    places = namespaces(facts)
    for scope in wanted:
        yield _cluster(facts, scope, known, every, unread, policies, places.get(scope, {}))


def _cluster(
    facts: Facts,
    scope: str,
    known: Principals,
    every: Sequence[Door],
    unread: Sequence[Gap],
    policies: Mapping[tuple[str, str], Sequence[Grant]],
    places: Mapping[str, Evidence],
) -> Cluster:
    roles = {(role.namespace, role.name): role for role in facts.of(Role) if role.cluster == scope}
    given = [one for one, _ in distinct((one for one in facts.of(Binding) if one.cluster == scope), _content)]
    assumed = () if facts.listed("ClusterRoleBinding", scope) else tuple(_left_out(scope, given))
    bindings = (*given, *assumed)
    bound: dict[Key, list[Named]] = {}
    for binding in bindings:
        for number, subject in enumerate(binding.subjects):
            bound.setdefault(key_of(subject), []).append(Named(binding, number))
    mine = tuple(door for door in every if door.cluster == scope)
    by_principal: dict[str, list[Door]] = {}
    for door in mine:
        by_principal.setdefault(known.canonical(door.principal), []).append(door)
    return Cluster(
        scope,
        facts,
        roles,
        effective(roles.values()),
        bound,
        bindings,
        tuple(binding.name for binding in assumed),
        mine,
        by_principal,
        _unopened(facts, scope, unread),
        tuple(gap for gap in unread if gap.direction is Direction.INCOMING and any(node.scope == scope for node in gap.nodes)),
        {arn: grants for (cluster, arn), grants in policies.items() if cluster == scope},
        known,
        places,
        next((eks for eks in facts.of(EksCluster) if eks.cluster == scope), None),
        tuple(one for one in facts.of(IdentityProvider) if one.cluster == scope),
        sorted(name for kind, name in bound if kind == "user"),
    )


def _unopened(facts: Facts, scope: str, unread: Sequence[Gap]) -> Mapping[str, Sequence[Gap]]:
    """Return what is unread of each principal's access entry in one cluster."""
    here = {entry.at for entry in facts.of(AccessEntry) if entry.cluster == scope}
    here |= {name.at for name in facts.of(AccessEntryName) if name.cluster == scope}
    found: dict[str, list[Gap]] = {}
    for gap in unread:
        if gap.direction is Direction.OUTGOING and gap.at in here:
            for node in gap.nodes:
                found.setdefault(node.name, []).append(gap)
    return found


def _content(binding: Binding) -> tuple[object, ...]:
    return (binding.namespace, binding.name, binding.role_kind, binding.role, binding.subjects)


def _left_out(scope: str, given: Sequence[Binding]) -> Iterator[Binding]:
    """Yield Kubernetes' own bindings for groups that the input leaves out."""
    there = {binding.name for binding in given if not binding.namespace}
    for name, groups in _BOUND.items():
        if name not in there and ("", name) in built_in():
            subjects = tuple(Subject(SubjectKind.GROUP, group) for group in groups)
            yield Binding(scope, "", name, "ClusterRole", name, subjects, _NOWHERE)


def key_of(subject: Subject) -> Key:
    """Return what a subject is looked up by."""
    match subject.kind:
        case SubjectKind.USER:
            return "user", subject.name
        case SubjectKind.GROUP:
            return "group", subject.name
        case SubjectKind.SERVICE_ACCOUNT:
            return "user", f"system:serviceaccount:{subject.namespace}:{subject.name}"
