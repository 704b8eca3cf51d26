"""May a job of this user, account and partition run? The order in which slurmctld asks, by version and by what is enforced.

Measured on 22.05, 24.11 and 26.05; the tests hold these answers against the recorded ones. What is not known - the version,
what is enforced, which accounts exist - is tried both ways: an answer that holds either way does not wait for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from partywall.model.facts_slurm import Partition, Reservation
from partywall.resolve.slurm.cluster import ENFORCE, ROOT, Cluster

NORMAL = "normal"


class Answer(StrEnum):
    """What becomes of a job."""

    ALLOWED = "allowed"
    RELABELLED = "relabelled"
    QUEUED = "queued"
    DENIED = "denied"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Said:
    """An answer, and which control gave it."""

    answer: Answer
    why: str

    @property
    def runs(self) -> bool:
        """Tell whether the job runs."""
        return self.answer in (Answer.ALLOWED, Answer.RELABELLED)


@dataclass(frozen=True, slots=True)
class World:
    """One way in which what is not known may be: 23.02 or later, associations enforced, and some name of the list exists."""

    newer: bool
    enforced: bool
    exists: bool


def worlds(cluster: Cluster, partition: Partition) -> Iterator[World]:
    """Yield the worlds that are possible for a partition's list of accounts."""
    newer = (True, False) if cluster.version is None else (cluster.version.lists_need_enforcement,)
    enforced = ("associations" in cluster.enforced,) if cluster.tells(ENFORCE) else (True, False)
    yield from (World(*each) for each in product(newer, enforced, _existences(cluster, partition)))


def _existences(cluster: Cluster, partition: Partition) -> tuple[bool, ...]:
    listed = {name.lower() for name in partition.allow_accounts or partition.deny_accounts}
    if listed & cluster.lowered:
        return (True,)
    return (False,) if cluster.knows_accounts else (True, False)


def may_submit(
    cluster: Cluster,
    user: str,
    account: str,
    partition: Partition | None,
    qos: str = "",
    *,
    groups: frozenset[str] | None = None,
    reservation: Reservation | None = None,
) -> Said:
    """Say what becomes of a job that a user submits; an empty account or QOS is one that the job does not name."""
    labelled = may_use_account(cluster, user, account)
    if not labelled.runs:
        return labelled
    label = account if labelled.answer is Answer.ALLOWED and account else default_account(cluster, user)
    quality = may_use_qos(cluster, user, label, qos)
    if not quality.runs:
        return quality
    if reservation is not None and not (used := may_use_reservation(cluster, user, label, reservation)).runs:
        return used
    if partition is None:
        return labelled
    if "associations" in cluster.enforced and not _here(cluster, user, label, partition):
        return Said(Answer.DENIED, f"the association of {user} in {label} is for another partition")
    gate = may_run_in(cluster, label if user_has(cluster, user, label) else "", partition, qos or default_qos(cluster, user, label))
    for said in (may_enter(cluster, user, partition, groups, reservation), gate):
        if not said.runs:
            return said
    return labelled


def user_has(cluster: Cluster, user: str, account: str) -> bool:
    """Tell whether a user has an association in an account. Slurm knows names in lower case only."""
    return any(each.user == user and each.account.lower() == account.lower() for each in cluster.associations)


def _here(cluster: Cluster, user: str, account: str, partition: Partition) -> bool:
    """Tell whether one of the associations of a user in an account is for all partitions, or for this one (man sacctmgr, Partition)."""
    return any(each.partition in ("", partition.name) for each in cluster.rows.get(account, ()) if each.user == user)


