"""`getent group` and `getent passwd` of the controller.

Who is in the UNIX groups that AllowGroups names (man getent, group(5), passwd(5)).
"""

from collections.abc import Iterator

from partywall.model.document import Document, Gap
from partywall.model.facts import Fact, Listed
from partywall.model.facts_slurm import Login, UnixGroup
from partywall.parse.slurm_tables import lines_of, unreadable, words


def groups(document: Document) -> Iterator[Fact | Gap]:
    """Yield the groups that were printed: `name:password:number:members`."""
    for number, line in enumerate(lines_of(document), start=1):
        if not line.strip():
            continue
        fields = line.strip().split(":")
        if len(fields) == 4:
            yield UnixGroup(document.origin.cluster, fields[0], fields[2], words(fields[3]), document.at(f"L{number}"))
        else:
            yield unreadable(document, f"line {number} of {document.name} is no group", document.at(f"L{number}"))


def logins(document: Document) -> Iterator[Fact | Gap]:
    """Yield the logins with their first group: `name:password:uid:gid:comment:home:shell`."""
    for number, line in enumerate(lines_of(document), start=1):
        if not line.strip():
            continue
        fields = line.strip().split(":")
        if len(fields) >= 6:
            yield Login(document.origin.cluster, fields[0], fields[3], document.at(f"L{number}"))
        else:
            yield unreadable(document, f"line {number} of {document.name} is no login", document.at(f"L{number}"))
    yield Listed("Login", document.origin.cluster, document.at("L1"))
