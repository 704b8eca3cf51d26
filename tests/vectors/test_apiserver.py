"""Our RBAC judge against the recorded decisions of a real API server."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from partywall.model.document import Gap, Origin
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact
from partywall.model.facts_kubernetes import Binding, Role, Workload
from partywall.parse import rbac
from partywall.parse.workloads import workload
from partywall.resolve.rbac.judge import Asker, Request, Rights, can, index, may_bind, may_write_role
from partywall.resolve.rbac.roles import built_in, effective

SHARED = Path(os.environ.get("PARTYWALL_SHARED", Path(__file__).parents[3] / "shared"))
RECORDED = SHARED / "vectors" / "k8s" / "apiserver"
pytestmark = pytest.mark.skipif(
    not RECORDED.is_dir(), reason="no recorded decisions of a real API server in `shared` beside the repository"
)
ORIGIN = Origin(cluster="111122223333/us-east-2/lab")
GROUP = rbac.RBAC


def lines(name: str) -> Iterator[dict[str, Any]]:
    with (RECORDED / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def facts_of(objects: list[dict[str, Any]]) -> tuple[list[Role], list[Binding]]:
    roles: list[Role] = []
    bindings: list[Binding] = []
    for number, obj in enumerate(objects):
        parser = rbac.KINDS.get((GROUP, obj["kind"]))
        for fact in parser(obj, Evidence("world.json", f"/{number}"), ORIGIN) if parser else ():
            assert not isinstance(fact, Gap), fact.what
            if isinstance(fact, Role):
                roles.append(fact)
            if isinstance(fact, Binding):
                bindings.append(fact)
    return roles, bindings


@pytest.fixture(scope="module")
def bootstrap() -> list[dict[str, Any]]:
    objects: list[dict[str, Any]] = json.loads((RECORDED / "bootstrap.json").read_text(encoding="utf-8"))
    return objects


def rights_of(bootstrap: list[dict[str, Any]], world: Mapping[str, Any]) -> Rights:
    roles, bindings = facts_of([*bootstrap, *world["objects"]])
    return index(roles, bindings, effective(roles))


def request(ask: Mapping[str, Any]) -> Request:
    resource = ask.get("resourceAttributes")
    if resource is None:
        return Request(ask["nonResourceAttributes"]["verb"], url=ask["nonResourceAttributes"]["path"])
    sub = resource.get("subresource")
    name = f"{resource['resource']}/{sub}" if sub else resource["resource"]
    return Request(resource["verb"], resource.get("group", ""), name, resource.get("namespace", ""), resource.get("name", ""))


def test_every_recorded_decision_is_ours(bootstrap: list[dict[str, Any]]) -> None:
    wrong = []
    asked = Counter[bool]()
    for world in lines("rbac.jsonl"):
        rights = rights_of(bootstrap, world)
        for ask in world["asks"]:
            asked[ask["allowed"]] += 1
            if can(rights, Asker(ask["user"], frozenset(ask["groups"])), request(ask)) != ask["allowed"]:
                wrong.append((world["world"], ask))
    assert wrong == []
    assert asked[True] > 2000
    assert asked[False] > 2000


def outcome(rights: Rights, attempt: Mapping[str, Any]) -> str:
    """Foretell what becomes of an attempt to create a role or binding."""
    obj, who = attempt["object"], Asker(attempt["user"], frozenset(attempt["groups"]))
    kind, namespace = obj["kind"], obj["metadata"].get("namespace", "")
    if not can(rights, who, Request("create", GROUP, f"{kind.lower()}s", namespace)):
        return "not authorized"
    roles, bindings = facts_of([obj])
    if bindings:
        (binding,) = bindings
        home = binding.namespace if binding.role_kind == "Role" else ""
        asked = Request("bind", GROUP, "roles" if home else "clusterroles", binding.namespace, binding.role)
        if (home, binding.role) not in rights.roles and not can(rights, who, asked):
            return "role not found"
        return "created" if may_bind(rights, who, binding) else "escalation"
    if may_write_role(rights, who, roles[0]):
        return "created"
    return "aggregation" if roles[0].aggregates is not None else "escalation"


def test_every_recorded_attempt_to_grant_ends_as_we_say(bootstrap: list[dict[str, Any]]) -> None:
    wrong = []
    seen = Counter[str]()
    for world in lines("rbac.jsonl"):
        rights = rights_of(bootstrap, world)
        for attempt in world["attempts"]:
            seen[attempt["outcome"]] += 1
            mine = outcome(rights, attempt)
            if mine != attempt["outcome"]:
                wrong.append((world["world"], attempt["outcome"], mine, attempt["object"]))
    assert wrong == []
    assert set(seen) == {"created", "not authorized", "escalation", "aggregation", "role not found"}


def test_what_the_server_refused_is_a_gap_and_no_right() -> None:
    silent = []
    for world in lines("rbac.jsonl"):
        for refused in world["rejected"]:
            obj = refused["object"]
            found = list(rbac.KINDS[GROUP, obj["kind"]](obj, Evidence("world.json", ""), ORIGIN))
            if not any(isinstance(item, Gap) for item in found):
                silent.append((refused["message"], obj))
    assert silent == []


def test_the_shipped_roles_are_those_of_a_real_server(bootstrap: list[dict[str, Any]]) -> None:
    roles, _ = facts_of(bootstrap)
    real = {(role.namespace, role.name): set(rules) for role in roles for rules in (role.rules,)}

    mine = {key: set(role.rules) for key, role in built_in().items()}

    assert mine == real


def test_a_pod_that_we_call_privileged_is_refused_by_the_baseline() -> None:
    let_through = [
        case["case"]
        for case in lines("pod-security.jsonl")
        if case["answers"]["baseline"]["outcome"] == "created"
        and any(isinstance(fact, Workload) and fact.privileged for fact in pods(case))
    ]

    assert let_through == []


def pods(case: Mapping[str, Any]) -> Iterator[Fact | Gap]:
    obj = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "try", "namespace": "lab"}, "spec": case["spec"]}
    return workload(obj, Evidence("pod.json", ""), ORIGIN)
