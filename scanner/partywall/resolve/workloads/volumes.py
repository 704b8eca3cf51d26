"""File systems behind volumes: who mounts what. A claim gives its whole volume, whatever path a pod then looks at."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from partywall.model.document import Direction, Gap, Reason
from partywall.model.edge import Change, Edge, Lever, Move
from partywall.model.facts import Facts, Named
from partywall.model.facts_data import FileAccessPoint
from partywall.model.facts_kubernetes import PersistentVolume, VolumeClaim, Workload
from partywall.model.node import Kind, Node
from partywall.model.thing import Thing
from partywall.model.verbs import Lane
from partywall.resolve.rbac.places import place

_FILE_SYSTEM = re.compile(r"\b(fs-[0-9a-z-]+)")


@dataclass(frozen=True, slots=True)
class Behind:
    """What lies behind a volume; `point` is an access point whose directory is not known, and which stands for it by its own id."""

    node: Node
    point: str = ""


def volumes(facts: Facts) -> Iterator[Edge | Gap | Thing]:
    """Yield what each namespace mounts; what several namespaces mount and nobody claims belongs to all who do."""
    points = {point.id: point.path for point in facts.of(FileAccessPoint)}
    claims = {(claim.cluster, f"{claim.namespace}/{claim.name}"): claim for claim in facts.of(VolumeClaim)}
    bound = {(claim.cluster, claim.volume): key for (_, key), claim in claims.items() if claim.volume}
    mounted: dict[Node, dict[Node, PersistentVolume]] = {}
    for volume in facts.of(PersistentVolume):
        claim = volume.claim or bound.get((volume.cluster, volume.name), "")
        behind = behind_of(volume, points)
        if behind is None or not claim:
            continue
        source = place(volume.cluster, claim.partition("/")[0])
        mounted.setdefault(behind.node, {}).setdefault(source, volume)
        found = claims.get((volume.cluster, claim))
        because = (volume.at, found.at) if found else (volume.at,)
        yield Edge(source, "mount", behind.node, because, _lever(volume, claim, found), note=f"volume {volume.name}, claim {claim}")
        if behind.point:
            yield _unread(behind, source, volume)
    yield from _inline(facts)
    yield from _shared(facts, mounted)


def _inline(facts: Facts) -> Iterator[Edge]:
    """Yield the NFS shares that pods name themselves, without a volume of the cluster."""
    for work in facts.of(Workload):
        for mount in work.mounts:
            if mount.source == "nfs" and mount.name:
                found = _FILE_SYSTEM.search(mount.name)
                target = directory(found[1] if found else mount.name, mount.detail)
                where = f"{work.namespace}/{work.name}"
                lever = Lever(
                    Move.REMOVE,
                    work.kind,
                    work.cluster,
                    where,
                    (work.spec_at,),
                    f"run {work.kind} {where} without {mount.name}",
                    mount.name,
                )
                yield Edge(place(work.cluster, work.namespace), "mount", target, (work.spec_at,), lever, note=f"{work.kind} {work.name}")


def behind_of(volume: PersistentVolume, points: Mapping[str, str]) -> Behind | None:
    """Return the file system, directory or bucket behind a volume; None for disks of one node."""
    match volume.driver:
        case "efs.csi.aws.com":
            return _efs(volume.handle, points)
        case "fsx.csi.aws.com" | "fsx.openzfs.csi.aws.com" | "nfs":
            return _file_system(volume)
        case "s3.csi.aws.com":
            bucket = volume.attributes.get("bucketName", "")
            prefix = next((word.partition(" ")[2] for word in _options(volume) if word.startswith("prefix ")), "")
            if not bucket:
                return None
            return Behind(Node(Kind.PREFIX, "", f"{bucket}/{prefix}") if prefix else Node(Kind.BUCKET, "", bucket))
        case _:
            return None


def _options(volume: PersistentVolume) -> list[str]:
    return [option.strip() for option in volume.attributes.get("mountOptions", "").split(",")]


def _efs(handle: str, points: Mapping[str, str]) -> Behind | None:
    """Take an EFS handle apart: `fs-ID[:PATH][:ACCESS-POINT]` (aws-efs-csi-driver, "Static provisioning")."""
    name, _, rest = handle.partition(":")
    path, _, point = rest.partition(":")
    if path.startswith("fsap-"):
        path, point = "", path
    if not name:
        return None
    if point:
        known = points.get(point)
        return Behind(directory(name, known)) if known is not None else Behind(directory(name, point), point)
    return Behind(directory(name, path))


def _file_system(volume: PersistentVolume) -> Behind | None:
    found = _FILE_SYSTEM.search(volume.handle) or _FILE_SYSTEM.search(volume.attributes.get("dnsname", ""))
    server, _, path = volume.handle.partition(":")
    if volume.driver == "nfs":
        return Behind(directory(found[1] if found else server, path)) if server else None
    return Behind(Node(Kind.FILE_SYSTEM, "", found[1])) if found else None


def _unread(behind: Behind, source: Node, volume: PersistentVolume) -> Gap:
    file_system = behind.node.name.partition(":")[0]
    what = f"the directory of access point {behind.point}, which volume {volume.name} mounts"
    remedy = (
        f"aws efs describe-access-points --file-system-id {file_system} --output json > aws-efs-describe-access-points--{file_system}.json"
    )
    return Gap("efs:describe-access-points", what, Reason.ABSENT, Direction.OUTGOING, (source,), (Lane.DATA,), remedy, volume.at)


def directory(file_system: str, path: str) -> Node:
    """Return the node of a directory, or of the whole file system for its root."""
    inner = path.strip("/")
    return Node(Kind.DIRECTORY, "", f"{file_system}:/{inner}") if inner else Node(Kind.FILE_SYSTEM, "", file_system)


def _lever(volume: PersistentVolume, claim: str, found: VolumeClaim | None) -> Lever:
    text = f"give {claim} a volume of a directory or access point of its own instead of {volume.name}"
    return Lever(
        Move.SET,
        "PersistentVolume",
        volume.cluster,
        f"{volume.name} {claim}",
        (volume.at,),
        text,
        change=Change((volume, *((found,) if found else ()))),
    )


def _shared(facts: Facts, mounted: Mapping[Node, Mapping[Node, PersistentVolume]]) -> Iterator[Thing]:
    claimed = {
        named.node.name.partition(":")[0].partition("/")[0]
        for named in facts.of(Named)
        if named.node.kind in (Kind.FILE_SYSTEM, Kind.DIRECTORY, Kind.BUCKET, Kind.PREFIX)
    }
    for node, sources in mounted.items():
        if len(sources) > 1 and node.name.partition(":")[0].partition("/")[0] not in claimed:
            yield Thing(node, next(iter(sources.values())).at, members=tuple(sources))
