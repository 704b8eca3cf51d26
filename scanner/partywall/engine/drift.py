"""Differences between contracts and reality, as findings."""

from collections.abc import Iterable, Iterator, Sequence

from partywall.contracts.difference import Difference as Drifted
from partywall.engine.fingerprint import fingerprint
from partywall.engine.hops import LineOf, place
from partywall.model.edge import Certainty
from partywall.model.report import Cause, Consequences, Counts, DriftPart, End, Finding, Fix, Hop
from partywall.model.rule import Difference, Differences, Rule
from partywall.model.severity import Verdict

LANE = "drift"


def drift_findings(differences: Iterable[Drifted], rules: Sequence[Rule], line_of: LineOf) -> list[Finding]:
    """Return one finding for each rule and difference."""
    return [found for difference in differences for found in _of(difference, rules, line_of)]


def _of(difference: Drifted, rules: Sequence[Rule], line_of: LineOf) -> Iterator[Finding]:
    said = Difference(difference.tenant, difference.document, difference.field, difference.approved, difference.real, difference.text)
    for rule in rules:
        if not isinstance(rule.asks, Differences) or difference.field not in rule.asks.fields:
            continue
        message = rule.say(said)
        if message is not None:
            yield _finding(difference, rule, message, line_of)


def _finding(difference: Drifted, rule: Rule, message: str, line_of: LineOf) -> Finding:
    at = place(difference.at, line_of)
    return Finding(
        id="",
        rule=rule.id,
        name=rule.name,
        lane=LANE,
        severity=rule.severity,
        certainty=Certainty.SURE.word,
        verdict=Verdict.DRIFT,
        message=message,
        pairs=(),
        source=End(difference.tenant, f"contract of {difference.tenant}"),
        target=End(difference.tenant, difference.subject or difference.field),
        path=(_hop(difference, line_of),),
        examples=(),
        cause=Cause("contract field", at.document, at.pointer, at.line, f"{difference.field}: {difference.text}"),
        alternatives=(),
        consequences=Consequences(0, (), (), ()),
        fix=Fix(rule.page.fix, proved=False),
        counts=Counts(0, 0, 0, 0),
        fingerprint=fingerprint(rule.id, "contract", difference.tenant, difference.field, difference.subject),
        drift=DriftPart(difference.document, difference.field, difference.approved, difference.real),
    )


def _hop(difference: Drifted, line_of: LineOf) -> Hop:
    """Return the one step that a difference has: from the contract to what is real, with both places."""
    return Hop(
        source=f"contract of {difference.tenant}",
        source_owner=difference.tenant,
        verb=difference.kind.value,
        target=difference.subject or difference.field,
        target_owner=difference.tenant,
        certainty=Certainty.SURE.word,
        condition=None,
        evidence=tuple(place(at, line_of) for at in (difference.at, *difference.real_at)),
    )
