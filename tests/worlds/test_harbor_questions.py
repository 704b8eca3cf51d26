"""The demo estate asked one question at a time: `who_can` names those whom the resolvers' edges lead from, and nobody else."""

from collections.abc import Callable
from pathlib import Path

import pytest

from partywall.files import ReadSettings, read
from partywall.model.edge import Certainty, Edge
from partywall.model.facts import Facts
from partywall.model.node import Kind, Node
from partywall.parse.everything import parse
from partywall.resolve.data import RESOLVER as DATA
from partywall.resolve.iam import RESOLVER as IAM
from partywall.resolve.iam import Outcome, who_can
from tests.unit.engine.folders import NOW

_KNOWN = (Kind.ROLE, Kind.IAM_USER)


@pytest.fixture(scope="module")
def harbor(root: Path) -> Facts:
    return parse(read(root / "fixtures" / "worlds" / "harbor", ReadSettings(now=NOW)).documents)[0]


@pytest.fixture(scope="module")
def edges(harbor: Facts) -> tuple[Edge, ...]:
    return tuple(found for resolver in (DATA, IAM) for found in resolver.resolve(harbor) if isinstance(found, Edge))


def own_arn(node: Node) -> str:
    return node.name


def bucket_arn(node: Node) -> str:
    return f"arn:aws:s3:::{node.name}"


@pytest.mark.parametrize(
    ("verb", "action", "kind", "arn"),
    [
        ("list contents", "s3:ListBucket", Kind.BUCKET, bucket_arn),
        ("change policy of", "s3:PutBucketPolicy", Kind.BUCKET, bucket_arn),
        ("decrypt with", "kms:Decrypt", Kind.KEY, own_arn),
        ("pull images", "ecr:BatchGetImage", Kind.REPOSITORY, own_arn),
        ("assumes", "sts:AssumeRole", Kind.ROLE, own_arn),
    ],
)
def test_who_can_agrees_with_the_edges(
    harbor: Facts, edges: tuple[Edge, ...], verb: str, action: str, kind: Kind, arn: Callable[[Node], str]
) -> None:
    targets = sorted({edge.target for edge in edges if edge.target.kind is kind and edge.verb == verb})
    assert targets

    for target in targets:
        here = [edge for edge in edges if (edge.verb, edge.target) == (verb, target) and edge.source.kind in _KNOWN]
        found = {name: decision.outcome for name, decision in who_can(harbor, action, arn(target)) if ":role/" in name or ":user/" in name}
        told = {name for name, outcome in found.items() if outcome is not Outcome.UNDECIDABLE}

        assert told == {edge.source.name for edge in here if edge.certainty is not Certainty.UNKNOWN}, target.name
        assert {edge.source.name for edge in here} <= found.keys(), target.name
