"""Rights that only together make somebody more than they are: binding what one does not hold, rewriting roles, making tokens."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from partywall.model.edge import Edge
from partywall.model.facts_kubernetes import Rule
from partywall.model.node import Node
from partywall.resolve.rbac.capabilities import Capability, Held, Target, escalating, is_everything
from partywall.resolve.rbac.edges import edge, edges
from partywall.resolve.rbac.grants import Grant
from partywall.resolve.rbac.places import admin, place
from partywall.resolve.rbac.roles import Roles


@dataclass(frozen=True, slots=True)
class Recipe:
    """All of `rights` held in one place give `verb` on it; `wide` ones need the whole cluster and make an administrator of it."""

    verb: str
    rights: tuple[str, ...]
    wide: bool
    note: str


RECIPES: tuple[Recipe, ...] = (
    Recipe("rewrites roles of", ("bind clusterroles", "write clusterrolebindings"), True, "may bind any ClusterRole to itself"),
    Recipe(
        "rewrites roles of", ("escalate clusterroles", "write clusterroles"), True, "may write a ClusterRole that says more than it holds"
    ),
    Recipe("rewrites roles of", ("bind clusterroles", "write rolebindings"), False, "may bind any ClusterRole to itself here"),
    Recipe("rewrites roles of", ("bind roles", "write rolebindings"), False, "may bind any Role to itself here"),
    Recipe("rewrites roles of", ("escalate roles", "write roles"), False, "may write a Role that says more than it holds"),
    # A Secret of type service-account-token is filled by the control plane (Kubernetes, "Managing service accounts").
    Recipe(
        "reads credential of",
        ("create secrets", "read secrets"),
        False,
        "may make a token Secret for any service account here, and read it",
    ),
    Recipe(
        "becomes administrator of",
        ("create certificates", "approve certificates", "approve for signer"),
        True,
        "may sign client certificates for itself",
    ),
)


@dataclass(frozen=True, slots=True)
class _Right:
    """One single right, and the grant that gives it."""

    grant: Grant
    number: int
    names: tuple[str, ...]


def escalations(grants: Iterable[Grant], roles: Roles) -> Iterator[Edge]:
    """Yield what the rights of one source add up to, in each place where it has some of its own."""
    by_source: dict[tuple[Node, str], dict[str, dict[str, list[_Right]]]] = {}
    for grant in grants:
        found = _parts(grant)
        if found:
            places = by_source.setdefault((grant.source, grant.cluster), {})
            rights = places.setdefault(grant.namespace, {})
            for name, given in found.items():
                rights.setdefault(name, []).extend(_Right(grant, number, names) for number, names in given)
    for places in by_source.values():
        wide = places.get("", {})
        for namespace, own in places.items():
            both = own if own is wide else {name: [*own.get(name, ()), *wide.get(name, ())] for name in {**own, **wide}}
            yield from _in_place(namespace, both, own, roles)


def parts_of(grant: Grant) -> Collection[str]:
    """Return the rights of a grant that may add up with others; who has everything anyway needs none."""
    return _parts(grant)


def _parts(grant: Grant) -> Mapping[str, tuple[tuple[int, tuple[str, ...]], ...]]:
    return {} if any(map(is_everything, grant.rules)) else _escalating(grant.rules)


@lru_cache(maxsize=8192)
def _escalating(rules: tuple[Rule, ...]) -> Mapping[str, tuple[tuple[int, tuple[str, ...]], ...]]:
    return escalating(rules)


def _in_place(namespace: str, rights: Mapping[str, Sequence[_Right]], own: Mapping[str, Sequence[_Right]], roles: Roles) -> Iterator[Edge]:
    for recipe in RECIPES:
        if not all(right in rights for right in recipe.rights) or not any(right in own for right in recipe.rights):
            continue
        if recipe.wide and namespace:
            continue
        first, *rest = recipe.rights
        # One that is not limited to names, where there is one.
        others = [min(rights[right], key=lambda right: bool(right.names)) for right in rest]
        main = min(rights[first], key=lambda right: bool(right.names))
        if first.startswith("bind") and main.names:
            for bind in rights[first]:
                yield from _bound([bind, *others], "" if recipe.wide else namespace, first == "bind roles", roles)
        else:
            yield _joined(recipe, [main, *others], namespace)


def _joined(recipe: Recipe, parts: list[_Right], namespace: str) -> Edge:
    first = parts[0]
    target = admin(first.grant.cluster) if recipe.wide else place(first.grant.cluster, namespace)
    because = tuple(dict.fromkeys(at for part in parts for at in part.grant.shown(part.grant.rules[part.number])))
    held = Held(Capability(recipe.verb, (), (), Target.PLACE), " and ".join(recipe.rights), (), first.number)
    made = edge(first.grant, held, target, note=f"{recipe.note} ({first.grant.role})")
    return replace(made, because=because)


def _bound(parts: list[_Right], namespace: str, local: bool, roles: Roles) -> Iterator[Edge]:
    """Whoever may bind one named role has what that role gives, wherever they may write bindings."""
    first = parts[0]
    known = roles.get(first.grant.cluster, {})
    for name in first.names:
        rules = known.get((namespace if local else "", name), ())
        inside = replace(first.grant, namespace=namespace, rules=rules, role=f"{name}, which it may bind to itself")
        yield from edges(inside)
