"""Kueue's objects, in the API versions that are served (v1alpha1 of Cohort, v1beta1, v1beta2), and its manager's configuration."""

import json
from collections.abc import Iterator, Mapping

import yaml

from partywall.model.amounts import quantity
from partywall.model.document import Direction, Gap, Origin, Reason
from partywall.model.evidence import Evidence, Json
from partywall.model.facts import Fact
from partywall.model.facts_kueue import ClusterQueue, Cohort, KueueConfig, LocalQueue, Preemption, QueueGate, Quota
from partywall.model.node import Kind, Node
from partywall.model.verbs import Lane
from partywall.parse.kubernetes_objects import Object, mapping, name_of, namespace_of, parts, string_map, strings, text
from partywall.parse.labels import RefusedError, optional_selector
from partywall.parse.rbac import ObjectParser

KUEUE = "kueue.x-k8s.io"
# The integrations that are on where the configuration names none (Kueue, configuration API, `integrations.frameworks`).
STOCK = ("batch/job",)
CONFIG_MAP, CONFIG_KEY = "kueue-manager-config", "controller_manager_config.yaml"


def cluster_queue(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a ClusterQueue; one that Kueue refuses is a gap."""
    spec, name = mapping(obj, "spec"), name_of(obj)
    try:
        namespaces = optional_selector(spec, "namespaceSelector")
    except RefusedError as flaw:
        yield _refused(at, f"ClusterQueue {name} ({flaw})", Node(Kind.QUEUE, origin.cluster, name))
        return
    quotas = _quotas(spec, at.below("spec"))
    if any(quota.nominal is None for quota in quotas):
        yield _refused(at, f"a quota of ClusterQueue {name}", Node(Kind.QUEUE, origin.cluster, name))
    rules = mapping(spec, "preemption")
    preemption = Preemption(
        text(rules, "withinClusterQueue") or "Never",
        text(rules, "reclaimWithinCohort") or "Never",
        text(mapping(rules, "borrowWithinCohort"), "policy") or "Never",
    )
    stopped = text(spec, "stopPolicy") in ("Hold", "HoldAndDrain")
    yield ClusterQueue(origin.cluster, name, namespaces, _cohort_of(obj, spec), quotas, preemption, stopped, at)


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
                found.append(Quota(text(flavor, "name"), text(resource, "name"), nominal, borrowing, lending, here))
    return tuple(found)


def _refused(at: Evidence, what: str, node: Node) -> Gap:
    remedy = "mend it, or give the object as the cluster holds it"
    return Gap(at.document, f"{what}, which Kueue refuses", Reason.UNPARSABLE, Direction.INCOMING, (node,), (Lane.COMPUTE,), remedy, at)


def local_queue(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Read a LocalQueue."""
    yield LocalQueue(origin.cluster, namespace_of(obj), name_of(obj), text(mapping(obj, "spec"), "clusterQueue"), at)


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
    switch = config.get("manageJobsWithoutQueueName")
    if switch is not None and not isinstance(switch, bool):
        raise RefusedError("manageJobsWithoutQueueName is not a boolean")
    frameworks = strings(mapping(config, "integrations"), "frameworks")
    release = _version(config)
    return KueueConfig(cluster, bool(switch), optional_selector(config, "managedJobsNamespaceSelector"), frameworks or STOCK, release, at)


def gate(obj: Object, at: Evidence, origin: Origin) -> Iterator[Fact | Gap]:
    """Note an admission policy whose text speaks of Kueue's label."""
    if "kueue.x-k8s.io/queue-name" in json.dumps(obj.get("spec"), default=str):
        yield QueueGate(origin.cluster, text(obj, "kind"), name_of(obj), at)


KINDS: Mapping[tuple[str, str], ObjectParser] = {
    (KUEUE, "ClusterQueue"): cluster_queue,
    (KUEUE, "LocalQueue"): local_queue,
    (KUEUE, "Cohort"): cohort,
    ("", "ConfigMap"): manager_config,
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"): gate,
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"): gate,
    ("kyverno.io", "ClusterPolicy"): gate,
    ("kyverno.io", "Policy"): gate,
    ("templates.gatekeeper.sh", "ConstraintTemplate"): gate,
}
