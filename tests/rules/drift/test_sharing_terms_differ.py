"""Lending, borrowing, preemption or priorities differ from the contract."""

from partywall.testing import difference, drifts
from partywall_rules.drift.sharing_terms_differ import sharing_terms_differ


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        sharing_terms_differ,
        [difference("vision", "scheduling.borrow", "as signed", "otherwise", text="vision's scheduling.borrow is otherwise")],
    )

    assert finding.message == "vision's scheduling.borrow is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("scheduling.borrow", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(sharing_terms_differ, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "scheduling.borrow", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(sharing_terms_differ, several)}) == 2
