"""What a Slurm cluster's documents refer to and do not hold, or say in two ways."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from partywall.model.document import Assumption, Direction, Gap, Reason
from partywall.model.facts import Facts
from partywall.model.facts_slurm import Included, Partition, SlurmConfig, Source
from partywall.model.node import Node
from partywall.model.verbs import Lane
from partywall.resolve.slurm import names
from partywall.resolve.slurm.cluster import ENFORCE, PRIVATE, Cluster, words_of
from partywall.resolve.slurm.partitions import ASSOCIATIONS, share_nodes
from partywall.resolve.slurm.submit import worlds

DECIDING = (ENFORCE, PRIVATE, "preempttype", "enforcepartlimits", "proctracktype")


def missing(cluster: Cluster, facts: Facts) -> Iterator[Gap]:
    """Yield the gaps of a cluster.

    Included files that are absent, listings that show one user's rows only, an account tree that nobody told.
    """
    if Source.CONTROLLER not in cluster.configs:
        yield from _includes(cluster, facts)
    yield from _narrow_view(cluster)
    yield from _no_tree(cluster)


def _everything(cluster: Cluster) -> tuple[Node, ...]:
    """Return all that somebody may own of a cluster."""
    accounts = sorted(cluster.known | set(cluster.named_accounts))
    users = sorted({each.user for each in cluster.associations if each.user} | set(cluster.named_users))
    return (
        *(names.account(cluster.scope, name) for name in accounts),
        *(names.user(cluster.scope, name) for name in users),
        *(names.partition(cluster.scope, each.name) for each in cluster.partitions),
    )


def _includes(cluster: Cluster, facts: Facts) -> Iterator[Gap]:
    """An absent include may hold what decides; where the controller printed what is in force, the files do not matter."""
    read = {PurePosixPath(config.at.document).name for config in facts.of(SlurmConfig) if config.cluster == cluster.scope}
    for each in facts.of(Included):
        if each.cluster == cluster.scope and PurePosixPath(each.path).name not in read:
            what, lanes = f"{each.path}, which slurm.conf of {cluster.name} includes", (Lane.COMPUTE, Lane.VIEW)
            remedy = f"give {each.path}, or scontrol show config"
            yield Gap("slurm:slurm.conf", what, Reason.ABSENT, Direction.INCOMING, _everything(cluster), lanes, remedy, each.at)


def _unread_partitions(cluster: Cluster) -> Iterator[Assumption]:
    """Say that partitions which the tenancy names are not judged where none was read; slurm.conf and whole listings show all there are."""
    if cluster.named_partitions and not cluster.partitions and "SlurmPartition" not in cluster.listed:
        what = f"whom the partitions {', '.join(cluster.named_partitions)} of {cluster.name} let in is not judged: no partition was given"
        yield Assumption("slurm:scontrol-show-partition", what)


def _narrow_view(cluster: Cluster) -> Iterator[Gap]:
    """A plain user on a cluster with PrivateData gets only rows of the own name (22.05: with the accounts above), and no error."""
    if not cluster.is_narrow:
        return
    users = {each.user for each in cluster.associations if each.user} or {each.name for each in cluster.users}
    shown = f"{next(iter(users))}'s rows only" if len(users) == 1 else "not even root's rows"
    what = f"the associations of {cluster.name}: the listing shows {shown}, as a plain user sees them"
    at = cluster.associations[0].at if cluster.associations else cluster.users[0].at
    lanes = (Lane.COMPUTE, Lane.ACT, Lane.VIEW, Lane.IDENTITY)
    remedy = "run sacctmgr as SlurmUser or as an operator"
    yield Gap("slurm:sacctmgr-show-assoc", what, Reason.DENIED, Direction.INCOMING, _everything(cluster), lanes, remedy, at)


def _no_tree(cluster: Cluster) -> Iterator[Gap]:
    """A listing without ParentName tells no account's parent, on which lists of partitions (from 23.02 on) and coordinators depend.

    What is below an account that the tenancy files name is its owner's, unless they name it too: that is their word that it stands
    beside, not below. Only accounts that they do not name may hold tenants of both sides.
    """
    unplaced = [name for name in cluster.unplaced if name in {each.account for each in cluster.associations}]
    if len(unplaced) < 2:
        return
    at = next(each.at for each in cluster.associations if each.account == unplaced[0])
    nodes = tuple(names.partition(cluster.scope, each.name) for each in cluster.partitions if _asks_for_the_tree(cluster, each, unplaced))
    what = f"which account of {cluster.name} is above which: the listing names no parents"
    if nodes:
        yield Gap("slurm:sacctmgr-show-assoc", what, Reason.ABSENT, Direction.INCOMING, nodes, (Lane.COMPUTE,), ASSOCIATIONS, at)
    coordinated = {name for each in cluster.users for name in each.coordinates}
    coordinated |= {each.name for each in cluster.accounts if each.coordinators or "UsersAreCoords" in each.flags}
    if coordinated - cluster.claimed:
        accounts = tuple(names.account(cluster.scope, name) for name in unplaced)
        yield Gap("slurm:sacctmgr-show-assoc", what, Reason.ABSENT, Direction.INCOMING, accounts, (Lane.ACT,), ASSOCIATIONS, at)


def _asks_for_the_tree(cluster: Cluster, each: Partition, unplaced: list[str]) -> bool:
    """Tell whether an account could stand below one that a list lets in, and whether that would change an answer."""
    listed = {name.lower() for name in each.allow_accounts}
    owned = {name.lower() for name in cluster.claimed}
    counts = any(world.newer and world.enforced and world.exists for world in worlds(cluster, each))
    return (
        bool(listed)
        and counts
        and any(name.lower() not in listed for name in unplaced)
        and any(name.lower() in listed - owned for name in cluster.known)
    )


def assumptions(cluster: Cluster) -> Iterator[Assumption]:
    """Yield what is taken for granted.

    What jobs on one node see of each other, a file that is not what runs, flags that an answer leaves out.
    """
    tracked = cluster.setting("proctracktype")
    if tracked is not None and "cgroup" not in tracked.value:
        judged = "what jobs of several tenants on one node see of each other's processes and devices is not judged"
        text = f"{tracked.value} on {cluster.name}: {judged}"
        yield Assumption(f"{tracked.at}", text)
    for each in cluster.partitions:
        if not each.flags_told:
            text = f"RootOnly, ReqResv and Hidden of partition {each.name} of {cluster.name} are not told there: taken as not set"
            yield Assumption(f"{each.at}", text)
    beside = [name for name in cluster.unplaced if name in cluster.claimed]
    if len(beside) > 1:
        yield Assumption("tenancy", f"accounts {', '.join(beside)} of {cluster.name} stand beside each other: the listing names no parents")
    yield from _unread_partitions(cluster)
    yield from _drift(cluster)
    yield from _shared_nodes(cluster)


def _drift(cluster: Cluster) -> Iterator[Assumption]:
    """Yield where slurm.conf or slurmdbd.conf says other than what runs: until the next reconfigure what runs counts."""
    for running, file in ((Source.CONTROLLER, Source.CONTROLLER_FILE), (Source.DATABASE, Source.DATABASE_FILE)):
        for key in DECIDING:
            now, said = cluster.settings.get((running, key)), cluster.settings.get((file, key))
            if now is not None and said is not None and words_of(now.value) != words_of(said.value):
                text = f"{said.key} is {said.value} in {file.value} of {cluster.name} and {now.value} in force: judged by what is in force"
                yield Assumption(f"{said.at}", text)
    running_partitions = {each.name: each for each in cluster.partitions if each.effective}
    for written in cluster.file_partitions:
        now_running = running_partitions.get(written.name)
        if now_running is not None and _gates(now_running) != _gates(written):
            text = (
                f"the lists of partition {written.name} in slurm.conf of {cluster.name} are not those in force: judged by what is in force"
            )
            yield Assumption(f"{written.at}", text)


def _gates(each: Partition) -> tuple[frozenset[str], ...]:
    # Where both are written DenyAccounts is ignored, and scontrol prints one of them only.
    accounts = (each.allow_accounts, () if each.allow_accounts else each.deny_accounts)
    return tuple(frozenset(names) for names in (*accounts, each.allow_groups, each.allow_qos))


def _shared_nodes(cluster: Cluster) -> Iterator[Assumption]:
    """Yield the partitions with different lists that have nodes in common: the platform's choice, unless a contract says otherwise."""
    gated = [each for each in cluster.partitions if each.allow_accounts and not each.exclusive_user]
    for number, one in enumerate(gated):
        for other in gated[number + 1 :]:
            if set(one.allow_accounts) != set(other.allow_accounts) and share_nodes(one.nodes, other.nodes):
                both = f"partitions {one.name} and {other.name} of {cluster.name} have nodes in common"
                text = f"{both}: what their jobs take of each other there is not judged"
                yield Assumption(f"{other.at}", text)
