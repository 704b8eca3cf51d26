"""Who asks: a user, a group, a service account, an IAM principal; and as whom it comes in to one cluster."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import Enum

from partywall.errors import UsageError
from partywall.model import facts as given
from partywall.model.edge import Certainty, Condition
from partywall.model.facts import Facts
from partywall.model.facts_eks import AccessEntryName, PodIdentity, principal_node
from partywall.model.facts_iam import HolderKind, Principal
from partywall.model.facts_kubernetes import ServiceAccount, Subject, SubjectKind, Workload, subject_node
from partywall.model.node import Kind, Node
from partywall.resolve.access.cluster import INITIAL, Cluster
from partywall.resolve.eks.doors import Door
from partywall.resolve.eks.users import candidates, matches, template
from partywall.resolve.rbac.grants import anonymous
from partywall.resolve.rbac.judge import MASTERS, Asker, service_account
from partywall.resolve.rbac.places import everybody, place

AUTHENTICATED, UNAUTHENTICATED, ANONYMOUS, NODES = "system:authenticated", "system:unauthenticated", "system:anonymous", "system:nodes"
ALL_ACCOUNTS = "system:serviceaccounts"
_ACCOUNT, _NODE = "system:serviceaccount:", "system:node:"
# Kubernetes, "Authenticating" and "Using RBAC Authorization": groups that exist without being named.
_OWN_GROUPS = frozenset({AUTHENTICATED, UNAUTHENTICATED, ALL_ACCOUNTS, MASTERS, NODES})
_NEAREST = 3


class Kindred(Enum):
    """What kind of subject it is; the value is how it is written."""

    USER = "user:NAME"
    GROUP = "group:NAME"
    ACCOUNT = "sa:NAMESPACE/NAME"
    PRINCIPAL = "an IAM ARN"


@dataclass(frozen=True, slots=True)
class Who:
    """A subject by its name. `groups` are further ones that a user is said to be in; `session` is the name of a role's session."""

    kind: Kindred
    name: str
    groups: tuple[str, ...] = ()
    session: str = ""

    def __str__(self) -> str:
        match self.kind:
            case Kindred.USER:
                return f"user:{self.name}" + (f" in {', '.join(self.groups)}" if self.groups else "")
            case Kindred.GROUP:
                return f"group:{self.name}"
            case Kindred.ACCOUNT:
                return f"sa:{self.name}"
            case Kindred.PRINCIPAL:
                return f"{self.name} in session {self.session}" if self.session else self.name

    @property
    def is_anonymous(self) -> bool:
        """Tell whether it has no credentials."""
        return self.name == (ANONYMOUS if self.kind is Kindred.USER else UNAUTHENTICATED)


@dataclass(frozen=True, slots=True)
class Identity:
    """As whom a subject asks. `door` lets it in; `condition` must hold for it to be so; without credentials `bare` is true."""

    asker: Asker
    door: Door | None = None
    condition: Condition | None = None
    bare: bool = False

    @property
    def certainty(self) -> Certainty:
        """Return how sure the identity is."""
        doubt = self.door.certainty if self.door else Certainty.SURE
        return max(doubt, Certainty.CONDITIONAL) if self.condition else doubt


@dataclass(frozen=True, slots=True)
class Entered:
    """A subject in one cluster: all its identities, the principals whose access policies it has, and what the graph calls it."""

    who: Who
    identities: tuple[Identity, ...]
    principals: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = field(default=())


def who(text: str, groups: Sequence[str] = ()) -> Who:
    """Read a subject: `user:NAME`, `group:NAME`, `sa:NAMESPACE/NAME`, `system:serviceaccount:NAMESPACE:NAME`, an ARN, `anonymous`.

    Raises UsageError.
    """
    found = _who(text)
    if groups and found.kind is not Kindred.USER:
        raise UsageError(f"--group says of a user in which groups it is; {text} is no user")
    return replace(found, groups=tuple(dict.fromkeys(groups)))


