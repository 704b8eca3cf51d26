"""Random small worlds of RBAC, with questions about them and attempts to change them; one seed always makes the same world."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Object = dict[str, Any]

GROUP = "rbac.authorization.k8s.io"
LABEL = "partywall-world"

_VERBS = ("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "*", "bind", "escalate", "impersonate", "use")
_RESOURCES: Mapping[str, Sequence[str]] = {
    "": (
        *("pods", "pods/exec", "pods/log", "pods/*", "secrets", "configmaps", "services", "serviceaccounts", "serviceaccounts/token"),
        *("namespaces", "nodes", "nodes/proxy", "persistentvolumes", "users", "groups", "*", "*/status", "*/exec"),
    ),
    "apps": ("deployments", "deployments/scale", "daemonsets", "*", "*/scale"),
    "batch": ("jobs", "cronjobs", "jobs/status"),
    "networking.k8s.io": ("networkpolicies",),
    "extensions": ("networkpolicies", "deployments"),
    "kueue.x-k8s.io": ("localqueues", "clusterqueues", "workloads", "clusterqueues/pendingworkloads"),
    "kubeflow.org": ("pytorchjobs", "*"),
    "certificates.k8s.io": ("certificatesigningrequests", "certificatesigningrequests/approval", "signers"),
    GROUP: ("roles", "clusterroles", "rolebindings", "clusterrolebindings", "*"),
    "*": ("*", "secrets", "pods"),
}
_URLS = ("/healthz", "/healthz/*", "/metrics", "/api", "/api/*", "/apis/*", "*", "/logs/*")
_ASKED_URLS = ("/healthz", "/healthz/ping", "/healthz/", "/metrics", "/metrics/cadvisor", "/api", "/api/v1", "/apis", "/logs/a")
_NAMES = ("alpha", "beta")
_SYSTEM_ROLES = ("view", "edit", "admin", "cluster-admin", "system:node", "system:discovery", "nobody-home")
_AGGREGATE = ("rbac.authorization.k8s.io/aggregate-to-view", "rbac.authorization.k8s.io/aggregate-to-edit")
_EVERYBODY = ("system:authenticated", "system:serviceaccounts", "system:unauthenticated")


@dataclass(frozen=True, slots=True)
class World:
    """The objects of one world, and who lives in it: each with its groups."""

    seed: int
    spaces: tuple[str, ...]
    objects: tuple[Object, ...]
    people: tuple[tuple[str, tuple[str, ...]], ...]

    def __str__(self) -> str:
        return "\n".join((f"world of seed {self.seed}, namespaces {', '.join(self.spaces)}", *map(json.dumps, self.objects)))


def world(seed: int, spaces: tuple[str, ...], tag: str) -> World:
    """Make the world of a seed in the given namespaces; `tag` keeps its names apart from those of the worlds beside it."""
    rng = Random(seed)
    people = _people(rng, spaces, tag)
    roles = [_role(rng, number, spaces, tag) for number in range(rng.randint(3, 6))]
    bindings = [_binding(rng, number, spaces, tag, roles, people) for number in range(rng.randint(3, 7))]
    return World(seed, spaces, tuple(_marked(obj) for obj in (*roles, *bindings, *_writer(rng, spaces, tag, people))), people)


def _marked(obj: Object) -> Object:
    meta = obj["metadata"]
    return {**obj, "metadata": {**meta, "labels": {**meta.get("labels", {}), LABEL: "yes"}}}


def _people(rng: Random, spaces: Sequence[str], tag: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    signed_in = "system:authenticated"
    teams = (f"team-{tag}", f"Team-{tag}")
    users = [(f"{name}-{tag}", (*rng.sample(teams, rng.randint(0, 2)), signed_in)) for name in ("ada", "bo", "Bo")]
    accounts = [
        (f"system:serviceaccount:{space}:{name}", ("system:serviceaccounts", f"system:serviceaccounts:{space}", signed_in))
        for space in spaces
        for name in ("default", "trainer")
    ]
    return (*users, *accounts, ("*", (signed_in,)), ("system:anonymous", ("system:unauthenticated",)))


def _rule(rng: Random, namespaced: bool) -> Object:
    if not namespaced and rng.random() < 0.15:
        return {"verbs": rng.sample(("get", "post", "*"), rng.randint(1, 2)), "nonResourceURLs": rng.sample(_URLS, rng.randint(1, 2))}
    groups = rng.choices(list(_RESOURCES), weights=[6, 2, 1, 1, 1, 2, 1, 1, 6, 1], k=rng.choice((1, 1, 1, 2)))
    resources = [rng.choice(_RESOURCES[group]) for group in groups for _ in range(rng.choice((1, 1, 2)))]
    rule = {"apiGroups": list(dict.fromkeys(groups)), "resources": list(dict.fromkeys(resources)), "verbs": _some_verbs(rng)}
    if rng.random() < 0.2:
        rule["resourceNames"] = rng.sample((*_NAMES, "view", "edit", "role-0"), rng.randint(1, 2))
    return _broken(rng, rule) if rng.random() < 0.03 else rule


def _some_verbs(rng: Random) -> list[str]:
    return rng.sample(_VERBS, rng.choice((1, 1, 2, 2, 3, 5)))


def _broken(rng: Random, rule: Object) -> Object:
    """Write what the server refuses."""
    return rng.choice(
        (
            {**rule, "verbs": []},
            {key: value for key, value in rule.items() if key != "apiGroups"},
            {**rule, "resources": []},
            {**rule, "nonResourceURLs": ["/healthz"]},
        )
    )


def _role(rng: Random, number: int, spaces: Sequence[str], tag: str) -> Object:
    if rng.random() < 0.5:
        meta: Object = {"namespace": rng.choice(spaces), "name": f"role-{number}"}
        return {
            "apiVersion": f"{GROUP}/v1",
            "kind": "Role",
            "metadata": meta,
            "rules": [_rule(rng, True) for _ in range(rng.randint(1, 3))],
        }
    meta = {"name": f"role-{number}-{tag}", "labels": {}}
    if rng.random() < 0.3:
        meta["labels"][f"part-{tag}"] = rng.choice(("a", "b"))
    if rng.random() < 0.05:
        meta["labels"][rng.choice(_AGGREGATE)] = "true"
    obj: Object = {"apiVersion": f"{GROUP}/v1", "kind": "ClusterRole", "metadata": meta}
    obj["rules"] = [_rule(rng, False) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.2:
        obj["aggregationRule"] = {"clusterRoleSelectors": [_selector(rng, tag)]}
        obj["rules"] = [] if rng.random() < 0.7 else obj["rules"]
    return obj


def _writer(rng: Random, spaces: Sequence[str], tag: str, people: Sequence[tuple[str, tuple[str, ...]]]) -> Iterator[Object]:
    """Let the first of the people write roles and bindings, and sometimes bind or escalate, some by name only."""
    kinds = ("roles", "clusterroles", "rolebindings", "clusterrolebindings")
    rules: list[Object] = [{"apiGroups": [GROUP], "resources": rng.sample(kinds, rng.randint(2, 4)), "verbs": ["create", "update"]}]
    for verb in ("escalate", "bind"):
        if rng.random() < 0.4:
            rule: Object = {"apiGroups": [GROUP], "resources": ["roles", "clusterroles"], "verbs": [verb]}
            named = [f"role-{number}{end}" for number in (*range(6), 90, 91, 92) for end in ("", f"-{tag}", f"-try-{tag}")]
            rules.append({**rule, "resourceNames": [*named, "view", "nobody-home"]} if rng.random() < 0.5 else rule)
    if rng.random() < 0.5:
        rules.append({"apiGroups": ["", "apps"], "resources": ["*"], "verbs": ["*"]})
    if rng.random() < 0.1:
        rules = [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}, {"nonResourceURLs": ["*"], "verbs": ["*"]}]
    space = "" if rng.random() < 0.7 else spaces[0]
    rules = [rule for rule in rules if not space or "nonResourceURLs" not in rule]
    home = {"namespace": space} if space else {}
    kind, name = "Role" if space else "ClusterRole", f"writer-{tag}"
    yield {"apiVersion": f"{GROUP}/v1", "kind": kind, "metadata": {"name": name, **home}, "rules": rules}
    yield {
        "apiVersion": f"{GROUP}/v1",
        "kind": f"{kind}Binding",
        "metadata": {"name": name, **home},
        "roleRef": {"apiGroup": GROUP, "kind": kind, "name": name},
        "subjects": [{"apiGroup": GROUP, "kind": "User", "name": people[0][0]}],
    }


def _selector(rng: Random, tag: str) -> Object:
    key = f"part-{tag}"
    return rng.choice(
        (
            {"matchLabels": {key: "a"}},
            {"matchExpressions": [{"key": key, "operator": "Exists"}]},
            {"matchExpressions": [{"key": key, "operator": "In", "values": ["a", "b"]}]},
            {"matchLabels": {_AGGREGATE[0]: "true"}, "matchExpressions": [{"key": key, "operator": "DoesNotExist"}]},
        )
    )


def _binding(
    rng: Random,
    number: int,
    spaces: Sequence[str],
    tag: str,
    roles: Sequence[Object],
    people: Sequence[tuple[str, tuple[str, ...]]],
) -> Object:
    space = rng.choice(spaces) if rng.random() < 0.65 else ""
    meta: Object = {"name": f"binding-{number}" if space else f"binding-{number}-{tag}"}
    if space:
        meta["namespace"] = space
    role = rng.choice(roles)
    ref = {"kind": role["kind"], "name": role["metadata"]["name"]}
    if rng.random() < 0.15:
        ref = {"kind": "ClusterRole", "name": rng.choice(_SYSTEM_ROLES)}
    return {
        "apiVersion": f"{GROUP}/v1",
        "kind": "RoleBinding" if space else "ClusterRoleBinding",
        "metadata": meta,
        "roleRef": {"apiGroup": GROUP, **ref},
        "subjects": [_subject(rng, spaces, tag, people) for _ in range(rng.randint(1, 2))],
    }


def _subject(rng: Random, spaces: Sequence[str], tag: str, people: Sequence[tuple[str, tuple[str, ...]]]) -> Object:
    kind = rng.choices(("User", "Group", "ServiceAccount", "everybody", "broken"), weights=(5, 3, 4, 0.4, 0.2))[0]
    match kind:
        case "User":
            return {"apiGroup": GROUP, "kind": "User", "name": rng.choice(people)[0]}
        case "Group":
            names = (f"team-{tag}", f"Team-{tag}", f"system:serviceaccounts:{rng.choice(spaces)}")
            return {"apiGroup": GROUP, "kind": "Group", "name": rng.choice(names)}
        case "ServiceAccount":
            account = {"kind": "ServiceAccount", "name": rng.choice(("default", "trainer"))}
            return account if rng.random() < 0.1 else {**account, "namespace": rng.choice(spaces)}
        case "everybody":
            return {"apiGroup": GROUP, "kind": "Group", "name": rng.choice(_EVERYBODY)}
        case _:
            return rng.choice(
                ({"kind": "Robot", "name": "r"}, {"kind": "User", "name": ""}, {"kind": "User", "name": "u", "apiGroup": "x.io"})
            )


def questions(given: World, count: int) -> Iterator[Object]:
    """Yield the specs of SubjectAccessReviews about a world, most of them near to what a rule says."""
    rng = Random(f"questions {given.seed}")
    rules = [rule for obj in given.objects for rule in obj.get("rules", ())]
    for _ in range(count):
        user, groups = rng.choice(given.people)
        spec: Object = {"user": user, "groups": list(groups)}
        rule = rng.choice(rules)
        if "nonResourceURLs" in rule and "resources" not in rule:
            spec["nonResourceAttributes"] = {"verb": rng.choice(("get", "post")), "path": rng.choice(_ASKED_URLS)}
        else:
            spec["resourceAttributes"] = _attributes(rng, rule, given.spaces)
        yield spec


def _attributes(rng: Random, rule: Object, spaces: Sequence[str]) -> Object:
    def near(key: str, others: Sequence[str]) -> str:
        written = [word for word in rule.get(key, ()) if word != "*"]
        return rng.choice(written) if written and rng.random() < 0.85 else rng.choice(others)

    group = near("apiGroups", [name for name in _RESOURCES if name != "*"])
    resource, _, sub = near("resources", _RESOURCES.get(group, ("widgets",))).partition("/")
    if resource == "*":
        resource = rng.choice(("pods", "deployments", "widgets", "*"))
    if rng.random() < 0.1:
        sub = rng.choice(("status", "exec", "scale", "*"))
    found = {"verb": near("verbs", _VERBS), "group": group, "resource": resource, "subresource": sub}
    found["namespace"] = rng.choice((*spaces, *spaces, "", "default"))
    found["name"] = near("resourceNames", ("", "", *_NAMES))
    return {key: value for key, value in found.items() if value}


def attempts(given: World, stored: Sequence[Object], count: int) -> Iterator[Object]:
    """Yield attempts to create or update a role or binding, by those of a world who come nearest to being allowed."""
    rng = Random(f"attempts {given.seed}")
    roles = [obj for obj in given.objects if "rules" in obj]
    mine = [obj for obj in stored if obj["metadata"].get("namespace") in given.spaces or obj["metadata"]["name"].endswith(_tag(given))]
    for number in range(count):
        user, groups = given.people[0] if rng.random() < 0.7 else rng.choice(given.people)
        before = rng.choice(mine) if mine and rng.random() < 0.4 else None
        if before is None:
            made = _role(rng, 90 + number, given.spaces, f"try{_tag(given)}")
            if rng.random() < 0.6:
                made = _binding(rng, 90 + number, given.spaces, f"try{_tag(given)}", roles, given.people)
            attempt: Object = {"object": made}
        else:
            attempt = {"object": _changed(rng, before, given), "before": before}
        yield {"user": user, "groups": list(groups), **attempt}


def _tag(given: World) -> str:
    return given.people[0][0].removeprefix("ada")


def _changed(rng: Random, before: Object, given: World) -> Object:
    meta = {key: before["metadata"][key] for key in ("name", "namespace") if key in before["metadata"]}
    obj = {**before, "metadata": meta}
    if "roleRef" in before:
        return {**obj, "subjects": [_subject(rng, given.spaces, _tag(given)[1:], given.people)]}
    if rng.random() < 0.3:
        obj.pop("aggregationRule", None)
    fewer = [rule for rule in before.get("rules") or () if rng.random() < 0.5]
    return {**obj, "rules": [*fewer, *([_rule(rng, before["kind"] == "Role")] if rng.random() < 0.6 else [])]}
