"""What `explain` says of a hop that comes from IAM: who decides its condition, and the limits that let it through."""

from pathlib import Path

import pytest

from partywall.engine.explain import path_lines
from partywall.engine.further import further
from partywall.engine.hops import hops
from partywall.engine.lines import Lines
from partywall.engine.scan import Scan
from partywall.model.evidence import Json
from tests.unit.aws import ACCOUNT, account, allow, arn, managed, role, trust
from tests.unit.engine.folders import folder, scanned

VPC: Json = {"StringEquals": {"aws:SourceVpc": "vpc-1"}}


@pytest.fixture
def estate(tmp_path: Path) -> Scan:
    bound = managed("bound", allow("sts:*"))
    nlp = role("nlp", allow("sts:AssumeRole", arn("vision"), Condition=VPC), boundary=f"arn:aws:iam::{ACCOUNT}:policy/bound")
    vision = role("vision", trusts=[trust({"AWS": f"arn:aws:iam::{ACCOUNT}:root"})])
    details = account(nlp, vision, role("plain", allow("sts:AssumeRole", arn("vision"))), policies=[bound]).value
    return scanned(folder(tmp_path, files={"gaad.json": details}))


def told(scan: Scan, source: str) -> list[str]:
    """Return the lines of the edge by which a role assumes the other."""
    world, lines = scan.world, Lines(scan.reading.documents)
    found = [
        edge for edge in range(len(world.rows)) if world.verb(edge) == "assumes" and world.name(int(world.columns.source[edge])) == source
    ]
    assert len(found) == 1
    return [line.strip() for line in path_lines(hops(world, found, lines.line_of), further(scan))]


def test_a_conditional_hop_says_who_decides_and_shows_a_request_on_either_side(estate: Scan) -> None:
    lines = told(estate, arn("nlp"))
    at = lines.index("who decides:")

    assert lines[at - 1] == "assumes if aws:SourceVpc StringEquals vpc-1"
    assert lines[at + 1 : at + 4] == [
        "environment: aws:SourceVpc StringEquals vpc-1",
        "allowed, for example, with aws:SourceVpc = vpc-1",
        "denied, for example, with no aws:SourceVpc",
    ]


def test_the_limits_that_let_a_hop_through_are_named(estate: Scan) -> None:
    assert f"below the permissions boundary arn:aws:iam::{ACCOUNT}:policy/bound, which allows it" in told(estate, arn("nlp"))


def test_a_hop_without_condition_and_limits_says_no_more_than_its_evidence(estate: Scan) -> None:
    lines = told(estate, arn("plain"))

    assert not any(line.startswith(("who decides", "below the")) for line in lines)
    assert any(line.startswith("because gaad.json:") for line in lines)
