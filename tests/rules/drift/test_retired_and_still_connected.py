"""A retired contract's tenant is still connected."""

from partywall.testing import difference, drifts
from partywall_rules.drift.retired_and_still_connected import retired_and_still_connected


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        retired_and_still_connected, [difference("vision", "status", "as signed", "otherwise", text="vision's status is otherwise")]
    )

    assert finding.message == "vision's status is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("status", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(retired_and_still_connected, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "status", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(retired_and_still_connected, several)}) == 2