def _who(text: str) -> Who:
    if text in ("anonymous", "*"):
        return Who(Kindred.USER, ANONYMOUS)
    if text.startswith("arn:"):
        return _principal(text)
    prefix, colon, name = text.partition(":")
    if text.startswith(_ACCOUNT) or (prefix == "user" and name.startswith(_ACCOUNT)):
        home, _, account = text.removeprefix("user:").removeprefix(_ACCOUNT).partition(":")
        return _account(text, home, account)
    if colon and prefix in ("sa", "serviceaccount"):
        return _account(text, *_halves(name))
    if colon and name and prefix in ("user", "group"):
        return Who(Kindred.USER if prefix == "user" else Kindred.GROUP, name)
    raise UsageError(f"{text}: no subject; write {', '.join(kind.value for kind in Kindred)}")


def _halves(text: str) -> tuple[str, str]:
    home, slash, name = text.partition("/")
    return (home, name) if slash else ("", "")


def _account(text: str, home: str, name: str) -> Who:
    if not home or not name or "/" in name or ":" in name:
        raise UsageError(f"{text}: no service account; write sa:NAMESPACE/NAME")
    return Who(Kindred.ACCOUNT, f"{home}/{name}")


def _principal(arn: str) -> Who:
    words = arn.split(":", 5)
    if len(words) == 6 and words[2] == "sts" and words[5].startswith("assumed-role/"):
        _, role, session = (*words[5].split("/", 2), "")[:3]
        return Who(Kindred.PRINCIPAL, ":".join((*words[:2], "iam", *words[3:5], f"role/{role}")), session=session)
    return Who(Kindred.PRINCIPAL, arn)


def entered(cluster: Cluster, asked: Who, *, bare: bool = True) -> Entered:
    """Return a subject as a cluster sees it; `bare` adds what it may do by leaving its credentials at home."""
    found = _entered(cluster, asked)
    if not bare or asked.is_anonymous:
        return found
    nobody = Identity(Asker(ANONYMOUS, frozenset({UNAUTHENTICATED})), None, anonymous(cluster.eks), bare=True)
    return replace(found, identities=(*found.identities, nobody))


def _entered(cluster: Cluster, asked: Who) -> Entered:
    match asked.kind:
        case Kindred.ACCOUNT:
            home, _, name = asked.name.partition("/")
            nodes = (Node(Kind.SERVICE_ACCOUNT, cluster.scope, asked.name), place(cluster.scope, home))
            return Entered(asked, (Identity(service_account(home, name)),), (), (*nodes, everybody(cluster.scope)))
        case Kindred.GROUP:
            return Entered(asked, (_of_group(cluster, asked.name),), (), _nodes(cluster, "", (asked.name,)))
        case Kindred.USER:
            return _of_user(cluster, asked)
        case Kindred.PRINCIPAL:
            doors = cluster.doors_of(asked.name)
            arn = cluster.principals.canonical(asked.name)
            identities = tuple(one for door in doors for one in _through(cluster, door, asked.session))
            called = tuple(node for one in identities for node in _nodes(cluster, one.asker.user, sorted(one.asker.groups)))
            return Entered(asked, identities, (arn,), (principal_node(arn), *called))


def _of_group(cluster: Cluster, name: str) -> Identity:
    """Return somebody of a group, with the groups that all its members have."""
    if name == UNAUTHENTICATED:
        return Identity(Asker(ANONYMOUS, frozenset({name})), None, anonymous(cluster.eks), bare=True)
    accounts = {ALL_ACCOUNTS} if name.startswith(f"{ALL_ACCOUNTS}:") else set[str]()
    return Identity(Asker("", frozenset({name, AUTHENTICATED, *accounts})))


