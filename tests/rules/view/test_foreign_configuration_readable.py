"""A member of one tenant can read another tenant's configuration."""

import pytest

from partywall.api import Finding
from partywall.testing import Edge, condition, edge, findings, remove, world
from partywall_rules.view.foreign_configuration_readable import foreign_configuration_readable

CROSSING = edge("group:speech", "read configmaps", "ns:vision", lever=remove("input.json", "/items/3"))
OWNERS = {"group:speech": "speech", "ns:vision": "vision"}


def ask(*edges: Edge, approved: tuple[Edge, ...] = (), owners: dict[str, str] = OWNERS) -> list[Finding]:
    return findings(foreign_configuration_readable, world(owners, edges, approved=approved))


def test_it_is_found_and_the_cause_is_shown() -> None:
    (finding,) = ask(CROSSING)

    assert finding.message == "group:speech can read the configuration of ns:vision"
    assert finding.cause.pointer == "/items/3"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "vision")]


@pytest.mark.parametrize(
    ("edges", "owners"),
    [
        pytest.param((CROSSING,), {**OWNERS, "ns:vision": "speech"}, id="its own thing"),
        pytest.param((edge("group:speech", "connect to", "ns:vision"),), OWNERS, id="another verb"),
    ],
)
def test_stays_quiet(edges: tuple[Edge, ...], owners: dict[str, str]) -> None:
    assert ask(*edges, owners=owners) == []


def test_an_approved_edge_is_no_finding() -> None:
    assert ask(CROSSING, approved=(CROSSING,)) == []


def test_a_condition_is_part_of_the_sentence() -> None:
    doubtful = edge("group:speech", "read configmaps", "ns:vision", when=condition("aws:PrincipalTag/team", "vision"))

    (finding,) = ask(doubtful)

    assert finding.message == "group:speech can read the configuration of ns:vision, if aws:PrincipalTag/team = vision"
    assert finding.certainty == "conditional"
