"""Whose partitions somebody can take."""

from collections.abc import Iterator

from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Certainty, Edge, Hold, Lever
from partywall.model.evidence import Evidence
from partywall.model.facts_slurm import Partition, Reservation
from partywall.model.thing import Thing
from partywall.model.verbs import Lane
from partywall.resolve.slurm import levers, names
from partywall.resolve.slurm.cluster import ENFORCE, Cluster
from partywall.resolve.slurm.clusters import below_of, without_association
from partywall.resolve.slurm.submit import Answer, is_no_list, may_run_in, worlds

TAKES = "consume capacity of"
ASSOCIATIONS = "sacctmgr -P show assoc format=cluster,account,user,partition,parentname,qos"
Found = Iterator[Edge | Gap | Hold | Thing]


def partitions(cluster: Cluster) -> Found:
    """Yield who runs in which partition. What lets everybody in is one edge out of the place where all users are."""
    wide: list[Partition] = []
    for each in cluster.partitions:
        target = names.partition(cluster.scope, each.name)
        yield Thing(target, each.at)
        if each.root_only:
            yield Hold(Lane.COMPUTE, target, f"RootOnly of partition {each.name}", (each.at,))
        elif each.needs_reservation:
            yield from _reserved(cluster, each)
        else:
            ways = tuple(_of(cluster, each))
            yield from ways
            if _lets_all_in(cluster, ways):
                wide.append(each)
    yield from overlaps(cluster, wide)


def _lets_all_in(cluster: Cluster, ways: tuple[Edge | Gap | Hold | Thing, ...]) -> bool:
    everybody = names.everybody(cluster.scope)
    return any(isinstance(way, Edge) and way.source == everybody and way.certainty is Certainty.SURE for way in ways)


def _of(cluster: Cluster, each: Partition) -> Iterator[Edge | Gap | Hold]:
    """Yield the ways into a partition. Where everybody comes in by its lists, UNIX groups are what is left to ask for."""
    open_in = {is_no_list(each, world) for world in worlds(cluster, each)}
    if open_in == {True} and not each.allow_qos:
        yield from _groups(cluster, each) if each.allow_groups else (_everybody(cluster, each),)
        return
    if each.allow_qos and open_in == {True}:
        yield from _by_quality(cluster, each)
        return
    if len(open_in) == 2:
        yield _in_question(cluster, each)
    else:
        yield Hold(Lane.COMPUTE, names.partition(cluster.scope, each.name), _held_by(each), (each.at,))
    yield from _accounts(cluster, each, sure_only=len(open_in) == 2)


def _held_by(each: Partition) -> str:
    return f"{'AllowAccounts' if each.allow_accounts else 'DenyAccounts'} of partition {each.name}, which counts"


def _everybody(cluster: Cluster, each: Partition) -> Edge:
    lever, note = _opening(cluster, each)
    at = cluster.place(ENFORCE) if lever.kind == "AccountingStorageEnforce" else None
    because = (each.at, at) if at else (each.at,)
    return Edge(names.everybody(cluster.scope), TAKES, names.partition(cluster.scope, each.name), because, lever, note=note)


def _opening(cluster: Cluster, each: Partition) -> tuple[Lever, str]:
    if not each.allow_accounts and not each.deny_accounts:
        return levers.close_partition(cluster, each), "open to all accounts"
    if cluster.config() is not None and "associations" not in cluster.enforced:
        return levers.enforce(cluster), "its list of accounts counts only where associations are enforced"
    return levers.close_partition(cluster, each), "no account of its list exists, so it is no list"


