"""The guaranteed capacity of a contract is not what its queue holds."""

from partywall.testing import difference, drifts
from partywall_rules.drift.guaranteed_capacity_differs import guaranteed_capacity_differs


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        guaranteed_capacity_differs,
        [difference("vision", "scheduling.guaranteed", "as signed", "otherwise", text="vision's scheduling.guaranteed is otherwise")],
    )

    assert finding.message == "vision's scheduling.guaranteed is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("scheduling.guaranteed", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(guaranteed_capacity_differs, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "scheduling.guaranteed", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(guaranteed_capacity_differs, several)}) == 2
