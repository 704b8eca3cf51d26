"""The doors of EKS: access entries, access policies, `aws-auth`. A principal comes in as groups and a user, or has rights of its own."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from partywall.model.document import Assumption
from partywall.model.edge import Certainty, Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Listed, Named
from partywall.model.facts_eks import (
    AccessEntry,
    AccessEntryName,
    AccessPolicy,
    Addon,
    AssociationsRead,
    AuthenticationMode,
    EksCluster,
    IdentityProvider,
    MappedPrincipal,
    NodeGroup,
    PodIdentity,
    principal_node,
)
from partywall.model.facts_iam import Principal
from partywall.model.facts_kubernetes import (
    Binding,
    ConfigMap,
    Namespace,
    OtherObject,
    Role,
    ServiceAccount,
    SubjectKind,
    TokenSecret,
    VolumeClaim,
    Workload,
    subject_node,
)
from partywall.model.node import Kind, Node, cluster_name
from partywall.model.thing import Standing, Thing
from partywall.resolve import Resolved, Resolver
from partywall.resolve.eks.doors import Door, doors
from partywall.resolve.eks.gaps import are_complete, gaps
from partywall.resolve.eks.grants import policy_grants
from partywall.resolve.eks.holds import holds
from partywall.resolve.eks.mapping import mappers
from partywall.resolve.eks.principals import Principals, principals
from partywall.resolve.eks.union import unions
from partywall.resolve.eks.users import candidates, matches
from partywall.resolve.rbac.edges import edges, things
from partywall.resolve.rbac.escalate import escalations
from partywall.resolve.rbac.escalation import EVERYTHING
from partywall.resolve.rbac.grants import Grant, grants
from partywall.resolve.rbac.judge import MASTERS
from partywall.resolve.rbac.places import contents, everybody, glob_thing, is_glob, namespaces
from partywall.resolve.rbac.roles import roles_of
from partywall.resolve.rbac.tokens import token_edges

__all__ = ["RESOLVER", "dangling", "resolve"]

# Names that EKS keeps for itself: an access entry cannot take them (EKS user guide, "Create access entries").
_RESERVED = ("system:", "eks:", "aws:", "amazon:", "iam:")
# The service-linked role of HyperPod comes in by this user name (aws/sagemaker-hyperpod-cli, Helm chart job-auto-restart).
_NODES = "system:nodes"
_NO_NAME = "*"
_OF_AWS = frozenset({"hyperpod-service-linked-role"})


def resolve(facts: Facts) -> Iterator[Resolved]:
    """Yield who comes in as whom, what access policies give, and what is unread of it."""
    known = principals(facts)
    subjects = _subjects(facts)
    entered: dict[Node, list[Edge]] = {}
    users = {cluster: sorted(node.name for node in nodes if node.kind is Kind.USER) for cluster, nodes in subjects.items()}
    for door in doors(facts, known):
        if not known.is_gone(door.principal):
            for item in _enter(door, known, subjects.get(door.cluster, {}), users.get(door.cluster, [])):
                if isinstance(item, Edge) and item.verb == "enters as":
                    entered.setdefault(item.source, []).append(item)
                yield item
    yield from _policies(facts, known, entered)
    yield from gaps(facts, known)
    yield from _holders(facts, subjects, {edge.target for edges_in in entered.values() for edge in edges_in})
    yield from _of_the_platform(facts)
    yield from _assumed(facts)


def dangling(facts: Facts) -> Iterator[AccessEntry | AccessEntryName]:
    """Yield the access entries of principals that do not exist: not in the complete list of their account's roles."""
    known = principals(facts)
    described = {(entry.cluster, entry.principal) for entry in facts.of(AccessEntry)}
    yield from (entry for entry in facts.of(AccessEntry) if known.is_gone(entry.principal))
    yield from (
        name for name in facts.of(AccessEntryName) if known.is_gone(name.principal) and (name.cluster, name.principal) not in described
    )


def _enter(door: Door, known: Principals, subjects: Mapping[Node, Evidence], users: Sequence[str]) -> Iterator[Resolved]:
    source = principal_node(known.canonical(door.principal))
    if door.type != "STANDARD" or _NODES in door.groups:
        yield Thing(source, door.at, standing=Standing.PLATFORM)
    elif not known.is_read(door.principal):
        # Who may assume the role was not read, so it acts by itself.
        yield Thing(source, door.at, starts=True)
    for number, group in enumerate(door.groups):
        if group == MASTERS:
            # The API server asks nobody what this group may do (Kubernetes, "Using RBAC Authorization").
            grant = Grant(
                source, door.cluster, "", EVERYTHING, (door.place(number),), door.lever(number), f"group {MASTERS}", door.certainty
            )
            for made in edges(grant):
                yield made
                yield from things(made, grant)
        else:
            target = Node(Kind.GROUP, door.cluster, group)
            yield Edge(source, "enters as", target, (door.place(number),), door.lever(number), door.certainty)
    for name in candidates(door, users):
        found, condition = matches(door, name, known)
        if found:
            user = Node(Kind.USER, door.cluster, name)
            certainty = max(door.certainty, Certainty.CONDITIONAL) if condition else door.certainty
            yield Edge(source, "enters as", user, (door.at, subjects[user]), door.lever(None), certainty, condition, "by its user name")
    if everybody(door.cluster) in subjects:
        yield Edge(source, "enters as", everybody(door.cluster), (door.at,), door.lever(None), door.certainty)