def _in_question(cluster: Cluster, each: Partition) -> Edge | Gap:
    """Return what is left open: an edge where only the version is not known, else a gap that names what would answer it."""
    target = names.partition(cluster.scope, each.name)
    if not cluster.tells(ENFORCE):
        what = f"whether the list of accounts of partition {each.name} of {cluster.name} counts (AccountingStorageEnforce)"
        return Gap(
            "slurm:scontrol-show-config",
            what,
            Reason.ABSENT,
            Direction.INCOMING,
            (target,),
            (Lane.COMPUTE,),
            "scontrol show config",
            each.at,
        )
    if {world.exists for world in worlds(cluster, each)} == {True, False} and "associations" in cluster.enforced:
        what = f"whether any account exists that partition {each.name} of {cluster.name} lists: a list of none is no list"
        return Gap("slurm:sacctmgr-show-assoc", what, Reason.ABSENT, Direction.INCOMING, (target,), (Lane.COMPUTE,), ASSOCIATIONS, each.at)
    lever, note = _opening(cluster, each)
    place = cluster.place(ENFORCE)
    because = (each.at, place) if place else (each.at,)
    note = f"from 23.02 on {note}, and nothing says the version"
    return Edge(names.everybody(cluster.scope), TAKES, target, because, lever, Certainty.UNKNOWN, note=note)


def _accounts(cluster: Cluster, each: Partition, *, sure_only: bool) -> Iterator[Edge]:
    """Yield the accounts that a partition's lists let in, in every world or in some."""
    possible = tuple(worlds(cluster, each))
    for account in sorted(cluster.known | set(cluster.named_accounts)):
        said = may_run_in(cluster, account, each, possible=possible)
        if said.runs or (said.answer is Answer.UNKNOWN and not sure_only):
            certainty = Certainty.SURE if said.runs and not each.allow_groups else Certainty.UNKNOWN
            yield _edge_of(cluster, each, account, certainty, said.why)
    if each.deny_accounts and not each.allow_accounts and "associations" not in cluster.enforced:
        yield from _nobodys(cluster, each, sure_only=sure_only)


def _nobodys(cluster: Cluster, each: Partition, *, sure_only: bool) -> Iterator[Edge]:
    """Yield the users without any association, where none is asked for.

    Their jobs have no account that a list could deny (before 23.02).
    """
    said = may_run_in(cluster, "", each)
    if not (said.runs or (said.answer is Answer.UNKNOWN and not sure_only)):
        return
    listed = "SlurmAssociation" in cluster.listed
    known = without_association(cluster) if listed else {**{user.name: user.at for user in cluster.users}, **cluster.named_users}
    sure = said.runs and listed and not each.allow_groups and cluster.tells(ENFORCE)
    lever = levers.enforce(cluster) if cluster.config() is not None else levers.close_partition(cluster, each)
    for user, at in known.items():
        source, target = names.user(cluster.scope, user), names.partition(cluster.scope, each.name)
        note = "without an association" if listed else "where it has no association"
        yield Edge(source, TAKES, target, (each.at, at), lever, Certainty.SURE if sure else Certainty.UNKNOWN, note=note)


def _edge_of(cluster: Cluster, each: Partition, account: str, certainty: Certainty, note: str) -> Edge:
    lowered = {name.lower() for name in cluster.above(account)}
    named = next((name for name in each.allow_accounts if name.lower() in lowered), "")
    lever = levers.take_account(cluster, each, named) if named else levers.close_partition(cluster, each)
    place = cluster.where(account)
    because = (each.at, place) if place else (each.at,)
    if certainty is Certainty.UNKNOWN and each.allow_groups:
        note = f"as far as its users are in {', '.join(each.allow_groups)}"
    return Edge(
        names.account(cluster.scope, account), TAKES, names.partition(cluster.scope, each.name), because, lever, certainty, note=note
    )


