"""What `--json` and slurmrestd print of accounting and partitions, from data_parser v0.0.38 (22.05) to v0.0.45 (26.05).

The shapes differ by version (Slurm documentation, "REST API" and "OpenAPI plugin release notes"): lists or comma texts, 1 or
true, plain numbers or {set, infinite, number}, flat or nested names of a partition. What is not told is not taken for its default.
"""

from collections.abc import Iterator, Mapping, Sequence

from partywall.model.document import Document, Gap
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact, Listed
from partywall.model.facts_slurm import (
    Association,
    Partition,
    Qos,
    Reservation,
    Setting,
    SlurmAccount,
    SlurmConfig,
    SlurmRelease,
    SlurmUser,
    Source,
)
from partywall.parse.slurm_hosts import hosts
from partywall.parse.slurm_records import listed
from partywall.parse.slurm_tables import nothing, saw_all, unreadable, words

Parsed = Iterator[Fact | Gap]
Object = Mapping[str, Json]
_EMPTY: Object = {}
# data_parser v0.0.38 (22.05) writes flags in its own words.
_FLAGS: Mapping[str, str] = {"RESERVATION_REQUIRED": "REQ_RESV"}


def rows(document: Document, *keys: str) -> Iterator[tuple[Object, Evidence] | Gap]:
    """Yield the objects of the array under one of the keys, with their place."""
    value = document.value if isinstance(document.value, Mapping) else _EMPTY
    key = next((key for key in keys if key in value), keys[0])
    found = value.get(key)
    if not isinstance(found, Sequence) or isinstance(found, str):
        yield unreadable(document, f"{document.name} holds no array `{key}`", document.at())
        return
    if not found and value.get("errors"):
        yield unreadable(document, f"{document.name} holds nothing but errors", document.at("/errors"))
        return
    for number, row in enumerate(found):
        at = document.at(f"/{key}/{number}")
        yield (
            (row, at)
            if isinstance(row, Mapping)
            else unreadable(document, f"{document.name} holds something in `{key}` that is no object", at)
        )


def release(document: Document) -> Parsed:
    """Yield the version of the Slurm that answered."""
    told = _at(document.value, "meta", "slurm", "release") or _at(document.value, "meta", "Slurm", "release")
    if isinstance(told, str) and told:
        yield SlurmRelease(document.origin.cluster, told, document.at("/meta"))


def associations(document: Document) -> Parsed:
    """Yield the associations."""
    yield from release(document)
    seen, unread = [], False
    for found in rows(document, "associations"):
        if isinstance(found, Gap):
            unread = True
            yield found
            continue
        row, at = found
        seen.append(_text(row, "user"))
        parent, qos = _text(row, "parent_account"), _text(row, "default", "qos")
        steps = [step for step in _text(row, "lineage").split("/") if step]
        if not parent and not seen[-1] and steps:
            parent = steps[-2] if len(steps) > 1 else "root"
        yield Association(
            document.origin.cluster,
            _text(row, "account"),
            seen[-1],
            _text(row, "partition"),
            parent,
            _names(row, "qos"),
            _limits(row),
            at,
            qos,
            "qos" in row,
        )
    if not unread and saw_all(seen):
        yield Listed("SlurmAssociation", document.origin.cluster, document.at("/associations"))
    if not unread and not seen:
        yield nothing(document)


def users(document: Document) -> Parsed:
    """Yield the users.

    Their associations are told in short, without QOS, and only where they were asked for; so are the accounts they
    coordinate.
    """
    yield from release(document)
    cluster, seen, unread = document.origin.cluster, [], False
    for found in rows(document, "users"):
        if isinstance(found, Gap):
            unread = True
            yield found
            continue
        row, at = found
        name, levels = _text(row, "name"), _names(row, "administrator_level")
        seen.append(name)
        yield SlurmUser(cluster, name, levels[0] if levels else "", _coordinated(row), _text(row, "default", "account"), at)
        for number, each in enumerate(_objects(row, "associations")):
            place = at.below("associations", number)
            yield Association(cluster, _text(each, "account"), name, _text(each, "partition"), "", (), {}, place, qos_told=False)
    if not unread and saw_all(seen):
        yield Listed("SlurmUser", cluster, document.at("/users"))
    if not unread and not seen:
        yield nothing(document)


def accounts(document: Document) -> Parsed:
    """Yield the accounts, their coordinators and flags."""
    yield from release(document)
    cluster, unread, any_row = document.origin.cluster, False, False
    for found in rows(document, "accounts"):
        if isinstance(found, Gap):
            unread = True
            yield found
            continue
        any_row = True
        row, at = found
        yield SlurmAccount(cluster, _text(row, "name"), _coordinated(row), _names(row, "flags"), at)
    if any_row and not unread:
        yield Listed("SlurmAccount", cluster, document.at("/accounts"))
    if not any_row and not unread:
        yield nothing(document)


def qualities(document: Document) -> Parsed:
    """Yield the qualities of service."""
    yield from release(document)
    unread = False
    for found in rows(document, "qos", "QOS"):
        if isinstance(found, Gap):
            unread = True
            yield found
            continue
        row, at = found
        mode = ",".join(_names(row, "preempt", "mode")).lower()
        inner = _at(row, "limits")
        limits = _limits(inner) if isinstance(inner, Mapping) else {}
        yield Qos(document.origin.cluster, _text(row, "name"), _names(row, "preempt", "list"), mode, limits, at)
    if not unread:
        yield Listed("SlurmQos", document.origin.cluster, document.at())


def whole_database(document: Document) -> Parsed:
    """Yield what slurmrestd prints of all of accounting in one answer (`/slurmdb/VERSION/config`)."""
    yield from release(document)
    for parser in (associations, users, accounts, qualities):
        yield from (found for found in parser(document) if not isinstance(found, SlurmRelease))


