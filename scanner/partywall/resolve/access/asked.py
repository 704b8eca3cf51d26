"""What is asked: a verb on a resource, in a namespace, on a name; written as kubectl writes it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from difflib import get_close_matches

from partywall.errors import UsageError
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import Role, Rule
from partywall.resolve.rbac.judge import Request
from partywall.resolve.rbac.matching import ANY, allows, allows_url
from partywall.resolve.rbac.resources import BUILT_IN, CLUSTER_SCOPED, NETWORK_POLICIES, TASKS, WORKLOADS
from partywall.resolve.rbac.roles import built_in

NAMESPACES = "namespaces"
# Kubernetes, "Authorization": request verbs of resources, and those that RBAC, admission and certificates ask for beside them.
VERBS = ("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection")
_SPECIAL = ("use", "bind", "escalate", "impersonate", "approve", "sign", "attest", "proxy")
URL_VERBS = ("get", "head", "post", "put", "patch", "delete", "options")
SUBRESOURCES = frozenset(
    {
        *("approval", "attach", "binding", "ephemeralcontainers", "eviction", "exec", "finalize", "finalizers", "log"),
        *("pendingworkloads", "portforward", "proxy", "resize", "rollback", "scale", "status", "token"),
    }
)
# A websocket asks for `get` where older clients ask for `create` (kubernetes/kubernetes issue 133515): either opens the connection.
CONNECTIONS = frozenset({"attach", "exec", "portforward", "proxy"})
_NAMELESS = frozenset({"create", "deletecollection"})
_ANY_OBJECT = frozenset({"create", "deletecollection", "list", "watch"})
_NEAREST = 3
_VIEWS = 4
_SHORT = {
    "cm": "configmaps",
    "deploy": "deployments",
    "ds": "daemonsets",
    "netpol": "networkpolicies",
    "no": "nodes",
    "ns": "namespaces",
    "po": "pods",
    "pv": "persistentvolumes",
    "pvc": "persistentvolumeclaims",
    "rs": "replicasets",
    "sa": "serviceaccounts",
    "sts": "statefulsets",
    "svc": "services",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question without its asker.

    `resource` is written with its subresource. `namespace` and `name` are empty where they were left open: the answer then says where, and
    on which. `everywhere` asks about all namespaces at once. `wide` is true for what belongs to no namespace, a path (`url`) included.
    """

    verb: str
    group: str = ""
    resource: str = ""
    namespace: str = ""
    name: str = ""
    url: str = ""
    everywhere: bool = False
    wide: bool = False
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.url:
            return f"{self.verb} {self.url}"
        base, slash, sub = self.resource.partition("/")
        written = f"{base}.{self.group}{slash}{sub}" if self.group else self.resource
        return f"{self.verb} {written}" + (f" named {self.name}" if self.name else "")

    @property
    def is_of_namespaces(self) -> bool:
        """Tell whether it is about namespace objects: a request for one has that namespace, so a RoleBinding there may allow it."""
        return self.group == "" and self.resource.partition("/")[0] == NAMESPACES

    @property
    def bears_name(self) -> bool:
        """Tell whether such a request bears a name: what is created has none yet, unless it is a subresource of a named object."""
        return self.verb not in _NAMELESS or "/" in self.resource

    @property
    def is_open(self) -> bool:
        """Tell whether it was left open in which namespace."""
        return not (self.wide or self.everywhere or self.namespace)

    def holds_at(self, home: str) -> bool:
        """Tell whether what is granted in a namespace (empty: the whole cluster) can count at all."""
        if not home:
            return True
        if self.url or self.everywhere:
            return False
        if self.is_of_namespaces:
            return self.verb not in _ANY_OBJECT and self.name in ("", home)
        return not self.wide and self.namespace in ("", home)

    def allowed_by(self, rule: Rule, home: str) -> bool:
        """Tell whether a rule allows it where it is granted (empty: in the whole cluster), on some name where that was left open."""
        if self.url:
            return allows_url(rule, self.verb, self.url)
        name = self.name or (home if self.is_of_namespaces else "")
        if not name and rule.names and self.bears_name:
            name = rule.names[0]
        return allows(rule, self.verb, self.group, self.resource, name)

    def request(self, namespace: str = "") -> Request:
        """Return the request that it is; `namespace` stands in where it was left open."""
        if self.url:
            return Request(self.verb, url=self.url)
        home = self.name if self.is_of_namespaces else "" if self.wide or self.everywhere else self.namespace or namespace
        return Request(self.verb, self.group, self.resource, home, self.name)


def asked(facts: Facts, verb: str, resource: str, namespace: str = "", name: str = "", *, everywhere: bool = False) -> Asked:
    """Read a question: `pods`, `pods/exec`, `pods/NAME`, `pods/NAME/exec`, `deployments.apps`, `*`, or a path such as `/metrics`.

    Raises UsageError where it makes no sense.
    """
    if everywhere and namespace:
        raise UsageError("-A asks about all namespaces at once, -n about one: give one of them")
    if resource.startswith("/"):
        return _path(verb.lower(), resource, namespace or name)
    rules = [rule for role in (*facts.of(Role), *built_in().values()) for rule in role.rules]
    known = _known(rules)
    base, parts = resource.partition("/")[0], [part for part in resource.split("/")[1:] if part]
    kind, group, notes = _kind(base, known)
    name, sub = _rest(resource, parts, name, _subresources(kind, rules))
    found = f"{kind}/{sub}" if sub else kind
    wide = (group, kind) in CLUSTER_SCOPED
    made = Asked(_verb(verb, rules), group, found, "" if wide else namespace, name, "", everywhere and not wide, wide)
    return _noted(made, [*notes, *([f"{kind} belong to no namespace: -n is not counted"] if wide and namespace else [])])


