"""May somebody do something in a cluster, and who may: RBAC and the access policies of EKS together, one question at a time."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from partywall.errors import UsageError
from partywall.model.document import Gap
from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_eks import AccessEntry, AuthenticationMode
from partywall.model.facts_kubernetes import Admission
from partywall.model.node import Kind, Node, cluster_name
from partywall.model.thing import glob_matches
from partywall.resolve.access.asked import CONNECTIONS, Asked, asked
from partywall.resolve.access.cluster import INITIAL, Cluster, clusters, scopes
from partywall.resolve.access.decide import Decision, Doubt, Outcome, allowances, assumed_roles, decided, noted
from partywall.resolve.access.subjects import AUTHENTICATED, Entered, Kindred, Who, check, entered, everyone, full_name, who
from partywall.resolve.access.unread import common, doubts, own
from partywall.resolve.rbac.edges import edges
from partywall.resolve.rbac.escalate import escalations
from partywall.resolve.rbac.judge import MASTERS
from partywall.resolve.rbac.places import is_glob
from partywall.resolve.rbac.roles import roles_of
from partywall.resolve.rights import rights

_READS = frozenset({"get", "list", "watch", "head", "options"})
_BECOMES = frozenset({"becomes administrator of", "rewrites roles of", "reads credential of", "requests tokens of", "impersonates"})
_RANK = tuple(Outcome)
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of an input. `unread` are gaps of the input that may concern a cluster; `complete` takes it for all there is."""

    facts: Facts
    unread: tuple[Gap, ...] = ()
    cluster: str = ""
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The decision of one cluster. `ways_in` say as whom an IAM principal comes in; `may_become` what it may make itself able to."""

    scope: str
    who: Who
    asked: Asked
    decision: Decision
    ways_in: tuple[tuple[str, Evidence], ...] = ()
    may_become: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class Crowd:
    """Everybody of one cluster for whom no is not certain, the surest first; `open_questions` say why somebody may be missing."""

    scope: str
    asked: Asked
    answers: tuple[Answer, ...]
    open_questions: tuple[Doubt, ...]
    notes: tuple[str, ...]


def can(question: Question, subject: str, request: Asked, groups: Sequence[str] = ()) -> tuple[Answer, ...]:
    """Decide whether a subject may do something, in each cluster that the question is about.

    `subject` is `user:NAME`, `group:NAME`, `sa:NAMESPACE/NAME`, `system:serviceaccount:NAMESPACE:NAME`, `anonymous`, the ARN of an IAM
    role, user or role session, or the name alone of a role or user where it is unique; `groups` are those of a user.
    Raises UsageError where nobody is called so.
    """
    found = _asked_clusters(question, request)
    wanted = who(full_name(found, subject), groups)
    check(found, wanted)
    return tuple(_answer(question, cluster, wanted, request) for cluster in found)


def who_can(question: Question, request: Asked) -> tuple[Crowd, ...]:
    """Return everybody who may, or of whom it cannot be told, in each cluster that the question is about. Raises UsageError.

    These are the subjects that bindings name and the IAM principals that access entries, aws-auth and access policies name. Members of
    `system:masters` may do everything and are not among them, unless a door puts them there.
    """
    return tuple(_crowd(question, cluster, request) for cluster in _asked_clusters(question, request))


def read_request(facts: Facts, verb: str, resource: str, namespace: str = "", name: str = "", *, everywhere: bool = False) -> Asked:
    """Read what is asked for; see `asked`. Raises UsageError."""
    return asked(facts, verb, resource, namespace, name, everywhere=everywhere)


def chosen(known: Sequence[str], name: str) -> tuple[str, ...]:
    """Return the clusters that a name (or canonical scope) means; an empty name means all. Raises UsageError."""
    found = tuple(scope for scope in known if not name or name in (scope, cluster_name(scope)))
    if found:
        return found
    if not known:
        raise UsageError("the input holds nothing of a Kubernetes cluster; add kubectl get clusterrolebindings -o json and its like")
    names = [cluster_name(scope) or scope for scope in known]
    near = get_close_matches(name, names, 1, 0.5)
    raise UsageError(
        f"no cluster of the input is called {name}; " + (f"did you mean {near[0]}?" if near else f"it knows {', '.join(names)}")
    )


def _asked_clusters(question: Question, request: Asked) -> list[Cluster]:
    found = list(clusters(question.facts, chosen(scopes(question.facts), question.cluster)))
    home = request.name if request.is_of_namespaces else request.namespace
    if home and not any(_has(cluster, home) for cluster in found):
        known = sorted({name for cluster in found for name in (*cluster.places, *INITIAL)})
        near = get_close_matches(home, known, 3, 0.6)
        told = f"did you mean {' or '.join(near)}?" if near else f"it knows {len(known)}, such as {', '.join(known[:_SHOWN])}"
        raise UsageError(f"no namespace of the input is called {home}; {told}")
    return found


def _has(cluster: Cluster, namespace: str) -> bool:
    return namespace in cluster.places or namespace in INITIAL


def _answer(question: Question, cluster: Cluster, wanted: Who, request: Asked) -> Answer:
    found = entered(cluster, wanted)
    decision = _decided(question, cluster, found, request)
    hints = () if decision.outcome is Outcome.ALLOWED else tuple(_may_become(cluster, found, request))
    decision = noted(decision, *_notes(cluster, found, request, decision))
    return Answer(cluster.scope, wanted, request, decision, tuple(_ways_in(found)), hints)


def _decided(question: Question, cluster: Cluster, found: Entered, request: Asked) -> Decision:
    open_ = tuple(dict.fromkeys(doubts(cluster, found, request, question.unread, complete=question.complete)))
    return decided(allowances(cluster, found, request), open_)


def _ways_in(found: Entered) -> Iterator[tuple[str, Evidence]]:
    for door in dict.fromkeys(identity.door for identity in found.identities):
        if door is not None:
            kind = "access entry" if isinstance(door.copies[0], AccessEntry) else "aws-auth row"
            called = f"user name {door.username}" if door.username else "the user name of its STS identity"
            groups = f"groups {', '.join(door.groups)}" if door.groups else "no groups"
            yield f"{kind} of {door.principal}: {called}, {groups}", door.at


def _notes(cluster: Cluster, found: Entered, request: Asked, decision: Decision) -> Iterator[str]:
    yield from request.notes
    yield from _about(cluster, found)
    if request.namespace and not _has(cluster, request.namespace):
        yield f"namespace {request.namespace} is not known in {cluster.name}"
    if decision.outcome is not Outcome.ALLOWED and request.resource.partition("/")[2] in CONNECTIONS:
        yield from _other_door(cluster, found, request)
    yield from _assumed(cluster, (found,), request)
    if decision.outcome is not Outcome.DENIED:
        yield from _admission(cluster, request)


def _about(cluster: Cluster, found: Entered) -> Iterator[str]:
    asker = found.who
    doors = any(identity.door for identity in found.identities)
    if asker.kind is Kindred.GROUP:
        yield "a group sends no requests: this is what its bindings let every member do"
    elif asker.kind is Kindred.USER and not (doors or asker.groups or asker.is_anonymous):
        yield f"assumed: user {asker.name} is in no group but {AUTHENTICATED}; say others with --group"
    elif asker.kind is Kindred.PRINCIPAL and not (doors or any(cluster.policies.get(arn) for arn in found.principals)):
        yield "no access entry, no aws-auth row and no access policy of the input lets it in"
    if asker.kind is Kindred.PRINCIPAL:
        yield "roles that it may assume, and access entries that it may make, are questions for `partywall iam can`"


def _other_door(cluster: Cluster, found: Entered, request: Asked) -> Iterator[str]:
    other = "get" if request.verb == "create" else "create" if request.verb == "get" else ""
    if other and allowances(cluster, found, replace(request, verb=other)):
        yield f"it may {other} {request.resource}, which opens the same connection"


def _assumed(cluster: Cluster, found: Sequence[Entered], request: Asked) -> Iterator[str]:
    roles = list(dict.fromkeys(role for one in found for role in assumed_roles(cluster, one, request)))
    if roles:
        more = f" and {len(roles) - _SHOWN} more" if len(roles) > _SHOWN else ""
        yield f"assumed: {', '.join(roles[:_SHOWN])}{more} as Kubernetes 1.36 makes them, since the input leaves them out"
    if cluster.assumed:
        yield f"assumed: ClusterRoleBindings {', '.join(cluster.assumed)} as Kubernetes makes them, since the input leaves them out"
    if cluster.eks is not None and cluster.eks.mode is AuthenticationMode.CONFIG_MAP:
        yield f"assumed: whoever made cluster {cluster.name}, a hidden administrator in mode CONFIG_MAP, is of the platform"


def _admission(cluster: Cluster, request: Asked) -> Iterator[str]:
    rules = [one for one in cluster.facts.of(Admission) if one.cluster == cluster.scope]
    if rules and request.verb not in _READS:
        shown = ", ".join(f"{one.kind} {one.name}" for one in rules[:_SHOWN])
        more = f" and {len(rules) - _SHOWN} more" if len(rules) > _SHOWN else ""
        yield f"assumed: admission refuses nothing that a role allows: {shown}{more} not evaluated"


def _may_become(cluster: Cluster, found: Entered, request: Asked) -> Iterator[Edge]:
    """Yield how the subject may make itself able to do more where it matters: what its grants, taken together, lead to."""
    if not found.nodes:
        return
    nodes = frozenset(found.nodes)
    held = [replace(one, source=found.nodes[0]) for one in rights(cluster.facts) if one.cluster == cluster.scope and one.source in nodes]
    seen: dict[tuple[str, Node], None] = {}
    for made in (*(each for one in held for each in edges(one)), *escalations(held, roles_of(cluster.facts))):
        key = (made.verb, made.target)
        if made.verb in _BECOMES and key not in seen and _matters(made.target, request):
            seen[key] = None
            yield made


def _matters(target: Node, request: Asked) -> bool:
    home = request.name if request.is_of_namespaces else request.namespace
    match target.kind:
        case Kind.NAMESPACE:
            return not request.wide and not request.everywhere and home in ("", target.name)
        case Kind.NAMESPACES if is_glob(target.name) and target.name != "*":
            return not home or glob_matches(target.name, home)
        case _:
            return True


def _crowd(question: Question, cluster: Cluster, request: Asked) -> Crowd:
    found: list[Answer] = []
    entries: list[Entered] = []
    for one in everyone(cluster):
        inside = entered(cluster, one, bare=False)
        open_ = tuple(dict.fromkeys(own(cluster, inside, request, question.unread, complete=question.complete)))
        decision = decided(allowances(cluster, inside, request), open_)
        if decision.outcome is not Outcome.DENIED:
            entries.append(inside)
            found.append(Answer(cluster.scope, one, request, decision, tuple(_ways_in(inside))))
    found.sort(key=lambda answer: (_RANK.index(answer.decision.outcome), str(answer.who)))
    open_all = (*common(cluster, request, question.unread, complete=question.complete), *_strangers(question, cluster))
    told = dict.fromkeys((*request.notes, *_of_masters(), *_admission(cluster, request), *_assumed(cluster, entries, request)))
    return Crowd(cluster.scope, request, tuple(found), tuple(dict.fromkeys(open_all)), tuple(told))


def _of_masters() -> Iterable[str]:
    return (f"members of group {MASTERS} may do everything; who holds its certificates is not in the input",)


def _strangers(question: Question, cluster: Cluster) -> Iterator[Doubt]:
    """Yield why principals may come in whom the input does not name."""
    yield from (Doubt(gap.what, gap.remedy) for gap in cluster.unread_map)
    if cluster.eks is None or question.complete or cluster.eks.mode is AuthenticationMode.CONFIG_MAP:
        return
    if not cluster.is_listed("AccessEntry"):
        what, command = f"the access entries of {cluster.name} were not listed", "aws eks list-access-entries --cluster-name"
        yield Doubt(what, f"{command} {cluster.name}")
