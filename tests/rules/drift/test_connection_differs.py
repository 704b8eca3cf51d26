"""A connection between a project and a cluster differs from its contract."""

from partywall.testing import difference, drifts
from partywall_rules.drift.connection_differs import connection_differs


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        connection_differs, [difference("vision", "cluster", "as signed", "otherwise", text="vision's cluster is otherwise")]
    )

    assert finding.message == "vision's cluster is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("cluster", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(connection_differs, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "cluster", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(connection_differs, several)}) == 2
