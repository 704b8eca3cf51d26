"""What closes each way of a Slurm cluster."""

from dataclasses import replace

from partywall.model.edge import Change, Lever, Move
from partywall.model.evidence import Evidence
from partywall.model.facts_slurm import Association, Partition, Reservation, Setting, SlurmAccount, SlurmUser, Source
from partywall.resolve.slurm.cluster import CONTROLLER, DATABASE, ENFORCE, PRIVATE, Cluster

WHOLE = "associations,limits,qos,safe"
PRIVATE_ALL = "accounts,events,jobs,reservations,usage,users"
NO_ACCOUNT = "-"


def enforce(cluster: Cluster) -> Lever:
    """Return the lever that turns enforcement on."""
    return _set(cluster, ENFORCE, "AccountingStorageEnforce", CONTROLLER, WHOLE, "slurm.conf")


def private(cluster: Cluster, sources: tuple[Source, ...]) -> Lever:
    """Return the lever that hides jobs: slurm.conf for squeue and scontrol, slurmdbd.conf for sacct and sacctmgr."""
    return _set(cluster, PRIVATE, "PrivateData", sources, PRIVATE_ALL, "slurmdbd.conf" if sources is DATABASE else "slurm.conf")


def _set(cluster: Cluster, key: str, word: str, sources: tuple[Source, ...], value: str, file: str) -> Lever:
    config = cluster.config(sources)
    known = tuple(cluster.settings[source, key] for source in sources if (source, key) in cluster.settings)
    come = tuple(replace(each, value=value) for each in known)
    places = tuple(each.at for each in known)
    if not known:
        if config is None:
            raise ValueError(f"no configuration to set {word} in")
        come, places = (Setting(cluster.scope, config.source, key, value, config.at),), (config.at,)
    return Lever(Move.SET, word, cluster.scope, file, places, f"set {word}={value} in {file} of {cluster.name}", change=Change(known, come))


def take_account(cluster: Cluster, partition: Partition, account: str) -> Lever:
    """Return the lever that takes an account out of a partition's list, in every answer that shows it."""
    shown = [each for each in cluster.partition_facts.get(partition.name, ()) if account in each.allow_accounts]
    come = tuple(
        replace(each, allow_accounts=tuple(name for name in each.allow_accounts if name != account) or (NO_ACCOUNT,)) for each in shown
    )
    text = f"take {account} out of AllowAccounts of partition {partition.name}"
    # An emptied list would be no list, and so would one of names that do not exist: the advice holds only where another name is left.
    left = [name for name in partition.allow_accounts if name != account and name.lower() in cluster.lowered]
    change = Change(tuple(shown), come) if left else None
    return Lever(Move.SET, "AllowAccounts", cluster.scope, partition.name, (partition.at,), text, account, change)


def take_group(cluster: Cluster, partition: Partition, group: str) -> Lever:
    """Return the lever that takes a UNIX group out of a partition's list."""
    text = f"take {group} out of AllowGroups of partition {partition.name}"
    return Lever(Move.SET, "AllowGroups", cluster.scope, partition.name, (partition.at,), text, group)


def end_reservation(cluster: Cluster, reservation: Reservation) -> Lever:
    """Return the lever that ends a reservation."""
    text = f"delete reservation {reservation.name}"
    return Lever(Move.REMOVE, "reservation", cluster.scope, reservation.name, (reservation.at,), text, change=Change((reservation,)))


def close_partition(cluster: Cluster, partition: Partition) -> Lever:
    """Return the lever that gives a partition a list of accounts that exist: with a contract, those of the tenant whose it is prove it."""
    text = f"list the owner's accounts, which exist, in AllowAccounts of partition {partition.name}"
    owners = tuple(name for name in cluster.owners.get(partition.name, ()) if name.lower() in cluster.lowered)
    shown = cluster.partition_facts.get(partition.name, ())
    come = tuple(replace(each, allow_accounts=owners, deny_accounts=()) for each in shown)
    return Lever(
        Move.SET,
        "AllowAccounts",
        cluster.scope,
        partition.name,
        (partition.at,),
        text,
        change=Change(shown, come) if owners and shown else None,
    )


def end_association(cluster: Cluster, association: Association) -> Lever:
    """Return the lever that ends an association, in every listing that shows it."""
    account, user, partition = association.account, association.user, association.partition
    name = f"{user}@{account}{f'/{partition}' if partition else ''}"
    text = f"remove the association of {user} in account {account}"
    gone = cluster.association_facts.get((account, user, partition), (association,))
    return Lever(Move.REMOVE, "Slurm association", cluster.scope, name, (association.at,), text, change=Change(gone))


def lower(cluster: Cluster, user: SlurmUser) -> Lever:
    """Return the lever that takes a user's level away, in every listing that shows it."""
    shown = tuple(each for each in cluster.users if each.name == user.name and each.admin not in ("", "None"))
    change = Change(shown, tuple(replace(each, admin="None") for each in shown))
    return Lever(
        Move.SET, "AdminLevel", cluster.scope, user.name, (user.at,), f"set AdminLevel=None for user {user.name}", user.admin, change
    )


def end_coordination(cluster: Cluster, at: Evidence, user: str, account: str, below: frozenset[str]) -> Lever:
    """Return the lever that ends a coordinator's power over an account and, as listings show the inherited as well, over those below it."""
    ended = below | {account}
    users = tuple(each for each in cluster.users if each.name == user and ended & set(each.coordinates))
    accounts = tuple(each for each in cluster.accounts if each.name in ended and user in each.coordinators)
    come: tuple[SlurmUser | SlurmAccount, ...] = (
        *(replace(each, coordinates=tuple(name for name in each.coordinates if name not in ended)) for each in users),
        *(replace(each, coordinators=tuple(name for name in each.coordinators if name != user)) for each in accounts),
    )
    gone: tuple[SlurmUser | SlurmAccount, ...] = (*users, *accounts)
    more = " and from those below it" if below else ""
    text = f"remove coordinator {user} from account {account}{more}"
    return Lever(Move.REMOVE, "coordinator", cluster.scope, f"{user}@{account}", (at,), text, change=Change(gone, come))


def no_coordinating_members(cluster: Cluster, account: SlurmAccount) -> Lever:
    """Return the lever that takes the flag UsersAreCoords from an account."""
    shown = tuple(each for each in cluster.accounts if each.name == account.name and "UsersAreCoords" in each.flags)
    come = tuple(replace(each, flags=tuple(flag for flag in each.flags if flag != "UsersAreCoords")) for each in shown)
    text = f"take the flag UsersAreCoords from account {account.name}"
    return Lever(Move.SET, "UsersAreCoords", cluster.scope, account.name, (account.at,), text, change=Change(shown, come))