def _of_user(cluster: Cluster, asked: Who) -> Entered:
    if asked.is_anonymous:
        nobody = Identity(Asker(ANONYMOUS, frozenset({UNAUTHENTICATED})), None, anonymous(cluster.eks), bare=True)
        return Entered(asked, (nobody,), (), _nodes(cluster, ANONYMOUS, ()))
    nodes = {NODES} if asked.name.startswith(_NODE) else set[str]()
    own = Identity(Asker(asked.name, frozenset({AUTHENTICATED, *nodes, *asked.groups})))
    doors = [door for door in cluster.doors if matches(door, asked.name, cluster.principals)[0]]
    # Whoever is called so came in by a door that gives the name, and has what else that door gives.
    through = [Identity(Asker(asked.name, frozenset({AUTHENTICATED, *nodes, *asked.groups, *door.groups})), door) for door in doors]
    arns = tuple(dict.fromkeys(cluster.principals.canonical(door.principal) for door in doors))
    called = _nodes(cluster, asked.name, (*asked.groups, *(group for door in doors for group in door.groups)))
    return Entered(asked, (own, *through), arns, (*called, *map(principal_node, arns)))


def _through(cluster: Cluster, door: Door, session: str) -> Iterator[Identity]:
    """Yield as whom a principal comes in: with the door's groups, and by each user name that a binding names and the door may give."""
    groups = frozenset({AUTHENTICATED, *door.groups})
    yield Identity(Asker(template(door), groups), door)
    for name in candidates(door, cluster.users):
        found, condition = matches(door, name, cluster.principals)
        if found and name != template(door):
            met = condition is not None and session != "" and all(atom.values == (session,) for atom in condition.atoms)
            if not session or condition is None or met:
                yield Identity(Asker(name, groups), door, None if met else condition)


def _nodes(cluster: Cluster, user: str, groups: Iterable[str]) -> tuple[Node, ...]:
    found = [subject_node(cluster.scope, Subject(SubjectKind.GROUP, group)) for group in groups]
    if user:
        found.append(subject_node(cluster.scope, Subject(SubjectKind.USER, user)))
    return (*found, everybody(cluster.scope))


def full_name(clusters: Sequence[Cluster], text: str) -> str:
    """Return the ARN of an IAM principal that is called by its name alone, where it is unique; any other text as it is."""
    if ":" in text or text == "*":
        return text
    known = dict.fromkeys(arn for cluster in clusters for arn in _known(cluster, Kindred.PRINCIPAL) if arn.rsplit("/", 1)[-1] == text)
    if len(known) > 1:
        raise UsageError(f"{text} means several principals: {', '.join(sorted(known))}; give an ARN")
    return next(iter(known), text)


def check(clusters: Sequence[Cluster], asked: Who) -> None:
    """See that a subject is known to any of the clusters. Raises UsageError, naming those that are called nearly so."""
    for group in asked.groups:
        _check(clusters, Who(Kindred.GROUP, group))
    if not asked.groups:
        _check(clusters, asked)


def _check(clusters: Sequence[Cluster], asked: Who) -> None:
    known = dict.fromkeys(one for cluster in clusters for one in _known(cluster, asked.kind))
    name = asked.name
    if asked.kind is Kindred.PRINCIPAL:
        if any(cluster.principals.canonical(asked.name) in known for cluster in clusters):
            return
    elif name in known or (asked.kind is Kindred.USER and (asked.is_anonymous or _is_given(clusters, name))):
        return
    near = get_close_matches(name, list(known), _NEAREST, 0.6) or _same_end(name, known)
    word = {Kindred.USER: "user", Kindred.GROUP: "group", Kindred.ACCOUNT: "service account", Kindred.PRINCIPAL: "IAM principal"}[
        asked.kind
    ]
    raise UsageError(f"no {word} of the input is called {name}; {_instead(asked, near, sorted(known))}")


def _instead(asked: Who, near: Sequence[str], known: Sequence[str]) -> str:
    written = [str(replace(asked, name=name, groups=(), session="")) for name in (near or known[:_NEAREST])]
    if near:
        return f"did you mean {' or '.join(written)}?"
    others = f"it knows {len(known)}, such as {', '.join(written)}" if known else "it knows none"
    if asked.kind in (Kindred.USER, Kindred.GROUP):
        others += f"; what everybody may who signs in is asked with group:{AUTHENTICATED}"
        others += ", and --group says in which groups a user is" if asked.kind is Kindred.USER else ""
    return others


