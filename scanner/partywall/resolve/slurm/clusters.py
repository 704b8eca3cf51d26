"""The Slurm clusters of an estate, each put together from the facts that speak of it."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TypeVar

from partywall.model.evidence import Evidence
from partywall.model.facts import Facts, Listed, Named
from partywall.model.facts_slurm import (
    Association,
    Included,
    Login,
    Partition,
    PartitionDefaults,
    Qos,
    Reservation,
    Setting,
    SlurmAccount,
    SlurmConfig,
    SlurmRelease,
    SlurmUser,
    Source,
    UnixGroup,
)
from partywall.model.node import Kind
from partywall.model.tenancy import Contract, Status
from partywall.resolve.slurm.cluster import Cluster, Version, version_of

T = TypeVar("T")
K = TypeVar("K")


def clusters(facts: Facts) -> list[Cluster]:
    """Return every Slurm cluster of which something was read, in order."""
    speaks = (SlurmConfig, Setting, Association, SlurmUser, SlurmAccount, Qos, Partition, Reservation)
    scopes: dict[str, None] = {}
    for kind in speaks:
        scopes |= dict.fromkeys(fact.cluster for fact in facts.of(kind) if isinstance(fact, speaks))
    return [_cluster(facts, scope) for scope in scopes]


def _cluster(facts: Facts, scope: str) -> Cluster:
    associations = tuple(fact for fact in facts.of(Association) if fact.cluster == scope)
    partitions = tuple(_with_defaults(facts, scope))
    configs = first((fact.source, fact) for fact in facts.of(SlurmConfig) if fact.cluster == scope)
    parents = _parents(associations)
    known_users = {each.user for each in associations} | {fact.name for fact in facts.of(SlurmUser) if fact.cluster == scope}
    accounts = tuple(fact for fact in facts.of(SlurmAccount) if fact.cluster == scope and fact.name)
    once = _once(associations)
    known = frozenset((*(each.account for each in once), *(each.name for each in accounts), *parents.values())) - {""}
    return Cluster(
        scope=scope,
        settings=_settings(facts, scope),
        configs=configs,
        version=_version(facts, scope),
        associations=once,
        users=tuple(fact for fact in facts.of(SlurmUser) if fact.cluster == scope and fact.name),
        accounts=accounts,
        qualities=_qualities(fact for fact in facts.of(Qos) if fact.cluster == scope),
        partitions=_partitions(partitions),
        file_partitions=tuple(each for each in partitions if not each.effective),
        partition_facts=_grouped((each.name, each) for each in partitions),
        association_facts=_grouped(((each.account, each.user, each.partition), each) for each in associations),
        reservations=tuple(first((fact.name, fact) for fact in facts.of(Reservation) if fact.cluster == scope).values()),
        groups={fact.name: fact for fact in facts.of(UnixGroup) if fact.cluster == scope},
        logins=tuple(fact for fact in facts.of(Login) if fact.cluster == scope),
        parents=parents,
        children=_grouped((parent, name) for name, parent in parents.items()),
        named_accounts=_named(facts, scope, Kind.SLURM_ACCOUNT, known),
        named_partitions=_named(facts, scope, Kind.PARTITION, {each.name for each in partitions}),
        named_users=_named(facts, scope, Kind.OS_USER, known_users),
        listed={fact.kind: fact.at for fact in facts.of(Listed) if fact.scope == scope},
        known=known,
        lowered=frozenset(name.lower() for name in known),
        places=first((*((each.account, each.at) for each in once if not each.user), *((each.name, each.at) for each in accounts))),
        rows=_grouped((each.account, each) for each in once),
        owners=_owners(facts, scope),
        claimed=frozenset(_named(facts, scope, Kind.SLURM_ACCOUNT, frozenset())),
    )


def _owners(facts: Facts, scope: str) -> Mapping[str, tuple[str, ...]]:
    """Return the accounts of the tenant to which an approved contract gives a partition."""
    found: list[tuple[str, str]] = []
    for contract in facts.of(Contract):
        if contract.status is Status.APPROVED and contract.cluster == scope:
            found += [
                (name, account) for name in texts_of(contract, "slurm_partitions") for account in texts_of(contract, "slurm_accounts")
            ]
    return _grouped(found)


def texts_of(contract: Contract, key: str) -> tuple[str, ...]:
    """Return the names that a contract's scope lists under a key."""
    scope = contract.fields.get("scope")
    told = scope.get(key, ()) if isinstance(scope, Mapping) else ()
    return tuple(map(str, told)) if isinstance(told, list | tuple) else ()


def _named(facts: Facts, scope: str, kind: Kind, known: Set[str]) -> Mapping[str, Evidence]:
    found = (each for each in facts.of(Named) if each.node.kind is kind and each.node.scope == scope)
    return {each.node.name: each.at for each in found if each.node.name not in known}


def _version(facts: Facts, scope: str) -> Version | None:
    """Return the version: what the controller says, else what any other answer of the cluster does."""
    told = [fact for fact in facts.of(SlurmConfig) if fact.cluster == scope and fact.version]
    texts = [fact.version for fact in sorted(told, key=lambda fact: fact.source is not Source.CONTROLLER)]
    texts += [fact.version for fact in facts.of(SlurmRelease) if fact.cluster == scope]
    return next((version for text in texts if (version := version_of(text)) is not None), None)


