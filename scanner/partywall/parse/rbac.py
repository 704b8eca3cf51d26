"""Roles, bindings and service accounts."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from partywall.model.document import Direction, Gap, Origin, Reason
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact
from partywall.model.facts_kubernetes import (
    Binding,
    LabelSelector,
    Role,
    Rule,
    ServiceAccount,
    Subject,
    SubjectKind,
    TokenSecret,
    subject_node,
)
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane
from partywall.parse.kubernetes_objects import Object, mapping, name_of, namespace_of, parts, sequence, string_map, strings, text

ObjectParser: TypeAlias = Callable[[Object, Evidence, Origin], Iterator[Fact | Gap]]

RBAC = "rbac.authorization.k8s.io"
_LANES = (Lane.ACT, Lane.VIEW, Lane.DATA, Lane.IDENTITY)


def role(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a Role or ClusterRole; a rule that the API server refuses is a gap, and the rest still counts."""
    namespaced = text(obj, "kind") == "Role"
    namespace = namespace_of(obj) if namespaced else ""
    place = Node(Kind.NAMESPACE, origin.cluster, namespace) if namespaced else Node(Kind.NAMESPACES, origin.cluster, "*")
    rules: list[Rule] = []
    for number, item in enumerate(sequence(obj, "rules")):
        here = at.below("rules", number)
        rule = _rule(item, here) if isinstance(item, Mapping) else None
        flaw = "it is not an object" if rule is None else _flaw(rule, namespaced)
        if rule is None or flaw:
            what = f"a rule of {text(obj, 'kind')} {name_of(obj)} that the API server refuses ({flaw})"
            yield Gap(
                at.document,
                what,
                Reason.UNPARSABLE,
                Direction.INCOMING,
                (place,),
                _LANES,
                "mend the rule, or give the role as the cluster holds it",
                here,
            )
        else:
            rules.append(rule)
    aggregation = obj.get("aggregationRule")
    aggregates = (
        tuple(selector(item) for _, item in parts(aggregation, "clusterRoleSelectors")) if isinstance(aggregation, Mapping) else None
    )
    yield Role(origin.cluster, namespace, name_of(obj), tuple(rules), at, string_map(obj, "metadata", "labels"), aggregates)


def _rule(item: Object, at: Evidence) -> Rule:
    keys = ("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs")
    return Rule(*(strings(item, key) for key in keys), at=at)


def _flaw(rule: Rule, namespaced: bool) -> str:
    """Say why the API server refuses a rule (Kubernetes pkg/apis/rbac/validation)."""
    if not rule.verbs:
        return "no verbs"
    if rule.urls:
        if namespaced:
            return "a namespaced role cannot hold nonResourceURLs"
        return "nonResourceURLs beside resources" if rule.groups or rule.resources or rule.names else ""
    if not rule.groups:
        return "no apiGroups"
    return "" if rule.resources else "no resources"


def selector(item: Object) -> LabelSelector:
    """Read a label selector."""
    expressions = tuple((text(part, "key"), text(part, "operator"), strings(part, "values")) for _, part in parts(item, "matchExpressions"))
    return LabelSelector(tuple(string_map(item, "matchLabels").items()), expressions)


def binding(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a RoleBinding or ClusterRoleBinding; subjects that the API server refuses are gaps."""
    namespaced = text(obj, "kind") == "RoleBinding"
    namespace = namespace_of(obj) if namespaced else ""
    ref = mapping(obj, "roleRef")
    role_kind, role_name = text(ref, "kind"), text(ref, "name")
    subjects: list[Subject] = []
    places: list[Evidence] = []
    for number, item in parts(obj, "subjects"):
        here = at.below("subjects", number)
        subject = _subject(item, namespace)
        if subject is None:
            where = Node(Kind.NAMESPACE, origin.cluster, namespace) if namespaced else Node(Kind.NAMESPACES, origin.cluster, "*")
            what = f"a subject of {text(obj, 'kind')} {name_of(obj)} that the API server refuses"
            yield Gap(
                at.document,
                what,
                Reason.UNPARSABLE,
                Direction.INCOMING,
                (where,),
                _LANES,
                "name its kind (User, Group, ServiceAccount), name and namespace",
                here,
            )
        else:
            subjects.append(subject)
            places.append(here)
    fact = Binding(origin.cluster, namespace, name_of(obj), role_kind, role_name, tuple(subjects), at, tuple(places))
    if (
        not role_name
        or role_kind not in ("Role", "ClusterRole")
        or (role_kind == "Role" and not namespaced)
        or text(ref, "apiGroup") not in ("", RBAC)
    ):
        what = f"{fact.kind} {fact.name} has a roleRef that the API server refuses"
        nodes = tuple(subject_node(origin.cluster, subject) for subject in subjects)
        yield Gap(at.document, what, Reason.UNPARSABLE, Direction.OUTGOING, nodes, _LANES, "mend its roleRef", at.below("roleRef"))
        return
    yield fact


def _subject(item: Object, namespace: str) -> Subject | None:
    kind, name, group = text(item, "kind"), text(item, "name"), text(item, "apiGroup")
    if not name or kind not in {member.value for member in SubjectKind}:
        return None
    if kind != SubjectKind.SERVICE_ACCOUNT:
        return Subject(SubjectKind(kind), name) if group in ("", RBAC) else None
    # A service account without a namespace means the binding's own (measured on a real API server).
    home = text(item, "namespace") or namespace
    return Subject(SubjectKind.SERVICE_ACCOUNT, name, home) if home and not group else None


def service_account(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a service account and the role that its annotation names."""
    role_arn = string_map(obj, "metadata", "annotations").get("eks.amazonaws.com/role-arn", "")
    yield ServiceAccount(origin.cluster, namespace_of(obj), name_of(obj), role_arn, at)


def secret(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read of a Secret only whether it is a service account's long-lived token."""
    owner = string_map(obj, "metadata", "annotations").get("kubernetes.io/service-account.name", "")
    if text(obj, "type") == "kubernetes.io/service-account-token" and owner:
        yield TokenSecret(origin.cluster, namespace_of(obj), name_of(obj), owner, at)


KINDS: Mapping[tuple[str, str], ObjectParser] = {
    (RBAC, "Role"): role,
    (RBAC, "ClusterRole"): role,
    (RBAC, "RoleBinding"): binding,
    (RBAC, "ClusterRoleBinding"): binding,
    ("", "ServiceAccount"): service_account,
    ("", "Secret"): secret,
}
