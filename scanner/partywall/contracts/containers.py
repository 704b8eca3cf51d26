"""What lies inside what: by the way a thing is named, and by what resolvers say."""

from collections.abc import Iterator, Mapping

from partywall.model.node import Kind, Node

Parents = Mapping[Node, Node]

_IN_NAMESPACE = (Kind.SERVICE_ACCOUNT, Kind.PODS, Kind.LOCAL_QUEUE)

# Where a container with claimed things inside is their owners' too: whoever gets to all of it gets to them.
HOLDS_OTHERS = frozenset({Kind.BUCKET, Kind.PREFIX, Kind.FILE_SYSTEM, Kind.DIRECTORY, Kind.SLURM_ACCOUNT})


def container(node: Node, parents: Parents) -> Node | None:
    """Return the next thing that a node lies inside of; a resolver's word comes first."""
    said = parents.get(node)
    if said is not None and said != node:
        return said
    return _by_name(node)


def _by_name(node: Node) -> Node | None:
    match node.kind:
        case kind if kind in _IN_NAMESPACE:
            return Node(Kind.NAMESPACE, node.scope, node.name.split("/", 1)[0])
        case Kind.PREFIX:
            above, _, _ = node.name.rstrip("/").rpartition("/")
            return Node(Kind.PREFIX, node.scope, f"{above}/") if "/" in above else Node(Kind.BUCKET, node.scope, above)
        case Kind.DIRECTORY:
            home, _, path = node.name.partition(":/")
            above, _, _ = path.rstrip("/").rpartition("/")
            return Node(Kind.DIRECTORY, node.scope, f"{home}:/{above}") if above else Node(Kind.FILE_SYSTEM, node.scope, home)
        case Kind.ACCOUNT | Kind.ANYONE | Kind.SERVICE:
            return None
        case _:
            return _account_of(node)


def _account_of(node: Node) -> Node | None:
    account = node.scope.split("/", 1)[0]
    return Node(Kind.ACCOUNT, "", account) if len(account) == 12 and account.isdecimal() else None


def containers(node: Node, parents: Parents) -> Iterator[Node]:
    """Yield everything that a node lies inside of, the nearest first. A circle among parents ends it."""
    seen = {node}
    above = container(node, parents)
    while above is not None and above not in seen:
        yield above
        seen.add(above)
        above = container(above, parents)
