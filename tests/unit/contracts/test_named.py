"""What the tenancy files name exactly exists."""

import pytest

from partywall.contracts.named import named
from partywall.model.node import Kind, Node
from partywall.model.tenancy import Orchestrator
from tests.unit.contracts.written import CLUSTER, tenants

SLURM = "111122223333/us-east-2/batch"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("namespaces: [train]", [Node(Kind.NAMESPACE, CLUSTER, "train")]),
        ("namespaces: [capacity/train]", [Node(Kind.NAMESPACE, CLUSTER, "train")]),
        ("namespaces: [elsewhere/train]", []),
        ("namespaces: ['train-*']", []),
        ("users: [v-ana]", [Node(Kind.OS_USER, SLURM, "v-ana")]),
        ("buckets: [x, x/p]", [Node(Kind.BUCKET, "", "x"), Node(Kind.PREFIX, "", "x/p/")]),
        ("keys: [1a2b]", []),
        ("workload_roles: ['arn:aws:iam::1:role/w']", [Node(Kind.ROLE, "1", "arn:aws:iam::1:role/w")]),
        ("file_systems: ['fs-1:/d']", [Node(Kind.DIRECTORY, "", "fs-1:/d")]),
    ],
)
def test_exact_names_are_nodes_on_each_cluster_that_can_have_them(line: str, expected: list[Node]) -> None:
    tenancy = tenants(f"tenants: [{{name: a, {line}}}]")

    assert [each.node for each in named(tenancy, seen=[(SLURM, Orchestrator.SLURM)])] == expected


def test_the_things_of_approvals_exist_too() -> None:
    tenancy = tenants(
        "tenants: [{name: a}, {name: b}]\ncontracts: [{tenant: a, approvals: [{tenant: b, lane: data, things: {buckets: [x]}}]}]"
    )

    assert [each.node for each in named(tenancy)] == [Node(Kind.BUCKET, "", "x")]
