"""A Slurm coordinator of one tenant has power over another tenant's account."""

import pytest

from partywall.api import Finding
from partywall.testing import Edge, edge, findings, remove, world
from partywall_rules.act.coordinate_foreign_accounts import coordinate_foreign_accounts

CROSSING = edge("user:s-ana", "coordinates", "slurm:vision", lever=remove("input.json", "/items/3"))
OWNERS = {"user:s-ana": "speech", "slurm:vision": "vision"}


def ask(*edges: Edge, approved: tuple[Edge, ...] = (), owners: dict[str, str] = OWNERS) -> list[Finding]:
    return findings(coordinate_foreign_accounts, world(owners, edges, approved=approved))


def test_it_is_found_and_the_cause_is_shown() -> None:
    (finding,) = ask(CROSSING)

    assert finding.message == "user:s-ana is coordinator of slurm:vision"
    assert finding.cause.pointer == "/items/3"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "vision")]


@pytest.mark.parametrize(
    ("edges", "owners"),
    [
        pytest.param((CROSSING,), {**OWNERS, "slurm:vision": "speech"}, id="its own thing"),
        pytest.param((edge("user:s-ana", "list pods", "slurm:vision"),), OWNERS, id="another verb"),
    ],
)
def test_stays_quiet(edges: tuple[Edge, ...], owners: dict[str, str]) -> None:
    assert ask(*edges, owners=owners) == []


def test_an_approved_edge_is_no_finding() -> None:
    assert ask(CROSSING, approved=(CROSSING,)) == []
