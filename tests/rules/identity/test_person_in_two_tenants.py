"""A person is in groups of two tenants."""

from partywall.testing import findings, world
from partywall_rules.identity.person_in_two_tenants import person_in_two_tenants

GROUPS = {"group:speech": "speech", "group:vision": "vision"}
MEMBERS = [("person:eve", "group:speech"), ("person:eve", "group:vision")]


def test_the_person_is_found_with_both_tenants() -> None:
    (finding,) = findings(person_in_two_tenants, world({"person:eve": "person:speech+vision", **GROUPS}, members=MEMBERS))

    assert finding.message == "person:eve is in groups of speech and vision"
    assert [(pair.source, pair.target) for pair in finding.pairs] == [("speech", "vision"), ("vision", "speech")]
    assert finding.severity.word == "medium"


def test_a_tenants_person_who_is_an_administrator_too_is_in_one_tenant() -> None:
    assert findings(person_in_two_tenants, world({"person:eve": "person:speech+platform", **GROUPS})) == []


def test_membership_is_no_bridge() -> None:
    small = world({"person:eve": "person:speech", **GROUPS})

    assert findings(person_in_two_tenants, small) == []
