"""Kueue's objects, in the API versions that are served (v1alpha1 of Cohort, v1beta1, v1beta2), and its manager's configuration."""

import json
from collections.abc import Iterator, Mapping

import yaml

from partywall.model.amounts import quantity
from partywall.model.document import Direction, Gap, Origin, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact
from partywall.model.facts_kueue import (
    AdmissionCheck,
    ClusterQueue,
    Cohort,
    KueueConfig,
    LocalQueue,
    Preemption,
    QueueGate,
    Quota,
    ResourceFlavor,
    WorkloadPriority,
)
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane
from partywall.parse.kubernetes_objects import Object, mapping, name_of, namespace_of, parts, string_map, strings, text
from partywall.parse.kueue_refusals import refusal
from partywall.parse.labels import RefusedError, optional_selector
from partywall.parse.rbac import ObjectParser
from partywall.parse.shapes import boolean, fields, items
from partywall.parse.shapes import text as word

KUEUE = "kueue.x-k8s.io"
# The integrations that are on where the configuration names none (Kueue, configuration API, `integrations.frameworks`).
STOCK = ("batch/job",)
_CONFIG = fields(
    {
        "manageJobsWithoutQueueName": boolean,
        "integrations": fields({"frameworks": items(word()), "podOptions": fields({})}),
        "fairSharing": fields({"enable": boolean}),
        "featureGates": fields({}),
    }
)
CONFIG_MAP, CONFIG_KEY = "kueue-manager-config", "controller_manager_config.yaml"


