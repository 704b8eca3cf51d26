"""An approval lets the guest do more than it says."""

from partywall.testing import edge, findings, world
from partywall_rules.identity.approval_gives_more_than_it_says import approval_gives_more_than_it_says

SUBMITS = edge("group:speech", "create workloads", "ns:vision")
PLACED = edge("ns:vision", "has service account", "sa:vision/trainer")
OWN = edge("sa:vision/trainer", "read", "bucket:vision")
OWNERS = {"group:speech": "speech", "ns:vision": "vision", "sa:vision/trainer": "vision", "bucket:vision": "vision"}


def test_one_finding_on_the_entry_names_what_the_approval_does_not_say() -> None:
    (finding,) = findings(approval_gives_more_than_it_says, world(OWNERS, (SUBMITS, PLACED, OWN), approved=(SUBMITS,)))

    assert finding.message == "the approval for speech also gives sa:vision/trainer (identity), which it does not say"
    assert finding.cause.pointer == SUBMITS.because[0].pointer
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "vision")]


def test_an_approval_in_lane_identity_lets_the_guest_be_the_host() -> None:
    enters = edge("group:speech", "enters as", "sa:vision/trainer")

    assert findings(approval_gives_more_than_it_says, world(OWNERS, (enters, OWN), approved=(enters,))) == []


def test_an_approved_last_hop_gives_nothing_more() -> None:
    reads = edge("group:speech", "read", "bucket:vision")

    assert findings(approval_gives_more_than_it_says, world(OWNERS, (reads,), approved=(reads,))) == []
