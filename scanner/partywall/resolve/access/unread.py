"""What was not read and may allow what the rest denies: lists, roles, doors, access policies, whole documents."""

from collections.abc import Iterable, Iterator

from partywall.model.document import Direction, Gap
from partywall.model.facts_eks import AccessEntry, AccessEntryName, AuthenticationMode
from partywall.model.node import Kind, Node
from partywall.model.thing import glob_matches
from partywall.model.verbs import Lane
from partywall.resolve.access.asked import Asked
from partywall.resolve.access.cluster import Cluster, Named
from partywall.resolve.access.decide import Doubt
from partywall.resolve.access.subjects import NODES, Entered, Kindred
from partywall.resolve.eks.gaps import has_read_map
from partywall.resolve.rbac.grants import dangling
from partywall.resolve.rbac.judge import Asker
from partywall.resolve.rbac.roles import built_in

_LANES = frozenset({Lane.ACT, Lane.VIEW, Lane.DATA, Lane.IDENTITY})
_RESERVED = ("system:", "eks:", "aws:", "amazon:", "iam:")


def doubts(cluster: Cluster, entered: Entered, asked: Asked, unread: Iterable[Gap], *, complete: bool) -> Iterator[Doubt]:
    """Yield what leaves a no in question. `complete` takes the input for all of the cluster; `unread` are gaps of the whole input."""
    yield from own(cluster, entered, asked, unread, complete=complete)
    yield from common(cluster, asked, unread, complete=complete)


def own(cluster: Cluster, entered: Entered, asked: Asked, unread: Iterable[Gap], *, complete: bool) -> Iterator[Doubt]:
    """Yield what concerns this subject."""
    yield from _of_roles(cluster, entered, asked, complete)
    yield from _of_nodes(entered, asked)
    yield from _of_provider(cluster, entered, asked)
    if entered.who.kind is Kindred.PRINCIPAL:
        yield from _of_doors(cluster, entered, complete)
    yield from _named(entered, unread)


def common(cluster: Cluster, asked: Asked, unread: Iterable[Gap], *, complete: bool) -> Iterator[Doubt]:
    """Yield what concerns everybody alike."""
    if not complete:
        if not cluster.is_listed("ClusterRoleBinding"):
            yield _unlisted(cluster, "ClusterRoleBinding", "kubectl get clusterrolebindings -o json")
        may_be_local = not (asked.wide or asked.everywhere) or asked.is_of_namespaces
        if may_be_local and not cluster.is_listed("RoleBinding", asked.namespace):
            yield _unlisted(cluster, "RoleBinding", "kubectl get rolebindings -A -o json")
    for gap in unread:
        if _is_broad(gap, cluster.scope, asked):
            yield Doubt(gap.what, gap.remedy)


def _unlisted(cluster: Cluster, kind: str, command: str) -> Doubt:
    return Doubt(f"not every {kind} of {cluster.name} is in the input", command)


def _is_broad(gap: Gap, scope: str, asked: Asked) -> bool:
    if not _LANES.intersection(gap.lanes):
        return False
    if gap.direction is Direction.EVERYWHERE:
        return not gap.nodes or any(node.scope == scope for node in gap.nodes)
    return gap.direction is Direction.INCOMING and any(_is_target(node, scope, asked) for node in gap.nodes)


def _is_target(node: Node, scope: str, asked: Asked) -> bool:
    if node.scope != scope:
        return False
    match node.kind:
        case Kind.NAMESPACE:
            return asked.holds_at(node.name)
        case Kind.NAMESPACES:
            return node.name == "*" or not asked.namespace or glob_matches(node.name, asked.namespace)
        case _:
            return node.kind in (Kind.CLUSTER_ADMIN, Kind.CLUSTER, Kind.ALL_AUTHENTICATED)


def _named(entered: Entered, unread: Iterable[Gap]) -> Iterator[Doubt]:
    for gap in unread:
        if gap.direction is Direction.OUTGOING and _LANES.intersection(gap.lanes) and not set(gap.nodes).isdisjoint(entered.nodes):
            yield Doubt(gap.what, gap.remedy)


