"""An approval was not granted by the owner of the thing."""

from partywall.testing import difference, drifts
from partywall_rules.drift.approval_without_its_owner import approval_without_its_owner


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        approval_without_its_owner,
        [difference("vision", "approvals.by", "as signed", "otherwise", text="vision's approvals.by is otherwise")],
    )

    assert finding.message == "vision's approvals.by is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("approvals.by", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(approval_without_its_owner, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "approvals.by", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(approval_without_its_owner, several)}) == 2
