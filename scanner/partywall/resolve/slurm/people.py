"""Who is in which account, who has power over which, and where everybody meets."""

from collections.abc import Iterator, Mapping

from partywall.model.edge import Edge, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.node import Node
from partywall.model.thing import Standing, Thing
from partywall.resolve.slurm import levers, names
from partywall.resolve.slurm.cluster import ROOT, Cluster
from partywall.resolve.slurm.clusters import first

LEVELS = ("operator", "administrator")


def things(cluster: Cluster) -> Iterator[Thing]:
    """Yield the accounts, each inside its parent, the users, and the reservations.

    A reservation is what the platform set aside for those it names: whoever uses it crosses nothing, so nobody owns it.
    """
    for each in cluster.associations:
        if each.user:
            yield Thing(names.user(cluster.scope, each.user), each.at)
        elif each.account:
            yield Thing(names.account(cluster.scope, each.account), each.at, parent=_parent(cluster, each.account))
    rows = {each.account for each in cluster.associations if not each.user}
    for name, at in first((each.name, each.at) for each in cluster.accounts).items():
        if name not in rows:
            yield Thing(names.account(cluster.scope, name), at, parent=_parent(cluster, name))
    for name, at in first((each.name, each.at) for each in cluster.users).items():
        yield Thing(names.user(cluster.scope, name), at)
    for reservation in cluster.reservations:
        yield Thing(names.reservation(cluster.scope, reservation.name), reservation.at)


def _parent(cluster: Cluster, account: str) -> Node | None:
    """Return the account above; the root of all is no tenant's parent."""
    above = cluster.parents.get(account, "")
    return names.account(cluster.scope, above) if above and above != "root" else None


def memberships(cluster: Cluster) -> Iterator[Edge]:
    """Yield who is in which account; an association in another tenant's account is a direct grant of that account's capacity."""
    for each in cluster.associations:
        if not each.user or not each.account:
            continue
        lever = levers.end_association(cluster, each)
        source, target = names.user(cluster.scope, each.user), names.account(cluster.scope, each.account)
        yield Edge(source, "is member of", target, (each.at,), lever)
        yield Edge(source, "consume capacity of", target, (each.at,), lever, note="by its association")


def meeting_place(cluster: Cluster) -> Iterator[Edge | Thing]:
    """Yield the place where all users of the cluster are: what holds for everybody is an edge out of it.

    Whoever has a login is there, with an association or without: measured, a user without any sees all jobs and submits
    where nothing is enforced.
    """
    place = names.everybody(cluster.scope)
    at = cluster.any_place
    if at is None:
        return
    yield Thing(place, at, standing=Standing.PLACE)
    for node, where in _workers(cluster).items():
        yield Edge(node, "works on", place, (where,), by_nature(cluster, where))


def by_nature(cluster: Cluster, at: Evidence) -> Lever:
    """Return the lever of what no grant makes: the account itself."""
    return Lever(Move.REMOVE, "Slurm account", cluster.scope, "*", (at,), "remove the account from the cluster")


def _workers(cluster: Cluster) -> Mapping[Node, Evidence]:
    """Return who works on the cluster. An account that only the tenancy files name is there unless a whole listing leaves it out."""
    found: dict[Node, Evidence] = {}
    for each in cluster.associations:
        node = names.user(cluster.scope, each.user) if each.user else names.account(cluster.scope, each.account)
        found.setdefault(node, each.at)
    for user in cluster.users:
        found.setdefault(names.user(cluster.scope, user.name), user.at)
    for account in cluster.accounts:
        found.setdefault(names.account(cluster.scope, account.name), account.at)
    for name, at in cluster.named_users.items():
        found.setdefault(names.user(cluster.scope, name), at)
    for name, at in () if cluster.knows_accounts else cluster.named_accounts.items():
        found.setdefault(names.account(cluster.scope, name), at)
    return {node: at for node, at in found.items() if node.name}


def administrators(cluster: Cluster) -> Iterator[Edge]:
    """Yield the operators and administrators: both cancel any job and edit any association (man sacctmgr, AdminLevel)."""
    seen: set[str] = set()
    for user in cluster.users:
        if user.admin.lower() in LEVELS and user.name not in seen:
            seen.add(user.name)
            source, target = names.user(cluster.scope, user.name), names.administrator(cluster.scope)
            yield Edge(source, "becomes administrator of", target, (user.at,), levers.lower(cluster, user), note=user.admin)


def power(cluster: Cluster) -> Iterator[Edge]:
    """Yield what an administrator of Slurm holds: every account."""
    at = cluster.any_place
    for name in sorted(cluster.known):
        if at is not None and name != ROOT:
            where = cluster.where(name) or at
            yield Edge(
                names.administrator(cluster.scope), "contains", names.account(cluster.scope, name), (where,), by_nature(cluster, where)
            )


def coordinators(cluster: Cluster) -> Iterator[Edge]:
    """Yield the coordinators, direct and inherited: one of an account is one of all below it (man sacctmgr, coordinator)."""
    appointed = _appointed(cluster)
    for (user, account), at in appointed.items():
        inherits = next((name for name in cluster.above(account) if name != account and (user, name) in appointed), "")
        if inherits:
            continue
        branch = tuple(cluster.below(account))
        shown = frozenset(name for name in branch if name != account and (user, name) in appointed)
        lever = levers.end_coordination(cluster, at, user, account, shown)
        for name in branch:
            note = "" if name == account else f"inherited from {account}"
            yield Edge(names.user(cluster.scope, user), "coordinates", names.account(cluster.scope, name), (at,), lever, note=note)
    yield from _coordinating_members(cluster)


def _coordinating_members(cluster: Cluster) -> Iterator[Edge]:
    """Yield the members of accounts that make each of them a coordinator (24.05 and later: man sacctmgr, UsersAreCoords)."""
    seen: set[str] = set()
    for each in cluster.accounts:
        if "UsersAreCoords" in each.flags and each.name not in seen:
            seen.add(each.name)
            lever = levers.no_coordinating_members(cluster, each)
            for member in (a for a in cluster.associations if a.account == each.name and a.user):
                for name in cluster.below(each.name):
                    target = names.account(cluster.scope, name)
                    yield Edge(
                        names.user(cluster.scope, member.user), "coordinates", target, (each.at, member.at), lever, note="UsersAreCoords"
                    )


def _appointed(cluster: Cluster) -> Mapping[tuple[str, str], Evidence]:
    """Return who coordinates which account, by any listing, with the first place that says so."""
    found: dict[tuple[str, str], Evidence] = {}
    for user in cluster.users:
        for name in user.coordinates:
            found.setdefault((user.name, name), user.at)
    for account in cluster.accounts:
        for name in account.coordinators:
            found.setdefault((name, account.name), account.at)
    return found
