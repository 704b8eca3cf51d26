"""A group can do more, or less, than its contract says."""

from partywall.testing import difference, drifts
from partywall_rules.drift.rights_differ import rights_differ


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(rights_differ, [difference("vision", "rights", "as signed", "otherwise", text="vision's rights is otherwise")])

    assert finding.message == "vision's rights is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("rights", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(rights_differ, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "rights", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(rights_differ, several)}) == 2
