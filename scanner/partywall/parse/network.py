"""Kubernetes documents read for questions about the network alone: of a pod only what policies can see, everything else as ever.

A cluster has many times more pods than anything else, and most of what a pod says (mounts, images, capabilities) is nothing to a policy.
"""

from collections.abc import Iterator

from partywall.model.document import Document, Gap, Origin
from partywall.model.evidence import Evidence
from partywall.model.facts import Fact
from partywall.model.facts_kubernetes import Workload
from partywall.parse.kubernetes import kinds, listings, read_object
from partywall.parse.kubernetes_objects import Object, mapping, name_of, namespace_of, objects, parts, sequence, string_map, text
from partywall.parse.workloads import CONTAINERS, ENDED, container_ports, pod_addresses


def parse(document: Document) -> Iterator[Fact | Gap]:
    """Read all objects of a document, and say which kinds it lists completely."""
    table = kinds()
    yield from listings(document)
    for obj, at in objects(document):
        if obj.get("kind") == "Pod" and obj.get("apiVersion") == "v1" and name_of(obj) and mapping(obj, "spec"):
            yield pod(obj, at, document.origin)
        elif obj or at.pointer:
            yield from read_object(obj, at, document.origin, table)


def pod(obj: Object, at: Evidence, origin: Origin) -> Workload:
    """Read of a pod what policies and their plug-in can see: its labels, ports, addresses, network and owner."""
    spec, status, meta = mapping(obj, "spec"), mapping(obj, "status"), mapping(obj, "metadata")
    return Workload(
        cluster=origin.cluster,
        namespace=namespace_of(obj),
        kind="Pod",
        name=name_of(obj),
        labels=string_map(meta, "labels"),
        service_account=text(spec, "serviceAccountName") or text(spec, "serviceAccount") or "default",
        host_network=spec.get("hostNetwork") is True,
        ports=tuple(port for key in CONTAINERS if key in spec for _, container in parts(spec, key) for port in container_ports(container)),
        at=at,
        owned=bool(sequence(meta, "ownerReferences")),
        node_name=text(spec, "nodeName"),
        object_annotations=string_map(meta, "annotations") if "annotations" in meta else {},
        ips=pod_addresses(status),
        runs=text(status, "phase") not in ENDED,
    )
