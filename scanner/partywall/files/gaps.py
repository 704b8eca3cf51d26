"""Gaps for what a file should have said, and what each blinds: the table of what an unread answer could have changed."""

from collections.abc import Mapping
from dataclasses import dataclass

from partywall.files.broken import BrokenFileError
from partywall.files.load import Loaded
from partywall.files.names import said_kind
from partywall.model.document import Direction, Document, Gap, Reason
from partywall.model.evidence import Evidence
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane

_ALL = tuple(Lane)
_RIGHTS = (Lane.ACT, Lane.VIEW, Lane.DATA, Lane.IDENTITY)
_DATA = (Lane.DATA,)
# Limits and plain inventory: what is not known of them only makes us say more, or nothing else.
_NONE: tuple[Lane, ...] = ()


@dataclass(frozen=True, slots=True)
class Blinds:
    """What an unread answer could have changed: the lanes, and the kind of the one thing whose ways in it lists."""

    lanes: tuple[Lane, ...]
    thing: Kind | None = None


# The first row that fits wins: the whole kind, or its beginning.
_TABLE: tuple[tuple[str, Blinds], ...] = (
    ("aws:s3api:get-bucket-encryption", Blinds(_NONE)),
    ("aws:s3api:get-bucket-location", Blinds(_NONE)),
    ("aws:s3api:get-bucket-tagging", Blinds(_NONE)),
    ("aws:s3api:get-", Blinds(_DATA, Kind.BUCKET)),
    ("aws:s3api:", Blinds(_DATA)),
    ("aws:s3control:", Blinds(_DATA)),
    ("aws:kms:get-key-policy", Blinds(_DATA, Kind.KEY)),
    ("aws:kms:list-grants", Blinds(_DATA, Kind.KEY)),
    ("aws:kms:", Blinds(_NONE)),
    ("aws:secretsmanager:get-resource-policy", Blinds(_DATA, Kind.SECRET)),
    ("aws:secretsmanager:", Blinds(_NONE)),
    ("aws:ecr:get-repository-policy", Blinds(_DATA, Kind.REPOSITORY)),
    ("aws:ecr:get-registry-policy", Blinds(_DATA)),
    ("aws:ecr:", Blinds(_NONE)),
    ("aws:efs:describe-file-system-policy", Blinds(_DATA, Kind.FILE_SYSTEM)),
    ("aws:efs:", Blinds(_DATA)),
    ("aws:fsx:", Blinds(_DATA)),
    ("aws:organizations:", Blinds(_NONE)),
    ("aws:sts:", Blinds(_NONE)),
    ("aws:eks:list-access-policies", Blinds(_NONE)),
    ("aws:eks:list-clusters", Blinds(_ALL)),
    ("aws:eks:list-access-entries", Blinds(_ALL, Kind.CLUSTER_ADMIN)),
    ("aws:eks:describe-access-entry", Blinds(_ALL, Kind.CLUSTER_ADMIN)),
    ("aws:eks:list-associated-access-policies", Blinds(_ALL, Kind.CLUSTER_ADMIN)),
    ("aws:eks:list-addons", Blinds((Lane.NETWORK,))),
    ("aws:eks:describe-addon", Blinds((Lane.NETWORK,))),
    ("aws:eks:", Blinds(_RIGHTS)),
    ("aws:iam:", Blinds(_RIGHTS)),
    ("aws:sagemaker:list-compute-quotas", Blinds((Lane.COMPUTE,))),
    ("aws:sagemaker:describe-compute-quota", Blinds((Lane.COMPUTE,))),
    ("aws:sagemaker:list-cluster-scheduler-configs", Blinds((Lane.COMPUTE,))),
    ("aws:sagemaker:describe-cluster-scheduler-config", Blinds((Lane.COMPUTE,))),
    ("aws:sagemaker:list-tags", Blinds(_NONE)),
    ("aws:sagemaker:", Blinds((Lane.ACT, Lane.VIEW, Lane.DATA, Lane.COMPUTE, Lane.IDENTITY))),
    ("aws:ec2:", Blinds((Lane.NETWORK,))),
    ("aws:logs:", Blinds((Lane.VIEW, Lane.DATA))),
    ("aws:grafana:", Blinds((Lane.VIEW, Lane.DATA))),
    ("aws:amp:", Blinds((Lane.VIEW, Lane.DATA))),
    ("aws:", Blinds(_RIGHTS)),
    ("slurm:scontrol-show-partition", Blinds((Lane.COMPUTE,))),
    ("slurm:sacctmgr-show-qos", Blinds((Lane.COMPUTE,))),
    ("slurm:sacctmgr-show-config", Blinds((Lane.VIEW,))),
    ("slurm:", Blinds((Lane.ACT, Lane.VIEW, Lane.DATA, Lane.COMPUTE, Lane.IDENTITY))),
)
# Words in the name of a file of kubectl, and what such objects decide; any other object may decide anything.
_OBJECTS: tuple[tuple[str, tuple[Lane, ...]], ...] = (
    ("networkpolic", (Lane.NETWORK,)),
    ("policyendpoint", (Lane.NETWORK,)),
    ("amazon-vpc-cni", (Lane.NETWORK,)),
    ("kueue", (Lane.COMPUTE,)),
    ("queue", (Lane.COMPUTE,)),
    ("cohort", (Lane.COMPUTE,)),
    ("resourceflavor", (Lane.COMPUTE,)),
    ("priorityclass", (Lane.COMPUTE,)),
    ("resourcequota", (Lane.COMPUTE,)),
    ("persistentvolume", (Lane.DATA,)),
    ("storageclass", (Lane.DATA,)),
)
_OPTIONS: Mapping[str, str] = {
    "aws:s3api:": "--bucket",
    "aws:kms:": "--key-id",
    "aws:secretsmanager:": "--secret-id",
    "aws:ecr:get-repository-policy": "--repository-name",
    "aws:efs:": "--file-system-id",
    "aws:iam:get-role": "--role-name",
}


