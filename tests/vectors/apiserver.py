"""Our judges put the questions that a real API server was asked; shared by the recorded vectors and by the live comparison."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from partywall.model.document import Gap, Origin
from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import Binding, Role
from partywall.parse import rbac
from partywall.parse.pod_settings import pod_settings
from partywall.resolve.pod_security import enforced, refusals
from partywall.resolve.rbac.escalation import covers
from partywall.resolve.rbac.judge import Asker, Request, Rights, can, index, may_bind, may_write_role, rules_for
from partywall.resolve.rbac.roles import effective

ORIGIN = Origin(cluster="111122223333/us-east-2/lab")
GROUP = rbac.RBAC
Object = Mapping[str, Any]


def read(obj: Object) -> list[Role | Binding | Gap]:
    """Read one role or binding; what the server would refuse is a gap."""
    parser = rbac.KINDS.get((GROUP, obj["kind"]))
    found = parser(obj, Evidence("world.json", ""), ORIGIN) if parser else ()
    return [item for item in found if isinstance(item, Role | Binding | Gap)]


def rights_of(objects: Iterable[Object]) -> Rights:
    """Return the rights that a cluster's objects give; the server holds nothing that is a gap to us."""
    roles: list[Role] = []
    bindings: list[Binding] = []
    for obj in objects:
        for item in read(obj):
            assert not isinstance(item, Gap), item.what
            if isinstance(item, Role):
                roles.append(item)
            else:
                bindings.append(item)
    return index(roles, bindings, effective(roles))


def asker(question: Object) -> Asker:
    return Asker(question["user"], frozenset(question.get("groups") or ()))


def request(question: Object) -> Request:
    """Read the attributes of a SubjectAccessReview."""
    resource = question.get("resourceAttributes")
    if resource is None:
        return Request(question["nonResourceAttributes"]["verb"], url=question["nonResourceAttributes"]["path"])
    sub = resource.get("subresource")
    name = f"{resource['resource']}/{sub}" if sub else resource["resource"]
    return Request(resource["verb"], resource.get("group", ""), name, resource.get("namespace", ""), resource.get("name", ""))


def foretold(rights: Rights, attempt: Object, before: Object | None = None) -> str:
    """Foretell what becomes of an attempt to write a role or binding, in place of `before` where it is an update."""
    obj, who = attempt["object"], asker(attempt)
    kind, namespace, verb = obj["kind"], obj["metadata"].get("namespace", ""), "update" if before else "create"
    if not can(rights, who, Request(verb, GROUP, f"{kind.lower()}s", namespace, obj["metadata"]["name"] if before else "")):
        return "not authorized"
    (written,) = read(obj)
    assert not isinstance(written, Gap)
    if isinstance(written, Binding):
        return _bound(rights, who, written)
    (old,) = read(before) if before else (None,)
    assert old is None or isinstance(old, Role)
    if may_write_role(rights, who, written, old):
        return "created"
    # The rules are held up before the aggregation is.
    return "escalation" if not covers(tuple(rules_for(rights, who, namespace)), written.rules) else "aggregation"


def _bound(rights: Rights, who: Asker, binding: Binding) -> str:
    home = binding.namespace if binding.role_kind == "Role" else ""
    bind = Request("bind", GROUP, "roles" if home else "clusterroles", binding.namespace, binding.role)
    if (home, binding.role) not in rights.roles and not can(rights, who, bind):
        return "role not found"
    return "created" if may_bind(rights, who, binding) else "escalation"


def outcome(code: int, message: str) -> str:
    """Name what the server did with an object."""
    if code in (200, 201):
        return "created"
    told = {
        "violates PodSecurity": "pod security",
        "is attempting to grant RBAC permissions": "escalation",
        "must have cluster-admin privileges to use the aggregationRule": "aggregation",
        " cannot ": "not authorized",
    }
    if code == 403:
        return next((name for words, name in told.items() if words in message), f"403 {message}")
    return {404: "role not found", 422: "invalid"}.get(code, f"{code} {message}")


def labels(case: str) -> Mapping[str, str]:
    """Return the labels of a namespace that is named after its level and version, such as `baseline-v1.24`."""
    level, _, version = case.partition("-")
    if level == "none":
        return {}
    mark = "pod-security.kubernetes.io/enforce"
    return {mark: level, **({f"{mark}-version": version} if version else {})}


def refused(pod: Object, namespace_labels: Mapping[str, str]) -> frozenset[str]:
    """Return why we say that a namespace refuses a pod."""
    annotations = pod.get("metadata", {}).get("annotations", {})
    return frozenset(refusals(pod_settings(pod["spec"], annotations), enforced(namespace_labels)))


def reasons(message: str) -> frozenset[str]:
    """Return why the server says that it refused a pod: the words before each parenthesis."""
    told = re.sub(r'^.*?"(?:baseline|restricted):[^"]*": ', "", message)
    return frozenset(part.strip().replace("AppArmor profiles", "AppArmor profile") for part in _split(told))


def _split(told: str) -> Sequence[str]:
    """Split at the commas outside of parentheses, and leave those out; what is quoted may hold anything."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", told)
    while "(" in bare:
        shorter = re.sub(r"\([^()]*\)", "", bare)
        if shorter == bare:
            break
        bare = shorter
    return [part for part in bare.split(",") if part.strip()]
