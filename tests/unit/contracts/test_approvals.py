"""What an approval covers, and until when."""

from datetime import date

import pytest

from partywall.contracts.approvals import approvals_for
from partywall.model.node import Kind, Node
from partywall.model.tenancy import Approval, Tenancy
from partywall.model.verbs import Lane
from tests.unit.contracts.written import CLUSTER, tenants

DAY = date(2026, 11, 30)
QUEUE = Node(Kind.QUEUE, CLUSTER, "q")
TRAIN = Node(Kind.NAMESPACE, CLUSTER, "train")


def approved(things: str, lane: str = "data", until: str = "2026-12-31", status: str = "approved") -> Tenancy:
    return tenants(
        f"tenants: [{{name: a}}, {{name: b}}]\n"
        f"contracts: [{{tenant: a, status: {status}, approvals: [{{tenant: b, lane: {lane}, things: {things}, until: {until}}}]}}]"
    )


def covering(
    target: Node, tenancy: Tenancy, lane: Lane = Lane.DATA, owners: tuple[str, ...] = ("a",), day: date = DAY
) -> tuple[Approval, ...]:
    return approvals_for(target, lane, owners, tenancy, day, {QUEUE: TRAIN})


@pytest.mark.parametrize(
    ("things", "target"),
    [
        pytest.param("{buckets: [x]}", Node(Kind.BUCKET, "", "x"), id="the thing itself"),
        pytest.param("{buckets: ['x*']}", Node(Kind.BUCKET, "", "xy"), id="by a glob"),
        pytest.param("{buckets: [x]}", Node(Kind.PREFIX, "", "x/p/"), id="a part of it"),
        pytest.param("{buckets: [x/p]}", Node(Kind.PREFIX, "", "x/p/q/"), id="a part of a part"),
        pytest.param("{namespaces: [train]}", Node(Kind.SERVICE_ACCOUNT, CLUSTER, "train/job"), id="inside a namespace"),
        pytest.param("{namespaces: [train]}", QUEUE, id="inside by a resolver's word"),
        pytest.param("{keys: [k1]}", Node(Kind.KEY, "1", "arn:aws:kms:us-east-2:1:key/k1"), id="by its short name"),
    ],
)
def test_an_approval_covers_what_lies_within_its_things(things: str, target: Node) -> None:
    (approval,) = covering(target, approved(things))

    assert (approval.guest, approval.grantor) == ("b", "a")


@pytest.mark.parametrize(
    ("things", "target"),
    [
        pytest.param("{buckets: [x/p]}", Node(Kind.BUCKET, "", "x"), id="the whole of which it is a part"),
        pytest.param("{buckets: [x/p]}", Node(Kind.PREFIX, "", "x/pq/"), id="a folder beside it"),
        pytest.param("{namespaces: [train]}", Node(Kind.NAMESPACES, CLUSTER, "*"), id="all namespaces"),
        pytest.param("{namespaces: [train]}", Node(Kind.BUCKET, "", "train"), id="another kind"),
    ],
)
def test_an_approval_covers_nothing_else(things: str, target: Node) -> None:
    assert covering(target, approved(things)) == ()


def test_an_approval_is_of_one_lane() -> None:
    assert covering(Node(Kind.BUCKET, "", "x"), approved("{buckets: [x]}"), lane=Lane.ACT) == ()


def test_only_the_owner_can_approve() -> None:
    assert covering(Node(Kind.BUCKET, "", "x"), approved("{buckets: [x]}"), owners=("c",)) == ()


def test_the_last_day_counts_and_the_next_does_not() -> None:
    tenancy = approved("{buckets: [x]}", until="2026-11-30")

    assert covering(Node(Kind.BUCKET, "", "x"), tenancy, day=date(2026, 11, 30))
    assert not covering(Node(Kind.BUCKET, "", "x"), tenancy, day=date(2026, 12, 1))


@pytest.mark.parametrize("status", ["draft", "retired"])
def test_drafts_and_retired_contracts_approve_nothing(status: str) -> None:
    assert covering(Node(Kind.BUCKET, "", "x"), approved("{buckets: [x]}", status=status)) == ()
