"""A dated exception is over and still real."""

from partywall.testing import difference, drifts
from partywall_rules.drift.exception_over_and_still_real import exception_over_and_still_real


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        exception_over_and_still_real,
        [difference("vision", "scheduling.exceptions", "as signed", "otherwise", text="vision's scheduling.exceptions is otherwise")],
    )

    assert finding.message == "vision's scheduling.exceptions is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("scheduling.exceptions", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(exception_over_and_still_real, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "scheduling.exceptions", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(exception_over_and_still_real, several)}) == 2
