"""Where each document speaks of: account, Region, cluster and subject.

A document's own words come first, then `--KEY` of its name, then sources.yaml, then its folder, then the only candidate there is. Where
several candidates are left the document is a gap: a policy of the wrong bucket is worse than none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from partywall.files.clusters import EKS, EKS_ARN, SLURM, Cluster, ancestors, clusters_of
from partywall.files.gaps import unplaced_gap
from partywall.files.load import Loaded
from partywall.files.nameless import nameless_scopes
from partywall.files.sources import said_about, sources_of
from partywall.files.subjects import NEEDED, Neighbours, neighbours_of, subject_of
from partywall.model.document import Document, Gap, Origin, Provenance

_ARN_SERVICES: Mapping[str, str] = {"efs": "elasticfilesystem", "amp": "aps", "s3control": "s3", "sso-admin": "sso"}
_IAM_OWN = re.compile(r'\bArn"?\s*:\s*"?arn:aws[\w-]*:iam::(\d{12}):')
_REGION = re.compile(
    r"(?:us|eu|ap|sa|ca|me|af|il|mx|cn)(?:-gov|-iso[a-z]?)?-(?:north|south|east|west|central|northeast|northwest|southeast|southwest)-\d"
)
_ACCOUNT = re.compile(r"\d{12}")
_CLUSTER_NAME = re.compile(r"^\s*ClusterName\s*=\s*([\w.-]+)", re.MULTILINE | re.IGNORECASE)
_NO_CLUSTER = frozenset({"aws:eks:list-clusters", "aws:eks:list-access-policies"})


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What the whole input says about where its documents belong."""

    clusters: tuple[Cluster, ...]
    accounts: Mapping[str, frozenset[str]]
    regions: Mapping[str, frozenset[str]]
    neighbours: Neighbours
    nameless: Mapping[str, str]


def place(loaded: Sequence[Loaded]) -> tuple[list[Loaded], list[Gap]]:
    """Return the documents with their origins, and gaps for those whose origin is not known."""
    documents = [entry.document for entry in loaded]
    sources, gaps = sources_of(documents)
    around = _surroundings(documents)
    placed: list[Loaded] = []
    for entry in loaded:
        said = said_about(entry.document.name, sources)
        found = _placed(entry, said, around)
        if isinstance(found, Gap):
            gaps.append(found)
        else:
            placed.append(found)
    return placed, gaps


def _surroundings(documents: Sequence[Document]) -> _Surroundings:
    accounts: dict[str, set[str]] = {}
    regions: dict[str, set[str]] = {}
    for document in documents:
        account, region = _own_place(document)
        accounts.setdefault(document.folder, set()).update({account} - {""})
        regions.setdefault(document.folder, set()).update({region} - {""})
    clusters = clusters_of(documents)
    for cluster in clusters:
        accounts.setdefault("", set()).update({cluster.account} - {""} if cluster.folder is None else set())
        regions.setdefault("", set()).update({cluster.region} - {""} if cluster.folder is None else set())
    return _Surroundings(clusters, _frozen(accounts), _frozen(regions), neighbours_of(documents), nameless_scopes(documents))


def _frozen(found: Mapping[str, set[str]]) -> Mapping[str, frozenset[str]]:
    return {folder: frozenset(names) for folder, names in found.items()}


def _placed(entry: Loaded, said: Mapping[str, str], around: _Surroundings) -> Loaded | Gap:
    document = entry.document
    provenance = Provenance(at=said.get("at"), by=said.get("by"), request=said.get("request"))
    account, region = _place_of(document, said, around)
    cluster: Cluster | None = None
    needed = _needs_cluster(document)
    if needed:
        candidates = _cluster_of(document, needed, said.get("cluster", ""), account, region, around)
        candidates = _within(candidates, account, region)
        if len(candidates) > 1 and entry.error is None:
            names = ", ".join(candidate.scope for candidate in candidates)
            return unplaced_gap(
                document, f"it may speak of {names}", "put it into a folder with the cluster's name, or name the cluster in sources.yaml"
            )
        cluster = candidates[0] if len(candidates) == 1 else None
    if cluster:
        account, region = cluster.account or account, cluster.region or region
    scope = f"{account}/{region}/{cluster.name}" if cluster else around.nameless.get(document.name, "") if needed else ""
    origin = Origin(account, region, scope)
    subject = subject_of(document, said.get("subject", ""), origin, around.neighbours)
    if not subject and document.kind in NEEDED and entry.error is None and document.text:
        what = NEEDED[document.kind]
        return unplaced_gap(
            document,
            f"it does not say which {what} it speaks of",
            f"add the {what} to the name, as in {_example(document)}, or to sources.yaml",
        )
    return replace(entry, document=replace(document, origin=replace(origin, subject=subject), provenance=provenance))


def _example(document: Document) -> str:
    return f"{document.kind.replace(':', '-')}--NAME.json"


