"""What the API server and Kueue's webhooks refuse (Kueue's CRDs of v1beta1 and v1beta2; outcomes recorded on Kueue 0.12.3 and 0.19.2)."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from partywall.model.amounts import quantity
from partywall.model.evidence import Json
from partywall.model.facts_kubernetes import LabelSelector
from partywall.parse.kubernetes_objects import Object, mapping, parts, sequence, text
from partywall.parse.labels import RefusedError, optional_selector
from partywall.parse.shapes import NAME, Check, amount, fields, integer, items, name, strings
from partywall.parse.shapes import text as word

_QUOTA = fields({"name": word(), "nominalQuota": amount, "borrowingLimit": amount, "lendingLimit": amount}, needed=("name",))
_FLAVOR = fields({"name": name, "resources": items(_QUOTA, 1, 64, "name")}, needed=("name", "resources"))
_GROUP = fields(
    {"coveredResources": items(word(), 1, 64), "flavors": items(_FLAVOR, 1, 64, "name")}, needed=("coveredResources", "flavors")
)
_GROUPS = items(_GROUP, 0, 16)
_WEIGHT = fields({"weight": amount})
_STOP = word(("None", "Hold", "HoldAndDrain"))
_BORROW = fields({"policy": word(("Never", "LowerPriority")), "maxPriorityThreshold": integer(32)})
_PREEMPTION = fields(
    {
        "withinClusterQueue": word(("Never", "LowerPriority", "LowerOrNewerEqualPriority")),
        "reclaimWithinCohort": word(("Never", "LowerPriority", "Any")),
        "borrowWithinCohort": _BORROW,
    }
)
_FUNGIBILITY = fields(
    {
        "whenCanBorrow": word(("Borrow", "MayStopSearch", "TryNextFlavor")),
        "whenCanPreempt": word(("Preempt", "MayStopSearch", "TryNextFlavor")),
    }
)
_SELECTOR = fields(
    {
        "matchLabels": strings(),
        "matchExpressions": items(fields({"key": word(), "operator": word(), "values": items(word())}, needed=("key", "operator"))),
    }
)
_CHECK = fields({"name": word(longest=316), "onFlavors": items(name, 0, 64)}, needed=("name",))
_QUEUE = fields(
    {
        "resourceGroups": _GROUPS,
        "cohort": name,
        "cohortName": name,
        "queueingStrategy": word(("StrictFIFO", "BestEffortFIFO")),
        "stopPolicy": _STOP,
        "preemption": _PREEMPTION,
        "flavorFungibility": _FUNGIBILITY,
        "fairSharing": _WEIGHT,
        "namespaceSelector": _SELECTOR,
        "admissionChecksStrategy": fields({"admissionChecks": items(_CHECK, 0, 64)}),
    }
)
_COHORT = fields({"parent": name, "parentName": name, "resourceGroups": _GROUPS, "fairSharing": _WEIGHT})
_LOCAL = fields({"clusterQueue": name, "stopPolicy": _STOP, "fairSharing": _WEIGHT})
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_TAINT = fields({"key": word(), "value": word(), "effect": word(_EFFECTS)}, needed=("key", "effect"))
_TOLERATION = fields({"key": word(), "value": word(), "operator": word(("Equal", "Exists")), "effect": word(_EFFECTS)})
_KIND = fields(
    {
        "nodeLabels": strings(8),
        "nodeTaints": items(_TAINT, 0, 8),
        "tolerations": items(_TOLERATION, 0, 8),
        "topologyName": name,
    }
)
# Another version's name for a field is dropped without a word.
_DROPPED = frozenset(
    {("v1beta1", "cohortName"), ("v1beta2", "cohort"), ("v1alpha1", "parentName"), ("v1beta1", "parent"), ("v1beta2", "parent")}
)
_VALUE = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_KEY = re.compile(rf"({NAME.pattern}/)?{_VALUE.pattern}")


def refusal(obj: Object) -> str:
    """Say why Kueue's API refuses an object, or return an empty string."""
    kind, spec = text(obj, "kind"), obj.get("spec")
    if kind == "WorkloadPriorityClass":
        return fields({"value": integer(32), "description": word()}, needed=("value",))(obj, "")
    shape, rules = _KINDS[kind]
    if spec is None:
        return "spec.controllerName is missing" if kind == "AdmissionCheck" else ""
    if isinstance(spec, Mapping):
        version = text(obj, "apiVersion").rpartition("/")[2]
        spec = {key: value for key, value in spec.items() if (version, key) not in _DROPPED}
    if flaw := shape(spec, "spec"):
        return flaw
    return next(rules(mapping({"spec": spec}, "spec")), "")


