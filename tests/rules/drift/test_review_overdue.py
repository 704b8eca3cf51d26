"""A contract's review is overdue."""

from partywall.testing import difference, drifts
from partywall_rules.drift.review_overdue import review_overdue


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        review_overdue,
        [difference("vision", "lifecycle.last_review", "as signed", "otherwise", text="vision's lifecycle.last_review is otherwise")],
    )

    assert finding.message == "vision's lifecycle.last_review is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("lifecycle.last_review", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(review_overdue, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "lifecycle.last_review", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(review_overdue, several)}) == 2
