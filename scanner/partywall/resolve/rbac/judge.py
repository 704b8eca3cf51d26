"""May somebody do something? The decision of the API server's RBAC authorizer, usable alone."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from partywall.model.facts_kubernetes import Binding, Role, Rule, Subject, SubjectKind
from partywall.resolve.rbac.escalation import EVERYTHING, covers
from partywall.resolve.rbac.matching import allows, allows_url

MASTERS = "system:masters"
_SERVICE_ACCOUNT = "system:serviceaccount:"
RBAC_GROUP = "rbac.authorization.k8s.io"


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: a user name and the groups that authentication gave."""

    user: str
    groups: frozenset[str]


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: a verb on a resource (with subresource), or on a path. A request for a namespace object has that namespace."""

    verb: str
    group: str = ""
    resource: str = ""
    namespace: str = ""
    name: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Rights:
    """The roles and bindings of one cluster. Roles are by namespace (empty: ClusterRoles) and name, with their effective rules."""

    roles: Mapping[tuple[str, str], tuple[Rule, ...]]
    bindings: tuple[Binding, ...]

    def rules_of(self, binding: Binding) -> tuple[Rule, ...]:
        """Return the rules that a binding hands out; a role that does not exist hands out none."""
        home = binding.namespace if binding.role_kind == "Role" else ""
        return self.roles.get((home, binding.role), ())


def service_account(namespace: str, name: str) -> Asker:
    """Return the user and groups of a service account (Kubernetes, "Service account tokens")."""
    groups = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}", "system:authenticated")
    return Asker(f"{_SERVICE_ACCOUNT}{namespace}:{name}", frozenset(groups))


def names(subject: Subject, asker: Asker) -> bool:
    """Tell whether a binding's subject is the asker. `*` is nobody special."""
    match subject.kind:
        case SubjectKind.USER:
            return subject.name == asker.user
        case SubjectKind.GROUP:
            return subject.name in asker.groups
        case SubjectKind.SERVICE_ACCOUNT:
            return asker.user == f"{_SERVICE_ACCOUNT}{subject.namespace}:{subject.name}"


def rules_for(rights: Rights, asker: Asker, namespace: str) -> Iterator[Rule]:
    """Yield every rule that holds for the asker in a namespace; cluster-wide bindings hold everywhere."""
    for binding in rights.bindings:
        if binding.namespace in ("", namespace) and any(names(subject, asker) for subject in binding.subjects):
            yield from rights.rules_of(binding)


def can(rights: Rights, asker: Asker, request: Request) -> bool:
    """Tell whether the asker may do it: any rule of any binding that holds; there is no deny."""
    if MASTERS in asker.groups:
        return True
    if request.url:
        return any(allows_url(rule, request.verb, request.url) for rule in rules_for(rights, asker, ""))
    rules = rules_for(rights, asker, request.namespace)
    return any(allows(rule, request.verb, request.group, request.resource, request.name) for rule in rules)


def may_bind(rights: Rights, asker: Asker, binding: Binding) -> bool:
    """Tell whether the asker, who may create bindings, may create this one: by `bind` on the role, or by holding all that it gives."""
    resource = "roles" if binding.role_kind == "Role" else "clusterroles"
    if can(rights, asker, Request("bind", RBAC_GROUP, resource, binding.namespace, binding.role)):
        return True
    return covers(tuple(rules_for(rights, asker, binding.namespace)), rights.rules_of(binding))


def may_write_role(rights: Rights, asker: Asker, role: Role, before: Role | None = None) -> bool:
    """Tell whether the asker, who may write roles, may write this one, in place of `before` (None: it is new).

    By `escalate`, which for a new role must not be limited to names, because a request to create bears none, or by holding all of it
    (and, where either aggregates, everything there is). Source: Kubernetes 1.36, pkg/registry/rbac.
    """
    resource = "roles" if role.namespace else "clusterroles"
    if can(rights, asker, Request("escalate", RBAC_GROUP, resource, role.namespace, role.name if before else "")):
        return True
    held = tuple(rules_for(rights, asker, role.namespace))
    if (role.aggregates or (before and before.aggregates)) and not covers(held, EVERYTHING):
        return False
    return covers(held, role.rules)


def index(
    roles: Iterable[Role], bindings: Iterable[Binding], effective: Mapping[tuple[str, str], tuple[Rule, ...]] | None = None
) -> Rights:
    """Put roles and bindings together; `effective` overrides the rules of roles that aggregate."""
    rules = {(role.namespace, role.name): role.rules for role in roles}
    return Rights({**rules, **(effective or {})}, tuple(bindings))
