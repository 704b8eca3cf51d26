"""From single rights to what they mean: one table, from verbs and resources to an edge's verb and the kind of its target."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from partywall.model.facts_kubernetes import Rule
from partywall.resolve.rbac.matching import ANY, allows
from partywall.resolve.rbac.resources import (
    ADMISSION_GROUP,
    BUILT_IN,
    CLUSTER_SCOPED,
    ELSEWHERE,
    HARMLESS,
    HARMLESS_GROUPS,
    NETWORK_POLICIES,
    RBAC_GROUP,
    TASKS,
    WORKLOADS,
)

READ = ("get", "list", "watch")
WRITE = ("create", "update", "patch")
DELETE = ("delete", "deletecollection")
_NAMELESS = frozenset({"create", "deletecollection"})


class Target(StrEnum):
    """What a capability is about."""

    PLACE = "place"  # the namespace, or all namespaces, of the grant
    NAMESPACE = "namespace"  # namespace objects; a named one alone where the rule names it
    ACCOUNT = "service account"  # service accounts of the place; a named one alone where the rule names it
    ADMIN = "cluster admin"
    NODES = "nodes"
    OBJECT = "cluster object"
    USER = "user"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Capability:
    """Any of `verbs` on any of `resources` gives an edge `verb`. `wide` ones need a grant for the whole cluster."""

    verb: str
    verbs: tuple[str, ...]
    resources: tuple[tuple[str, str], ...]
    target: Target = Target.PLACE
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """A capability that a rule gives, by which right, and for which names only (empty: all).

    `number` is the rule's place among the rules of its role. Equal rules are compiled once, so the number tells them apart, not the rule.
    """

    capability: Capability
    right: str
    names: tuple[str, ...]
    number: int = 0


def _core(*names: str) -> tuple[tuple[str, str], ...]:
    return tuple(("", name) for name in names)


_SIGN_IN = "authentication.k8s.io"

# A websocket asks for `get` where older clients ask for `create`; servers that check `create` as well are recent.
_OPEN = ("create", "get")

# Another team's place in the queue; what that does to capacity is said with the queues.
_QUEUED = (("kueue.x-k8s.io", "workloads"), ("kueue.x-k8s.io", "localqueues"))
_SCALES = tuple(("apps", f"{kind}/scale") for kind in ("deployments", "statefulsets", "replicasets"))
_OBJECTS = ("services", "persistentvolumeclaims", "resourcequotas", "limitranges")
# What says who may do what in a namespace; to grant more than one holds takes more than writing it (see `escalate`).
_GRANTS = ((RBAC_GROUP, "roles"), (RBAC_GROUP, "rolebindings"))
_WIDE_GRANTS = ((RBAC_GROUP, "clusterroles"), (RBAC_GROUP, "clusterrolebindings"))
_WEBHOOKS = ((ADMISSION_GROUP, "mutatingwebhookconfigurations"), (ADMISSION_GROUP, "validatingwebhookconfigurations"))

TABLE: tuple[Capability, ...] = (
    Capability("create workloads", ("create",), WORKLOADS),
    Capability("patch workloads", ("update", "patch"), (*WORKLOADS, ("", "pods/ephemeralcontainers"))),
    Capability("create pods/exec", _OPEN, _core("pods/exec", "pods/attach")),
    # The kubelet's API runs commands in every pod of a node (Kubernetes, "Kubelet authentication/authorization").
    Capability("create pods/exec", _OPEN, _core("nodes/proxy"), wide=True),
    Capability("requests tokens of", ("create",), _core("serviceaccounts/token"), Target.ACCOUNT),
    Capability("impersonates", ("impersonate",), _core("serviceaccounts"), Target.ACCOUNT),
    Capability("impersonates", ("impersonate",), _core("users"), Target.USER, wide=True),
    Capability("impersonates", ("impersonate",), _core("groups"), Target.GROUP, wide=True),
    # Constrained impersonation, on by default since 1.36, asks for these beside `impersonate-on:...` (KEP-5284).
    Capability("impersonates", ("impersonate:serviceaccount",), ((_SIGN_IN, "serviceaccounts"),), Target.ACCOUNT),
    Capability("impersonates", ("impersonate:user-info",), ((_SIGN_IN, "users"),), Target.USER, wide=True),
    Capability("impersonates", ("impersonate:user-info",), ((_SIGN_IN, "groups"),), Target.GROUP, wide=True),
    Capability("impersonates", ("impersonate:arbitrary-node",), ((_SIGN_IN, "nodes"),), Target.NODES, wide=True),
    Capability("connect to", _OPEN, _core("pods/portforward", "pods/proxy", "services/proxy")),
    Capability("read secrets", READ, _core("secrets")),
    Capability("read configmaps", READ, _core("configmaps")),
    Capability("read pod logs", ("get", "list"), _core("pods/log")),
    # The kubelet's own log folder holds those of all pods, and its list of pods is everybody's (fine-grained kubelet authorization).
    Capability("read pod logs", ("get",), _core("nodes/log"), wide=True),
    Capability("list pods", ("get",), _core("nodes/pods"), wide=True),
    Capability("list pods", READ, _core("pods", "pods/status")),
    Capability("view tasks", READ, TASKS),
    Capability("list workloads", READ, tuple(pair for pair in WORKLOADS if pair not in TASKS and pair != ("", "pods"))),
    Capability("list events", READ, (("", "events"), ("events.k8s.io", "events"))),
    Capability("list objects", READ, (*_core(*_OBJECTS, "endpoints", "serviceaccounts"), *_GRANTS)),
    Capability("list objects", READ, (*NETWORK_POLICIES, _QUEUED[1])),
    Capability("list names", READ, _core("namespaces"), Target.NAMESPACE, wide=True),
    Capability("list names", READ, _core("persistentvolumes"), wide=True),
    # Names, namespaces and priorities of everybody's waiting jobs (Kueue, "Monitor pending workloads on-demand").
    Capability("view tasks", READ, (("visibility.kueue.x-k8s.io", "clusterqueues/pendingworkloads"),), wide=True),
    Capability("delete workloads", (*DELETE, "create"), _core("pods/eviction")),
    Capability("delete workloads", DELETE, WORKLOADS),
    Capability("change network rules of", (*WRITE, *DELETE), NETWORK_POLICIES),
    Capability("change", WRITE, _core(*_OBJECTS, "endpoints", "configmaps", "secrets", "serviceaccounts")),
    Capability("change", WRITE, _QUEUED),
    Capability("delete", DELETE, _QUEUED),
    Capability("change", ("update", "patch"), _core("namespaces"), Target.NAMESPACE),
    # A service's status decides where its traffic goes (CVE-2020-8554), a binding on which node a pod runs.
    Capability("change", ("update", "patch"), _core("pods/status", "pods/resize", "services/status", "replicationcontrollers/scale")),
    Capability("change", ("update", "patch"), _SCALES),
    Capability("change", ("create",), _core("pods/binding", "bindings")),
    # Whoever writes bindings hands on what it holds; whoever rewrites a role can empty it, though not widen it.
    Capability("change", WRITE, ((RBAC_GROUP, "rolebindings"),)),
    Capability("change", ("update", "patch"), ((RBAC_GROUP, "roles"),)),
    Capability(
        "delete", DELETE, _core("services", "endpoints", "resourcequotas", "limitranges", "configmaps", "secrets", "serviceaccounts")
    ),
    Capability("delete", DELETE, _GRANTS),
    Capability("delete", DELETE, _core("namespaces"), Target.NAMESPACE),
    Capability("delete data", DELETE, _core("persistentvolumeclaims")),
    # Whoever writes a mutating webhook rewrites every pod before it is stored; a validating one sees every object, Secrets included.
    Capability(
        "becomes administrator of",
        WRITE,
        (
            (ADMISSION_GROUP, "mutatingwebhookconfigurations"),
            (ADMISSION_GROUP, "mutatingadmissionpolicies"),
            ("apiregistration.k8s.io", "apiservices"),
        ),
        Target.ADMIN,
        wide=True,
    ),
    Capability("read secrets", WRITE, ((ADMISSION_GROUP, "validatingwebhookconfigurations"),), wide=True),
    # What refuses or rewrites objects guards everybody, and what grants cluster-wide gives to everybody.
    *(Capability("delete", DELETE, (pair,), Target.OBJECT, wide=True) for pair in (*_WEBHOOKS, *_WIDE_GRANTS)),
    Capability("change", WRITE, ((RBAC_GROUP, "clusterrolebindings"),), Target.OBJECT, wide=True),
    Capability("change", ("update", "patch"), ((RBAC_GROUP, "clusterroles"),), Target.OBJECT, wide=True),
    Capability("delete", DELETE, ((ADMISSION_GROUP, "mutatingadmissionpolicies"),), Target.OBJECT, wide=True),
    Capability("delete", DELETE, (("apiregistration.k8s.io", "apiservices"),), Target.OBJECT, wide=True),
    Capability("change", WRITE, _core("persistentvolumes"), Target.OBJECT, wide=True),
    Capability("delete", DELETE, _core("persistentvolumes"), Target.OBJECT, wide=True),
    Capability("change", (*WRITE, *DELETE), _core("nodes", "nodes/status"), Target.NODES, wide=True),
)

_SPOKEN_FOR: frozenset[tuple[str, str]] = frozenset(pair for capability in TABLE for pair in capability.resources)
_GROUPS: frozenset[str] = frozenset({group for group, _ in (*_SPOKEN_FOR, *CLUSTER_SCOPED)} | BUILT_IN.keys() | HARMLESS_GROUPS | ELSEWHERE)
_NAMES: frozenset[str] = frozenset({name.partition("/")[0] for _, name in (*_SPOKEN_FOR, *CLUSTER_SCOPED, *HARMLESS)}).union(
    *BUILT_IN.values()
)


@lru_cache(maxsize=65536)
def capabilities(rule: Rule) -> tuple[Held, ...]:
    """Return what a rule gives, for any place; the caller leaves out what is `wide` where the grant is not."""
    return tuple(_held(rule))


def _held(rule: Rule) -> Iterator[Held]:
    if rule.urls:
        return
    if is_everything(rule):
        yield Held(Capability("becomes administrator of", (ANY,), ((ANY, ANY),), Target.ADMIN, wide=True), "* on everything", ())
    for capability in TABLE:
        right = next(_rights(rule, capability), None)
        if right is not None:
            yield Held(capability, right, rule.names)
    yield from _others(rule)


def is_everything(rule: Rule) -> bool:
    """Tell whether a rule gives everything there is where it holds."""
    return ANY in rule.verbs and ANY in rule.groups and ANY in rule.resources and not rule.names


def _rights(rule: Rule, capability: Capability) -> Iterator[str]:
    probe = rule.names[0] if rule.names else ""
    for group, resource in capability.resources:
        for verb in capability.verbs:
            # What is created has no name yet, unless it is a subresource of a named object.
            name = "" if verb in _NAMELESS and "/" not in resource else probe
            if allows(rule, verb, group, resource, name):
                yield f"{verb} {resource}"


def _others(rule: Rule) -> Iterator[Held]:
    """Writes to, and reads of, whatever the table does not know: operators' kinds, cluster-scoped settings."""
    for group in rule.groups:
        for resource in _named(group, rule.resources):
            if _is_known(group, resource):
                continue
            wide = (group, resource.partition("/")[0]) in CLUSTER_SCOPED
            target = Target.OBJECT if wide else Target.PLACE
            for verb, wanted in (("change", WRITE), ("delete", DELETE), ("list objects", READ)):
                found = next((word for word in rule.verbs if word == ANY or word in wanted), None)
                if found and not (wide and verb == "list objects"):
                    yield Held(Capability(verb, wanted, ((group, resource),), target, wide), f"{found} {resource}", rule.names)


