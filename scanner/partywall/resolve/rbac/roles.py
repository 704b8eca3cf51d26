"""The rules that each role really has: those of aggregation, and those of Kubernetes' own roles where the input does not hold them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import NotRequired, TypeAlias, TypedDict

from partywall.model.document import Assumption
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_kubernetes import Binding, LabelSelector, Role, Rule
from partywall.resolve.labels import selects
from partywall.resolve.rbac.escalation import covers

_NOWHERE = Evidence("", "")

# The effective rules of each cluster's roles, by namespace (empty: ClusterRoles) and name.
Roles: TypeAlias = Mapping[str, Mapping[tuple[str, str], tuple[Rule, ...]]]


class _Row(TypedDict):
    """One role of the data file."""

    namespace: str
    name: str
    labels: list[str]
    aggregates: NotRequired[list[str]]
    rules: list[list[list[str]]]


@lru_cache(maxsize=1)
def built_in() -> Mapping[tuple[str, str], Role]:
    """Return the roles that every API server makes, by namespace and name (Kubernetes 1.36, bootstrap policy, recorded 2026-11-30)."""
    rows: list[_Row] = json.loads((files("partywall.resolve.rbac") / "built_in_roles.json").read_text(encoding="utf-8"))["roles"]
    return {(row["namespace"], row["name"]): _role(row) for row in rows}


def _role(row: _Row) -> Role:
    rules = tuple(Rule(*(tuple(part) for part in rule)) for rule in row["rules"])
    aggregates = tuple(LabelSelector(((label, "true"),)) for label in row["aggregates"]) if "aggregates" in row else None
    return Role("", row["namespace"], row["name"], rules, _NOWHERE, dict.fromkeys(row["labels"], "true"), aggregates)


def effective(roles: Iterable[Role]) -> Mapping[tuple[str, str], tuple[Rule, ...]]:
    """Return every role's rules by namespace and name; an aggregated ClusterRole has its own and those of every role that it selects.

    What is stored may be older than the labels (or missing, in files that never were in a cluster), so both count.
    """
    given = {(role.namespace, role.name): role for role in roles}
    for key, role in built_in().items():
        given.setdefault(key, role)
    rules = {key: role.rules for key, role in given.items()}
    cluster = [role for (namespace, _), role in given.items() if not namespace]
    gatherers = [role for role in cluster if role.aggregates]
    parts = {role.name: [one for one in cluster if one.name != role.name and _selected(role, one)] for role in gatherers}
    for role in gatherers:
        rules["", role.name] = _gathered(role.name, given, parts)
    return rules


def _selected(role: Role, one: Role) -> bool:
    return any(selects(selector, one.labels) for selector in role.aggregates or ())


def _gathered(name: str, given: Mapping[tuple[str, str], Role], parts: Mapping[str, list[Role]]) -> tuple[Rule, ...]:
    """Collect the rules of a role and of all that it aggregates, over any number of steps."""
    seen = {name: None}
    todo = [name]
    found: dict[Rule, None] = {}
    while todo:
        now = todo.pop(0)
        found.update(dict.fromkeys(given["", now].rules))
        fresh = [one.name for one in parts.get(now, ()) if one.name not in seen]
        seen.update(dict.fromkeys(fresh))
        todo.extend(fresh)
    return tuple(found)


def drifts(facts: Facts) -> Iterator[Assumption]:
    """Say where an aggregated ClusterRole stores other rules than its selectors find: both count, so that no answer depends on it.

    A file that never was in a cluster stores none. The controller writes over whatever it did not find itself, except where it finds
    nothing at all: then what was written stays (measured on 1.36.3).
    """
    by_cluster: dict[str, list[Role]] = {}
    for role in facts.of(Role):
        by_cluster.setdefault(role.cluster, []).append(role)
    for roles in by_cluster.values():
        found = effective(replace(role, rules=()) if role.aggregates else role for role in roles)
        for role in roles:
            if role.aggregates and role.rules:
                yield from _drift(role, found["", role.name])


def _drift(role: Role, found: tuple[Rule, ...]) -> Iterator[Assumption]:
    told = (
        ([rule for rule in role.rules if not covers(found, (rule,))], "stores {} that its selectors do not find"),
        ([rule for rule in found if not covers(role.rules, (rule,))], "does not store {} that its selectors find"),
    )
    for rules, does in told:
        if rules:
            count = f"{len(rules)} rule{'s' if len(rules) > 1 else ''}"
            yield Assumption(role.at.document, f"aggregated ClusterRole {role.name} {does.format(count)}; all of them count")


def roles_of(facts: Facts) -> Roles:
    """Return the effective rules of all roles of each cluster that has roles or bindings."""
    by_cluster: dict[str, list[Role]] = {binding.cluster: [] for binding in facts.of(Binding)}
    for role in facts.of(Role):
        by_cluster.setdefault(role.cluster, []).append(role)
    return {cluster: effective(roles) for cluster, roles in by_cluster.items()}
