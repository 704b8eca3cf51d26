"""Every field that is compared is asked about by a rule of the built-in pack: a difference that nobody asks for would be silence."""

import partywall_rules
from partywall.contracts.difference import FIELDS
from partywall.model.rule import Differences
from partywall.packs import rules_in


def test_every_field_that_is_compared_is_asked_about() -> None:
    asked = {field for rule in rules_in([partywall_rules]) if isinstance(rule.asks, Differences) for field in rule.asks.fields}

    assert set(FIELDS) - asked == set()
