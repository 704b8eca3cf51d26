"""Two copies of one thing that say different things: nobody can tell which is true."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from partywall.files.aws_shapes import ENVELOPE
from partywall.files.gaps import blinds
from partywall.files.nameless import placed_objects_of
from partywall.files.pages import is_page
from partywall.files.subjects import NEEDED
from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.verbs import Lane

Identity: TypeAlias = tuple[str, ...]
# Which keys of an answer say which thing it describes; they stand at its top or in its only object.
_IDS: Mapping[str, tuple[str, ...]] = {
    "aws:eks:describe-cluster": ("arn",),
    "aws:eks:describe-access-entry": ("principalArn",),
    "aws:eks:list-associated-access-policies": ("principalArn",),
    "aws:eks:describe-pod-identity-association": ("associationId",),
    "aws:eks:describe-addon": ("addonName",),
    "aws:sagemaker:describe-cluster": ("ClusterArn",),
    "aws:sagemaker:describe-compute-quota": ("ComputeQuotaArn",),
    "aws:sagemaker:describe-cluster-scheduler-config": ("ClusterSchedulerConfigArn",),
    "aws:sagemaker:describe-domain": ("DomainArn",),
    "aws:sagemaker:describe-user-profile": ("UserProfileArn",),
    "aws:iam:get-role": ("Arn",),
    "aws:iam:get-user": ("Arn",),
    "aws:iam:get-role-policy": ("RoleName", "PolicyName"),
    "aws:kms:describe-key": ("Arn",),
    "aws:sso-admin:describe-permission-set": ("PermissionSetArn",),
    "aws:datazone:get-connection": ("connectionId",),
    "aws:ssm:get-document": ("Name",),
}
# Whole lists of one cluster: two of them must agree.
_CLUSTER_LISTS = frozenset({"aws:eks:list-access-entries", "aws:eks:list-addons"})
_ACCOUNT_LISTS: Mapping[str, str] = {"RoleDetailList": "Arn", "UserDetailList": "Arn", "GroupDetailList": "Arn", "Policies": "Arn"}
# Counts and dates of use; an AWS managed policy stands in every account's answer with that account's counts.
_USES = frozenset({"RoleLastUsed", "PasswordLastUsed", "AttachmentCount", "PermissionsBoundaryUsageCount", "UpdateDate"})
# What changes by itself between two readings of one object and decides nothing.
_PASSING = frozenset({"status"})
_KEPT_METADATA = frozenset({"name", "namespace", "labels"})
# Written by controllers and by kubectl itself.
_PASSING_ANNOTATIONS = (
    "kubectl.kubernetes.io/",
    "deployment.kubernetes.io/",
    "control-plane.alpha.kubernetes.io/",
    "node.alpha.kubernetes.io/",
)
_NETWORK = frozenset({"networkpolicies", "NetworkPolicy", "AdminNetworkPolicy", "BaselineAdminNetworkPolicy", "ClusterNetworkPolicy"})
_PLAIN = frozenset({"Event", "Lease", "EndpointSlice", "Endpoints", "ControllerRevision", "CustomResourceDefinition"})


@dataclass(frozen=True, slots=True)
class _Copy:
    """One thing as one document tells it."""

    identity: Identity
    words: str
    content: Json
    at: Evidence
    lanes: tuple[Lane, ...]


def differing_copies(documents: Sequence[Document]) -> Iterator[Gap]:
    """Yield a gap for each thing of which two documents, or two places of one, say different things."""
    first: dict[Identity, _Copy] = {}
    told: set[Identity] = set()
    for document in documents:
        for copy in _copies(document):
            other = first.setdefault(copy.identity, copy)
            if other is not copy and copy.identity not in told and not _same(copy, other):
                told.add(copy.identity)
                yield _gap(other, copy)


def _copies(document: Document) -> Iterator[_Copy]:
    if document.kind == "kubernetes":
        yield from _objects(document)
    elif document.kind == "aws:iam:get-account-authorization-details":
        yield from _principals(document)
    elif document.kind in _CLUSTER_LISTS:
        yield from _lists(document)
    elif document.kind in _IDS or (document.kind in NEEDED and document.origin.subject):
        yield from _answers(document)


def _objects(document: Document) -> Iterator[_Copy]:
    for item, at in placed_objects_of(document.value, document.at()):
        metadata = item.get("metadata")
        kind = str(item.get("kind"))
        if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str) or kind in _PLAIN:
            continue
        group = str(item.get("apiVersion", "")).rpartition("/")[0]
        name = "/".join(filter(None, (str(metadata.get("namespace") or ""), str(metadata["name"]))))
        lanes = (Lane.NETWORK,) if kind in _NETWORK else (Lane.COMPUTE,) if "kueue" in group else tuple(Lane)
        yield _Copy((document.origin.cluster, group, kind, name), f"{kind} {name}", item, at, lanes)


def _principals(document: Document) -> Iterator[_Copy]:
    value = document.value if isinstance(document.value, dict) else {}
    lanes = blinds(document.kind).lanes
    for key, own in _ACCOUNT_LISTS.items():
        entries = value.get(key)
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            # AWS's own policies change by themselves, and accounts are read at different times.
            if isinstance(entry, dict) and isinstance(entry.get(own), str) and ":iam::aws:" not in str(entry[own]):
                arn = str(entry[own])
                yield _Copy((document.kind, arn), arn, _without_uses(entry), document.at(f"/{key}/{index}"), lanes)


def _without_uses(entry: Mapping[str, Json]) -> Json:
    return {key: part for key, part in entry.items() if key not in _USES}


def _lists(document: Document) -> Iterator[_Copy]:
    if not isinstance(document.value, dict) or is_page(document):
        return
    content = {key: sorted(map(str, part)) for key, part in document.value.items() if isinstance(part, list)}
    words = f"{document.kind.replace(':', ' ')} of {document.origin.cluster}"
    yield _Copy((document.kind, document.origin.cluster), words, content, document.at(), blinds(document.kind).lanes)


def _answers(document: Document) -> Iterator[_Copy]:
    if not isinstance(document.value, dict):
        return
    answer = {key: part for key, part in document.value.items() if key not in ENVELOPE}
    only = next(iter(answer.values())) if len(answer) == 1 else None
    inside = only if isinstance(only, dict) else answer
    ids = [str(inside[key]) for key in _IDS.get(document.kind, ()) if key in inside] or [document.origin.subject]
    if all(ids):
        identity = (document.kind, document.origin.account, document.origin.cluster, *ids)
        yield _Copy(identity, f"{document.kind.replace(':', ' ')} of {'/'.join(ids)}", answer, document.at(), blinds(document.kind).lanes)


def _same(one: _Copy, other: _Copy) -> bool:
    return one.content == other.content or _deciding(one.content) == _deciding(other.content)


def _deciding(content: Json) -> Json:
    """Return what of a Kubernetes object decides; anything else decides as a whole."""
    if not isinstance(content, dict) or not isinstance(metadata := content.get("metadata"), dict):
        return content
    kept = {key: part for key, part in metadata.items() if key in _KEPT_METADATA}
    annotations = metadata.get("annotations")
    lasting = (
        {key: part for key, part in annotations.items() if not key.startswith(_PASSING_ANNOTATIONS)}
        if isinstance(annotations, dict)
        else {}
    )
    if lasting:
        kept["annotations"] = lasting
    return {**{key: part for key, part in content.items() if key not in _PASSING | {"apiVersion"}}, "metadata": kept}


def _gap(one: _Copy, other: _Copy) -> Gap:
    return Gap(
        source=one.at.document,
        what=f"{one.words}: {one.at} and {other.at} say different things",
        reason=Reason.AMBIGUOUS,
        direction=Direction.EVERYWHERE,
        lanes=one.lanes,
        remedy="keep the newer copy only, or put the copies of different clusters into folders with the clusters' names",
        at=other.at,
    )
