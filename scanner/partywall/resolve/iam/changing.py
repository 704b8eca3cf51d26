"""Things that run with a role already, and whoever may change them or get into them.

Which functions, stacks, projects, notebook instances and instances there are, and with which role each runs, is not in the input. So
whoever may change one gets, unknown, to what the service runs with in the account; that node stands for the roles that admit the
service, and runs as each of them. One edge for each asker and statement, and one for each role: never one for each pair of them.
"""

from collections.abc import Iterable, Iterator, Sequence

from partywall.model.document import Assumption
from partywall.model.edge import Edge
from partywall.model.node import Kind, Node
from partywall.model.thing import Standing, Thing
from partywall.resolve.iam.abilities import Able, joined
from partywall.resolve.iam.catalogue import Path, catalogue
from partywall.resolve.iam.edges import edge
from partywall.resolve.iam.passing import Takers, without_profile
from partywall.resolve.iam.rights import Rights
from partywall.resolve.iam.ways import Way


def runner(account: str, service: str) -> Node:
    """Return the node of what a service runs with roles of an account."""
    return Node(Kind.SERVICE, account, service)


def changing_edges(able: Iterable[Able], takers: Takers, administrators: frozenset[Node]) -> Iterator[Edge | Thing | Assumption]:
    """Yield who may change what runs with some role of the account, and with which roles it may run."""
    used: dict[tuple[str, str], bool] = {}
    blind: set[str] = set()
    for each in able:
        if each.rights.node in administrators:
            continue
        for path in catalogue().by("changing"):
            place = (each.rights.account, path.service)
            if _without_address(each, path):
                blind.add(path.lookup)
            elif each.may(path) and any(role is not each.rights for role, _ in _running(takers, *place, profile=path.profile)):
                for found in _changes(each, path):
                    used[place] = path.profile
                    yield found
    for (account, service), profile in sorted(used.items()):
        yield from _runner(takers, account, service, profile=profile)
    for action in sorted(blind):
        yield Assumption("iam", f"who may not call {action} is taken not to know how to reach an instance")


def _running(takers: Takers, account: str, service: str, *, profile: bool) -> Sequence[tuple[Rights, Way]]:
    found = takers.of(account, service)
    return [(role, trust) for role, trust in found if not without_profile(role)] if profile else found


def _without_address(able: Able, path: Path) -> bool:
    if not path.lookup or able.may(path):
        return False
    return all(able.rights.allows(action) for action in path.actions if action != path.lookup)


def _changes(able: Able, path: Path) -> Iterator[Edge]:
    """Yield a way for each statement that allows the first action: removing one leaves the others."""
    first, *others = path.needs
    rest = joined(able.ways(need) for need in others) if others else None
    if others and rest is None:
        return
    for way in able.ways(first):
        whole = way if rest is None else way.joined(rest)
        unknown = whole.unsure(f"whether {path.runs} runs with one of its roles was not read")
        target = runner(able.rights.account, path.service)
        yield edge(able.rights.node, path.verb, target, unknown, note=f"with {' and '.join(path.actions)}")


def _runner(takers: Takers, account: str, service: str, *, profile: bool) -> Iterator[Edge | Thing]:
    node = runner(account, service)
    roles = _running(takers, account, service, profile=profile)
    members = tuple(role.node for role, _ in roles)
    yield Thing(node, roles[0][0].principal.at, standing=Standing.SCOPE, starts=False, members=members)
    for role, trust in roles:
        yield edge(node, "runs as", role.node, trust)
