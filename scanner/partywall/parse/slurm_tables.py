"""`sacctmgr -P show ...`: one row a line, fields between bars, the names in the first row.

Columns come in any set and order, and differ between versions; a free text may hold a bar: a row with too many fields is read
around it, or told as a gap.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact, Listed
from partywall.model.facts_slurm import Association, Qos, SlurmAccount, SlurmUser
from partywall.model.verbs import Lane
from partywall.parse.slurm_trees import parents

Parsed = Iterator[Fact | Gap]
Row = Mapping[str, str]
LANES = (Lane.COMPUTE, Lane.VIEW, Lane.ACT, Lane.IDENTITY)
# The columns that a way depends on: of those that are only shown a part will do.
_DECIDING = frozenset({"Account", "User", "Partition", "ParentName", "Lineage", "QOS", "Name", "Preempt", "Admin", "Coord Accounts"})
_RULE = re.compile(r"\s*-+(?:\s+-+)*\s*")
FREE_TEXT = frozenset({"Descr", "Org", "Comment", "Description", "Organization", "Info"})
LIMITS = (
    "GrpTRES",
    "GrpJobs",
    "GrpSubmit",
    "GrpTRESMins",
    "GrpWall",
    "MaxTRES",
    "MaxTRESPerNode",
    "MaxJobs",
    "MaxSubmit",
    "MaxWall",
    "MaxTRESMins",
    "MaxTRESPU",
)


def lines_of(document: Document) -> Sequence[str]:
    """Return the lines of a text document."""
    value: Json = document.value
    return [str(line) for line in value] if isinstance(value, Sequence) and not isinstance(value, str) else document.text.splitlines()


def rows(document: Document, *needed: str) -> Iterator[tuple[Row, Evidence] | Gap]:
    """Yield every row by column name, with its line: between bars, or in columns of fixed width over a line of dashes.

    Without the first row that names the columns (`-n`) nothing can be read.
    """
    told = [(number, line) for number, line in enumerate(lines_of(document), start=1) if line.strip()]
    if not told:
        return
    spans = (
        [(match.start(), match.end()) for match in re.finditer("-+", told[1][1])] if len(told) > 1 and _RULE.fullmatch(told[1][1]) else []
    )
    header = _fields(told[0][1], spans)
    names = [name.strip() for name in header]
    if not set(needed) <= set(names):
        at = document.at(f"L{told[0][0]}")
        yield unreadable(document, f"{document.name} names no column {' and '.join(needed)} in its first row", at)
        return
    # Only a column that is set to the left keeps its blanks: those of `tree` say who is above.
    left = {name.strip() for name in header if not spans or (name[:1].strip() and not name[-1:].strip())}
    for number, line in told[2:] if spans else told[1:]:
        fields, at = _fields(line, spans), document.at(f"L{number}")
        row = _row(names, fields)
        if spans and any(name in _DECIDING and field.rstrip().endswith("+") for name, field in zip(names, fields, strict=True)):
            yield unreadable(document, f"line {number} of {document.name} has a value that is cut off (+)", at)
        elif row is None:
            yield unreadable(document, f"line {number} of {document.name} has {len(fields)} fields, and {len(names)} are named", at)
        else:
            yield {name: value if name in left else value.strip() for name, value in row.items()}, at


def _fields(line: str, spans: Sequence[tuple[int, int]]) -> Sequence[str]:
    return [line[begin:end] for begin, end in spans] if spans else line.split("|")


def _row(names: Sequence[str], fields: Sequence[str]) -> Row | None:
    """Return the fields by name. Of too many, those around the free texts keep their place, and the free texts are left out."""
    if len(fields) == len(names) or (len(fields) == len(names) + 1 and not fields[-1].strip()):
        return dict(zip(names, fields, strict=False))
    free = [at for at, name in enumerate(names) if name in FREE_TEXT]
    if len(fields) < len(names) or not free:
        return None
    behind = len(names) - free[-1] - 1
    return dict(zip(names[: free[0]], fields, strict=False)) | dict(zip(names[free[-1] + 1 :], fields[len(fields) - behind :], strict=True))


def unreadable(document: Document, what: str, at: Evidence) -> Gap:
    """Return the gap of something in a document that cannot be read."""
    command = document.kind.removeprefix("slurm:").replace("-", " ", 2)
    remedy = f"{command}, with -P, without -n, and with an explicit format= that holds no free text" if "sacctmgr" in command else command
    lanes = (Lane.COMPUTE,) if document.kind in ("slurm:sacctmgr-show-qos", "slurm:scontrol-show-partition") else LANES
    if document.kind == "slurm:error-answer":
        return Gap(
            document.kind, what, Reason.DENIED, Direction.EVERYWHERE, lanes=LANES, remedy="ask as SlurmUser or as an operator", at=at
        )
    return Gap(document.kind, what, Reason.UNPARSABLE, Direction.EVERYWHERE, lanes=lanes, remedy=remedy, at=at)


def words(text: str) -> tuple[str, ...]:
    """Return the words of a comma list."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def associations(document: Document) -> Parsed:
    """Yield the associations, each with the parent of its account."""
    cluster = document.origin.cluster
    table, unread = [], False
    for found in rows(document, "Account", "User"):
        if isinstance(found, Gap):
            unread = True
            yield found
        else:
            table.append(found)
    above = parents([row for row, _ in table])
    for row, at in table:
        yield Association(
            cluster=cluster,
            account=row["Account"].strip(),
            user=row["User"].strip(),
            partition=row.get("Partition", "").strip(),
            parent=above.get(row["Account"].strip(), ""),
            qos=words(row.get("QOS", "")),
            limits=_limits(row),
            at=at,
            default_qos=_whole(row.get("Def QOS", "")),
            qos_told="QOS" in row,
        )
    if not unread and saw_all(row["User"].strip() for row, _ in table):
        yield Listed("SlurmAssociation", cluster, document.at("L1"))
    if not table and not unread:
        yield nothing(document)


