"""The task view of one tenant's Studio shows another tenant's tasks."""

import pytest

from partywall.api import Finding
from partywall.testing import Edge, condition, edge, findings, remove, world
from partywall_rules.view.studio_shows_foreign_tasks import studio_shows_foreign_tasks

CROSSING = edge(
    "role:speech", "sees in Studio the tasks of", "ns:vision", lever=remove("input.json", "/items/3"), note="Studio of profile ana"
)
ENTRY = edge("group:speech-people", "enters as", "role:speech")
OWNERS = {"group:speech-people": "speech", "role:speech": "speech", "ns:vision": "vision"}


def ask(*edges: Edge, approved: tuple[Edge, ...] = (), owners: dict[str, str] = OWNERS) -> list[Finding]:
    return findings(
        studio_shows_foreign_tasks,
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

    assert finding.message == "Studio with role:speech shows the tasks of ns:vision: Studio of profile ana"
    assert finding.cause.pointer == "/items/3"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "vision")]


@pytest.mark.parametrize(
    ("edges", "owners"),
    [
        pytest.param((CROSSING,), {**OWNERS, "ns:vision": "speech"}, id="its own thing"),
        pytest.param((edge("role:speech", "list pods", "ns:vision"),), OWNERS, id="another verb"),
    ],
)
def test_stays_quiet(edges: tuple[Edge, ...], owners: dict[str, str]) -> None:
    assert ask(*edges, owners=owners) == []


def test_an_approved_edge_is_no_finding() -> None:
    assert ask(CROSSING, approved=(CROSSING,)) == []


def test_a_condition_is_part_of_the_sentence() -> None:
    doubtful = edge(
        "role:speech",
        "sees in Studio the tasks of",
        "ns:vision",
        when=condition("aws:PrincipalTag/team", "vision"),
        note="Studio of profile ana",
    )

    (finding,) = ask(doubtful)

    assert (
        finding.message == "Studio with role:speech shows the tasks of ns:vision: Studio of profile ana, if aws:PrincipalTag/team = vision"
    )
    assert finding.certainty == "conditional"
