"""A tenant's namespaces or Slurm scope differ from its contract."""

from partywall.testing import difference, drifts
from partywall_rules.drift.scope_differs import scope_differs


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        scope_differs, [difference("vision", "scope.namespaces", "as signed", "otherwise", text="vision's scope.namespaces is otherwise")]
    )

    assert finding.message == "vision's scope.namespaces is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("scope.namespaces", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(scope_differs, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "scope.namespaces", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(scope_differs, several)}) == 2
