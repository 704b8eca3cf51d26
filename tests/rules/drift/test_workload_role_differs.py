"""A service account runs as another role than its contract says."""

from partywall.testing import difference, drifts
from partywall_rules.drift.workload_role_differs import workload_role_differs


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        workload_role_differs,
        [difference("vision", "roles.workload", "as signed", "otherwise", text="vision's roles.workload is otherwise")],
    )

    assert finding.message == "vision's roles.workload is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("roles.workload", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(workload_role_differs, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "roles.workload", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(workload_role_differs, several)}) == 2
