"""The data of a contract is not what is there."""

from partywall.testing import difference, drifts
from partywall_rules.drift.data_differs import data_differs


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        data_differs, [difference("vision", "data.buckets", "as signed", "otherwise", text="vision's data.buckets is otherwise")]
    )

    assert finding.message == "vision's data.buckets is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("data.buckets", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(data_differs, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "data.buckets", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(data_differs, several)}) == 2
