"""Pods and everything that makes pods: whatever holds a pod spec is a workload, so that operators' kinds need no table."""

from collections.abc import Iterator, Mapping, Sequence

from partywall.model.document import Gap, Origin
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact
from partywall.model.facts_kubernetes import ClusterNode, Mount, PersistentVolume, VolumeClaim, Workload
from partywall.model.pod import PodSettings
from partywall.parse.kubernetes_objects import (
    Object,
    flag,
    group_of,
    mapping,
    name_of,
    namespace_of,
    parts,
    sequence,
    string_map,
    strings,
    text,
)
from partywall.parse.pod_settings import pod_settings
from partywall.parse.rbac import ObjectParser

_DEPTH = 8  # the deepest pod spec that we know of is a RayCronJob's, seven levels down
ENDED = ("Succeeded", "Failed")
CONTAINERS = ("initContainers", "containers", "ephemeralContainers")

# What lets a container out to its node by itself (Kubernetes "Linux kernel security constraints", Pod Security "baseline").
_STRONG_CAPABILITIES = frozenset({"ALL", "SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "SYS_RAWIO", "DAC_READ_SEARCH", "BPF", "SYS_BOOT"})


def workload(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read every pod template of an object; one that only names a service account is a workload too."""
    found = False
    for spec, labels, place in _specs(obj, mapping(obj, "metadata"), at, _DEPTH):
        found = True
        yield _workload(obj, spec, labels, at, place, origin)
    spec = mapping(obj, "spec")
    if not found and text(spec, "serviceAccountName"):
        yield _workload(obj, spec, string_map(obj, "metadata", "labels"), at, at.below("spec"), origin)


def has_pods(obj: Object) -> bool:
    """Tell whether an object holds a pod spec or names a service account to run as."""
    return bool(text(mapping(obj, "spec"), "serviceAccountName")) or next(_specs(obj, {}, Evidence("", ""), _DEPTH), None) is not None


def _specs(value: Json, meta: Object, at: Evidence, depth: int) -> Iterator[tuple[Object, Mapping[str, str], Evidence]]:
    if depth == 0:
        return
    if isinstance(value, Mapping):
        own = mapping(value, "metadata") or meta
        if any(isinstance(item, Mapping) for item in sequence(value, "containers")):
            yield value, string_map(own, "labels"), at
            return
        for key, item in value.items():
            if isinstance(item, Mapping | list) and key not in ("metadata", "status"):
                yield from _specs(item, own if key == "spec" else {}, at.below(key), depth - 1)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for number, item in enumerate(value):
            yield from _specs(item, {}, at.below(number), depth - 1)


def _workload(obj: Object, spec: Object, labels: Mapping[str, str], at: Evidence, place: Evidence, origin: Origin) -> Workload:
    containers = [container for key in CONTAINERS for _, container in parts(spec, key)]
    status = mapping(obj, "status")
    return Workload(
        cluster=origin.cluster,
        namespace=namespace_of(obj),
        kind=text(obj, "kind"),
        name=name_of(obj),
        labels=labels,
        service_account=text(spec, "serviceAccountName") or text(spec, "serviceAccount") or "default",
        host_network=flag(spec, "hostNetwork") is True,
        ports=tuple(port for container in containers for port in container_ports(container)),
        at=at,
        group=group_of(obj),
        owned=bool(sequence(mapping(obj, "metadata"), "ownerReferences")),
        privileged=tuple(_ways_out(pod_settings(spec, {}))),
        mounts=tuple(_mounts(spec)),
        images=tuple(dict.fromkeys(text(container, "image") for container in containers if text(container, "image"))),
        node_name=text(spec, "nodeName"),
        node_selector=string_map(spec, "nodeSelector"),
        tolerations=tuple(
            (text(part, "key"), text(part, "operator") or "Equal", text(part, "value"), text(part, "effect"))
            for _, part in parts(spec, "tolerations")
        ),
        object_labels=string_map(obj, "metadata", "labels"),
        object_annotations=string_map(obj, "metadata", "annotations"),
        arguments=tuple(word for container in containers for word in (*strings(container, "command"), *strings(container, "args"))),
        spec_at=place,
        ips=pod_addresses(status),
        runs=text(status, "phase") not in ENDED,
    )


def pod_addresses(status: Object) -> tuple[str, ...]:
    """Return a pod's addresses, the first one first."""
    return tuple(dict.fromkeys(ip for ip in (text(status, "podIP"), *(text(part, "ip") for _, part in parts(status, "podIPs"))) if ip))


def container_ports(container: Object) -> Iterator[tuple[str, int, str]]:
    """Yield the ports that a container names: their names, numbers and protocols."""
    for _, port in parts(container, "ports"):
        number = port.get("containerPort")
        if isinstance(number, int):
            yield text(port, "name"), number, text(port, "protocol") or "TCP"


def _ways_out(settings: PodSettings) -> Iterator[str]:
    """Name each setting of a pod that reaches its node."""
    shared = (("hostNetwork", settings.host_network), ("hostPID", settings.host_pid), ("hostIPC", settings.host_ipc))
    yield from (name for name, is_set in shared if is_set)
    yield from (f"hostPath {volume.path}" for volume in settings.volumes if volume.source == "hostPath")
    if settings.security.host_process:
        yield "hostProcess"
    for container in settings.containers:
        security = container.security
        yield from (name for name, is_set in (("privileged", security.privileged), ("hostProcess", security.host_process)) if is_set)
        added = {name.removeprefix("CAP_") for name in security.added}
        yield from (f"capability {name}" for name in sorted(added & _STRONG_CAPABILITIES))


def _mounts(spec: Object) -> Iterator[Mount]:
    for _, volume in parts(spec, "volumes"):
        if "persistentVolumeClaim" in volume:
            yield Mount("persistentVolumeClaim", text(mapping(volume, "persistentVolumeClaim"), "claimName"))
        elif "hostPath" in volume:
            yield Mount("hostPath", text(mapping(volume, "hostPath"), "path"), text(mapping(volume, "hostPath"), "type"))
        elif "csi" in volume:
            attributes = string_map(volume, "csi", "volumeAttributes")
            yield Mount(
                "csi", text(mapping(volume, "csi"), "driver"), ",".join(f"{key}={value}" for key, value in sorted(attributes.items()))
            )
        elif "nfs" in volume:
            yield Mount("nfs", text(mapping(volume, "nfs"), "server"), text(mapping(volume, "nfs"), "path"))


def persistent_volume(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a volume: its driver, what lies behind it, and its claim."""
    spec = mapping(obj, "spec")
    csi, nfs, host = mapping(spec, "csi"), mapping(spec, "nfs"), mapping(spec, "hostPath")
    driver = text(csi, "driver") or ("nfs" if nfs else "hostPath" if host else "")
    handle = text(csi, "volumeHandle") or (f"{text(nfs, 'server')}:{text(nfs, 'path')}" if nfs else text(host, "path"))
    ref = mapping(spec, "claimRef")
    claim = f"{text(ref, 'namespace')}/{text(ref, 'name')}" if text(ref, "name") else ""
    options = {"mountOptions": ",".join(strings(spec, "mountOptions"))} if "mountOptions" in spec else {}
    yield PersistentVolume(origin.cluster, name_of(obj), driver, handle, {**string_map(csi, "volumeAttributes"), **options}, claim, at)


def volume_claim(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a claim on a volume."""
    yield VolumeClaim(origin.cluster, namespace_of(obj), name_of(obj), text(mapping(obj, "spec"), "volumeName"), at)


def node(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a node, its labels and its taints."""
    taints = tuple((text(part, "key"), text(part, "value"), text(part, "effect")) for _, part in parts(mapping(obj, "spec"), "taints"))
    addresses = tuple(text(part, "address") for _, part in parts(mapping(obj, "status"), "addresses") if text(part, "type") == "InternalIP")
    yield ClusterNode(origin.cluster, name_of(obj), string_map(obj, "metadata", "labels"), taints, at, addresses)


_BUILT_IN = (
    ("", "Pod"),
    ("", "ReplicationController"),
    *(("apps", kind) for kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")),
    *(("batch", kind) for kind in ("Job", "CronJob")),
    # Removed API groups that stand in old manifests.
    *(("extensions", kind) for kind in ("Deployment", "DaemonSet", "ReplicaSet")),
)

KINDS: Mapping[tuple[str, str], ObjectParser] = {
    **dict.fromkeys(_BUILT_IN, workload),
    ("", "PersistentVolume"): persistent_volume,
    ("", "PersistentVolumeClaim"): volume_claim,
    ("", "Node"): node,
}
