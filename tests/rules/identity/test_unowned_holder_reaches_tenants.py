"""Something that nobody owns reaches tenants' things."""

from partywall.testing import edge, findings, remove, world
from partywall_rules.identity.unowned_holder_reaches_tenants import unowned_holder_reaches_tenants

READS = edge("group:old", "read", "bucket:vision", lever=remove("iam.json", "/0"))
WRITES = edge("group:old", "write", "bucket:speech", lever=remove("iam.json", "/0"))
OWNERS = {"group:old": "nobody", "bucket:vision": "vision", "bucket:speech": "speech"}


def test_it_is_asked_about_once_for_the_lever_whatever_it_reaches() -> None:
    (finding,) = findings(unowned_holder_reaches_tenants, world(OWNERS, (READS, WRITES)))

    assert finding.message == "group:old, which nobody owns, reaches bucket:speech (write): whose is it?"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("nobody", "speech"), ("nobody", "vision")]
    assert finding.verdict == "unknown"


def test_a_tenants_own_holder_is_not_asked_about() -> None:
    assert findings(unowned_holder_reaches_tenants, world({**OWNERS, "group:old": "speech"}, (READS,))) == []


def test_a_look_at_the_platform_is_not_asked_about() -> None:
    looks = edge("group:old", "list pods", "nodes:gpu")

    assert (
        findings(unowned_holder_reaches_tenants, world({"group:old": "nobody", "nodes:gpu": "platform", "ns:vision": "vision"}, (looks,)))
        == []
    )
