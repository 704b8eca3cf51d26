"""Who owns each node, how it stands to the tenants, and whether it acts by itself."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from partywall.contracts.claimed import Decider, Direct
from partywall.contracts.containers import HOLDS_OTHERS, Parents, containers
from partywall.contracts.named import Cluster, named
from partywall.contracts.standing import standing_by_kind, starts_by_kind
from partywall.model.node import Kind, Node
from partywall.model.tenancy import PLATFORM, Ownership, Tenancy
from partywall.model.thing import Standing, Thing, glob_matches

Membership = tuple[Node, Node]


@dataclass(frozen=True, slots=True)
class Bound:
    """What binding decides.

    The owners in `ownership` are touched when somebody gets to the node; `starters` act from it, which for a container are its own
    owners, not those of what is inside.
    """

    ownership: Mapping[Node, Ownership]
    standing: Mapping[Node, Standing]
    starts: Mapping[Node, bool]
    starters: Mapping[Node, tuple[str, ...]] = field(default_factory=dict)


def bind(
    nodes: Iterable[Node],
    things: Iterable[Thing],
    tenancy: Tenancy,
    *,
    memberships: Iterable[Membership] = (),
    aliases: Mapping[Node, tuple[str, ...]] | None = None,
    own_accounts: Iterable[str] = (),
    clusters: Iterable[Cluster] = (),
    direct: Direct | None = None,
) -> Bound:
    """Give every node its owners.

    `memberships` are (person, group) pairs; `aliases` are further names by which claims may mean a node (the id of a group);
    `own_accounts` are accounts of the estate, whose root is the platform's unless claimed; `clusters` are those seen in documents, for
    names that hold on every cluster; `direct` is what an earlier call of the same tenancy and aliases decided.
    """
    told = _Told.of(things)
    everything = _everything(nodes, told, memberships, tenancy, clusters)
    decider = Decider(direct or Direct(tenancy, aliases or {}), told.parents)
    own = {node: decider.of(node) for node in everything}
    _people(own, decider, memberships)
    ours = frozenset(own_accounts) | {each.account for each in tenancy.clusters}
    standing = {node: _standing(node, own[node], told, ours) for node in everything}
    own = {node: _with_default(found, node.kind, standing[node]) for node, found in own.items()}
    starters = {node: found.owners for node, found in own.items()}
    whole = dict(own)
    _inner_owners(whole, standing, told.parents)
    _covered(whole, standing, told)
    starts = {node: _starts(node, standing[node], told) for node in everything}
    return Bound(whole, standing, starts, {node: starters[node] for node in everything if starts[node]})


@dataclass(slots=True)
class _Told:
    """What resolvers say of nodes beside their edges; the first word on each point counts."""

    parents: dict[Node, Node] = field(default_factory=dict)
    standing: dict[Node, Standing] = field(default_factory=dict)
    starts: dict[Node, bool] = field(default_factory=dict)
    scopes: dict[Node, list[Thing]] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)

    @classmethod
    def of(cls, things: Iterable[Thing]) -> "_Told":
        told = cls()
        for thing in things:
            told.nodes.append(thing.node)
            if thing.parent is not None:
                told.parents.setdefault(thing.node, thing.parent)
            if thing.standing is not None:
                told.standing.setdefault(thing.node, thing.standing)
            if thing.starts is not None:
                # Who may enter is not known as soon as one resolver does not know it.
                told.starts[thing.node] = told.starts.get(thing.node, False) or thing.starts
            if thing.covers or thing.members:
                told.scopes.setdefault(thing.node, []).append(thing)
        return told


def _everything(
    nodes: Iterable[Node], told: _Told, memberships: Iterable[Membership], tenancy: Tenancy, clusters: Iterable[Cluster]
) -> Sequence[Node]:
    people = (node for pair in memberships for node in pair)
    members = (node for scopes in told.scopes.values() for scope in scopes for node in scope.members)
    return list(
        dict.fromkeys((*nodes, *told.nodes, *told.parents.values(), *people, *members, *(each.node for each in named(tenancy, clusters))))
    )


def _people(own: dict[Node, Ownership], decider: Decider, memberships: Iterable[Membership]) -> None:
    """Give a person that nobody claims the owners of the person's groups: the platform too, but not groups that several own together."""
    groups: dict[Node, list[Node]] = {}
    for person, group in memberships:
        groups.setdefault(person, []).append(group)
    for person, of in groups.items():
        if own[person].owners and person.kind is not Kind.PERSON:
            continue
        hats = [decider.of(group) for group in of]
        single = [hat for hat in hats if len(hat.owners) == 1]
        if single:
            owners = tuple(sorted({hat.owners[0] for hat in single}))
            why = f"member of {', '.join(sorted({str(group) for group, hat in zip(of, hats, strict=True) if len(hat.owners) == 1}))}"
            own[person] = Ownership(owners, why, single[0].at, any(hat.self_asserted for hat in single), any(hat.guessed for hat in single))