def partitions(document: Document) -> Parsed:
    """Yield the partitions. Up to v0.0.44 the nested form tells no flags: RootOnly, ReqResv and Hidden are then not known."""
    yield from release(document)
    unread = False
    for found in rows(document, "partitions"):
        if isinstance(found, Gap):
            unread = True
            yield found
        else:
            yield _partition(document.origin.cluster, *found)
    if not unread:
        yield Listed("SlurmPartition", document.origin.cluster, document.at("/partitions"))


def _partition(cluster: str, row: Object, at: Evidence) -> Partition:
    flags = {_FLAGS.get(flag.upper(), flag.upper()) for flag in _names(row, "flags")}
    nodes = _text(row, "nodes", "configured") or _text(row, "nodes")
    return Partition(
        cluster=cluster,
        name=_text(row, "name"),
        allow_accounts=listed(_text(row, "accounts", "allowed") or _text(row, "allowed_accounts")),
        deny_accounts=listed(_text(row, "accounts", "deny") or _text(row, "denied_accounts")),
        allow_groups=listed(_text(row, "groups", "allowed") or _text(row, "allowed_groups")),
        allow_qos=listed(_text(row, "qos", "allowed") or _text(row, "allowed_qos")),
        deny_qos=listed(_text(row, "qos", "deny") or _text(row, "denied_qos")),
        nodes=hosts(nodes),
        qos=_text(row, "qos", "assigned") or _text(row, "qos"),
        is_default="DEFAULT" in flags,
        hidden="HIDDEN" in flags,
        root_only="ROOT_ONLY" in flags,
        needs_reservation="REQ_RESV" in flags,
        exclusive_user="USER" in _text(row, "partition", "exclusive").upper() or "EXCLUSIVE_USER" in flags,
        effective=True,
        at=at,
        flags_told="flags" in row,
    )


def reservations(document: Document) -> Parsed:
    """Yield the reservations."""
    yield from release(document)
    unread = False
    for found in rows(document, "reservations"):
        if isinstance(found, Gap):
            unread = True
            yield found
            continue
        row, at = found
        who = (listed(_text(row, "users")), listed(_text(row, "accounts")))
        yield Reservation(
            document.origin.cluster, _text(row, "name"), *who, hosts(_text(row, "node_list")), at, listed(_text(row, "groups"))
        )
    if not unread:
        yield Listed("SlurmReservation", document.origin.cluster, document.at("/reservations"))


def config(document: Document) -> Parsed:
    """Yield the settings of `scontrol show config --json` (26.05 and later)."""
    cluster = document.origin.cluster
    told = _at(document.value, "slurm_conf")
    if not isinstance(told, Mapping):
        yield unreadable(document, f"{document.name} holds no object `slurm_conf`", document.at())
        return
    version = _at(document.value, "meta", "slurm", "release") or _at(document.value, "slurm_conf_meta", "SLURM_VERSION")
    yield SlurmConfig(cluster, Source.CONTROLLER, version if isinstance(version, str) else "", document.at("/slurm_conf"))
    for key in told:
        if not isinstance(told[key], Mapping):
            yield Setting(cluster, Source.CONTROLLER, key.lower(), ",".join(_names(told, key)), document.at("/slurm_conf").below(key))


def database_config(document: Document) -> Parsed:
    """Yield the settings of `sacctmgr show config --json`. It leaves PrivateData out (26.05), so that it is no whole configuration."""
    yield from release(document)
    cluster, told = document.origin.cluster, _at(document.value, "slurmdbd_conf")
    if not isinstance(told, Mapping):
        yield unreadable(document, f"{document.name} holds no object `slurmdbd_conf`", document.at())
        return
    for key in told:
        if not isinstance(told[key], Mapping):
            yield Setting(cluster, Source.DATABASE, key.lower(), ",".join(_names(told, key)), document.at("/slurmdbd_conf").below(key))


def refused(document: Document) -> Parsed:
    """Return the gap of an answer that holds errors and nothing else, as slurmrestd gives it to those who may not ask."""
    told = next(
        (_text(each, "error") or _text(each, "description") for each in _objects({"errors": _at(document.value, "errors")}, "errors")), ""
    )
    yield unreadable(document, f"{document.name} holds nothing but errors: {told or 'no text'}", document.at("/errors"))


def _at(value: Json, *steps: str) -> Json:
    for step in steps:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _text(row: Object, *steps: str) -> str:
    found = _at(row, *steps)
    return found if isinstance(found, str) else ""


def _names(row: Object, *steps: str) -> tuple[str, ...]:
    found = _at(row, *steps)
    if isinstance(found, str):
        return words(found)
    if isinstance(found, Sequence):
        return tuple(str(each) for each in found if isinstance(each, str | int))
    return () if found is None or isinstance(found, Mapping) else (str(found),)


def _objects(row: Object, *steps: str) -> Iterator[Object]:
    found = _at(row, *steps)
    if isinstance(found, Sequence) and not isinstance(found, str):
        yield from (each for each in found if isinstance(each, Mapping))


def _coordinated(row: Object) -> tuple[str, ...]:
    """Return the other ends of `coordinators`, without those that are only inherited."""
    return tuple(_text(each, "name") for each in _objects(row, "coordinators") if each.get("direct", True))


def _limits(row: Object) -> Mapping[str, str]:
    """Return the limits on what all jobs together take: data_parser writes GrpTRES as `max.tres.total`."""
    told = [
        f"{_text(each, 'type')}{'/' * bool(_text(each, 'name'))}{_text(each, 'name')}={each.get('count')}"
        for each in _objects(row, "max", "tres", "total")
    ]
    return {"GrpTRES": ",".join(told)} if told else {}
