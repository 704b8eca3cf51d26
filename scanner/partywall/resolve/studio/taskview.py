"""What the task view of Studio shows on EKS: for each execution role and cluster nothing, some namespaces, all of them, or who knows.

There is no switch for it (SageMaker AI developer guide, "Setting up an Amazon EKS cluster in Studio"): Studio asks the cluster as the
execution role, so IAM must let the role use the Kubernetes API, the role must have a door, and access policies and bindings decide the
rest. Hiding HyperPod from Studio's menu restricts nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from partywall.model.edge import Certainty, Edge, Lever
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_eks import AssociationsRead, EksCluster, MappedPrincipal, principal_node
from partywall.model.facts_kubernetes import Binding, Rule
from partywall.model.facts_studio import StudioDomain
from partywall.model.node import Kind, Node
from partywall.model.thing import glob_matches
from partywall.resolve.data.asking import request_on, where
from partywall.resolve.eks.doors import Door, doors
from partywall.resolve.eks.principals import Principals, principals
from partywall.resolve.eks.users import candidates, matches
from partywall.resolve.iam.naming import role_node
from partywall.resolve.iam.rights import Estate
from partywall.resolve.iam.ways import Way, identity_ways, surest
from partywall.resolve.rbac.edges import about_the_place
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.judge import MASTERS
from partywall.resolve.rbac.places import everybody, is_glob, namespaces, place
from partywall.resolve.rights import rights
from partywall.resolve.studio.doors import clusters_of
from partywall.resolve.studio.profiles import domains, profiles, role_of

SEES = "sees in Studio the tasks of"
_API = "eks:accesskubernetesapi"
_SHOWS = frozenset({"list pods", "list workloads", "view tasks"})
# What AWS's sample "pods-events-crd-cluster-role" gives; its binding is a ClusterRoleBinding, though its heading says "restrict".
_SAMPLE = frozenset({("", "pods"), ("", "events"), ("apiextensions.k8s.io", "customresourcedefinitions")})


class View(StrEnum):
    """How much of a cluster's tasks a role's Studio shows."""

    NONE = "none"
    RESTRICTED = "restricted"
    UNRESTRICTED = "unrestricted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Shown:
    """What makes some namespaces visible: a grant, and the evidence that leads from the role to it. `namespace` "" is the whole cluster."""

    namespace: str
    why: str
    because: tuple[Evidence, ...]
    lever: Lever
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class TaskView:
    """The view of one execution role on one cluster. `users` are the domains and profiles that run with it; `why` says what decided."""

    role: str
    cluster: str
    view: View
    namespaces: tuple[str, ...]
    why: str
    users: tuple[str, ...]
    shown: tuple[Shown, ...] = ()


def task_views(facts: Facts, estate: Estate) -> Iterator[TaskView]:
    """Yield the task view of every Studio execution role on every cluster of its account or with a door for it."""
    roles = _roles(facts)
    if not roles:
        return
    known = principals(facts)
    entered: dict[tuple[str, str], list[Door]] = {}
    for door in doors(facts, known):
        entered.setdefault((door.cluster, known.canonical(door.principal)), []).append(door)
    for cluster in clusters_of(facts):
        here = _cluster(facts, known, cluster)
        for role, users in roles.items():
            mine = entered.get((cluster.cluster, known.canonical(role)), [])
            if mine or role.split(":")[4:5] == cluster.cluster.split("/")[:1]:
                yield _view(estate, here, role, users, mine)


def _roles(facts: Facts) -> Mapping[str, Mapping[str, Evidence]]:
    """Return the execution roles with the domains, their spaces and the profiles that run with each."""
    found: dict[str, dict[str, Evidence]] = {}
    for domain in facts.of(StudioDomain):
        for word, role, field in (
            ("domain", domain.execution_role, "DefaultUserSettings"),
            ("spaces of domain", domain.space_role, "DefaultSpaceSettings"),
        ):
            if role:
                found.setdefault(role, {})[f"{word} {domain.id}"] = domain.at.below(field, "ExecutionRole")
    known = domains(facts)
    for profile in profiles(facts):
        if role := role_of(profile, known):
            found.setdefault(role, {})[f"profile {profile.domain}/{profile.name}"] = profile.at
    return found


@dataclass(frozen=True, slots=True)
class _Cluster:
    """What is known of one cluster: its grants by who has them, the names in its bindings, and what was read of it."""

    said: EksCluster
    known: Principals
    grants: Mapping[Node, Sequence[Grant]]
    subjects: Sequence[str]
    spaces: Sequence[str]
    associations: frozenset[str]
    lists_entries: bool
    lists_bindings: bool


def _cluster(facts: Facts, known: Principals, cluster: EksCluster) -> _Cluster:
    held: dict[Node, list[Grant]] = {}
    for grant in rights(facts):
        if grant.cluster == cluster.cluster:
            held.setdefault(grant.source, []).append(grant)
    bindings = [binding for binding in facts.of(Binding) if binding.cluster == cluster.cluster]
    return _Cluster(
        cluster,
        known,
        held,
        sorted({subject.name for binding in bindings for subject in binding.subjects}),
        tuple(namespaces(facts).get(cluster.cluster, {})),
        frozenset(known.canonical(one.principal) for one in facts.of(AssociationsRead) if one.cluster == cluster.cluster),
        facts.listed("AccessEntry", cluster.cluster) is not None,
        bool(bindings) or facts.listed("ClusterRoleBinding", cluster.cluster) is not None,
    )


def _view(
    estate: Estate,
    here: _Cluster,
    role: str,
    users: Mapping[str, Evidence],
    mine: Sequence[Door],
) -> TaskView:
    at = next(iter(users.values()))

    def said(view: View, why: str, shown: Sequence[Shown] = (), names: Sequence[str] = ()) -> TaskView:
        return TaskView(role, here.said.cluster, view, tuple(names), why, tuple(users), tuple(shown))

    asked = _may_ask(estate, here.said, role)
    if asked is not None and not asked:
        return said(View.NONE, "its policies do not allow eks:AccessKubernetesApi")
    way = surest(list(asked)) if asked else None
    shown = [_along(each, way, at) for each in _shown(here, role, mine)]
    sure = [each for each in shown if each.certainty is not Certainty.UNKNOWN]
    wide = next((each for each in sure if not each.namespace), None)
    if wide is not None:
        return said(View.UNRESTRICTED, wide.why, [wide])
    doubt = next((each.why for each in shown if each.certainty is Certainty.UNKNOWN), "") or _unread(here, role, mine)
    if asked is None and mine:
        return said(View.UNKNOWN, "its policies were not read", shown)
    if doubt:
        return said(View.UNKNOWN, doubt, shown)
    names = sorted(_names(here.spaces, sure))
    if names:
        return said(View.RESTRICTED, ", ".join(dict.fromkeys(each.why for each in sure)), sure, names)
    return said(View.NONE, "nothing lets it list pods or tasks" if mine else "it has no door to the cluster", sure)


def _may_ask(estate: Estate, cluster: EksCluster, role: str) -> list[Way] | None:
    """Return the ways to the Kubernetes API through the console, None where the role's policies were not read."""
    mine = estate.rights.get(role)
    if mine is None:
        return None
    account, region, _ = cluster.cluster.split("/", 2)
    return identity_ways(mine, request_on(mine, _API, cluster.arn, where(account, region)))