def may_use_account(cluster: Cluster, user: str, account: str) -> Said:
    """Say whether a job may carry an account's name.

    Without enforcement it runs all the same, under the user's own where the user has one.
    """
    if not account:
        account = default_account(cluster, user)
    if user_has(cluster, user, account):
        return Said(Answer.ALLOWED, f"{user} has an association in {account}")
    if not cluster.tells(ENFORCE):
        return Said(Answer.UNKNOWN, "what is enforced was not read")
    if "associations" in cluster.enforced:
        return Said(Answer.DENIED, f"associations are enforced, and {user} has none in {account or 'any account'}")
    mine = any(each.user == user for each in cluster.associations)
    return Said(Answer.RELABELLED, "associations are not enforced") if mine else Said(Answer.ALLOWED, "associations are not enforced")


def default_account(cluster: Cluster, user: str) -> str:
    """Return the account under which a user's job runs when it names none of the user's."""
    told = next((each.default_account for each in cluster.users if each.name == user and each.default_account), "")
    return told or next((each.account for each in cluster.associations if each.user == user), "")


def default_qos(cluster: Cluster, user: str, account: str) -> str:
    """Return the QOS of a job that names none: the association's default, else `normal` (man sacctmgr, DefaultQOS)."""
    found = (each.default_qos for each in cluster.associations if each.user == user and each.account == account and each.default_qos)
    return next(found, NORMAL)


def may_use_qos(cluster: Cluster, user: str, account: str, qos: str) -> Said:
    """Say whether a job may ask for a QOS.

    Only with `qos` enforced must it be one of the association's (man slurm.conf, AccountingStorageEnforce).
    """
    if not qos or "qos" not in cluster.enforced:
        return (
            Said(Answer.ALLOWED, "qos is not enforced")
            if not qos or cluster.tells(ENFORCE)
            else Said(Answer.UNKNOWN, "what is enforced was not read")
        )
    mine = [each for each in cluster.rows.get(account, ()) if each.user == user]
    if any(qos in each.qos for each in mine):
        return Said(Answer.ALLOWED, f"QOS {qos} is one of {user}'s")
    if any(not each.qos_told for each in mine):
        return Said(Answer.UNKNOWN, f"the QOS of {user} were not read")
    return Said(Answer.DENIED, f"qos is enforced, and the association of {user} has no QOS {qos}")


def may_use_reservation(cluster: Cluster, user: str, account: str, reservation: Reservation) -> Said:
    """Say whether a reservation is for a job: its users by name, its accounts with all below them, of whatever the job is labelled with.

    slurm src/slurmctld/reservation.c, _valid_job_access_resv: an association is looked for among the accounts up the tree.
    """
    if reservation.groups:
        return Said(Answer.UNKNOWN, f"nobody told who is in {', '.join(reservation.groups)}")
    if any(name.startswith("-") for name in (*reservation.users, *reservation.accounts)):
        return Said(Answer.UNKNOWN, "the reservation leaves some out")
    listed = {name.lower() for name in reservation.accounts}
    by_user = user in reservation.users
    by_account = bool(listed & {name.lower() for name in cluster.above(account)})
    if by_user and by_account:
        return Said(Answer.ALLOWED, f"reservation {reservation.name} names both")
    if (by_user or by_account) and reservation.users and reservation.accounts:
        return Said(Answer.UNKNOWN, f"reservation {reservation.name} names users and accounts, and only one of them fits")
    if by_user or by_account:
        return Said(Answer.ALLOWED, f"reservation {reservation.name} names {user if by_user else account}")
    return Said(Answer.DENIED, f"reservation {reservation.name} is for others")


def may_enter(cluster: Cluster, user: str, partition: Partition, groups: frozenset[str] | None, reservation: Reservation | None) -> Said:
    """Say whether the gates let a user in that do not ask for the account: RootOnly, AllowGroups, ReqResv."""
    if partition.root_only and user != ROOT:
        return Said(Answer.DENIED, "RootOnly is set")
    if partition.needs_reservation and reservation is None:
        return Said(Answer.DENIED, "ReqResv is set")
    if partition.allow_groups and user != ROOT:
        if groups is None:
            return Said(Answer.UNKNOWN, f"nobody told who is in {', '.join(partition.allow_groups)}")
        if not groups & set(partition.allow_groups):
            older = cluster.version is not None and not cluster.version.lists_need_enforcement
            refused = Answer.DENIED if older or cluster.refuses_at_once else Answer.QUEUED
            return Said(refused, f"AllowGroups={','.join(partition.allow_groups)}")
    return Said(Answer.ALLOWED, "no gate is closed")


