"""Somebody of one tenant enters the cluster as another tenant's group, user or service account."""

import pytest

from partywall.api import Finding
from partywall.testing import Edge, condition, edge, findings, remove, world
from partywall_rules.identity.enter_as_foreign_identity import enter_as_foreign_identity

CROSSING = edge("role:speech", "enters as", "group:vision", lever=remove("input.json", "/items/3"))
ENTRY = edge("group:speech-people", "enters as", "role:speech")
OWNERS = {"group:speech-people": "speech", "role:speech": "speech", "group:vision": "vision"}


def ask(*edges: Edge, approved: tuple[Edge, ...] = (), owners: dict[str, str] = OWNERS) -> list[Finding]:
    return findings(
        enter_as_foreign_identity,
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

    assert finding.message == "role:speech can act as group:vision"
    assert finding.cause.pointer == "/items/3"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "vision")]


@pytest.mark.parametrize(
    ("edges", "owners"),
    [
        pytest.param((CROSSING,), {**OWNERS, "group:vision": "speech"}, id="its own thing"),
        pytest.param((edge("role:speech", "list pods", "group:vision"),), OWNERS, id="another verb"),
    ],
)
def test_stays_quiet(edges: tuple[Edge, ...], owners: dict[str, str]) -> None:
    assert ask(*edges, owners=owners) == []


def test_an_approved_edge_is_no_finding() -> None:
    assert ask(CROSSING, approved=(CROSSING,)) == []


def test_a_condition_is_part_of_the_sentence() -> None:
    doubtful = edge("role:speech", "enters as", "group:vision", when=condition("aws:PrincipalTag/team", "vision"))

    (finding,) = ask(doubtful)

    assert finding.message == "role:speech can act as group:vision, if aws:PrincipalTag/team = vision"
    assert finding.certainty == "conditional"
