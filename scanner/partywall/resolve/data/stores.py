"""Secrets, repositories, file systems, log groups: one table of rights each."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from partywall.model.edge import Edge
from partywall.model.facts import Facts
from partywall.model.facts_data import FileAccessPoint
from partywall.model.node import Kind, Node
from partywall.resolve.data.asking import admitted, asked, request_on, strangers, where
from partywall.resolve.data.stock import Holding
from partywall.resolve.iam.context import Value
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.rights import Estate, Rights
from partywall.resolve.iam.ways import Way, may_ask, surest

RIGHTS: Mapping[Kind, tuple[tuple[str, str], ...]] = {
    Kind.SECRET: (
        ("secretsmanager:getsecretvalue", "read secret value"),
        ("secretsmanager:putsecretvalue", "write"),
        ("secretsmanager:updatesecret", "write"),
        ("secretsmanager:deletesecret", "delete data"),
        ("secretsmanager:putresourcepolicy", "change policy of"),
    ),
    Kind.REPOSITORY: (
        ("ecr:batchgetimage", "pull images"),
        ("ecr:putimage", "push images"),
        ("ecr:batchdeleteimage", "delete data"),
        ("ecr:setrepositorypolicy", "change policy of"),
    ),
    Kind.FILE_SYSTEM: (
        ("elasticfilesystem:clientmount", "mount"),
        ("elasticfilesystem:putfilesystempolicy", "change policy of"),
        ("elasticfilesystem:deletefilesystem", "delete data"),
        ("fsx:deletefilesystem", "delete data"),
    ),
    Kind.LOG_GROUP: (
        ("logs:getlogevents", "read logs"),
        ("logs:filterlogevents", "read logs"),
        ("logs:startquery", "read logs"),
        ("logs:deleteloggroup", "delete data"),
    ),
}
_READS = frozenset({"read secret value", "pull images"})
Unlock: TypeAlias = Callable[[Rights, Holding], list[Way] | None]


def no_lock(rights: Rights, thing: Holding) -> list[Way] | None:
    """Need no key."""
    return None


_SHARES = frozenset({Kind.SECRET, Kind.REPOSITORY, Kind.FILE_SYSTEM})


def store_edges(estate: Estate, thing: Holding, unlock: Unlock = no_lock) -> Iterator[Edge]:
    """Yield who has which right on a store. `unlock` returns a principal's ways to the key of what it reads: None where none is needed."""
    named = admitted(estate, thing.guard)
    for action, verb in RIGHTS.get(thing.node.kind, ()):
        if not _is_of(action, thing.arn):
            continue
        yield from _known(estate, thing, action, verb, named, unlock if verb in _READS else no_lock)
        for source, way in strangers(estate, action, thing.arn, thing.account, thing.guard or ()):
            yield edge(source, verb, thing.node, way)


def access_point_edges(facts: Facts, estate: Estate, systems: list[Holding]) -> Iterator[Edge]:
    """Yield who mounts a directory through an EFS access point, and only so.

    EFS user guide, "Enforcing a root directory with an access point": `elasticfilesystem:AccessPointArn` is in the request then.
    """
    known = {system.node.name: system for system in systems}
    for point in facts.of(FileAccessPoint):
        system = known.get(point.file_system)
        if system is None:
            continue
        target = Node(Kind.DIRECTORY, system.node.scope, f"{point.file_system}:{point.path}")
        keys: dict[str, Value] = {**where(system.account, system.region), "elasticfilesystem:accesspointarn": (point.arn,)}
        for rights in estate.askers():
            request = request_on(rights, "elasticfilesystem:clientmount", system.arn, keys, system.tags)
            unread = f"the policy of {point.file_system} is not in the input"
            for way in asked(rights, request, system.account, system.guard, sole=False, unread=unread):
                if _names_access_points(way):
                    yield edge(rights.node, "mount", target, way, note=f"through {point.id}", also=(point.at,))


def _names_access_points(way: Way) -> bool:
    comparisons = (comparison for grant in way.grants for comparison in grant.statement.comparisons)
    return any(comparison.key.lower() == "elasticfilesystem:accesspointarn" for comparison in comparisons)


def _is_of(action: str, arn: str) -> bool:
    """Tell whether an action is of the service that an ARN is of; a file system known by its id only may be of either."""
    service = arn.split(":")[2]
    return service == "*" or action.startswith(f"{service}:")


def _known(estate: Estate, thing: Holding, action: str, verb: str, named: frozenset[Node], unlock: Unlock) -> Iterator[Edge]:
    for rights in estate.askers():
        if rights.node not in named and not may_ask(rights, action, thing.arn):
            continue
        if thing.node.kind not in _SHARES and thing.account not in ("", rights.account):
            continue
        said: dict[str, Value] = {**where(thing.account, thing.region), "elasticfilesystem:accesspointarn": ()}
        request = request_on(rights, action, thing.arn, said, thing.tags)
        unread = f"the policy of {thing.node.name}, of another account, is not in the input"
        found = asked(rights, request, thing.account, thing.guard, sole=False, unread=unread)
        keys = unlock(rights, thing) if found else None
        if keys != []:
            for way in found:
                yield edge(rights.node, verb, thing.node, way if keys is None else way.joined(surest(keys)))