def _named(group: str, resources: Iterable[str]) -> Iterator[str]:
    """Yield resources; `*` of one group also stands for each that belongs to no namespace."""
    for resource in resources:
        yield resource
        if resource == ANY and group != ANY:
            yield from sorted(name for home, name in CLUSTER_SCOPED if home == group)


def _is_known(group: str, resource: str) -> bool:
    """Tell whether the table, or another resolver, speaks for a resource, or nothing needs to be said of it."""
    base = resource.partition("/")[0]
    if resource == ANY:
        # All kinds of an operator that the table does not know, or everything that it does.
        return group == ANY or group in _GROUPS
    if group == ANY:
        return base in _NAMES or resource.startswith("*/")
    if group in HARMLESS_GROUPS or group in ELSEWHERE or (group, base) in HARMLESS:
        return True
    if group in BUILT_IN and base not in BUILT_IN[group]:
        return True  # one of the table's, or of no API at all
    return (group, resource) in _SPOKEN_FOR or group == RBAC_GROUP or resource.startswith("*/")


def escalating(rules: Iterable[Rule]) -> Mapping[str, tuple[tuple[int, tuple[str, ...]], ...]]:
    """Return the single rights that only together make an administrator, each with the number and the names of every rule that gives it."""
    found: dict[str, tuple[tuple[int, tuple[str, ...]], ...]] = {}
    for number, rule in enumerate(rules):
        for name, (verbs, group, resource) in ESCALATIONS.items():
            wanted = Capability("", verbs, ((group, resource),))
            if next(_rights(rule, wanted), None) is None or (name == _SIGNING and rule.names and SIGNERS.isdisjoint(rule.names)):
                continue
            found[name] = (*found.get(name, ()), (number, rule.names))
    return found


