"""One tenant can evict another tenant's jobs by naming a higher class of priority."""

import pytest

from partywall.api import Finding
from partywall.testing import Edge, condition, edge, findings, remove, world
from partywall_rules.compute.top_priority_for_anyone import top_priority_for_anyone

CROSSING = edge("queue:speech", "outranks the jobs of", "queue:vision", lever=remove("input.json", "/items/3"), note="by class top")
ENTRY = edge("group:speech-people", "enters as", "queue:speech")
OWNERS = {"group:speech-people": "speech", "queue:speech": "speech", "queue:vision": "vision"}


def ask(*edges: Edge, approved: tuple[Edge, ...] = (), owners: dict[str, str] = OWNERS) -> list[Finding]:
    return findings(
        top_priority_for_anyone,
        world(
            owners,
            (
                ENTRY,
                *edges,
            ),
            approved=approved,
        ),
    )


def test_it_is_found_and_the_cause_is_shown() -> None:
    (finding,) = ask(CROSSING)

    assert finding.message == "queue:speech can evict the jobs of queue:vision by class top"
    assert finding.cause.pointer == "/items/3"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "vision")]


@pytest.mark.parametrize(
    ("edges", "owners"),
    [
        pytest.param((CROSSING,), {**OWNERS, "queue:vision": "speech"}, id="its own thing"),
        pytest.param((edge("queue:speech", "list pods", "queue:vision"),), OWNERS, id="another verb"),
    ],
)
def test_stays_quiet(edges: tuple[Edge, ...], owners: dict[str, str]) -> None:
    assert ask(*edges, owners=owners) == []


def test_an_approved_edge_is_no_finding() -> None:
    assert ask(CROSSING, approved=(CROSSING,)) == []


def test_a_condition_is_part_of_the_sentence() -> None:
    doubtful = edge(
        "queue:speech", "outranks the jobs of", "queue:vision", when=condition("aws:PrincipalTag/team", "vision"), note="by class top"
    )

    (finding,) = ask(doubtful)

    assert finding.message == "queue:speech can evict the jobs of queue:vision by class top, if aws:PrincipalTag/team = vision"
    assert finding.certainty == "conditional"