def _along(shown: Shown, way: Way | None, at: Evidence) -> Shown:
    because = (at, *(way.because if way else ()), *shown.because)
    # Without the role's policies nobody knows whether Studio may ask at all.
    certainty = max(shown.certainty, way.certainty if way else Certainty.UNKNOWN)
    return Shown(shown.namespace, shown.why, tuple(dict.fromkeys(because)), shown.lever, certainty)


def _shown(here: _Cluster, role: str, mine: Sequence[Door]) -> Iterator[Shown]:
    for door in mine:
        if MASTERS in door.groups:
            number = door.groups.index(MASTERS)
            yield Shown("", f"group {MASTERS}", (door.place(number),), door.lever(number), door.certainty)
    # An access policy without an entry does not exist; one whose entry was not described still counts.
    sources = {principal_node(here.known.canonical(role)): ((), Certainty.SURE), **_identities(here, mine)}
    for source, (because, certainty) in sources.items():
        for grant in here.grants.get(source, ()):
            rule = _showing(grant)
            if rule is not None or grant.certainty is Certainty.UNKNOWN:
                proof = (*because, *(grant.shown(rule) if rule else grant.because))
                yield Shown(grant.namespace, _word(grant), proof, grant.lever, max(grant.certainty, certainty))


def _identities(here: _Cluster, mine: Sequence[Door]) -> dict[Node, tuple[tuple[Evidence, ...], Certainty]]:
    """Return the groups and user names that a role comes in with, and the group of all who come in."""
    found: dict[Node, tuple[tuple[Evidence, ...], Certainty]] = {}
    cluster = here.said.cluster
    for door in mine:
        found.setdefault(everybody(cluster), ((door.at,), door.certainty))
        for number, group in enumerate(door.groups):
            found.setdefault(Node(Kind.GROUP, cluster, group), ((door.place(number),), door.certainty))
        for name in candidates(door, here.subjects):
            same, condition = matches(door, name, here.known)
            if same:
                certainty = max(door.certainty, Certainty.CONDITIONAL) if condition else door.certainty
                found.setdefault(Node(Kind.USER, cluster, name), ((door.at,), certainty))
    return found


