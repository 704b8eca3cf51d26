"""Which objects Kueue holds until their queue has room, and which start at once.

Kueue, configuration API, and "Setup manageJobsWithoutQueueName": an integration holds a kind; the webhook of pods, and so what is made of
pods, looks at the namespace first, that of jobs at the label first. Recorded on Kueue 0.12.3 and 0.19.2.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from partywall.model.facts_kubernetes import Workload
from partywall.model.facts_kueue import KueueConfig
from partywall.resolve.labels import NAME_LABEL, selects

# A release of Kueue; None where it was not seen.
Release: TypeAlias = tuple[int, int, int] | None
# The integration that holds each kind (Kueue, configuration API, `integrations.frameworks`).
FRAMEWORKS: Mapping[tuple[str, str], str] = {
    ("batch", "jobs"): "batch/job",
    ("batch", "cronjobs"): "batch/job",
    ("kubeflow.org", "pytorchjobs"): "kubeflow.org/pytorchjob",
    ("kubeflow.org", "tfjobs"): "kubeflow.org/tfjob",
    ("kubeflow.org", "mpijobs"): "kubeflow.org/mpijob",
    ("kubeflow.org", "xgboostjobs"): "kubeflow.org/xgboostjob",
    ("kubeflow.org", "paddlejobs"): "kubeflow.org/paddlejob",
    ("kubeflow.org", "jaxjobs"): "kubeflow.org/jaxjob",
    ("trainer.kubeflow.org", "trainjobs"): "trainer.kubeflow.org/trainjob",
    ("ray.io", "rayjobs"): "ray.io/rayjob",
    ("ray.io", "rayclusters"): "ray.io/raycluster",
    ("ray.io", "rayservices"): "ray.io/rayservice",
    ("jobset.x-k8s.io", "jobsets"): "jobset.x-k8s.io/jobset",
    ("leaderworkerset.x-k8s.io", "leaderworkersets"): "leaderworkerset.x-k8s.io/leaderworkerset",
    ("workload.codeflare.dev", "appwrappers"): "workload.codeflare.dev/appwrapper",
    ("sparkoperator.k8s.io", "sparkapplications"): "sparkoperator.k8s.io/sparkapplication",
    ("", "pods"): "pod",
    ("apps", "deployments"): "deployment",
    ("apps", "statefulsets"): "statefulset",
}
_POD = "pod"
# Integrations that only put a label on pods, which the integration of pods then holds.
_OF_PODS = frozenset({"deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"})
_UNMANAGED = frozenset({"kube-system", "kueue-system"})
_IMAGE = re.compile(r"/kueue(?:-controller-manager)?:v?(\d+)\.(\d+)\.(\d+)")


def release_of(workloads: Iterable[Workload]) -> Release:
    """Return the release of Kueue that its manager's image names."""
    found = (_IMAGE.search(image) for workload in workloads for image in workload.images)
    return next(((int(match[1]), int(match[2]), int(match[3])) for match in found if match), None)


def joins_foreign_groups(config: KueueConfig, release: Release) -> bool:
    """Tell whether a pod may name the group of pods of another workload and be admitted with it: mended in 0.19.2 (kueue#14630)."""
    return _POD in config.frameworks and release is not None and release < (0, 19, 2)


def is_held(
    config: KueueConfig,
    kind: tuple[str, str],
    labels: Mapping[str, str],
    *,
    has_default: bool,
    names_queue: bool = False,
    release: Release = None,
) -> bool | None:
    """Tell whether Kueue holds an object of a kind in a namespace with some labels; None where it hangs on what was not given.

    `has_default` says that the namespace has a LocalQueue named `default`, `names_queue` that the object names one, be there one or not.
    """
    framework = FRAMEWORKS.get(kind, "")
    mine, pods = framework in config.frameworks, _POD in config.frameworks
    if not mine and not pods:
        return False
    if mine and framework in _OF_PODS and not pods:
        return None  # Kueue's manager refuses to start with such a configuration
    selected = _is_selected(config, labels)
    if framework == _POD or framework in _OF_PODS or not mine:
        named = names_queue and mine
        if not selected or not (named or config.manages_all or (has_default and _is_on(config, "LocalQueueDefaulting"))):
            return False
        return None if config.narrows_pods else True
    if names_queue:
        return selected or not _is_on(config, "ManagedJobsNamespaceSelectorAlwaysRespected", otherwise=False)
    if config.manages_all and selected:
        return True
    if not has_default or not _is_on(config, "LocalQueueDefaulting"):
        return False
    return True if selected else _is_defaulted_anywhere(release)


def _is_defaulted_anywhere(release: Release) -> bool | None:
    """Tell whether a LocalQueue named `default` takes in jobs of namespaces that are not managed: in 0.12 it did, in 0.19 it does not."""
    if release is None:
        return None
    return True if release[:2] <= (0, 12) else False if release[:2] >= (0, 19) else None


def _is_on(config: KueueConfig, feature: str, *, otherwise: bool = True) -> bool:
    return dict(config.features).get(feature, otherwise)


def _is_selected(config: KueueConfig, labels: Mapping[str, str]) -> bool:
    """Tell whether a namespace is managed; without a selector all are but the system's and Kueue's own."""
    if config.namespaces is None:
        return labels.get(NAME_LABEL) not in _UNMANAGED
    return selects(config.namespaces, labels)
