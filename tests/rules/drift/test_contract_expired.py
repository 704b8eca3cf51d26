"""A contract has expired and its connection is still in use."""

from partywall.testing import difference, drifts
from partywall_rules.drift.contract_expired import contract_expired


def test_a_difference_in_its_field_is_found() -> None:
    (finding,) = drifts(
        contract_expired,
        [difference("vision", "lifecycle.expires", "as signed", "otherwise", text="vision's lifecycle.expires is otherwise")],
    )

    assert finding.message == "vision's lifecycle.expires is otherwise"
    assert finding.verdict == "drift"
    assert finding.drift is not None
    assert (finding.drift.field, finding.drift.approved, finding.drift.real) == ("lifecycle.expires", "as signed", "otherwise")


def test_another_field_is_not_its_business() -> None:
    assert drifts(contract_expired, [difference("vision", "owners.cost", "4711", "4712")]) == []


def test_two_subjects_are_two_causes() -> None:
    several = [difference("vision", "lifecycle.expires", "as signed", "otherwise", subject=subject) for subject in ("one", "two")]

    assert len({finding.fingerprint for finding in drifts(contract_expired, several)}) == 2