def blinds(kind: str, name: str = "") -> Blinds:
    """Return what an unread answer of this kind could have changed; `name` is the file's."""
    if kind == "kubernetes":
        own = name.rsplit("/", 1)[-1].lower()
        return Blinds(next((lanes for word, lanes in _OBJECTS if word in own), _ALL))
    return next((found for beginning, found in _TABLE if kind.startswith(beginning)), Blinds(_ALL))


def broken_gap(name: str, broken: BrokenFileError) -> Gap:
    """Return the gap of a file that cannot be read; its name tells at best what it should have been."""
    kind = said_kind(name)
    lanes = blinds(kind, name).lanes if kind else _ALL
    at = Evidence(name, f"L{broken.line}") if broken.line else None
    return Gap(
        source=name,
        what=f"{broken.place(name)}: {broken.why}",
        reason=Reason.UNPARSABLE,
        direction=Direction.EVERYWHERE,
        lanes=lanes,
        remedy=broken.remedy or _again(kind, ""),
        at=at,
    )


def refusal_gap(entry: Loaded) -> Gap:
    """Return the gap of a file that holds an error, or nothing, where an answer should be."""
    document = entry.document
    why, reason = (entry.error.text, entry.error.reason) if entry.error else ("no answer", Reason.ABSENT)
    return _gap(document, f"{document.name}: {why}", reason, _again(document.kind, document.origin.subject or document.key))


def ambiguous_gap(entry: Loaded) -> Gap:
    """Return the gap of an answer that several commands could have given."""
    document = entry.document
    command = entry.rivals[0].replace("aws:", "aws-").replace(":", "-")
    told = blinds(entry.rivals[0])
    return Gap(
        source=document.name,
        what=f"{document.name}: {entry.why}",
        reason=Reason.AMBIGUOUS,
        direction=Direction.EVERYWHERE,
        lanes=told.lanes,
        remedy=f"name the file after its command, as in {command}.json, and give the command's own output",
        at=document.at(""),
    )


def unplaced_gap(document: Document, why: str, remedy: str) -> Gap:
    """Return the gap of a document of which it is not known what it speaks of."""
    return Gap(
        source=document.name,
        what=f"{document.name}: {why}",
        reason=Reason.AMBIGUOUS,
        direction=Direction.EVERYWHERE,
        lanes=blinds(document.kind).lanes,
        remedy=remedy,
        at=document.at(""),
    )


def _gap(document: Document, what: str, reason: Reason, remedy: str) -> Gap:
    told = blinds(document.kind, document.name)
    node = thing_of(document, told.thing)
    return Gap(
        source=document.name,
        what=what,
        reason=reason,
        direction=Direction.INCOMING if node else Direction.EVERYWHERE,
        nodes=(node,) if node else (),
        lanes=told.lanes,
        remedy=remedy,
        at=document.at(),
    )


def thing_of(document: Document, kind: Kind | None) -> Node | None:
    """Return the one thing that a document speaks of, where its origin says which."""
    origin = document.origin
    match kind:
        case Kind.CLUSTER_ADMIN:
            return Node(kind, origin.cluster, "*") if origin.cluster else None
        case Kind.BUCKET:
            return Node(kind, "", origin.subject) if origin.subject else None
        case Kind.KEY | Kind.SECRET | Kind.REPOSITORY:
            return Node(kind, origin.subject.split(":")[4], origin.subject) if origin.subject.startswith("arn:") else None
        case Kind.FILE_SYSTEM:
            scope = f"{origin.account}/{origin.region}" if origin.account and origin.region else ""
            return Node(kind, scope, origin.subject) if origin.subject else None
        case _:
            return None


def _again(kind: str, subject: str) -> str:
    if not kind.startswith("aws:"):
        return "write the file again"
    option = next((option for beginning, option in _OPTIONS.items() if kind.startswith(beginning)), "") if subject else ""
    return f"run it with the right to: {' '.join([kind.replace(':', ' '), *([option, subject] if option else []), '--output json'])}"
