"""Which objects Kueue holds: what the recordings do not ask."""

import pytest

from partywall.model.document import Assumption
from partywall.model.evidence import Evidence
from partywall.model.facts_kubernetes import LabelSelector, Workload
from partywall.model.facts_kueue import KueueConfig
from partywall.resolve.kueue.held import Release, is_held, release_of
from tests.unit.kueue.world import CLUSTER, SPACES, config, facts_of, queue, said
from tests.unit.kueue.world import door as local

AT = Evidence("config.yaml", "")
JOB, POD, SERVICE = ("batch", "jobs"), ("", "pods"), ("apps", "deployments")
STOCK_019 = ("batch/job", "pod", "deployment", "statefulset")
LABELLED = LabelSelector((("managed", "yes"),))
MANAGER = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: kueue-controller-manager, namespace: kueue-system}
spec: {template: {spec: {containers: [{name: manager, image: 'registry.k8s.io/kueue/kueue:v0.12.3'}]}}}
---
"""


def kueue(*frameworks: str, manages_all: bool = False, namespaces: LabelSelector | None = None, **more: bool) -> KueueConfig:
    features = tuple((name, value) for name, value in more.items() if name != "narrows_pods")
    narrows = more.get("narrows_pods", False)
    return KueueConfig(CLUSTER, manages_all, namespaces, frameworks or ("batch/job",), "v1beta1", AT, False, features, narrows)


def held(
    written: KueueConfig, kind: tuple[str, str], *, named: bool = False, default: bool = False, release: Release = None
) -> bool | None:
    labels = {"kubernetes.io/metadata.name": "vision"}
    return is_held(written, kind, labels, has_default=default, names_queue=named, release=release)


def test_pods_of_a_namespace_that_is_not_managed_go_round_even_with_a_queue_name() -> None:
    assert held(kueue(*STOCK_019, namespaces=LABELLED), POD, named=True) is False
    assert held(kueue(*STOCK_019, namespaces=LABELLED), SERVICE, named=True) is False
    assert held(kueue(*STOCK_019, namespaces=LABELLED), JOB, named=True) is True


def test_a_gate_makes_the_selector_count_for_jobs_too() -> None:
    gated = kueue(*STOCK_019, namespaces=LABELLED, ManagedJobsNamespaceSelectorAlwaysRespected=True)

    assert held(gated, JOB, named=True) is False


def test_deployments_without_the_integration_of_pods_are_not_known() -> None:
    assert held(kueue("batch/job", "deployment"), SERVICE, named=True) is None


def test_a_label_on_a_kind_without_its_integration_reaches_no_pod() -> None:
    assert held(kueue("pod"), SERVICE, named=True) is False
    assert held(kueue("pod", manages_all=True), SERVICE, named=True) is True


def test_selectors_for_pods_leave_it_open() -> None:
    assert held(kueue(*STOCK_019, manages_all=True, narrows_pods=True), POD) is None
    assert held(kueue(*STOCK_019, manages_all=True, narrows_pods=True), JOB) is True


@pytest.mark.parametrize(("release", "answer"), [((0, 12, 3), True), ((0, 19, 2), False), ((0, 15, 0), None), (None, None)])
def test_a_local_queue_named_default_takes_jobs_in_by_release(release: Release, answer: bool | None) -> None:
    assert held(kueue(namespaces=LABELLED), JOB, default=True, release=release) is answer


def test_defaulting_may_be_switched_off() -> None:
    assert held(kueue(LocalQueueDefaulting=False), JOB, default=True) is False


def test_the_release_is_that_of_the_managers_image() -> None:
    assert release_of(facts_of(MANAGER).of(Workload)) == (0, 12, 3)


@pytest.mark.parametrize(
    ("text", "fair"),
    [
        ("fairSharing: {enable: true}", True),
        ("fairSharing: {enable: false}", False),
        ("fairSharing: {}", False),
        ("clientConnection: {}", False),
    ],
)
def test_fair_sharing_of_the_first_version_has_a_switch(text: str, fair: bool) -> None:
    (found,) = facts_of(config(text)).of(KueueConfig)

    assert found.fair_sharing is fair


@pytest.mark.parametrize(
    "text", ["fairSharing: 7", "integrations: {frameworks: pod}", "integrations: [pod]", "manageJobsWithoutQueueName: 'yes'"]
)
def test_a_configuration_of_wrong_types_is_not_read(text: str) -> None:
    assert facts_of(config(text)).of(KueueConfig) == ()


def test_a_release_in_which_pods_may_name_foreign_groups_is_said() -> None:
    pods = config("integrations: {frameworks: [batch/job, pod]}")
    door = queue("q") + local("vision", "q")

    (found,) = said(facts_of(SPACES + MANAGER + pods + door), Assumption)
    assert found.text == (
        "no pod on capacity starts by naming the pod group of another workload: Kueue 0.12.3 does not refuse it, 0.19.2 does"
    )
    assert said(facts_of(SPACES + MANAGER.replace("0.12.3", "0.19.2") + pods + door), Assumption) == []
    assert said(facts_of(SPACES + MANAGER + config("{}") + door), Assumption) == []