def _by_quality(cluster: Cluster, each: Partition) -> Iterator[Edge | Gap | Hold]:
    """Yield who has one of the QOS that a partition asks for. Without `qos` enforced anybody may ask for any (man slurm.conf)."""
    target = names.partition(cluster.scope, each.name)
    if not cluster.tells(ENFORCE):
        what = f"whether AllowQos of partition {each.name} of {cluster.name} counts (AccountingStorageEnforce)"
        yield Gap(
            "slurm:scontrol-show-config",
            what,
            Reason.ABSENT,
            Direction.INCOMING,
            (target,),
            (Lane.COMPUTE,),
            "scontrol show config",
            each.at,
        )
    elif each.allow_groups:
        yield from _groups(cluster, each)
    elif "qos" not in cluster.enforced:
        place = cluster.place(ENFORCE)
        because = (each.at, place) if place else (each.at,)
        note = "without qos enforced anybody may ask for a QOS of AllowQos"
        yield Edge(names.everybody(cluster.scope), TAKES, target, because, levers.enforce(cluster), note=note)
    elif not cluster.associations:
        yield _qualities_unread(cluster, each)
    else:
        yield Hold(Lane.COMPUTE, target, f"AllowQos of partition {each.name}, with qos enforced", (each.at,))
        yield from _accounts(cluster, each, sure_only=False)


def _qualities_unread(cluster: Cluster, each: Partition) -> Gap:
    what = f"which accounts have a QOS that partition {each.name} of {cluster.name} lets in"
    target = names.partition(cluster.scope, each.name)
    return Gap("slurm:sacctmgr-show-assoc", what, Reason.ABSENT, Direction.INCOMING, (target,), (Lane.COMPUTE,), ASSOCIATIONS, each.at)


def _groups(cluster: Cluster, each: Partition) -> Iterator[Edge | Gap]:
    """Yield the members of the UNIX groups. Without `getent passwd` those are left out who have one as their first group."""
    target = names.partition(cluster.scope, each.name)
    for group in (found for name in each.allow_groups if (found := cluster.groups.get(name)) is not None):
        first = {login.name: login.at for login in cluster.logins if login.group == group.number}
        for user, at in (dict.fromkeys(group.members, group.at) | first).items():
            lever = levers.take_group(cluster, each, group.name)
            yield Edge(names.user(cluster.scope, user), TAKES, target, (each.at, at), lever, note=f"AllowGroups={group.name}")
    unread = [name for name in each.allow_groups if name not in cluster.groups]
    if unread or "Login" not in cluster.listed:
        asked = unread or list(each.allow_groups)
        what = f"who is in the UNIX groups {', '.join(asked)} that partition {each.name} of {cluster.name} lets in"
        remedy = f"getent group {' '.join(asked)}" if unread else "getent passwd"
        yield Gap("slurm:scontrol-show-partition", what, Reason.ABSENT, Direction.INCOMING, (target,), (Lane.COMPUTE,), remedy, each.at)


def _reserved(cluster: Cluster, each: Partition) -> Iterator[Edge | Gap | Hold]:
    """Yield who comes into a partition with ReqResv: those for whom a reservation is that covers nodes of it."""
    target = names.partition(cluster.scope, each.name)
    if "SlurmReservation" not in cluster.listed:
        what = f"for whom the reservations are with which jobs run in partition {each.name} of {cluster.name}"
        remedy = "scontrol show reservation"
        yield Gap("slurm:scontrol-show-reservation", what, Reason.ABSENT, Direction.INCOMING, (target,), (Lane.COMPUTE,), remedy, each.at)
        return
    yield Hold(Lane.COMPUTE, target, f"ReqResv of partition {each.name}", (each.at,))
    for reservation in cluster.reservations:
        if share_nodes(reservation.nodes, each.nodes):
            yield from _holders(cluster, each, reservation)


