"""Small Slurm clusters for tests, written as the texts that its tools print and read."""

from collections.abc import Iterator

from partywall.model.document import Assumption, Document, Form, Gap, Origin
from partywall.model.edge import Edge, Hold
from partywall.model.evidence import Json
from partywall.model.facts import Fact, Facts, Named
from partywall.model.node import Kind, Node
from partywall.parse.slurm import PARSERS
from partywall.resolve import Resolved
from partywall.resolve.slurm import clusters, resolve
from partywall.resolve.slurm.cluster import Cluster

CLUSTER = "111122223333/us-east-2/lab"
ASSOCIATIONS = """Cluster|Account|User|Partition|ParentName|Def QOS|QOS|GrpTRES
lab|root|||||normal|
lab|root|root||||normal|
lab|org|||root||normal|
lab|vision|||org||normal|gres/gpu=6
lab|vision|ana||||low,normal|
lab|vision|dee||||normal|
lab|speech|||org||normal|
lab|speech|bo||||normal|
"""
USERS = """User|Def Acct|Admin|Coord Accounts
root|root|Administrator|
ana|vision|None|
dee|vision|None|
bo|speech|None|
"""
ENFORCED = "associations,limits,qos,safe"
PRIVATE = "accounts,events,jobs,reservations,usage,users"


def document(what: str, text: str, *, name: str = "", value: Json = None, form: Form = Form.TEXT, cluster: str = CLUSTER) -> Document:
    """Return a document of Slurm."""
    lines: Json = text.splitlines() if value is None else value
    return Document(name or f"{what}.txt", f"slurm:{what}", form, lines, text, "0", origin=Origin("111122223333", "us-east-2", cluster))


def parsed(*documents: Document) -> list[Fact | Gap]:
    """Return what the parsers yield of documents."""
    return [found for each in documents for found in PARSERS[each.kind](each)]


def facts(*documents: Document, named: tuple[str, ...] = ()) -> Facts:
    """Return the facts of documents, and of the accounts (`account:NAME`) and users that the tenancy names."""
    return Facts((*(found for found in parsed(*documents) if not isinstance(found, Gap)), *map(_named, named)))


def _named(word: str) -> Named:
    kind, _, name = word.partition(":")
    node = Node({"account": Kind.SLURM_ACCOUNT, "user": Kind.OS_USER, "partition": Kind.PARTITION}[kind], CLUSTER, name)
    return Named(node, document("tenants", "").at())


def config(*, version: str = "24.11.5", enforce: str = ENFORCED, private: str = PRIVATE, **more: str) -> Document:
    """Return what `scontrol show config` prints."""
    told = {"AccountingStorageEnforce": enforce, "AccountingStorageType": "accounting_storage/slurmdbd", "PrivateData": private, **more}
    lines = [f"{key:<24}= {value}" for key, value in {**told, "SLURM_VERSION": version}.items() if value]
    return document("scontrol-show-config", "\n".join(["Configuration data as of 2026-11-30T00:00:00", *lines]))


def database(private: str = PRIVATE, version: str = "24.11.5", client: str = "") -> Document:
    """Return what `sacctmgr show config` prints."""
    first = [f"PrivateData            = {client}"] if client else []
    told = [f"PrivateData            = {private}"] if private else []
    lines = [
        "Configuration data as of 2026-11-30T00:00:00",
        *first,
        f"SLURM_VERSION          = {version}",
        "",
        "SlurmDBD configuration:",
        *told,
    ]
    return document("sacctmgr-show-config", "\n".join(lines))


def partition(name: str, **told: str) -> str:
    """Return a line of `scontrol show partition --oneliner`."""
    known = {
        "AllowGroups": "ALL",
        "AllowAccounts": "ALL",
        "AllowQos": "ALL",
        "Default": "NO",
        "Hidden": "NO",
        "Nodes": "n1",
        "RootOnly": "NO",
        "ReqResv": "NO",
    }
    return " ".join([f"PartitionName={name}", *(f"{key}={value}" for key, value in {**known, **told}.items() if value)])


def partitions(*lines: str) -> Document:
    """Return what `scontrol show partition --oneliner` prints."""
    return document("scontrol-show-partition", "\n".join(lines))


def associations(text: str = ASSOCIATIONS) -> Document:
    """Return what `sacctmgr -P show assoc` prints."""
    return document("sacctmgr-show-assoc", text)


def users(text: str = USERS) -> Document:
    """Return what `sacctmgr -P show user withcoord` prints."""
    return document("sacctmgr-show-user", text)


def cluster(*documents: Document, named: tuple[str, ...] = ()) -> Cluster:
    """Return the one cluster that documents speak of."""
    (found,) = clusters(facts(*documents, named=named))
    return found


def resolved(*documents: Document, named: tuple[str, ...] = ()) -> list[Resolved]:
    """Return what the resolver yields."""
    return list(resolve(facts(*documents, named=named)))


def edges(found: list[Resolved], verb: str = "") -> Iterator[str]:
    """Yield the edges by a verb as `source > target (certainty)`, in the words of a report."""
    for each in found:
        if isinstance(each, Edge) and (not verb or each.verb == verb):
            yield f"{each.source} > {each.target}{'' if each.certainty.word == 'sure' else f' ({each.certainty.word})'}"


def gaps(found: list[Resolved]) -> list[str]:
    """Return the gaps in words."""
    return [each.what for each in found if isinstance(each, Gap)]


def holds(found: list[Resolved]) -> list[str]:
    """Return the holds in words."""
    return [f"{each.target}: {each.text}" for each in found if isinstance(each, Hold)]


def notes(found: list[Resolved]) -> list[str]:
    """Return the assumptions in words."""
    return [each.text for each in found if isinstance(each, Assumption)]
