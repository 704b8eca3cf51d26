"""The demo estate's cluster asked one question at a time: `who_can` names those whom the resolvers' edges lead from, and nobody else."""

from pathlib import Path

import pytest

from partywall.files import ReadSettings, read
from partywall.model.edge import Certainty, Edge
from partywall.model.facts import Facts
from partywall.model.node import Kind
from partywall.parse.everything import parse
from partywall.resolve.access import Outcome, Question, read_request, who_can
from partywall.resolve.eks import RESOLVER as EKS
from partywall.resolve.netpol.answer import Verdict
from partywall.resolve.netpol.ask import asked
from partywall.resolve.rbac import RESOLVER as RBAC
from partywall.resolve.rbac.places import namespaces

NOW = "2026-11-30T00:00:00Z"
SCOPE = "111122223333/us-east-2/harbor-eks"
_KINDS = {Kind.GROUP: "group:", Kind.USER: "user:", Kind.SERVICE_ACCOUNT: "sa:", Kind.ROLE: "", Kind.IAM_USER: ""}


@pytest.fixture(scope="module", params=["harbor", "harbor-mended"])
def estate(request: pytest.FixtureRequest, root: Path) -> Facts:
    return parse(read(root / "fixtures" / "worlds" / request.param, ReadSettings(now=NOW)).documents)[0]


@pytest.mark.parametrize(
    ("verb", "requests"),
    [
        ("create pods/exec", [("create", "pods/exec"), ("get", "pods/exec"), ("create", "pods/attach"), ("get", "pods/attach")]),
        ("read secrets", [(verb, "secrets") for verb in ("get", "list", "watch")]),
        ("list pods", [(verb, resource) for verb in ("get", "list", "watch") for resource in ("pods", "pods/status")]),
        ("read configmaps", [(verb, "configmaps") for verb in ("get", "list", "watch")]),
    ],
)
def test_who_can_agrees_with_the_edges(estate: Facts, verb: str, requests: list[tuple[str, str]]) -> None:
    edges = [found for resolver in (RBAC, EKS) for found in resolver.resolve(estate) if isinstance(found, Edge)]
    homes = [home for home in namespaces(estate)[SCOPE] if home.startswith("hyperpod-ns-")]
    assert len(homes) > 2

    for home in homes:
        here = [
            edge
            for edge in edges
            if edge.target.scope == SCOPE
            and ((edge.verb == verb and edge.target.name in ("*", home)) or edge.verb == "becomes administrator of")
        ]
        told = {
            f"{_KINDS[edge.source.kind]}{edge.source.name}"
            for edge in here
            if edge.source.kind in _KINDS and edge.certainty is not Certainty.UNKNOWN
        }
        # Whoever comes in as a group or user has what that has; the graph says it in two hops.
        for edge in edges:
            if edge.verb == "enters as" and f"{_KINDS.get(edge.target.kind, '?')}{edge.target.name}" in told:
                told.add(edge.source.name)
        found = {
            str(answer.who)
            for wanted in requests
            for crowd in who_can(Question(estate), read_request(estate, *wanted, home))
            for answer in crowd.answers
            if answer.decision.outcome is not Outcome.UNDECIDABLE
        }
        assert found == told, home


def test_the_pods_of_a_tenant_do_not_reach_instance_metadata(estate: Facts) -> None:
    by_address = {answer.target: answer for answer in asked(estate, (), "hyperpod-ns-vision", "imds", [SCOPE], {})}

    assert {row.verdict for row in by_address["169.254.169.254"].rows} == {Verdict.DENIED}
    assert {row.verdict for row in by_address["fd00:ec2::254"].rows} == {Verdict.UNKNOWN}