def _noted(made: Asked, notes: Sequence[str]) -> Asked:
    told = list(notes)
    name = made.name
    if name and not made.bears_name:
        told.append(f"a request to {made.verb} {made.resource} bears no name: {name} is not counted")
        name = ""
    if ANY in (made.verb, made.resource):
        told.append("* asks for a rule that says * itself: whoever has everything one by one is not found by it")
    return Asked(made.verb, made.group, made.resource, made.namespace, name, "", made.everywhere, made.wide, tuple(told))


def _path(verb: str, url: str, other: str) -> Asked:
    if other:
        raise UsageError(f"{url} is a path, which has neither namespace nor name: leave out {other}")
    if verb not in (*URL_VERBS, ANY):
        raise UsageError(f"{verb} is no verb of a path; these are {', '.join(URL_VERBS)}")
    return Asked(verb, url=url.partition("?")[0], wide=True)


def _verb(text: str, rules: Iterable[Rule]) -> str:
    verb = text.lower() if text.lower() in (*VERBS, *_SPECIAL) else text
    if verb in (*VERBS, *_SPECIAL, ANY) or verb.startswith("impersonate:") or any(verb in rule.verbs for rule in rules):
        return verb
    near = get_close_matches(verb, (*VERBS, *_SPECIAL), 1)
    raise UsageError(f"{text} is no verb" + (f"; did you mean {near[0]}?" if near else f"; verbs are {', '.join((*VERBS, *_SPECIAL))}"))


def _known(rules: Iterable[Rule]) -> Mapping[str, AbstractSet[str]]:
    """Return the API groups of each resource that Kubernetes, its operators or any role knows."""
    found: dict[str, set[str]] = {}
    pairs = [*WORKLOADS, *CLUSTER_SCOPED, *NETWORK_POLICIES, *TASKS]
    pairs += [(group, name) for group, names in BUILT_IN.items() for name in names]
    for rule in rules:
        pairs += [(group, name) for group in rule.groups for name in rule.resources]
    for group, name in pairs:
        base = name.partition("/")[0]
        if ANY not in (group, base) and group != "extensions":  # where nothing is served any more
            found.setdefault(base, set()).add(group)
    return found


def _kind(text: str, known: Mapping[str, AbstractSet[str]]) -> tuple[str, str, tuple[str, ...]]:
    """Return resource and API group, and what must be said of the choice."""
    base, dot, group = text.partition(".")
    kind = _plural(base.lower(), known)
    if dot:
        return kind, group.lower(), ()
    if base == ANY:
        return ANY, ANY, ()
    if kind not in known:
        near = get_close_matches(kind, sorted(known), _NEAREST, 0.75)
        raise UsageError(
            f"{text}: no such resource is known"
            + (f"; did you mean {' or '.join(near)}?" if near else "; write it with its API group, such as widgets.example.com")
        )
    groups = sorted(known[kind], key=_rank)
    best = [each for each in groups if _rank(each)[0] == _rank(groups[0])[0]]
    if len(best) > 1:
        raise UsageError(f"{text} is in several API groups: write {' or '.join(f'{kind}.{each}' for each in best)}")
    others = [f"{kind}.{each}" for each in groups[1:] if _rank(each)[0] < _VIEWS]
    note = (f"{kind} are those of {groups[0] or 'the core group'}; {', '.join(others)}: ask for them by that name",) if others else ()
    return kind, groups[0], note


def _plural(text: str, known: Mapping[str, AbstractSet[str]]) -> str:
    candidates = (text, _SHORT.get(text, ""), f"{text}s", f"{text}es", f"{text[:-1]}ies" if text.endswith("y") else "")
    return next((each for each in candidates if each in known), text)


def _rank(group: str) -> tuple[int, str]:
    """Sort API groups as kubectl prefers them: core, Kubernetes' own, all others, and views of others' things."""
    if not group:
        return 0, group
    if "." not in group:
        return 1, group
    if group.startswith(("metrics.", "visibility.", "events.")):
        return _VIEWS, group
    return (2 if group.endswith(".k8s.io") and not group.endswith("x-k8s.io") else 3), group


def _subresources(kind: str, rules: Iterable[Rule]) -> AbstractSet[str]:
    return SUBRESOURCES | frozenset(_written(kind, rules))


def _written(kind: str, rules: Iterable[Rule]) -> Iterator[str]:
    for rule in rules:
        for each in rule.resources:
            base, slash, sub = each.partition("/")
            if slash and base == kind and sub != ANY:
                yield sub


def _rest(text: str, parts: Sequence[str], name: str, subresources: AbstractSet[str]) -> tuple[str, str]:
    """Tell names from subresources; a name that is a subresource's word is given by --name."""
    match parts:
        case []:
            return name, ""
        case [one] if one in subresources or one == ANY:
            return name, one
        case [one]:
            found, sub = one, ""
        case [one, other]:
            found, sub = one, other
        case _:
            raise UsageError(f"{text}: write RESOURCE, RESOURCE/SUBRESOURCE, RESOURCE/NAME or RESOURCE/NAME/SUBRESOURCE")
    if name and name != found:
        raise UsageError(f"{text} is about {found}, and --name about {name}: give one of them")
    return found, sub
