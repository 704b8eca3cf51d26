"""Ways into another's queue, and who may change what shares capacity out."""

import pytest

from partywall.model.document import Gap
from partywall.model.edge import Certainty, Edge, Move
from partywall.model.evidence import Evidence
from partywall.model.facts import Listed
from partywall.model.thing import Thing
from tests.unit.kueue.world import CLUSTER, SPACES, compute, config, door, facts_of, may, queue, said

HELD = config("manageJobsWithoutQueueName: true\nintegrations: {frameworks: [batch/job]}")
OPEN = SPACES + HELD + queue("vision-cq") + queue("nlp-cq", "{matchLabels: {kubernetes.io/metadata.name: nlp}}")
OPEN += door("vision", "vision-cq") + door("nlp", "nlp-cq")


def test_who_may_make_local_queues_gets_into_a_queue_that_is_open_to_all() -> None:
    assert compute(OPEN + may("nlp", "kueue.x-k8s.io", "localqueues")) == [("team-nlp", "consume capacity of", "vision-cq")]


def test_the_selector_is_the_lever_and_closes_it() -> None:
    facts = facts_of(OPEN + may("nlp", "kueue.x-k8s.io", "localqueues"))
    (edge,) = said(facts, Edge)
    assert edge.lever.change is not None

    assert (edge.lever.move, edge.lever.kind, edge.lever.name) == (Move.SET, "ClusterQueue", "vision-cq")
    assert edge.lever.text == "let the namespaceSelector of ClusterQueue vision-cq select vision only, by kubernetes.io/metadata.name"
    assert said(facts.patched(edge.lever.change), Edge) == []


def test_a_local_queue_that_points_at_it_already_is_a_way() -> None:
    (edge,) = said(facts_of(OPEN + door("nlp", "vision-cq", "burst")), Edge)

    assert (edge.source.name, edge.target.name, edge.note) == ("nlp", "vision-cq", "LocalQueue nlp/burst")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(OPEN, id="nobody may make one"),
        pytest.param(OPEN + may("vision", "kueue.x-k8s.io", "localqueues"), id="the queue's own people"),
        pytest.param(
            SPACES + HELD + queue("vision-cq", "null") + door("vision", "vision-cq") + door("nlp", "vision-cq", "burst"),
            id="null admits nobody",
        ),
    ],
)
def test_stays_quiet(text: str) -> None:
    assert compute(text) == []


def test_what_a_local_queue_points_at_cannot_be_changed() -> None:
    assert compute(OPEN + may("nlp", "kueue.x-k8s.io", "localqueues", "update")) == [("team-nlp", "change", "nlp")]


def test_who_may_label_the_namespace_may_make_a_selector_admit_it() -> None:
    text = (
        SPACES
        + HELD
        + queue("vision-cq", "{matchLabels: {team: vision}}")
        + door("vision", "vision-cq")
        + door("nlp", "vision-cq", "burst")
    )
    (edge,) = said(facts_of(text + may("nlp", "", "namespaces", "patch")), Edge)

    assert (edge.source.name, edge.target.name) == ("team-nlp", "vision-cq")
    assert edge.note == "after labelling namespace/nlp so that team=vision selects it"


def test_a_namespace_whose_labels_were_not_read_makes_it_unknown() -> None:
    text = HELD + queue("vision-cq", "{matchLabels: {team: vision}}") + door("vision", "vision-cq") + door("nlp", "vision-cq", "burst")
    (edge,) = (edge for edge in said(facts_of(text), Edge) if edge.source.name == "nlp")

    assert edge.certainty is Certainty.UNKNOWN


def test_hyperpods_names_say_whose_a_queue_is() -> None:
    text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: hyperpod-ns-vision}\n---\n" + queue("hyperpod-ns-vision-clusterqueue")
    things = said(facts_of(text), Thing)

    assert things[1].parent is not None
    assert things[1].parent.name == "hyperpod-ns-vision"


def test_a_queue_that_was_not_given_is_a_gap_unless_all_were_listed() -> None:
    text = SPACES + HELD + queue("nlp-cq") + door("nlp", "elsewhere")
    listed = Listed("ClusterQueue", CLUSTER, Evidence("k8s.yaml", ""))

    assert [gap.what for gap in said(facts_of(text), Gap)] == ["ClusterQueue elsewhere, which LocalQueue nlp/elsewhere points at"]
    assert said(facts_of(text, listed), Gap) == []


WRITER = """
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: queue-writer}
rules: [{apiGroups: [kueue.x-k8s.io], resources: [RESOURCE], verbs: [patch]NAMES}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: queue-writer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: queue-writer}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-nlp}]
"""


@pytest.mark.parametrize(
    ("resource", "names", "edge"),
    [
        ("clusterqueues", "", ("team-nlp", "change quota of", "*")),
        ("clusterqueues", ", resourceNames: [vision-cq]", ("team-nlp", "change quota of", "vision-cq")),
        ("cohorts", "", ("team-nlp", "change quota of", "*")),
        ("workloadpriorityclasses", "", ("team-nlp", "change priorities of", "*")),
        ("workloads/status", "", ("team-nlp", "consume capacity of", "*")),
    ],
)
def test_who_may_write_what_shares_capacity_out(resource: str, names: str, edge: tuple[str, str, str]) -> None:
    assert compute(OPEN + WRITER.replace("RESOURCE", resource).replace("NAMES", names)) == [edge]


@pytest.mark.parametrize(
    ("verb", "edge"), [("patch", ("team-nlp", "change", "vision")), ("delete", ("team-nlp", "delete", "vision")), ("get", None)]
)
def test_who_may_write_the_workloads_of_another_namespace(verb: str, edge: tuple[str, str, str] | None) -> None:
    rights = may("vision", "kueue.x-k8s.io", "workloads", verb).replace("team-vision", "team-nlp")

    assert compute(OPEN + rights) == ([edge] if edge else [])
