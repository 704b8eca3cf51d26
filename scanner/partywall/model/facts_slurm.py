"""What Slurm says. `cluster` is the canonical scope `account/region/name`."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from partywall.model.evidence import Evidence


class Source(StrEnum):
    """Which configuration a document holds, and whether it is what runs or only what a file says."""

    CONTROLLER = "scontrol show config"
    CONTROLLER_FILE = "slurm.conf"
    CLIENT = "sacctmgr show config, of slurm.conf"
    DATABASE = "sacctmgr show config"
    DATABASE_FILE = "slurmdbd.conf"
    CGROUP_FILE = "cgroup.conf"


@dataclass(frozen=True, slots=True)
class Setting:
    """One key of a configuration. Keys are in lower case: Slurm ignores their case (man slurm.conf)."""

    cluster: str
    source: Source
    key: str
    value: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class SlurmConfig:
    """A configuration was read: a key that is not among its settings has its default."""

    cluster: str
    source: Source
    version: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class SlurmRelease:
    """An answer says which Slurm gave it."""

    cluster: str
    version: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class Included:
    """A configuration file names another one by `Include`."""

    cluster: str
    path: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class Association:
    """A row of `sacctmgr show assoc`: `user` is empty for the account itself, `partition` for all partitions. Empty `parent`: not said.

    `parent` is the account's parent, on the row of a user too. `qos_told` is false where the answer does not hold the effective list.
    """

    cluster: str
    account: str
    user: str
    partition: str
    parent: str
    qos: tuple[str, ...]
    limits: Mapping[str, str]
    at: Evidence
    default_qos: str = ""
    qos_told: bool = True


@dataclass(frozen=True, slots=True)
class SlurmUser:
    """A user of the accounting database; `admin` is None, Operator or Administrator, and empty where the listing does not say."""

    cluster: str
    name: str
    admin: str
    coordinates: tuple[str, ...]
    default_account: str
    at: Evidence


@dataclass(frozen=True, slots=True)
class SlurmAccount:
    """An account of the accounting database."""

    cluster: str
    name: str
    coordinators: tuple[str, ...]
    flags: tuple[str, ...]
    at: Evidence


@dataclass(frozen=True, slots=True)
class Qos:
    """A quality of service and what it may preempt."""

    cluster: str
    name: str
    preempts: tuple[str, ...]
    preempt_mode: str
    limits: Mapping[str, str]
    at: Evidence


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition's gates.

    An empty list is no list: everybody. `effective` says that the controller told, not a file; `nodes` are host names, expanded.
    """

    cluster: str
    name: str
    allow_accounts: tuple[str, ...]
    deny_accounts: tuple[str, ...]
    allow_groups: tuple[str, ...]
    allow_qos: tuple[str, ...]
    deny_qos: tuple[str, ...]
    nodes: tuple[str, ...]
    qos: str
    is_default: bool
    hidden: bool
    root_only: bool
    needs_reservation: bool
    exclusive_user: bool
    effective: bool
    at: Evidence
    flags_told: bool = True
    written: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PartitionDefaults:
    """A line `PartitionName=DEFAULT` of a file: its keys hold for the partitions that follow, in included files too."""

    cluster: str
    values: Partition
    at: Evidence


@dataclass(frozen=True, slots=True)
class Reservation:
    """A reservation and whom it is for."""

    cluster: str
    name: str
    users: tuple[str, ...]
    accounts: tuple[str, ...]
    nodes: tuple[str, ...]
    at: Evidence
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnixGroup:
    """A row of `getent group`: the members that the group itself names. Those who have it as their first group stand in `getent passwd`."""

    cluster: str
    name: str
    number: str
    members: tuple[str, ...]
    at: Evidence


@dataclass(frozen=True, slots=True)
class Login:
    """A row of `getent passwd`: a user of the system and the user's first group."""

    cluster: str
    name: str
    group: str
    at: Evidence
