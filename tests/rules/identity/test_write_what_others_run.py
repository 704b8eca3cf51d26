"""Somebody of one tenant writes the scripts or images that others run."""

import pytest

from partywall.api import Finding
from partywall.testing import Edge, condition, edge, findings, remove, world
from partywall_rules.identity.write_what_others_run import write_what_others_run

CROSSING = edge("role:speech", "writes scripts run by", "nodes:gpu", lever=remove("input.json", "/items/3"))
ENTRY = edge("group:speech-people", "enters as", "role:speech")
OWNERS = {"group:speech-people": "speech", "role:speech": "speech", "nodes:gpu": "speech,vision"}


def ask(*edges: Edge, approved: tuple[Edge, ...] = (), owners: dict[str, str] = OWNERS) -> list[Finding]:
    return findings(
        write_what_others_run,
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

    assert finding.message == "role:speech can write what nodes:gpu run"
    assert finding.cause.pointer == "/items/3"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "vision")]


@pytest.mark.parametrize(
    ("edges", "owners"),
    [
        pytest.param((CROSSING,), {**OWNERS, "nodes:gpu": "speech"}, id="its own thing"),
        pytest.param((edge("role:speech", "list pods", "nodes:gpu"),), OWNERS, id="another verb"),
    ],
)
def test_stays_quiet(edges: tuple[Edge, ...], owners: dict[str, str]) -> None:
    assert ask(*edges, owners=owners) == []


def test_an_approved_edge_is_no_finding() -> None:
    assert ask(CROSSING, approved=(CROSSING,)) == []


def test_a_condition_is_part_of_the_sentence() -> None:
    doubtful = edge("role:speech", "writes scripts run by", "nodes:gpu", when=condition("aws:PrincipalTag/team", "vision"))

    (finding,) = ask(doubtful)

    assert finding.message == "role:speech can write what nodes:gpu run, if aws:PrincipalTag/team = vision"
    assert finding.certainty == "conditional"
