"""`scontrol show partition|reservation` and the lines of slurm.conf: records of `Key=value` words.

Both speak of partitions: the tool of those that run, the file of those that will after the next reconfigure.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from partywall.model.document import Document, Gap
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact, Listed
from partywall.model.facts_slurm import Included, Partition, PartitionDefaults, Reservation, Setting, SlurmConfig, SlurmRelease, Source
from partywall.parse.slurm_hosts import hosts
from partywall.parse.slurm_tables import lines_of, words

Parsed = Iterator[Fact | Gap]
Words = Mapping[str, str]
_WORD = re.compile(r"([A-Za-z][A-Za-z0-9_]*)=(\"[^\"]*\"|\S*)")
NOTHING = frozenset({"", "(null)", "n/a", "none", "all"})


def listed(text: str) -> tuple[str, ...]:
    """Return the names of a comma list; `ALL`, `(null)` and the like are no list."""
    return () if text.strip().lower() in NOTHING else words(text)


def yes(text: str) -> bool:
    """Tell whether a setting is on: Slurm writes YES, yes, Yes and 1."""
    return text.strip().lower() in ("yes", "true", "1")


def records(lines: Sequence[str], begins: str) -> Iterator[tuple[Words, int]]:
    """Yield the records of `scontrol show`, in one line each or in several, with the number of their first line.

    An empty line ends a record.
    """
    at, text = 0, ""
    for number, line in enumerate(lines, start=1):
        if line.startswith(f"{begins}="):
            if text:
                yield keys(text), at
            at, text = number, line
        elif text and line.strip():
            text += f" {line.strip()}"
        elif text:
            yield keys(text), at
            text = ""
    if text:
        yield keys(text), at


def keys(text: str) -> Words:
    """Return the words of a record by their key in lower case; the last one wins."""
    return {match[1].lower(): match[2].strip('"') for match in _WORD.finditer(text)}


def shown_partitions(document: Document) -> Parsed:
    """Yield the partitions that run."""
    for record, number in records(lines_of(document), "PartitionName"):
        yield partition(document.origin.cluster, record, document.at(f"L{number}"), effective=True)
    yield Listed("SlurmPartition", document.origin.cluster, document.at("L1"))


def partition(cluster: str, record: Words, at: Evidence, *, effective: bool) -> Partition:
    """Return a partition. Where both are written, DenyAccounts is ignored (man slurm.conf, AllowAccounts)."""
    return Partition(
        cluster=cluster,
        name=record.get("partitionname", ""),
        allow_accounts=listed(record.get("allowaccounts", "")),
        deny_accounts=listed(record.get("denyaccounts", "")),
        allow_groups=listed(record.get("allowgroups", "")),
        allow_qos=listed(record.get("allowqos", "")),
        deny_qos=listed(record.get("denyqos", "")),
        nodes=hosts(record.get("nodes", "")),
        qos="" if record.get("qos", "").lower() in NOTHING else record["qos"],
        is_default=yes(record.get("default", "")),
        hidden=yes(record.get("hidden", "")),
        root_only=yes(record.get("rootonly", "")),
        needs_reservation=yes(record.get("reqresv", "")),
        exclusive_user=yes(record.get("exclusiveuser", "")) or record.get("exclusive", "").lower() == "user",
        effective=effective,
        at=at,
        written=frozenset() if effective else frozenset(record),
    )


def reservations(document: Document) -> Parsed:
    """Yield the reservations."""
    for record, number in records(lines_of(document), "ReservationName"):
        users, accounts, groups = (listed(record.get(key, "")) for key in ("users", "accounts", "groups"))
        nodes = hosts(record.get("nodes", ""))
        yield Reservation(
            document.origin.cluster, record.get("reservationname", ""), users, accounts, nodes, document.at(f"L{number}"), groups
        )
    yield Listed("SlurmReservation", document.origin.cluster, document.at("L1"))


def shown_config(document: Document) -> Parsed:
    """Yield the settings that `scontrol show config` prints."""
    yield from _printed(document, Source.CONTROLLER, lines_of(document), 1)


def database_config(document: Document) -> Parsed:
    """Yield what `sacctmgr show config` prints.

    Of slurm.conf as its client reads it (some keys only), and of slurmdbd behind its own heading.
    """
    lines = lines_of(document)
    begin = next((number for number, line in enumerate(lines) if line.startswith("SlurmDBD configuration")), len(lines))
    told = tuple(_settings_of(document, Source.CLIENT, lines[:begin], 1))
    version = next((each.value for each in told if each.key == "slurm_version"), "")
    if version:
        yield SlurmRelease(document.origin.cluster, version, document.at("L1"))
    yield from told
    if begin < len(lines):
        yield from _printed(document, Source.DATABASE, lines[begin:], begin + 1)


def _settings_of(document: Document, source: Source, lines: Sequence[str], first: int) -> Iterator[Setting]:
    for number, line in enumerate(lines, start=first):
        key, equals, value = line.partition("=")
        if equals and re.fullmatch(r"\s*[A-Za-z][A-Za-z0-9_\[\]]*\s*", key):
            yield Setting(document.origin.cluster, source, key.strip().lower(), value.strip(), document.at(f"L{number}"))


def _printed(document: Document, source: Source, lines: Sequence[str], first: int) -> Parsed:
    found = tuple(_settings_of(document, source, lines, first))
    version = next((each.value for each in found if each.key == "slurm_version"), "")
    yield SlurmConfig(document.origin.cluster, source, version, document.at(f"L{first}"))
    yield from found


def conf_file(document: Document) -> Parsed:
    """Yield the settings, partitions and includes of slurm.conf.

    Keys in any case, a backslash continues a line, `PartitionName=DEFAULT` gives defaults to later lines.
    """
    cluster = document.origin.cluster
    yield SlurmConfig(cluster, Source.CONTROLLER_FILE, "", document.at("L1"))
    defaults: dict[str, str] = {}
    for line, number in continued(lines_of(document)):
        at = document.at(f"L{number}")
        if line.lower().startswith("include "):
            yield Included(cluster, line.split(None, 1)[1].strip(), at)
            continue
        record = dict(keys(line))
        if record.get("partitionname", "").upper() == "DEFAULT":
            defaults |= record
            yield PartitionDefaults(cluster, partition(cluster, record, at, effective=False), at)
        elif "partitionname" in record:
            yield partition(cluster, {**defaults, **record}, at, effective=False)
        elif not {"nodename", "downnodes", "frontendname", "nodeset"} & set(record):
            yield from _settings(cluster, Source.CONTROLLER_FILE, line, at)


def dbd_file(document: Document) -> Parsed:
    """Yield the settings of slurmdbd.conf."""
    yield from _file(document, Source.DATABASE_FILE)


def cgroup_file(document: Document) -> Parsed:
    """Yield the settings of cgroup.conf."""
    yield from _file(document, Source.CGROUP_FILE)


def _file(document: Document, source: Source) -> Parsed:
    yield SlurmConfig(document.origin.cluster, source, "", document.at("L1"))
    for line, number in continued(lines_of(document)):
        yield from _settings(document.origin.cluster, source, line, document.at(f"L{number}"))


def _settings(cluster: str, source: Source, line: str, at: Evidence) -> Iterator[Setting]:
    key, equals, value = line.partition("=")
    if equals:
        yield Setting(cluster, source, key.strip().lower(), value.strip().strip('"'), at)


def continued(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the lines of a configuration file without comments, those that end in a backslash joined, with the number of the first."""
    text, begin = "", 0
    for number, line in enumerate(lines, start=1):
        piece = re.sub(r"(?<!\\)#.*", "", line).rstrip()
        if not text:
            begin = number
        if piece.endswith("\\"):
            text += piece[:-1] + " "
            continue
        text += piece
        if text.strip():
            yield text.strip(), begin
        text = ""
    if text.strip():
        yield text.strip(), begin
