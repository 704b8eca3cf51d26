"""Two tenants claim the same thing."""

from partywall.testing import findings, world
from partywall_rules.identity.thing_claimed_twice import thing_claimed_twice


def test_a_disputed_thing_is_found() -> None:
    (finding,) = findings(thing_claimed_twice, world({"bucket:corpus": "speech+vision"}, disputed=["bucket:corpus"]))

    assert finding.message == "bucket:corpus is claimed by speech and vision"
    assert finding.severity.word == "high"


def test_a_thing_that_both_say_they_share_is_quiet() -> None:
    assert findings(thing_claimed_twice, world({"bucket:corpus": "speech+vision"})) == []