_SIGNING = "approve for signer"
# What these sign is believed by the API server (Kubernetes, "Certificates and Certificate Signing Requests").
SIGNERS = frozenset({f"kubernetes.io/{name}" for name in ("kube-apiserver-client", "kube-apiserver-client-kubelet", "*")})

ESCALATIONS: Mapping[str, tuple[tuple[str, ...], str, str]] = {
    "bind clusterroles": (("bind",), RBAC_GROUP, "clusterroles"),
    "bind roles": (("bind",), RBAC_GROUP, "roles"),
    "write clusterrolebindings": (WRITE, RBAC_GROUP, "clusterrolebindings"),
    "write rolebindings": (WRITE, RBAC_GROUP, "rolebindings"),
    "escalate clusterroles": (("escalate",), RBAC_GROUP, "clusterroles"),
    "escalate roles": (("escalate",), RBAC_GROUP, "roles"),
    "write clusterroles": (WRITE, RBAC_GROUP, "clusterroles"),
    "write roles": (WRITE, RBAC_GROUP, "roles"),
    "create secrets": (("create",), "", "secrets"),
    "read secrets": (READ, "", "secrets"),
    "create certificates": (("create",), "certificates.k8s.io", "certificatesigningrequests"),
    "approve certificates": (("update", "patch"), "certificates.k8s.io", "certificatesigningrequests/approval"),
    _SIGNING: (("approve",), "certificates.k8s.io", "signers"),
}