def _holders(cluster: Cluster, each: Partition, reservation: Reservation) -> Iterator[Edge | Gap]:
    """Yield whom a reservation lets into a partition.

    One for users and accounts both may ask for both, and one for some `-name` is for all others.
    """
    both = bool(reservation.users) and bool(reservation.accounts)
    surest = Certainty.UNKNOWN if both or each.allow_groups or reservation.groups else Certainty.SURE
    lever, target = levers.end_reservation(cluster, reservation), names.partition(cluster.scope, each.name)
    because, note = _both(each.at, reservation.at), f"by reservation {reservation.name}"
    if any(name.startswith("-") for name in (*reservation.users, *reservation.accounts)):
        yield Edge(names.everybody(cluster.scope), TAKES, target, because, lever, Certainty.UNKNOWN, note=f"{note}, which leaves some out")
        return
    if reservation.groups:
        what = f"who is in the UNIX groups {', '.join(reservation.groups)} that reservation {reservation.name} of {cluster.name} is for"
        remedy = f"getent group {' '.join(reservation.groups)}"
        yield Gap(
            "slurm:scontrol-show-reservation", what, Reason.ABSENT, Direction.INCOMING, (target,), (Lane.COMPUTE,), remedy, reservation.at
        )
    if reservation.accounts and (not cluster.knows_accounts or len(cluster.unplaced) > 1):
        what = f"which accounts are below those that reservation {reservation.name} of {cluster.name} is for"
        yield Gap(
            "slurm:sacctmgr-show-assoc", what, Reason.ABSENT, Direction.INCOMING, (target,), (Lane.COMPUTE,), ASSOCIATIONS, reservation.at
        )
    for user in reservation.users:
        certainty = _as_some_account(cluster, each, user)
        if certainty is not None:
            yield Edge(names.user(cluster.scope, user), TAKES, target, because, lever, max(surest, certainty), note=note)
    for account in below_of(cluster, reservation.accounts):
        said = may_run_in(cluster, account, each)
        if said.runs or said.answer is Answer.UNKNOWN:
            sure = surest if said.runs else Certainty.UNKNOWN
            yield Edge(names.account(cluster.scope, account), TAKES, target, because, lever, sure, note=note)


def _as_some_account(cluster: Cluster, each: Partition, user: str) -> Certainty | None:
    """Return how sure it is that a partition's lists let a user in under some account of the user's; None where they do not."""
    mine = {row.account for row in cluster.associations if row.user == user}
    if not mine and "SlurmAssociation" not in cluster.listed:
        return Certainty.UNKNOWN
    if not mine and "associations" in cluster.enforced:
        return None
    answers = [may_run_in(cluster, account, each, user=user) for account in sorted(mine) or [""]]
    if any(said.runs for said in answers):
        return Certainty.SURE if mine or cluster.tells(ENFORCE) else Certainty.UNKNOWN
    return Certainty.UNKNOWN if any(said.answer is Answer.UNKNOWN for said in answers) else None


def overlaps(cluster: Cluster, wide: list[Partition]) -> Iterator[Edge]:
    """Yield the partitions into which everybody comes and whose nodes belong to one with a list: whoever runs there runs on its nodes."""
    gated = [
        each for each in cluster.partitions if (each.allow_accounts or each.allow_groups or each.needs_reservation) and each not in wide
    ]
    for open_one in wide:
        for narrow in gated:
            shared = share_nodes(open_one.nodes, narrow.nodes)
            if shared:
                nodes = f"nodes {shared[0]} and more" if len(shared) > 1 else f"node {shared[0]}"
                note = f"partition {open_one.name} is open to all and has its {nodes}"
                lever = _opening(cluster, open_one)[0]
                source, target = names.everybody(cluster.scope), names.partition(cluster.scope, narrow.name)
                yield Edge(source, TAKES, target, _both(open_one.at, narrow.at), lever, note=note)


def _both(one: Evidence, other: Evidence) -> tuple[Evidence, ...]:
    return (one, other) if one != other else (one,)


def share_nodes(one: tuple[str, ...], other: tuple[str, ...]) -> list[str]:
    """Return the nodes that are in both; `ALL` is every node (man slurm.conf, Nodes)."""
    if "ALL" in (name.upper() for name in one):
        return sorted(other)
    if "ALL" in (name.upper() for name in other):
        return sorted(one)
    return sorted(set(one) & set(other))
