"""A member of one tenant can change the HyperPod cluster that several tenants share."""

import pytest

from partywall.api import Finding
from partywall.testing import Edge, condition, edge, findings, remove, world
from partywall_rules.act.change_the_shared_cluster import change_the_shared_cluster

CROSSING = edge("group:speech", "update cluster", "nodes:gpu", lever=remove("input.json", "/items/3"))
OWNERS = {"group:speech": "speech", "nodes:gpu": "speech,vision"}


def ask(*edges: Edge, approved: tuple[Edge, ...] = (), owners: dict[str, str] = OWNERS) -> list[Finding]:
    return findings(change_the_shared_cluster, world(owners, edges, approved=approved))


def test_it_is_found_and_the_cause_is_shown() -> None:
    (finding,) = ask(CROSSING)

    assert finding.message == "group:speech can change nodes:gpu"
    assert finding.cause.pointer == "/items/3"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "vision")]


@pytest.mark.parametrize(
    ("edges", "owners"),
    [
        pytest.param((CROSSING,), {**OWNERS, "nodes:gpu": "speech"}, id="its own thing"),
        pytest.param((edge("group:speech", "list pods", "nodes:gpu"),), OWNERS, id="another verb"),
    ],
)
def test_stays_quiet(edges: tuple[Edge, ...], owners: dict[str, str]) -> None:
    assert ask(*edges, owners=owners) == []


def test_an_approved_edge_is_no_finding() -> None:
    assert ask(CROSSING, approved=(CROSSING,)) == []


def test_a_condition_is_part_of_the_sentence() -> None:
    doubtful = edge("group:speech", "update cluster", "nodes:gpu", when=condition("aws:PrincipalTag/team", "vision"))

    (finding,) = ask(doubtful)

    assert finding.message == "group:speech can change nodes:gpu, if aws:PrincipalTag/team = vision"
    assert finding.certainty == "conditional"