def _needs_cluster(document: Document) -> str:
    """Return the orchestrator of the cluster that a document speaks of, or an empty string where it speaks of none."""
    if document.kind == "kubernetes" or (document.kind.startswith("aws:eks:") and document.kind not in _NO_CLUSTER):
        return EKS
    if document.kind.startswith("slurm:"):
        return SLURM
    return "any" if document.kind == "aws:sagemaker:describe-cluster" else ""


def _cluster_of(document: Document, orchestrator: str, said: str, account: str, region: str, around: _Surroundings) -> Sequence[Cluster]:
    known = [cluster for cluster in around.clusters if orchestrator == "any" or cluster.orchestrator in {orchestrator, ""}]
    for names in (_own_names(document), [said], [document.key], _folders_upwards(document)):
        for name in filter(None, names):
            found = _called(name, known)
            if found:
                return found
    own = [name for name in _own_names(document) if orchestrator == EKS] or [said]
    if own[0]:
        return [_cluster_from(own[0], orchestrator, account, region)]
    for folder in ancestors(document.folder):
        found = [cluster for cluster in known if cluster.folder == folder]
        if found:
            return _distinct(found)
    return _distinct(known)


def _called(name: str, known: Sequence[Cluster]) -> Sequence[Cluster]:
    return _distinct([cluster for cluster in known if name in {cluster.name, cluster.scope}])


def _within(found: Sequence[Cluster], account: str, region: str) -> Sequence[Cluster]:
    """Return those of several clusters that lie where the document lies, as far as that is known."""
    if len(found) < 2:
        return found
    there = [cluster for cluster in found if account in {"", cluster.account} and region in {"", cluster.region}]
    return there if len(there) == 1 else found


def _distinct(found: Sequence[Cluster]) -> Sequence[Cluster]:
    return list({cluster.scope: cluster for cluster in found}.values())


def _cluster_from(name: str, orchestrator: str, account: str, region: str) -> Cluster:
    parts = name.split("/")
    if len(parts) == 3:
        account, region, name = parts
    return Cluster(account, region, name, orchestrator)


def _own_names(document: Document) -> Sequence[str]:
    """Return the cluster that a document names itself, as a scope or as a name."""
    value = document.value if isinstance(document.value, dict) else {}
    if document.kind.startswith("aws:eks:"):
        found = EKS_ARN.search(document.text)
        if found:
            return [f"{found['account']}/{found['region']}/{found['name']}"]
        name = value.get("clusterName")
        return [name] if isinstance(name, str) else []
    if document.kind == "aws:sagemaker:describe-cluster":
        arn = EKS_ARN.search(document.text)
        return [f"{arn['account']}/{arn['region']}/{arn['name']}"] if arn else [str(value.get("ClusterName", ""))]
    named = _CLUSTER_NAME.search(document.text) if document.kind.startswith("slurm:") else None
    return [named[1]] if named else []


def _folders_upwards(document: Document) -> Sequence[str]:
    parts = document.folder.split("/") if document.folder else []
    scopes = ["/".join(parts[end - 3 : end]) for end in range(len(parts), 2, -1)]
    return [*scopes, *reversed(parts)]


def _own_place(document: Document) -> tuple[str, str]:
    """Return account and Region as a document's own ARNs name them."""
    if not document.kind.startswith("aws:"):
        return "", ""
    service = document.kind.split(":")[1]
    if service == "iam":
        found = _IAM_OWN.search(document.text)
        return (found[1] if found else ""), ""
    if service == "sts":
        value = document.value if isinstance(document.value, dict) else {}
        return str(value.get("Account", "")), ""
    if service in {"organizations", "identitystore", "sso-admin", "datazone", "s3api"}:
        return "", ""
    arn = re.search(rf"arn:aws[\w-]*:{_ARN_SERVICES.get(service, service)}:([\w-]+):(\d{{12}}):", document.text)
    return (arn[2], arn[1]) if arn else ("", "")


def _place_of(document: Document, said: Mapping[str, str], around: _Surroundings) -> tuple[str, str]:
    if not document.kind.startswith(("aws:", "kubernetes", "slurm:")):
        return said.get("account", ""), said.get("region", "")
    own_account, own_region = _own_place(document)
    parts = list(reversed(document.folder.split("/")))
    account = own_account or said.get("account", "") or next(filter(_ACCOUNT.fullmatch, parts), "") or _only(document, around.accounts)
    region = own_region or said.get("region", "") or next(filter(_REGION.fullmatch, parts), "") or _only(document, around.regions)
    return account, region


def _only(document: Document, known: Mapping[str, frozenset[str]]) -> str:
    """Return the only name that the nearest folder with any knows, else the only one of the whole input."""
    for names in _nearest(document, known):
        return next(iter(names)) if len(names) == 1 else ""
    return ""


def _nearest(document: Document, known: Mapping[str, frozenset[str]]) -> Iterator[frozenset[str]]:
    for folder in ancestors(document.folder):
        if known.get(folder):
            yield known[folder]
    everything = frozenset().union(*known.values())
    if everything:
        yield everything