def _subjects(facts: Facts) -> Mapping[str, Mapping[Node, Evidence]]:
    """Return the users and groups of each cluster's bindings, with the place that names each."""
    found: dict[str, dict[Node, Evidence]] = {}
    for binding in facts.of(Binding):
        for number, subject in enumerate(binding.subjects):
            if subject.kind is SubjectKind.SERVICE_ACCOUNT:
                continue
            node = subject_node(binding.cluster, subject)
            if subject.kind is SubjectKind.GROUP and subject.name in ("system:authenticated", "system:unauthenticated"):
                node = everybody(binding.cluster)
            found.setdefault(binding.cluster, {}).setdefault(node, binding.places[number] if binding.places else binding.at)
    return found


def _policies(facts: Facts, known: Principals, entered: Mapping[Node, Sequence[Edge]]) -> Iterator[Resolved]:
    found = list(policy_grants(facts, known))
    names = namespaces(facts)
    globs: dict[tuple[str, str], Evidence] = {}
    for grant in found:
        if not known.is_read(grant.source.name):
            yield Thing(grant.source, grant.because[0], starts=True)
        if is_glob(grant.namespace):
            globs.setdefault((grant.cluster, grant.namespace), grant.because[0])
        for made in edges(grant):
            yield made
            yield from things(made, grant)
    roles = roles_of(facts)
    yield from escalations(found, roles)
    yield from token_edges(facts, found)
    for (cluster, pattern), at in globs.items():
        yield glob_thing(cluster, pattern, at)
        yield from contents(cluster, pattern, names.get(cluster, {}))
    bound = [grant for grant in grants(facts, names) if isinstance(grant, Grant)]
    yield from unions(entered, [*bound, *found], roles)
    yield from mappers(facts, [*bound, *found])
    yield from holds([*bound, *found], names)


def _of_the_platform(facts: Facts) -> Iterator[Thing]:
    """Yield the roles of the control plane, of node groups and of add-ons: they are the platform's unless somebody claims them."""
    roles = {cluster.role_arn: cluster.at for cluster in facts.of(EksCluster)}
    roles |= {group.role_arn: group.at for group in facts.of(NodeGroup)} | {addon.role_arn: addon.at for addon in facts.of(Addon)}
    yield from (Thing(principal_node(arn), at, standing=Standing.PLATFORM) for arn, at in roles.items() if arn)


def _assumed(facts: Facts) -> Iterator[Assumption]:
    """In mode CONFIG_MAP whoever made the cluster is a hidden administrator (EKS user guide, "Grant access with a ConfigMap").

    Whom an OIDC provider puts into which groups is the provider's word: a group is taken to hold its owner's people.
    """
    for provider in facts.of(IdentityProvider):
        groups = f"groups {provider.groups_prefix}*" if provider.groups_prefix else "all groups"
        yield Assumption(provider.at.document, f"identity provider {provider.name} puts nobody into {groups} but their owners' people")
    for cluster in facts.of(EksCluster):
        if cluster.mode is AuthenticationMode.CONFIG_MAP:
            name = cluster_name(cluster.cluster)
            yield Assumption(cluster.at.document, f"whoever made cluster {name} is its administrator, and is of the platform")


def _holders(facts: Facts, subjects: Mapping[str, Mapping[Node, Evidence]], entered: AbstractSet[Node]) -> Iterator[Thing]:
    """Say of groups and users who are the platform's, and who are only whoever comes in by a door that is known.

    A user whom no door makes must come by one that was not shown, unless no door could: a `*` is no wildcard in a subject (Kubernetes,
    "Using RBAC Authorization"), and STS takes none in a session's name. A group that no door fills is taken for a forgotten name.
    """
    named = {one.node for one in facts.of(Named)}
    for cluster, nodes in subjects.items():
        closed = are_complete(facts, cluster)
        for node, at in nodes.items():
            if node.kind not in (Kind.GROUP, Kind.USER):
                continue
            if node.name.startswith(_RESERVED) or node.name in _OF_AWS:
                yield Thing(node, at, standing=Standing.PLATFORM)
            elif closed and node not in named and (node.kind is Kind.GROUP or node in entered or _NO_NAME in node.name):
                yield Thing(node, at, starts=False)


READS: tuple[type, ...] = (
    AccessEntry,
    AccessEntryName,
    AccessPolicy,
    Addon,
    AssociationsRead,
    Binding,
    ConfigMap,
    EksCluster,
    IdentityProvider,
    Listed,
    MappedPrincipal,
    Named,
    NodeGroup,
    PodIdentity,
    Principal,
    Role,
    Namespace,
    OtherObject,
    ServiceAccount,
    TokenSecret,
    VolumeClaim,
    Workload,
)
RESOLVER = Resolver("eks", READS, resolve)
