"""A member of a tenant can make himself administrator of what several tenants share."""

import pytest

from partywall.api import Finding
from partywall.testing import Edge, condition, edge, findings, remove, world
from partywall_rules.identity.become_administrator import become_administrator

CROSSING = edge("role:speech", "creates access entry for", "admin:eks", lever=remove("input.json", "/items/3"))
ENTRY = edge("group:speech-people", "enters as", "role:speech")
OWNERS = {"group:speech-people": "speech", "role:speech": "speech", "admin:eks": "platform"}


def ask(*edges: Edge, approved: tuple[Edge, ...] = (), owners: dict[str, str] = OWNERS) -> list[Finding]:
    return findings(
        become_administrator,
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

    assert finding.message == "role:speech can become administrator of admin:eks"
    assert finding.cause.pointer == "/items/3"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "platform")]


@pytest.mark.parametrize(
    ("edges", "owners"),
    [
        pytest.param((CROSSING,), {**OWNERS, "admin:eks": "speech"}, id="its own thing"),
        pytest.param((edge("role:speech", "list pods", "admin:eks"),), OWNERS, id="another verb"),
    ],
)
def test_stays_quiet(edges: tuple[Edge, ...], owners: dict[str, str]) -> None:
    assert ask(*edges, owners=owners) == []


def test_nobody_but_the_platform_approves_its_own_things() -> None:
    (finding,) = ask(CROSSING)

    assert finding.pairs[0].target == "platform"


def test_a_condition_is_part_of_the_sentence() -> None:
    doubtful = edge("role:speech", "creates access entry for", "admin:eks", when=condition("aws:PrincipalTag/team", "vision"))

    (finding,) = ask(doubtful)

    assert finding.message == "role:speech can become administrator of admin:eks, if aws:PrincipalTag/team = vision"
    assert finding.certainty == "conditional"
