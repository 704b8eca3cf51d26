"""Tasks are visible to other tenants than the contract says."""

from partywall.testing import difference, drifts
from partywall_rules.drift.task_visibility_differs import task_visibility_differs


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        task_visibility_differs,
        [difference("vision", "visibility.tasks", "as signed", "otherwise", text="vision's visibility.tasks is otherwise")],
    )

    assert finding.message == "vision's visibility.tasks is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("visibility.tasks", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(task_visibility_differs, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "visibility.tasks", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(task_visibility_differs, several)}) == 2