def _same_end(name: str, known: Iterable[str]) -> list[str]:
    end = name.rsplit("/", 1)[-1]
    return [one for one in known if one.rsplit("/", 1)[-1] == end][:_NEAREST]


def _is_given(clusters: Sequence[Cluster], name: str) -> bool:
    """Tell whether some door gives a user name, or it is that of a node."""
    return name.startswith(_NODE) or any(matches(door, name, cluster.principals)[0] for cluster in clusters for door in cluster.doors)


def _known(cluster: Cluster, kind: Kindred) -> Iterator[str]:
    match kind:
        case Kindred.USER:
            yield from (name for name in cluster.users if not name.startswith(_ACCOUNT))
            yield from (template(door) for door in cluster.doors if "{{" not in template(door))
            yield from _named(cluster.facts, cluster.scope, Kind.USER)
        case Kindred.GROUP:
            yield from (name for kind_, name in cluster.bound if kind_ == "group")
            yield from (group for door in cluster.doors for group in door.groups)
            yield from (*_OWN_GROUPS, *(f"{ALL_ACCOUNTS}:{name}" for name in (*cluster.places, *INITIAL)))
            yield from _named(cluster.facts, cluster.scope, Kind.GROUP)
        case Kindred.ACCOUNT:
            yield from _accounts(cluster)
        case Kindred.PRINCIPAL:
            yield from principals_of(cluster)
            every = cluster.facts.of(Principal)
            yield from (one.arn for one in every if one.holder.kind is not HolderKind.GROUP)


def principals_of(cluster: Cluster) -> tuple[str, ...]:
    """Return the IAM principals that doors and access policies of a cluster name, those included whose entry was not opened."""
    found = [door.principal for door in cluster.doors] + list(cluster.policies)
    found += [one.principal for one in cluster.facts.of(AccessEntryName) if one.cluster == cluster.scope]
    arns = dict.fromkeys(cluster.principals.canonical(arn) for arn in found)
    return tuple(arn for arn in arns if not cluster.principals.is_gone(arn))


def _accounts(cluster: Cluster) -> Iterator[str]:
    scope, facts = cluster.scope, cluster.facts
    yield from (f"{one.namespace}/{one.name}" for one in facts.of(ServiceAccount) if one.cluster == scope)
    yield from (f"{one.namespace}/{one.service_account or 'default'}" for one in facts.of(Workload) if one.cluster == scope)
    yield from (f"{one.namespace}/{one.service_account}" for one in facts.of(PodIdentity) if one.cluster == scope)
    for name in cluster.users:
        if name.startswith(_ACCOUNT):
            yield name.removeprefix(_ACCOUNT).replace(":", "/", 1)
    # Every namespace has one of this name (Kubernetes, "Service accounts").
    yield from (f"{name}/default" for name in (*cluster.places, *INITIAL))


def _named(facts: Facts, scope: str, kind: Kind) -> Iterator[str]:
    return (one.node.name for one in facts.of(given.Named) if one.node.kind is kind and one.node.scope == scope)


def everyone(cluster: Cluster) -> tuple[Who, ...]:
    """Return all whom bindings, doors and access policies name, in order; of `system:masters` nobody needs to be told."""
    found = [_of_key(kind, name) for kind, name in cluster.bound if (kind, name) != ("group", MASTERS)]
    found += [Who(Kindred.PRINCIPAL, arn) for arn in principals_of(cluster)]
    return tuple(sorted(dict.fromkeys(found), key=str))


def _of_key(kind: str, name: str) -> Who:
    if kind == "group":
        return Who(Kindred.GROUP, name)
    account = name.removeprefix(_ACCOUNT).partition(":") if name.startswith(_ACCOUNT) else None
    return Who(Kindred.ACCOUNT, f"{account[0]}/{account[2]}") if account and account[0] and account[2] else Who(Kindred.USER, name)
