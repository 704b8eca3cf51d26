"""Which values are Kubernetes objects, and what kind an object has that does not say so itself.

Typed printers leave out `apiVersion` and `kind` of the items of a `PodList`, and dumps of one object a file often know them from the path
only.
"""

import re
from collections.abc import Mapping

from partywall.model.evidence import Json

# Plural name -> (apiVersion, kind), of what a scan can use (kubectl api-resources).
_PLURALS: Mapping[str, tuple[str, str]] = {
    "pods": ("v1", "Pod"),
    "namespaces": ("v1", "Namespace"),
    "nodes": ("v1", "Node"),
    "serviceaccounts": ("v1", "ServiceAccount"),
    "services": ("v1", "Service"),
    "configmaps": ("v1", "ConfigMap"),
    "secrets": ("v1", "Secret"),
    "persistentvolumes": ("v1", "PersistentVolume"),
    "persistentvolumeclaims": ("v1", "PersistentVolumeClaim"),
    "resourcequotas": ("v1", "ResourceQuota"),
    "limitranges": ("v1", "LimitRange"),
    "events": ("v1", "Event"),
    "replicationcontrollers": ("v1", "ReplicationController"),
    "deployments": ("apps/v1", "Deployment"),
    "daemonsets": ("apps/v1", "DaemonSet"),
    "statefulsets": ("apps/v1", "StatefulSet"),
    "replicasets": ("apps/v1", "ReplicaSet"),
    "jobs": ("batch/v1", "Job"),
    "cronjobs": ("batch/v1", "CronJob"),
    "roles": ("rbac.authorization.k8s.io/v1", "Role"),
    "rolebindings": ("rbac.authorization.k8s.io/v1", "RoleBinding"),
    "clusterroles": ("rbac.authorization.k8s.io/v1", "ClusterRole"),
    "clusterrolebindings": ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"),
    "networkpolicies": ("networking.k8s.io/v1", "NetworkPolicy"),
    "mutatingwebhookconfigurations": ("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration"),
    "validatingwebhookconfigurations": ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"),
    "poddisruptionbudgets": ("policy/v1", "PodDisruptionBudget"),
    "pdbs": ("policy/v1", "PodDisruptionBudget"),
    "certificatesigningrequests": ("certificates.k8s.io/v1", "CertificateSigningRequest"),
}
_SINGULARS: Mapping[str, tuple[str, str]] = {kind.lower(): (version, kind) for version, kind in _PLURALS.values()}
_RBAC = "rbac.authorization.k8s.io/v1"


def is_object(value: Json) -> bool:
    """Tell whether a value says itself that it is a Kubernetes object or a List of them."""
    return (
        isinstance(value, dict) and isinstance(value.get("kind"), str) and isinstance(value.get("apiVersion"), str) and bool(value["kind"])
    )


def completed(value: Json, name: str) -> Json:
    """Return a value whose objects all say what they are: kinds that only the List or the path tells are filled in."""
    if isinstance(value, list):
        return [completed(part, name) for part in value]
    if not isinstance(value, dict):
        return value
    if is_object(value):
        return _list_completed(value)
    told = inferred(value, name)
    return {"apiVersion": told[0], "kind": told[1], **value} if told else value


def _list_completed(value: dict[str, Json]) -> Json:
    kind, items = str(value["kind"]), value.get("items")
    if kind == "List" or not kind.endswith("List") or not isinstance(items, list) or all(is_object(item) for item in items):
        return value
    told = {"apiVersion": value["apiVersion"], "kind": kind.removesuffix("List")}
    return {**value, "items": [{**told, **item} if isinstance(item, dict) else item for item in items]}


def inferred(value: Mapping[str, Json], name: str) -> tuple[str, str] | None:
    """Return apiVersion and kind of an object without them, from what only one kind has, else from its path."""
    if not _has_metadata(value):
        return None
    return _by_content(value) or _by_path(name)


def _has_metadata(value: Mapping[str, Json]) -> bool:
    metadata = value.get("metadata")
    return isinstance(metadata, dict) and bool({"name", "generateName"} & metadata.keys())


def _by_content(value: Mapping[str, Json]) -> tuple[str, str] | None:
    metadata, spec = value.get("metadata"), value.get("spec")
    inside = isinstance(metadata, dict) and bool(metadata.get("namespace"))
    if "roleRef" in value:
        return _RBAC, "RoleBinding" if inside else "ClusterRoleBinding"
    if "rules" in value and isinstance(value["rules"], list) and "spec" not in value:
        return _RBAC, "Role" if inside else "ClusterRole"
    if isinstance(spec, dict) and "podSelector" in spec and {"ingress", "egress", "policyTypes"} & spec.keys():
        return "networking.k8s.io/v1", "NetworkPolicy"
    if isinstance(spec, dict) and isinstance(spec.get("containers"), list):
        return "v1", "Pod"
    return None


def _by_path(name: str) -> tuple[str, str] | None:
    for part in reversed(name.lower().split("/")):
        word = re.sub(r"\.(?:json|ya?ml)$", "", part)
        found = _PLURALS.get(word) or _SINGULARS.get(word)
        if found:
            return found
    return None


def listing_cut_short(value: Json) -> str:
    """Return how many objects a List says it left out, or nothing (Kubernetes API Concepts, "Retrieving large results sets in chunks")."""
    for part in value if isinstance(value, list) else [value]:
        metadata = part.get("metadata") if isinstance(part, dict) and "items" in part else None
        if isinstance(metadata, dict) and metadata.get("continue"):
            left = metadata.get("remainingItemCount")
            return f"{left} more objects" if left is not None else "more objects"
    return ""