def _held(cluster: Cluster, entered: Entered, asked: Asked) -> Iterator[Named]:
    for identity in entered.identities:
        yield from (named for named in cluster.of(identity.asker) if asked.holds_at(named.binding.namespace))


def _of_roles(cluster: Cluster, entered: Entered, asked: Asked, complete: bool) -> Iterator[Doubt]:
    if complete:
        return
    found: dict[Doubt, None] = {}
    for named in _held(cluster, entered, asked):
        binding = named.binding
        if cluster.rules_of(binding) is None:
            found.update((Doubt(gap.what, gap.remedy), None) for gap in dangling(binding, cluster.facts))
        elif binding.role_kind == "ClusterRole" and _gathers(cluster, binding.role) and not cluster.is_listed("ClusterRole"):
            what = f"ClusterRole {binding.role} gathers the rules of others, and not every ClusterRole of {cluster.name} is in the input"
            found[Doubt(what, "kubectl get clusterroles -o json")] = None
    yield from found


def _gathers(cluster: Cluster, name: str) -> bool:
    """Tell whether a role's rules may stand elsewhere; what a cluster has stored in it is complete."""
    role = cluster.roles.get(("", name))
    if role is not None:
        return bool(role.aggregates) and not role.rules
    own = built_in().get(("", name))
    return own is not None and bool(own.aggregates)


def _of_nodes(entered: Entered, asked: Asked) -> Iterator[Doubt]:
    """What the node authorizer allows lies within the rules of this role (Kubernetes, plugin/pkg/auth/authorizer/node)."""
    if any(NODES in identity.asker.groups for identity in entered.identities) and any(
        asked.allowed_by(rule, "") for rule in built_in()["", "system:node"].rules
    ):
        yield Doubt("what the node authorizer allows to nodes beside RBAC (Kubernetes, Using Node Authorization)")


def _of_provider(cluster: Cluster, entered: Entered, asked: Asked) -> Iterator[Doubt]:
    """Yield the groups into which an OIDC provider may put a user, where they would allow it."""
    who = entered.who
    if who.kind is not Kindred.USER or who.groups or who.is_anonymous or any(one.door for one in entered.identities):
        return
    for provider in cluster.providers:
        if not provider.groups_claim or not who.name.startswith(provider.username_prefix):
            continue
        for kind, group in cluster.bound:
            if kind != "group" or group.startswith(_RESERVED) or not group.startswith(provider.groups_prefix):
                continue
            if _allows(cluster, Asker("", frozenset({group})), asked):
                yield Doubt(f"identity provider {provider.name} may put {who.name} into group {group}, which may", f"give --group {group}")


def _allows(cluster: Cluster, asker: Asker, asked: Asked) -> bool:
    for named in cluster.of(asker):
        home = named.binding.namespace
        if asked.holds_at(home) and any(asked.allowed_by(rule, home) for rule in cluster.rules_of(named.binding) or ()):
            return True
    return False


def _of_doors(cluster: Cluster, entered: Entered, complete: bool) -> Iterator[Doubt]:
    """Yield what is unread of a principal's ways in; where it has an access entry, aws-auth says nothing of it."""
    arn = cluster.principals.canonical(entered.who.name)
    yield from (Doubt(gap.what, gap.remedy) for gap in cluster.unopened.get(arn, ()))
    if any(name.cluster == cluster.scope and cluster.principals.canonical(name.principal) == arn for name in _entries(cluster)):
        return
    yield from (Doubt(gap.what, gap.remedy) for gap in cluster.unread_map)
    mode = cluster.eks.mode if cluster.eks else None
    if complete:
        return
    if mode is not AuthenticationMode.CONFIG_MAP and not cluster.is_listed("AccessEntry"):
        what = f"the access entries of {cluster.name} were not listed"
        yield Doubt(what, f"aws eks list-access-entries --cluster-name {cluster.name}")
    if mode is None and not has_read_map(cluster.facts, cluster.scope):
        what = f"the ConfigMap aws-auth of {cluster.name} was not read, nor whether it counts"
        yield Doubt(what, f"aws eks describe-cluster --name {cluster.name}")


def _entries(cluster: Cluster) -> Iterator[AccessEntry | AccessEntryName]:
    yield from cluster.facts.of(AccessEntry)
    yield from cluster.facts.of(AccessEntryName)