def _queue_rules(spec: Object) -> Iterator[str]:
    in_cohort = bool(text(spec, "cohort") or text(spec, "cohortName"))
    yield from _group_rules(spec, "" if in_cohort else "cohort", nominal_bounds_lending=True)
    preemption = mapping(spec, "preemption")
    reclaims = text(preemption, "reclaimWithinCohort") not in ("", "Never")
    if not reclaims and text(mapping(preemption, "borrowWithinCohort"), "policy") not in ("", "Never"):
        yield "spec.preemption.borrowWithinCohort needs a reclaimWithinCohort other than Never"
    try:
        selector = optional_selector(spec, "namespaceSelector")
    except RefusedError as flaw:
        yield str(flaw)
    else:
        yield from _label_rules(selector or LabelSelector())


def _label_rules(selector: LabelSelector) -> Iterator[str]:
    keys = (*(key for key, _ in selector.labels), *(key for key, _, _ in selector.expressions))
    yield from (f"spec.namespaceSelector has the key {key}, which no label can have" for key in keys if not _KEY.fullmatch(key))
    values = (*(value for _, value in selector.labels), *(value for _, _, values in selector.expressions for value in values))
    yield from (
        f"spec.namespaceSelector has the value {each}, which no label can have" for each in values if each and not _VALUE.fullmatch(each)
    )


def _cohort_rules(spec: Object) -> Iterator[str]:
    has_parent = bool(text(spec, "parent") or text(spec, "parentName"))
    yield from _group_rules(spec, "" if has_parent else "parent", nominal_bounds_lending=False)


def _group_rules(spec: Object, lacks: str, *, nominal_bounds_lending: bool) -> Iterator[str]:
    """Yield what is wrong between resource groups: each resource and each flavor stands once, in the order of `coveredResources`."""
    resources: list[Json] = []
    flavors: list[Json] = []
    for number, group in parts(spec, "resourceGroups"):
        at = f"spec.resourceGroups[{number}]"
        covered = list(sequence(group, "coveredResources"))
        resources += covered
        flavors += [flavor.get("name") for _, flavor in parts(group, "flavors")]
        for _, flavor in parts(group, "flavors"):
            if [part.get("name") for _, part in parts(flavor, "resources")] != covered:
                yield f"{at} has a flavor whose resources are not its coveredResources in order"
            for _, part in parts(flavor, "resources"):
                yield from _limit_rules(part, f"{at}.{text(part, 'name')}", lacks, nominal_bounds_lending=nominal_bounds_lending)
    yield from (f"spec.resourceGroups names {each} twice" for each in (*_twice(resources), *_twice(flavors)))


def _limit_rules(part: Object, at: str, lacks: str, *, nominal_bounds_lending: bool) -> Iterator[str]:
    for limit in ("borrowingLimit", "lendingLimit"):
        if lacks and part.get(limit) is not None:
            yield f"{at} has a {limit} without a {lacks}"
    lending, nominal = quantity(part.get("lendingLimit")), quantity(part.get("nominalQuota")) or 0.0
    if nominal_bounds_lending and lending is not None and lending > nominal:
        yield f"{at} has a lendingLimit above its nominalQuota"


def _twice(values: Sequence[Json]) -> list[Json]:
    return [value for number, value in enumerate(values) if value in values[:number]]


def _no_rules(spec: Object) -> Iterator[str]:
    yield from ()


def _flavor_rules(spec: Object) -> Iterator[str]:
    if text(spec, "topologyName") and not mapping(spec, "nodeLabels"):
        yield "spec.topologyName needs nodeLabels"
    for number, part in parts(spec, "tolerations"):
        exists = text(part, "operator") == "Exists"
        if part.get("key") is None and not exists:
            yield f"spec.tolerations[{number}] has no key and does not say Exists"
        if exists and part.get("value") is not None:
            yield f"spec.tolerations[{number}] says Exists and has a value"


_KINDS: Mapping[str, tuple[Check, Callable[[Object], Iterator[str]]]] = {
    "ClusterQueue": (_QUEUE, _queue_rules),
    "Cohort": (_COHORT, _cohort_rules),
    "LocalQueue": (_LOCAL, _no_rules),
    "ResourceFlavor": (_KIND, _flavor_rules),
    "AdmissionCheck": (fields({"controllerName": word()}, needed=("controllerName",)), _no_rules),
}