def cluster_queue(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a ClusterQueue."""
    spec = mapping(obj, "spec")
    rules = mapping(spec, "preemption")
    borrowing = mapping(rules, "borrowWithinCohort")
    preemption = Preemption(
        text(rules, "withinClusterQueue") or "Never",
        text(rules, "reclaimWithinCohort") or "Never",
        text(borrowing, "policy") or "Never",
        _whole(borrowing, "maxPriorityThreshold"),
    )
    yield ClusterQueue(
        origin.cluster,
        name_of(obj),
        optional_selector(spec, "namespaceSelector"),
        _cohort_of(obj, spec),
        _quotas(spec, at.below("spec")),
        preemption,
        _is_stopped(spec),
        at,
        text(spec, "queueingStrategy") == "StrictFIFO",
        _checks(obj, spec),
        quantity(mapping(spec, "fairSharing").get("weight")),
    )


def _is_stopped(spec: Object) -> bool:
    return text(spec, "stopPolicy") in ("Hold", "HoldAndDrain")


def _whole(obj: Object, key: str) -> int | None:
    value = obj.get(key)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _checks(obj: Object, spec: Object) -> tuple[str, ...]:
    """Return the admission checks of a queue; v1beta2 has the strategy only, and drops the plain list without a word (measured)."""
    plain = strings(spec, "admissionChecks") if _version(obj) == "v1beta1" else ()
    return (*plain, *(text(part, "name") for _, part in parts(mapping(spec, "admissionChecksStrategy"), "admissionChecks")))


def _cohort_of(obj: Object, spec: Object) -> str:
    """Return the cohort that a queue joins; the other version's name for the field is dropped without a word (measured)."""
    return text(spec, "cohort" if _version(obj) == "v1beta1" else "cohortName")


def _version(obj: Object) -> str:
    return text(obj, "apiVersion").rpartition("/")[2]


def _quotas(spec: Object, at: Evidence) -> tuple[Quota, ...]:
    found: list[Quota] = []
    for group_number, group in parts(spec, "resourceGroups"):
        for flavor_number, flavor in parts(group, "flavors"):
            for number, resource in parts(flavor, "resources"):
                here = at.below("resourceGroups", group_number, "flavors", flavor_number, "resources", number)
                limits = (quantity(resource.get(key)) for key in ("nominalQuota", "borrowingLimit", "lendingLimit"))
                nominal, borrowing, lending = limits
                found.append(Quota(text(flavor, "name"), text(resource, "name"), nominal or 0.0, borrowing, lending, here))
    return tuple(found)


def _heeded(read: ObjectParser) -> ObjectParser:
    """Make a reader that leaves what Kueue refuses as a gap: what the cluster holds instead is not known."""

    def heeding(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
        flaw = refusal(obj)
        if not flaw:
            yield from read(obj, at, origin)
            return
        kind, name = text(obj, "kind"), name_of(obj)
        node = Node(Kind.QUEUE, origin.cluster, name) if kind == "ClusterQueue" else Node(Kind.CAPACITY, origin.cluster, "*")
        if kind == "LocalQueue":
            name, node = f"{namespace_of(obj)}/{name}", Node(Kind.NAMESPACE, origin.cluster, namespace_of(obj))
        what = f"{kind} {name}, which Kueue refuses ({flaw})"
        remedy = "mend it, or give the object as the cluster holds it"
        yield Gap(at.document, what, Reason.UNPARSABLE, Direction.INCOMING, (node,), (Lane.COMPUTE,), remedy, at)

    return heeding


def local_queue(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a LocalQueue."""
    spec = mapping(obj, "spec")
    yield LocalQueue(origin.cluster, namespace_of(obj), name_of(obj), text(spec, "clusterQueue"), at, _is_stopped(spec))


def resource_flavor(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a ResourceFlavor."""
    spec = mapping(obj, "spec")
    taints = tuple((text(part, "key"), text(part, "value"), text(part, "effect")) for _, part in parts(spec, "nodeTaints"))
    yield ResourceFlavor(origin.cluster, name_of(obj), string_map(spec, "nodeLabels"), taints, at)


def priority_class(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a WorkloadPriorityClass."""
    yield WorkloadPriority(origin.cluster, name_of(obj), _whole(obj, "value") or 0, at)


def admission_check(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read an AdmissionCheck; its controller says in the condition `Active` whether it works."""
    conditions = {text(part, "type"): text(part, "status") for _, part in parts(mapping(obj, "status"), "conditions")}
    active = {"True": True, "False": False}.get(conditions.get("Active", ""))
    yield AdmissionCheck(origin.cluster, name_of(obj), text(mapping(obj, "spec"), "controllerName"), active, at)


def cohort(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a Cohort; its parent is `parent` in v1alpha1 and `parentName` later (measured)."""
    spec = mapping(obj, "spec")
    parent = text(spec, "parent" if _version(obj) == "v1alpha1" else "parentName")
    yield Cohort(origin.cluster, name_of(obj), parent, _quotas(spec, at.below("spec")), at)


def manager_config(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read the manager's configuration out of its ConfigMap."""
    if name_of(obj) != CONFIG_MAP and not name_of(obj).endswith("-manager-config"):
        return
    data = string_map(obj, "data")
    written = data.get(CONFIG_KEY)
    if written is None:
        return
    here = at.below("data", CONFIG_KEY)
    try:
        config: Json = yaml.safe_load(written)
        yield _config(config, here, origin.cluster)
    except (yaml.YAMLError, RefusedError) as error:
        flaw = str(error).splitlines()[0]
        node = Node(Kind.CAPACITY, origin.cluster, "*")
        remedy = f"mend {CONFIG_KEY} in ConfigMap {name_of(obj)}"
        yield Gap(
            at.document, f"Kueue's configuration ({flaw})", Reason.UNPARSABLE, Direction.INCOMING, (node,), (Lane.COMPUTE,), remedy, here
        )


def _config(config: Json, at: Evidence, cluster: str) -> KueueConfig:
    if not isinstance(config, Mapping):
        raise RefusedError("it is not an object")
    if flaw := _CONFIG(config, ""):
        raise RefusedError(flaw)
    sharing = config.get("fairSharing")
    # The first version of the configuration has a switch inside, the second is on where the field is given.
    fair = isinstance(sharing, Mapping) and sharing.get("enable", _version(config) != "v1beta1") is True
    pods = mapping(config, "integrations", "podOptions")
    return KueueConfig(
        cluster,
        config.get("manageJobsWithoutQueueName") is True,
        optional_selector(config, "managedJobsNamespaceSelector"),
        strings(mapping(config, "integrations"), "frameworks") or STOCK,
        _version(config),
        at,
        fair,
        tuple((key, value) for key, value in mapping(config, "featureGates").items() if isinstance(value, bool)),
        any(pods.get(key) is not None for key in ("namespaceSelector", "podSelector")),
    )


def gate(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Note an admission policy whose text speaks of Kueue's labels."""
    words = json.dumps(obj.get("spec"), default=str)
    for label, ranks in (("kueue.x-k8s.io/queue-name", False), ("kueue.x-k8s.io/priority-class", True)):
        if label in words:
            yield QueueGate(origin.cluster, text(obj, "kind"), name_of(obj), at, ranks)


KINDS: Mapping[tuple[str, str], ObjectParser] = {
    (KUEUE, "ClusterQueue"): _heeded(cluster_queue),
    (KUEUE, "LocalQueue"): _heeded(local_queue),
    (KUEUE, "Cohort"): _heeded(cohort),
    (KUEUE, "ResourceFlavor"): _heeded(resource_flavor),
    (KUEUE, "WorkloadPriorityClass"): _heeded(priority_class),
    (KUEUE, "AdmissionCheck"): _heeded(admission_check),
    ("", "ConfigMap"): manager_config,
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"): gate,
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"): gate,
    ("kyverno.io", "ClusterPolicy"): gate,
    ("kyverno.io", "Policy"): gate,
    ("templates.gatekeeper.sh", "ConstraintTemplate"): gate,
}
