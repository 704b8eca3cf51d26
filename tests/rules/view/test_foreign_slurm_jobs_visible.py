"""Slurm shows one tenant's jobs or accounting to another tenant."""

import pytest

from partywall.api import Finding
from partywall.testing import Edge, condition, edge, findings, remove, world
from partywall_rules.view.foreign_slurm_jobs_visible import foreign_slurm_jobs_visible

CROSSING = edge("place:cluster", "list jobs", "scope:jobs", lever=remove("input.json", "/items/3"))
ENTRY = edge("group:speech-people", "enters as", "place:cluster")
OWNERS = {"group:speech-people": "speech", "place:cluster": "place", "scope:jobs": "speech,vision", "group:vision-people": "vision"}


def ask(*edges: Edge, approved: tuple[Edge, ...] = (), owners: dict[str, str] = OWNERS) -> list[Finding]:
    return findings(
        foreign_slurm_jobs_visible,
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

    assert finding.message == "place:cluster shows everybody scope:jobs"
    assert finding.cause.pointer == "/items/3"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "vision")]


@pytest.mark.parametrize(
    ("edges", "owners"),
    [
        pytest.param((CROSSING,), {**OWNERS, "scope:jobs": "speech"}, id="its own thing"),
        pytest.param((edge("place:cluster", "connect to", "scope:jobs"),), OWNERS, id="another verb"),
    ],
)
def test_stays_quiet(edges: tuple[Edge, ...], owners: dict[str, str]) -> None:
    assert ask(*edges, owners=owners) == []


def test_an_approved_edge_is_no_finding() -> None:
    assert ask(CROSSING, approved=(CROSSING,)) == []


def test_a_condition_is_part_of_the_sentence() -> None:
    doubtful = edge("place:cluster", "list jobs", "scope:jobs", when=condition("aws:PrincipalTag/team", "vision"))

    (finding,) = ask(doubtful)

    assert finding.message == "place:cluster shows everybody scope:jobs, if aws:PrincipalTag/team = vision"
    assert finding.certainty == "conditional"