def _standing(node: Node, own: Ownership, told: _Told, ours: frozenset[str]) -> Standing:
    said = told.standing.get(node) or standing_by_kind(node.kind)
    if node.kind is Kind.ACCOUNT and said is Standing.OUTSIDE and node.name in ours:
        said = Standing.PLATFORM
    claimed = bool(own.owners)
    if said in (Standing.PLATFORM, Standing.OUTSIDE) and claimed:
        said = Standing.OWNED
    if node in told.scopes and said is not Standing.PLACE:
        return Standing.SCOPE
    return Standing.PLATFORM if said is Standing.OWNED and own.owners == (PLATFORM,) else said


def _with_default(own: Ownership, kind: Kind, standing: Standing) -> Ownership:
    match standing:
        case Standing.PLATFORM if not own.owners:
            return replace(own, owners=(PLATFORM,), why=own.why or "the platform's unless somebody claims it")
        case Standing.SCOPE if not own.owners and standing_by_kind(kind) is Standing.PLATFORM:
            return replace(own, owners=(PLATFORM,), why="the platform's unless somebody claims it")
        case Standing.PLACE | Standing.OUTSIDE:
            return replace(own, owners=())
        case _:
            return own


def _inner_owners(own: dict[Node, Ownership], standing: dict[Node, Standing], parents: Parents) -> None:
    """Let a container with claimed things inside be their owners' too."""
    by_name: dict[tuple[Kind, str], list[Node]] = {}
    for node in own:
        if node.kind in HOLDS_OTHERS:
            by_name.setdefault((node.kind, node.name), []).append(node)
    inside: dict[Node, dict[str, Node]] = {}
    for node, found in list(own.items()):
        for owner in found.owners if node.kind in HOLDS_OTHERS else ():
            for above in containers(node, parents):
                for twin in _twins(above, by_name):
                    _keep_first(inside.setdefault(twin, {}), owner, node)
    for above, found_inside in inside.items():
        more = {owner: node for owner, node in found_inside.items() if owner not in own[above].owners}
        if more:
            own[above] = _joined(own[above], more, "inside it")
            standing[above] = Standing.SCOPE


def _keep_first(examples: dict[str, Node], owner: str, node: Node) -> None:
    """Keep one example for each owner, the same one in whichever order they come."""
    if owner not in examples or node < examples[owner]:
        examples[owner] = node


def _twins(node: Node, by_name: Mapping[tuple[Kind, str], Sequence[Node]]) -> Iterator[Node]:
    """Yield the nodes that are a container: tenants.yaml names a file system without its Region, which a listing adds."""
    for other in by_name.get((node.kind, node.name), ()):
        if other.scope == node.scope or not other.scope or not node.scope:
            yield other


def _joined(own: Ownership, more: Mapping[str, Node], where: str) -> Ownership:
    owners = tuple(sorted({*own.owners, *more}))
    told = ", ".join(f"{node} of {owner}" for owner, node in sorted(more.items())[:3])
    return replace(own, owners=owners, why="; ".join(filter(None, (own.why, f"{where}: {told}"))))


def _covered(own: dict[Node, Ownership], standing: Mapping[Node, Standing], told: _Told) -> None:
    """Let a scope be of all owners of what it covers."""
    by_place: dict[tuple[Kind, str], list[Node]] = {}
    for node in own:
        by_place.setdefault((node.kind, node.scope), []).append(node)
    direct = dict(own)
    for scope in _scopes(own, standing, told):
        more: dict[str, Node] = {}
        for node in _members(scope, told, by_place):
            for owner in direct[node].owners if node in direct and node != scope else ():
                _keep_first(more, owner, node)
        kept = own[scope] if own[scope].owners and scope in told.scopes else replace(own[scope], owners=(), why="")
        own[scope] = _joined(kept, more, "covers") if more else kept


def _scopes(own: Mapping[Node, Ownership], standing: Mapping[Node, Standing], told: _Told) -> Sequence[Node]:
    return [node for node in own if node in told.scopes or (standing[node] is Standing.SCOPE and node.kind in _BY_GLOB)]


# A scope whose name is a glob over things of one kind covers them without a resolver's word.
_BY_GLOB: Mapping[Kind, Kind] = {Kind.NAMESPACES: Kind.NAMESPACE, Kind.SLURM_ACCOUNTS: Kind.SLURM_ACCOUNT}


def _members(scope: Node, told: _Told, by_place: Mapping[tuple[Kind, str], Sequence[Node]]) -> list[Node]:
    out: list[Node] = []
    for thing in told.scopes.get(scope, ()):
        out += thing.members
        for cover in thing.covers:
            out += [
                node for node in by_place.get((cover.kind, cover.scope), ()) if cover.glob == "*" or glob_matches(cover.glob, node.name)
            ]
    inner = _BY_GLOB.get(scope.kind)
    if inner is not None and scope not in told.scopes:
        out += [node for node in by_place.get((inner, scope.scope), ()) if glob_matches(scope.name, node.name)]
    return out


def _starts(node: Node, standing: Standing, told: _Told) -> bool:
    said = told.starts.get(node)
    if said is not None:
        return said
    # The root of an account of ours is a delegation to its policies, which are read; only a foreign account acts unseen.
    return starts_by_kind(node.kind) and not (node.kind is Kind.ACCOUNT and standing is not Standing.OUTSIDE)
