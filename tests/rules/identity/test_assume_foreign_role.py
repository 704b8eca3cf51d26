"""Somebody of one tenant can become another tenant's role, permission set or project."""

import pytest

from partywall.api import Finding
from partywall.testing import Edge, condition, edge, findings, remove, world
from partywall_rules.identity.assume_foreign_role import assume_foreign_role

CROSSING = edge("role:speech", "assumes", "role:vision", lever=remove("input.json", "/items/3"))
ENTRY = edge("group:speech-people", "enters as", "role:speech")
OWNERS = {"group:speech-people": "speech", "role:speech": "speech", "role:vision": "vision"}


def ask(*edges: Edge, approved: tuple[Edge, ...] = (), owners: dict[str, str] = OWNERS) -> list[Finding]:
    return findings(
        assume_foreign_role,
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

    assert finding.message == "role:speech can become role:vision"
    assert finding.cause.pointer == "/items/3"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "vision")]


@pytest.mark.parametrize(
    ("edges", "owners"),
    [
        pytest.param((CROSSING,), {**OWNERS, "role:vision": "speech"}, id="its own thing"),
        pytest.param((edge("role:speech", "list pods", "role:vision"),), OWNERS, id="another verb"),
    ],
)
def test_stays_quiet(edges: tuple[Edge, ...], owners: dict[str, str]) -> None:
    assert ask(*edges, owners=owners) == []


def test_an_approved_edge_is_no_finding() -> None:
    assert ask(CROSSING, approved=(CROSSING,)) == []


def test_a_condition_is_part_of_the_sentence() -> None:
    doubtful = edge("role:speech", "assumes", "role:vision", when=condition("aws:PrincipalTag/team", "vision"))

    (finding,) = ask(doubtful)

    assert finding.message == "role:speech can become role:vision, if aws:PrincipalTag/team = vision"
    assert finding.certainty == "conditional"
