"""Somebody outside the estate reaches a tenant's or the platform's things."""

from partywall.testing import edge, findings, world
from partywall_rules.identity.outsider_reaches_tenants import outsider_reaches_tenants

READS = edge("internet:anyone", "read", "bucket:vision")
LOOKS = edge("internet:anyone", "list contents", "bucket:scripts")
OWNERS = {"internet:anyone": "outside", "bucket:vision": "vision", "bucket:scripts": "platform"}


def test_a_public_bucket_is_a_breach_in_its_lane() -> None:
    (finding,) = findings(outsider_reaches_tenants, world(OWNERS, (READS,)))

    assert finding.message == "internet:anyone, outside the estate, reaches bucket:vision (read)"
    assert (finding.verdict, finding.lane) == ("breach", "data")


def test_even_a_look_at_the_platforms_things_counts() -> None:
    (finding,) = findings(outsider_reaches_tenants, world(OWNERS, (LOOKS,)))

    assert [(pair.source, pair.target) for pair in finding.pairs] == [("outside", "platform")]


def test_a_tenants_account_is_not_outside() -> None:
    assert findings(outsider_reaches_tenants, world({**OWNERS, "internet:anyone": "vision"}, (READS,))) == []