def _showing(grant: Grant) -> Rule | None:
    """Return the rule by which a grant lets pods or tasks be looked at."""
    held = next((each for each in about_the_place(grant.rules, grant.is_wide) if each.capability.verb in _SHOWS), None)
    return None if held is None else grant.rules[held.number]


def _word(grant: Grant) -> str:
    if grant.is_wide and _is_sample(grant.rules):
        return f"{grant.role}, AWS's sample for a restricted view, which is bound for the whole cluster"
    return f"{grant.role} in {grant.namespace or 'the whole cluster'}"


def _is_sample(rules: Sequence[Rule]) -> bool:
    """Tell whether rules give what AWS's sample gives and nothing else, whatever it is called here."""
    given = {(group, resource) for rule in rules for group in rule.groups for resource in rule.resources}
    verbs = {verb for rule in rules for verb in rule.verbs}
    return given == _SAMPLE and verbs <= {"get", "list", "watch"} and not any(rule.names for rule in rules)


def _unread(here: _Cluster, role: str, mine: Sequence[Door]) -> str:
    """Say what was not read that may widen a view."""
    if not mine:
        return "" if here.lists_entries else "the access entries of the cluster were not listed"
    by_entry = any(not isinstance(copy, MappedPrincipal) for door in mine for copy in door.copies)
    if by_entry and here.known.canonical(role) not in here.associations:
        return "the access policies of its entry were not read"
    return "" if here.lists_bindings else "the bindings of the cluster were not read"


def _names(spaces: Sequence[str], sure: Sequence[Shown]) -> set[str]:
    found: set[str] = set()
    for each in sure:
        found |= {name for name in spaces if glob_matches(each.namespace, name)} if is_glob(each.namespace) else {each.namespace}
    return found


def task_view_edges(facts: Facts, estate: Estate) -> Iterator[Edge]:
    """Yield what each execution role's Studio shows; a view that nobody knows is an edge to all namespaces that is not sure."""
    for found in task_views(facts, estate):
        source = role_node(found.role)
        users = ", ".join(found.users[:3]) + (f" and {len(found.users) - 3} more" if len(found.users) > 3 else "")
        for each in found.shown:
            note = f"Studio of {users}, by {each.why}"
            for name in _names_of(facts, found.cluster, each):
                yield Edge(source, SEES, place(found.cluster, name), each.because, each.lever, each.certainty, note=note)


def _names_of(facts: Facts, cluster: str, shown: Shown) -> Sequence[str]:
    if not is_glob(shown.namespace):
        return (shown.namespace,)
    return [name for name in namespaces(facts).get(cluster, {}) if glob_matches(shown.namespace, name)]
