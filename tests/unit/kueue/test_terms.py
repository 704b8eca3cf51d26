"""Lending is consent, but where a contract forbids it."""

from collections.abc import Mapping

import pytest

from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts_kueue import ComputeQuota, Strategy
from partywall.model.tenancy import Borrow, Contract, Scheduling, Status
from tests.unit.kueue.world import CLUSTER, SPACES, compute, config, door, facts_of, queue, said

HELD = config("manageJobsWithoutQueueName: true\nintegrations: {frameworks: [batch/job]}")
HERE = Evidence("contracts/x.yaml", "")


def own(name: str, limits: str = "", **spec: str) -> str:
    selector = f"{{matchLabels: {{kubernetes.io/metadata.name: {name}}}}}"
    return queue(f"{name}-cq", selector, limits=limits, **{"cohort": "ml", **spec}) + door(name, f"{name}-cq")


def contract(
    tenant: str,
    borrow: Borrow | None = None,
    lend: str | None = None,
    preempt: str | None = None,
    limit: str | Mapping[str, float] | None = None,
    status: Status = Status.APPROVED,
) -> Contract:
    terms = Scheduling(HERE, borrow=borrow, borrow_limit=limit, lend=lend, preempt=preempt)
    return Contract(tenant, status, HERE, "contracts/x.yaml", "", {}, {}, scheduling=terms)


BOTH = SPACES + HELD + own("vision") + own("nlp")


def test_what_the_queues_declare_is_no_edge() -> None:
    assert compute(BOTH) == []
    assert compute(BOTH, contract("nlp"), contract("vision")) == []


def test_borrowing_that_the_borrowers_contract_forbids() -> None:
    facts = facts_of(BOTH, contract("nlp", borrow=Borrow.NONE))
    (edge,) = said(facts, Edge)
    assert edge.lever.change is not None

    assert (edge.source.name, edge.verb, edge.target.name) == ("nlp", "consume capacity of", "vision-cq")
    assert edge.lever.text == "set borrowingLimit of ClusterQueue nlp-cq to 0 gpu of p5"
    assert said(facts.patched(edge.lever.change), Edge) == []


def test_lending_that_the_lenders_contract_forbids() -> None:
    facts = facts_of(BOTH, contract("vision", lend="none"))
    (edge,) = said(facts, Edge)
    assert edge.lever.change is not None

    assert (edge.source.name, edge.target.name, edge.lever.text) == ("nlp", "vision-cq", "set lendingLimit of ClusterQueue vision-cq to 0")
    assert said(facts.patched(edge.lever.change), Edge) == []


def test_more_borrowing_than_a_contract_allows() -> None:
    (edge,) = said(facts_of(BOTH, contract("nlp", borrow=Borrow.LIMITED, limit="50%")), Edge)

    assert edge.lever.text == "set borrowingLimit of ClusterQueue nlp-cq to 4 gpu of p5"
    assert (
        compute(SPACES + HELD + own("vision") + own("nlp", ", borrowingLimit: 4"), contract("nlp", borrow=Borrow.LIMITED, limit="50%"))
        == []
    )


def test_a_preemption_that_a_contract_forbids() -> None:
    text = SPACES + HELD + own("vision", preemption="{reclaimWithinCohort: Any}") + own("nlp")

    assert compute(text, contract("vision", preempt="never")) == [("vision", "preempt", "nlp-cq")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SPACES + HELD + own("vision") + own("nlp", ", borrowingLimit: 0"), id="it may not borrow"),
        pytest.param(SPACES + HELD + own("vision", ", lendingLimit: 0") + own("nlp"), id="the other lends nothing"),
        pytest.param(SPACES + HELD + own("vision") + own("nlp", cohort="other"), id="another cohort"),
        pytest.param(SPACES + HELD + own("vision") + own("nlp").replace("p5", "p4"), id="another flavor"),
        pytest.param(
            SPACES + HELD + own("vision") + own("nlp").replace("cohort:", "cohortName:"), id="the other version's field is dropped"
        ),
    ],
)
def test_stays_quiet(text: str) -> None:
    assert compute(text, contract("nlp", borrow=Borrow.NONE)) == []


def test_a_draft_forbids_nothing() -> None:
    assert compute(BOTH, contract("nlp", borrow=Borrow.NONE, status=Status.DRAFT)) == []


def test_a_cohort_above_joins_two_and_its_limit_parts_them() -> None:
    tree = "apiVersion: kueue.x-k8s.io/v1beta1\nkind: Cohort\nmetadata: {name: NAME}\nspec: {parentName: all}\n---\n"
    text = SPACES + HELD + own("vision", cohort="a") + own("nlp", cohort="b") + tree.replace("NAME", "a") + tree.replace("NAME", "b")
    barred = text.replace(
        "metadata: {name: b}\nspec: {parentName: all}",
        "metadata: {name: b}\nspec:\n  parentName: all\n  resourceGroups: "
        "[{coveredResources: [gpu], flavors: [{name: p5, resources: [{name: gpu, nominalQuota: 0, borrowingLimit: 0}]}]}]",
    )

    assert compute(text, contract("nlp", borrow=Borrow.NONE)) == [("nlp", "consume capacity of", "vision-cq")]
    assert compute(barred, contract("nlp", borrow=Borrow.NONE)) == []


def quota(team: str, strategy: Strategy) -> ComputeQuota:
    at = Evidence(f"quota-{team}.json", "")
    return ComputeQuota(CLUSTER, team, team, True, strategy, 50, {}, "LowerPriority", {"ml.p5.48xlarge": 8}, 0, "", "", at)


def test_compute_quotas_are_judged_where_their_queues_were_not_given() -> None:
    quotas = (quota("vision", Strategy.LEND), quota("nlp", Strategy.LEND_AND_BORROW))

    assert compute("", *quotas, contract("nlp", borrow=Borrow.NONE)) == [
        ("hyperpod-ns-nlp", "consume capacity of", "hyperpod-ns-vision-clusterqueue")
    ]
    assert compute("", quota("vision", Strategy.DONT_LEND), quotas[1], contract("nlp", borrow=Borrow.NONE)) == []
