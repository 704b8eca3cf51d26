"""`sacctmgr dump`: the association tree as a file that sacctmgr could load.

`Parent` lines scope the lines below, users stand once for each association, values may hold colons inside quotes, and newer
versions add kinds.
"""

import re
from collections.abc import Iterator

from partywall.model.document import Document, Gap
from partywall.model.facts import Fact, Listed
from partywall.model.facts_slurm import Association, SlurmAccount, SlurmUser
from partywall.parse.slurm_tables import lines_of, unreadable, words

_LINE = re.compile(r"(\w+) - '?([^':]*)'?(.*)")
_PAIR = re.compile(r":(\w+)=('[^']*'|[^:]*)")


def dumped(document: Document) -> Iterator[Fact | Gap]:
    """Yield the accounts, users and associations.

    A dump holds only what differs from the parent, so its QOS are not the effective ones: they are left out.
    """
    cluster, parent, unread = document.origin.cluster, "root", False
    above: dict[str, str] = {}
    yield Association(cluster, "root", "", "", "", (), {}, document.at("L1"), qos_told=False)
    for number, line in enumerate(lines_of(document), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        at = document.at(f"L{number}")
        match = _LINE.match(line.strip())
        if match is None:
            unread = True
            yield unreadable(document, f"line {number} of {document.name} is no line of a dump", at)
            continue
        kind, name = match[1], match[2]
        told = {key: value.strip("'") for key, value in _PAIR.findall(match[3])}
        match kind:
            case "Parent":
                parent = name
            case "Account":
                above[name] = parent
                limits = {key: value for key, value in told.items() if key.startswith(("Grp", "Max"))}
                yield SlurmAccount(cluster, name, (), words(told.get("Flags", "")), at)
                yield Association(cluster, name, "", "", parent, (), limits, at, qos_told=False)
            case "User":
                level, default = told.get("AdminLevel", "None"), told.get("DefaultAccount", "")
                yield SlurmUser(cluster, name, level, words(told.get("Coordinator", "")), default, at)
                partition, qos = told.get("Partition", ""), told.get("DefaultQOS", "")
                yield Association(cluster, parent, name, partition, above.get(parent, ""), (), {}, at, qos, qos_told=False)
            case _:
                continue
    for listing in () if unread else ("SlurmAssociation", "SlurmUser", "SlurmAccount"):
        yield Listed(listing, cluster, document.at("L1"))
