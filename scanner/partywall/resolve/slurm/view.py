"""Who sees whose jobs: PrivateData, in its two places.

What a value hides (man slurm.conf and slurmdbd.conf, PrivateData), and what it makes of a way across where it is missing:

- `jobs`: job names, commands, comments, folders: a crossing (`list jobs` by slurmctld, `list accounting` by slurmdbd);
- `usage`: how much another account used (sshare, sreport): a crossing too, where jobs themselves are hidden;
- `accounts`, `users`, `reservations`: no more than names, as HyperPod shows those of namespaces to everybody: printed, no crossing;
- `events`, `nodes`, `partitions`, `cloud`: nothing of a tenant's.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Edge, Hold
from partywall.model.facts_slurm import Source
from partywall.model.node import Kind, Node
from partywall.model.thing import Cover, Standing, Thing
from partywall.model.verbs import Lane
from partywall.resolve.slurm import levers, names
from partywall.resolve.slurm.cluster import CONTROLLER, DATABASE, PRIVATE, Cluster


class Matter(StrEnum):
    """What somebody may look at, by the word that hides it."""

    JOBS = "jobs"
    USAGE = "usage"
    ACCOUNTS = "accounts"
    USERS = "users"
    RESERVATIONS = "reservations"


@dataclass(frozen=True, slots=True)
class Daemon:
    """One of the two places of PrivateData, and what answers from it."""

    sources: tuple[Source, ...]
    verb: str
    tools: str
    command: str
    names: tuple[Matter, ...]


CONTROLLING = Daemon(CONTROLLER, "list jobs", "squeue and scontrol", "scontrol show config", (Matter.RESERVATIONS, Matter.USERS))
ACCOUNTING = Daemon(DATABASE, "list accounting", "sacct and sacctmgr", "sacctmgr show config", (Matter.ACCOUNTS, Matter.USERS))


def is_private(cluster: Cluster, matter: Matter, sources: tuple[Source, ...]) -> bool | None:
    """Tell whether something is hidden from plain users; None where it was not read."""
    if not cluster.tells(PRIVATE, sources):
        return None
    private = cluster.words(PRIVATE, sources)
    return matter.value in private or "all" in private


def sees(cluster: Cluster, user: str, matter: Matter, account: str, sources: tuple[Source, ...]) -> bool | None:
    """Tell whether a user sees what is of another user in an account. None where it was not read.

    Operators see everything, coordinators what is of their accounts, and by MCS labels with `privatedata` the members of an
    account its jobs.
    """
    if any(each.name == user and each.admin.lower() in ("operator", "administrator") for each in cluster.users) or user == "root":
        return True
    hidden = is_private(cluster, matter, sources)
    if not hidden:
        return None if hidden is None else True
    if any(account in cluster.below(name) for each in cluster.users if each.name == user for name in each.coordinates):
        return True
    by_label = sources is CONTROLLER and "mcs/account" in cluster.words("mcsplugin") and "privatedata" in cluster.words("mcsparameters")
    return by_label and any(each.user == user and each.account == account for each in cluster.associations)


def visibility(cluster: Cluster) -> Iterator[Edge | Gap | Thing | Hold]:
    """Yield what every user sees of all jobs.

    slurmctld asks slurm.conf, slurmdbd asks slurmdbd.conf (man slurm.conf and slurmdbd.conf, PrivateData); neither covers for the other.
    """
    if cluster.tells(PRIVATE, CONTROLLER) or cluster.tells(PRIVATE, DATABASE):
        yield from _shown(cluster, CONTROLLING, names.jobs(cluster.scope))
        yield from _shown(cluster, ACCOUNTING, names.accounting(cluster.scope))


def _shown(cluster: Cluster, daemon: Daemon, jobs: Node) -> Iterator[Edge | Gap | Thing | Hold]:
    if not cluster.tells(PRIVATE, daemon.sources):
        yield from _unread(cluster, daemon)
        return
    at = cluster.place(PRIVATE, daemon.sources)
    if at is None:
        return
    lever, everybody = levers.private(cluster, daemon.sources), names.everybody(cluster.scope)
    yield _everything(cluster, jobs)
    if not is_private(cluster, Matter.JOBS, daemon.sources):
        yield Edge(everybody, daemon.verb, jobs, (at,), lever, note=f"by {daemon.tools}")
        return
    yield from _held(cluster, daemon)
    if not is_private(cluster, Matter.USAGE, daemon.sources):
        usage = names.usage(cluster.scope)
        yield _everything(cluster, usage)
        note = f"usage, by {'sshare' if daemon is CONTROLLING else 'sreport'}"
        yield Edge(everybody, "list accounting", usage, (at,), lever, note=note)
    shown = [matter.value for matter in daemon.names if not is_private(cluster, matter, daemon.sources)]
    if shown:
        yield Edge(everybody, "list names", jobs, (at,), lever, note=f"of {' and '.join(shown)}, by {daemon.tools}")


def _everything(cluster: Cluster, node: Node) -> Thing:
    at = cluster.any_place
    if at is None:
        raise ValueError(f"a cluster of which nothing was read: {cluster.scope}")
    covers = tuple(Cover(kind, cluster.scope, "*") for kind in (Kind.SLURM_ACCOUNT, Kind.OS_USER))
    return Thing(node, at, standing=Standing.SCOPE, covers=covers)


def _held(cluster: Cluster, daemon: Daemon) -> Iterator[Hold]:
    at = cluster.place(PRIVATE, daemon.sources)
    for name in sorted(cluster.known | set(cluster.named_accounts)):
        if at is not None:
            yield Hold(Lane.VIEW, names.account(cluster.scope, name), f"PrivateData hides jobs from {daemon.tools}", (at,))


def _unread(cluster: Cluster, daemon: Daemon) -> Iterator[Gap]:
    """A cluster that keeps accounting has both places; one that was not read may show everything.

    With neither read, visibility is not in question.
    """
    kept = cluster.words("accountingstoragetype")
    if daemon is ACCOUNTING and cluster.tells("accountingstoragetype") and "accounting_storage/slurmdbd" not in kept:
        return
    accounts = sorted(cluster.known | set(cluster.named_accounts))
    nodes = (*(names.account(cluster.scope, name) for name in accounts), *(names.user(cluster.scope, name) for name in cluster.named_users))
    what = f"whether PrivateData of {cluster.name} hides jobs from {'sacct' if daemon is ACCOUNTING else 'squeue'}"
    source = f"slurm:{daemon.command.replace(' ', '-')}"
    yield Gap(source, what, Reason.ABSENT, Direction.INCOMING, nodes, (Lane.VIEW,), daemon.command, cluster.any_place)
