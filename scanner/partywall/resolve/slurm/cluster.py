"""One Slurm cluster as its documents tell it: what runs counts before what a file says."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from partywall.model.evidence import Evidence
from partywall.model.facts_slurm import (
    Association,
    Login,
    Partition,
    Qos,
    Reservation,
    Setting,
    SlurmAccount,
    SlurmConfig,
    SlurmUser,
    Source,
    UnixGroup,
)

CONTROLLER = (Source.CONTROLLER, Source.CLIENT, Source.CONTROLLER_FILE)
DATABASE = (Source.DATABASE, Source.DATABASE_FILE)
ENFORCE = "accountingstorageenforce"
PRIVATE = "privatedata"
# CHANGELOG slurm-23.02: AllowAccounts is hierarchical; src/slurmctld/partition_mgr.c of that tag: it is not checked without
# association enforcement.
LISTS_NEED_ENFORCEMENT = (23, 2)
ROOT = "root"


@dataclass(frozen=True, slots=True)
class Version:
    """A release of Slurm, by its year and month."""

    year: int
    month: int

    @property
    def lists_need_enforcement(self) -> bool:
        """Tell whether a list of accounts needs enforcement to count, holds for what is below, and is none where all of it is misspelt."""
        return (self.year, self.month) >= LISTS_NEED_ENFORCEMENT


@dataclass(frozen=True, slots=True, eq=False)
class Cluster:
    """What was read of one cluster. `named_accounts` and its like are those that only the tenancy files name.

    `known` are the accounts that were read, `lowered` the same in lower case, `places` where each is listed, `rows` the
    associations in each; `owners` are the accounts to whose tenant a contract gives a partition, `claimed` those that the tenancy
    files name, read or not.
    """

    scope: str
    settings: Mapping[tuple[Source, str], Setting]
    configs: Mapping[Source, SlurmConfig]
    version: Version | None
    associations: tuple[Association, ...]
    users: tuple[SlurmUser, ...]
    accounts: tuple[SlurmAccount, ...]
    qualities: tuple[Qos, ...]
    partitions: tuple[Partition, ...]
    file_partitions: tuple[Partition, ...]
    partition_facts: Mapping[str, tuple[Partition, ...]]
    association_facts: Mapping[tuple[str, str, str], tuple[Association, ...]]
    reservations: tuple[Reservation, ...]
    groups: Mapping[str, UnixGroup]
    logins: tuple[Login, ...]
    parents: Mapping[str, str]
    children: Mapping[str, tuple[str, ...]]
    named_accounts: Mapping[str, Evidence]
    named_partitions: Mapping[str, Evidence]
    named_users: Mapping[str, Evidence]
    listed: Mapping[str, Evidence]
    known: frozenset[str]
    lowered: frozenset[str]
    places: Mapping[str, Evidence]
    rows: Mapping[str, tuple[Association, ...]]
    owners: Mapping[str, tuple[str, ...]]
    claimed: frozenset[str]

    @property
    def name(self) -> str:
        """Return the cluster's own name."""
        return self.scope.rsplit("/", 1)[-1]

    def setting(self, key: str, sources: Iterable[Source] = CONTROLLER) -> Setting | None:
        """Return a setting as it is in force: what the tool printed, else what the file says."""
        return next((found for source in sources if (found := self.settings.get((source, key))) is not None), None)

    def config(self, sources: Iterable[Source] = CONTROLLER) -> SlurmConfig | None:
        """Return the configuration that is in force, if the whole of any was read."""
        return next((self.configs[source] for source in sources if source in self.configs), None)

    def tells(self, key: str, sources: Iterable[Source] = CONTROLLER) -> bool:
        """Tell whether a setting is known: it was read, or a whole configuration was that does not have it."""
        return self.setting(key, sources) is not None or self.config(sources) is not None

    def place(self, key: str, sources: tuple[Source, ...] = CONTROLLER) -> Evidence | None:
        """Return where a setting stands, or would stand."""
        found, config = self.setting(key, sources), self.config(sources)
        return found.at if found else config.at if config else None

    def words(self, key: str, sources: tuple[Source, ...] = CONTROLLER) -> frozenset[str]:
        """Return the words of a setting; none for one that is unset."""
        found = self.setting(key, sources)
        return words_of(found.value) if found else frozenset()

    @property
    def enforced(self) -> frozenset[str]:
        """Return what accounting enforces.

        `limits`, `qos`, `safe` and `wckeys` bring `associations` with them (man slurm.conf, AccountingStorageEnforce).
        """
        told = self.words(ENFORCE)
        if "all" in told or "1" in told:
            told |= {"associations", "limits", "qos", "wckeys"}
        if told & {"limits", "qos", "safe", "wckeys"}:
            told |= {"associations"}
        return told | {"limits"} if "safe" in told else told

    @property
    def refuses_at_once(self) -> bool:
        """Tell whether a job that a partition does not let in is refused; without EnforcePartLimits it waits for ever (man slurm.conf)."""
        return bool(self.words("enforcepartlimits") & {"all", "any", "yes"})

    @property
    def is_narrow(self) -> bool:
        """Tell whether the listings show what a plain user or coordinator sees of a cluster that hides the others, without any error.

        Root's association is always there (man sacctmgr, add cluster); where it is not shown, neither may those of others be.
        """
        users = {each.user for each in self.associations if each.user} or {each.name for each in self.users}
        if not users or ROOT in users:
            return False
        return len(users) == 1 or bool(self.words(PRIVATE, DATABASE) & {"users", "accounts", "all"})

    @property
    def knows_accounts(self) -> bool:
        """Tell whether the accounts that exist are known: a whole listing was read."""
        return ("SlurmAssociation" in self.listed or "SlurmAccount" in self.listed) and not self.is_narrow

    def above(self, account: str) -> Iterator[str]:
        """Yield an account and those above it. A circle ends it."""
        seen: set[str] = set()
        while account and account not in seen:
            yield account
            seen.add(account)
            account = self.parents.get(account, "")

    def below(self, account: str) -> Iterator[str]:
        """Yield an account and all below it. A circle ends it."""
        seen: set[str] = set()
        waiting = [account]
        while waiting:
            name = waiting.pop(0)
            if name not in seen:
                seen.add(name)
                yield name
                waiting += self.children.get(name, ())

    @property
    def unplaced(self) -> tuple[str, ...]:
        """Return the accounts of which nothing says what is above them."""
        return tuple(sorted(name for name in self.known if name != ROOT and name not in self.parents))

    def where(self, account: str) -> Evidence | None:
        """Return where an account is listed."""
        return self.places.get(account) or self.named_accounts.get(account)

    @property
    def any_place(self) -> Evidence | None:
        """Return some place that speaks of this cluster."""
        for facts in (self.associations, self.partitions, self.users, self.accounts, self.configs.values(), self.settings.values()):
            for fact in facts:
                return fact.at
        return None


def words_of(text: str) -> frozenset[str]:
    """Return the words of a value in lower case; what stands for nothing is none."""
    return frozenset(word.strip() for word in text.lower().split(",")) - {"", "none", "(null)", "n/a", "no"}


def version_of(text: str) -> Version | None:
    """Return the release that a version text names."""
    match = re.match(r"(?:slurm(?:-wlm)?[ -])?(\d+)\.(\d+)", text)
    return Version(int(match[1]), int(match[2])) if match else None
