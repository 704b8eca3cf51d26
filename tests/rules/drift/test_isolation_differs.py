"""A tenant that was promised nodes or a cluster of its own shares them."""

from partywall.testing import difference, drifts
from partywall_rules.drift.isolation_differs import isolation_differs


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        isolation_differs, [difference("vision", "isolation", "as signed", "otherwise", text="vision's isolation is otherwise")]
    )

    assert finding.message == "vision's isolation is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("isolation", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(isolation_differs, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "isolation", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(isolation_differs, several)}) == 2
