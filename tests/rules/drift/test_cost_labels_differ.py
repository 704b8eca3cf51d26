"""Cost tags, labels or accounts differ from the contract."""

from partywall.testing import difference, drifts
from partywall_rules.drift.cost_labels_differ import cost_labels_differ


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        cost_labels_differ, [difference("vision", "cost.labels", "as signed", "otherwise", text="vision's cost.labels is otherwise")]
    )

    assert finding.message == "vision's cost.labels is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("cost.labels", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(cost_labels_differ, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "cost.labels", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(cost_labels_differ, several)}) == 2