def _settings(facts: Facts, scope: str) -> Mapping[tuple[Source, str], Setting]:
    """Return the settings by source and key.

    Of a key that a file and those it includes set several times the last one wins (man slurm.conf).
    """
    included = _included(facts, scope)
    found: dict[tuple[Source, str], Setting] = {}
    for each in sorted((fact for fact in facts.of(Setting) if fact.cluster == scope), key=lambda fact: _order(fact.at, included)):
        found[each.source, each.key] = each
    return found


def _order(at: Evidence, included: Mapping[str, Included]) -> tuple[int, ...]:
    """Return the place of a line among all lines of a file with its includes read in place."""
    steps = [_line(at)]
    seen: set[str] = set()
    while (inside := included.get(PurePosixPath(at.document).name)) is not None and at.document not in seen:
        seen.add(at.document)
        at = inside.at
        steps.insert(0, _line(at))
    return tuple(steps)


# The gates that a line `PartitionName=DEFAULT` may set, by the key that does (man slurm.conf, PartitionName).
_DEFAULTED = {
    "allowaccounts": "allow_accounts",
    "denyaccounts": "deny_accounts",
    "allowgroups": "allow_groups",
    "allowqos": "allow_qos",
    "denyqos": "deny_qos",
    "nodes": "nodes",
    "rootonly": "root_only",
    "reqresv": "needs_reservation",
    "hidden": "hidden",
    "exclusiveuser": "exclusive_user",
}


def _with_defaults(facts: Facts, scope: str) -> Iterator[Partition]:
    """Yield the partitions; those of a file with the defaults that other files set before it was included."""
    included = _included(facts, scope)
    defaults = sorted((fact for fact in facts.of(PartitionDefaults) if fact.cluster == scope), key=lambda fact: _order(fact.at, included))
    for each in (fact for fact in facts.of(Partition) if fact.cluster == scope):
        place = _order(each.at, included)
        before = [fact for fact in defaults if fact.at.document != each.at.document and _order(fact.at, included) < place]
        yield each if each.effective or not before else _defaulted(each, before)


def _defaulted(each: Partition, before: Iterable[PartitionDefaults]) -> Partition:
    values = {_DEFAULTED[key]: getattr(fact.values, _DEFAULTED[key]) for fact in before for key in _DEFAULTED if key in fact.values.written}
    own = {_DEFAULTED[key] for key in _DEFAULTED if key in each.written}
    return replace(each, **{name: value for name, value in values.items() if name not in own})


def _included(facts: Facts, scope: str) -> Mapping[str, Included]:
    return {PurePosixPath(each.path).name: each for each in facts.of(Included) if each.cluster == scope}


def _line(at: Evidence) -> int:
    digits = at.pointer.removeprefix("L")
    return int(digits) if digits.isdecimal() else 0


def _parents(associations: Iterable[Association]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for each in associations:
        if each.account and each.parent and (each.account not in found or not each.user):
            found[each.account] = each.parent
    return found


def _once(associations: Iterable[Association]) -> tuple[Association, ...]:
    """Keep one of the rows that several listings give of the same association: the one that says most."""
    best: dict[tuple[str, str, str], Association] = {}
    for each in associations:
        key = (each.account, each.user, each.partition)
        known = best.get(key)
        if known is None or _weight(each) > _weight(known):
            best[key] = each
    return tuple(best.values())


def _weight(each: Association) -> tuple[bool, int, int]:
    return (each.qos_told, len(each.qos), len(each.limits))


def _qualities(found: Iterable[Qos]) -> tuple[Qos, ...]:
    best: dict[str, Qos] = {}
    for each in found:
        if each.name not in best or len(each.preempts) > len(best[each.name].preempts):
            best[each.name] = each
    return tuple(best.values())


def _partitions(found: tuple[Partition, ...]) -> tuple[Partition, ...]:
    """Keep the partitions that run, those that tell their flags first; those of a file only where the controller was not asked."""
    running = sorted((each for each in found if each.effective), key=lambda each: not each.flags_told)
    kept: dict[str, Partition] = {}
    for each in running:
        kept.setdefault(each.name, each)
    return tuple(kept.values()) or tuple({each.name: each for each in found}.values())


def _grouped(pairs: Iterable[tuple[K, T]]) -> Mapping[K, tuple[T, ...]]:
    found: dict[K, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in found.items()}


SYSTEM_USERS = frozenset({"root", "slurm"})


def without_association(cluster: Cluster) -> Mapping[str, Evidence]:
    """Return the users who have no association; nobody's, where the associations were not listed."""
    if "SlurmAssociation" not in cluster.listed or cluster.is_narrow:
        return {}
    members = {each.user for each in cluster.associations} | SYSTEM_USERS
    known = first((*((each.name, each.at) for each in cluster.users), *cluster.named_users.items()))
    return {name: at for name, at in known.items() if name not in members}


def first(pairs: Iterable[tuple[K, T]]) -> Mapping[K, T]:
    """Return the first value of each key, in order."""
    found: dict[K, T] = {}
    for key, value in pairs:
        found.setdefault(key, value)
    return found


def below_of(cluster: Cluster, names: Iterable[str]) -> Iterator[str]:
    """Yield the accounts of several branches, each once."""
    yield from dict.fromkeys(name for each in names for name in cluster.below(each))