def may_run_in(cluster: Cluster, account: str, partition: Partition, qos: str = "", user: str = "", possible: Sequence[World] = ()) -> Said:
    """Say whether the partition's lists let an account in, with a QOS or with any that its associations have (or those of one user)."""
    refused = Answer.DENIED if cluster.refuses_at_once else Answer.QUEUED
    gate = account_gate(cluster, account, partition, possible)
    if gate is not Answer.ALLOWED:
        why = (
            f"AllowAccounts={','.join(partition.allow_accounts)}"
            if partition.allow_accounts
            else f"DenyAccounts={','.join(partition.deny_accounts)}"
        )
        return Said(refused if gate is Answer.DENIED else gate, why)
    quality = _quality_gate(cluster, account, partition, qos, user)
    if quality is not Answer.ALLOWED:
        why = f"AllowQos={','.join(partition.allow_qos)}" if partition.allow_qos else f"DenyQos={','.join(partition.deny_qos)}"
        return Said(refused if quality is Answer.DENIED else quality, why)
    return Said(Answer.ALLOWED, "no gate is closed")


def account_gate(cluster: Cluster, account: str, partition: Partition, possible: Sequence[World] = ()) -> Answer:
    """Say whether the list of accounts lets an account in: allowed, denied, or unknown where that depends on what was not read."""
    if not partition.allow_accounts and not partition.deny_accounts:
        return Answer.ALLOWED
    answers = {_listed(cluster, account, partition, world) for world in possible or worlds(cluster, partition)}
    return answers.pop() if len(answers) == 1 else Answer.UNKNOWN


def is_no_list(partition: Partition, world: World) -> bool:
    """Tell whether a list of accounts keeps nobody out: from 23.02 on it needs enforcement, and one name that exists.

    slurm src/slurmctld/partition_mgr.c, part_policy_valid_acct, and src/slurmctld/read_config.c: names without an association are dropped.
    """
    return not (partition.allow_accounts or partition.deny_accounts) or (world.newer and not (world.enforced and world.exists))


def _listed(cluster: Cluster, account: str, partition: Partition, world: World) -> Answer:
    if is_no_list(partition, world):
        return Answer.ALLOWED
    # Where both are written DenyAccounts is ignored (man slurm.conf, AllowAccounts).
    lowered = {name.lower() for name in partition.allow_accounts or partition.deny_accounts}
    mine = {name.lower() for name in (cluster.above(account) if world.newer else (account,))}
    return Answer.ALLOWED if bool(mine & lowered) == bool(partition.allow_accounts) else Answer.DENIED


def _quality_gate(cluster: Cluster, account: str, partition: Partition, qos: str, user: str) -> Answer:
    if not partition.allow_qos and not partition.deny_qos:
        return Answer.ALLOWED
    if qos:
        return _quality(partition, qos)
    if not cluster.tells(ENFORCE):
        return Answer.UNKNOWN
    if "qos" not in cluster.enforced:
        return Answer.ALLOWED  # any QOS may be asked for
    rows = cluster.rows.get(account, ())
    mine = [each for each in rows if (each.user == user if user else each.user)] or rows
    answers = {_quality(partition, name) for each in mine for name in (each.qos or (NORMAL,))}
    if Answer.ALLOWED in answers:
        return Answer.ALLOWED
    return Answer.UNKNOWN if not mine or any(not each.qos_told for each in mine) else Answer.DENIED


def _quality(partition: Partition, qos: str) -> Answer:
    if partition.allow_qos:
        return Answer.ALLOWED if qos in partition.allow_qos else Answer.DENIED
    return Answer.DENIED if qos in partition.deny_qos else Answer.ALLOWED