def _whole(text: str) -> str:
    """Return a value, or nothing where a column of fixed width cut it off."""
    return "" if text.strip().endswith("+") else text.strip()


def _limits(row: Row) -> Mapping[str, str]:
    return {name: row[name].strip() for name in LIMITS if row.get(name, "").strip()}


def saw_all(users: Iterable[str]) -> bool:
    """Tell whether a listing can be whole: a plain user on a cluster with PrivateData gets the own rows only, and no error.

    Every cluster has user root in account root (man sacctmgr, add cluster); a listing of several users is taken for whole here too.
    """
    seen = set(users) - {""}
    return "root" in seen or len(seen) > 1


def nothing(document: Document) -> Gap:
    """Return the gap of a listing without any row: root's is always there for those who may see it."""
    command = document.kind.removeprefix("slurm:").replace("-", " ", 2)
    what = f"{document.name} shows no row at all, not even root's, as a plain user sees them"
    return Gap(
        document.kind,
        what,
        Reason.DENIED,
        Direction.EVERYWHERE,
        lanes=LANES,
        remedy=f"{command} as SlurmUser or as an operator",
        at=document.at("L1"),
    )


def users(document: Document) -> Parsed:
    """Yield the users with their level and the accounts they coordinate; rows `withassoc` are associations too."""
    cluster = document.origin.cluster
    seen, unread = [], False
    for found in rows(document, "User"):
        if isinstance(found, Gap):
            unread = True
            yield found
            continue
        row = {name: value.strip() for name, value in found[0].items()}
        admin = row.get("Admin", row.get("AdminLevel", ""))
        default = row.get("Def Acct", row.get("DefaultAccount", ""))
        yield SlurmUser(cluster, row["User"], admin, words(row.get("Coord Accounts", "")), default, found[1])
        seen.append(row["User"])
        if row.get("Account"):
            at, told, qos = found[1], "QOS" in row, words(row.get("QOS", ""))
            yield Association(cluster, row["Account"], row["User"], row.get("Partition", ""), "", qos, {}, at, row.get("Def QOS", ""), told)
    if not unread and saw_all(seen):
        yield Listed("SlurmUser", cluster, document.at("L1"))


def accounts(document: Document) -> Parsed:
    """Yield the accounts with their coordinators and flags; rows `withassoc` repeat an account and are associations too."""
    cluster, unread, any_row = document.origin.cluster, False, False
    for found in rows(document, "Account"):
        if isinstance(found, Gap):
            unread = True
            yield found
            continue
        any_row = True
        row, at = {name: value.strip() for name, value in found[0].items()}, found[1]
        flags = tuple(flag for flag in words(row.get("Flags", "")) if flag != "None")
        yield SlurmAccount(cluster, row["Account"], words(row.get("Coord Accounts", "")), flags, at)
        if "User" in row:
            told, qos = "QOS" in row, words(row.get("QOS", ""))
            yield Association(
                cluster, row["Account"], row["User"], "", row.get("ParentName", ""), qos, _limits(row), at, row.get("Def QOS", ""), told
            )
    if any_row and not unread:
        yield Listed("SlurmAccount", cluster, document.at("L1"))


def qualities(document: Document) -> Parsed:
    """Yield the qualities of service."""
    unread = False
    for found in rows(document, "Name"):
        if isinstance(found, Gap):
            unread = True
            yield found
            continue
        row, at = found
        name = row["Name"].strip()
        yield Qos(document.origin.cluster, name, words(row.get("Preempt", "")), row.get("PreemptMode", "").strip(), _limits(row), at)
    if not unread:
        yield Listed("SlurmQos", document.origin.cluster, document.at("L1"))
