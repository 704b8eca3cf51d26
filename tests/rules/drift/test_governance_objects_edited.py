"""What task governance made no longer says what it was made from."""

from partywall.testing import difference, drifts
from partywall_rules.drift.governance_objects_edited import governance_objects_edited


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        governance_objects_edited,
        [difference("vision", "scheduling.generated", "as signed", "otherwise", text="vision's scheduling.generated is otherwise")],
    )

    assert finding.message == "vision's scheduling.generated is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("scheduling.generated", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(governance_objects_edited, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "scheduling.generated", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(governance_objects_edited, several)}) == 2
