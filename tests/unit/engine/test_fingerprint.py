"""A finding keeps its fingerprint wherever its cause is read from."""

from pathlib import Path

from partywall.engine.fingerprint import fingerprint, short_ids, stripped
from tests.unit.engine.folders import BOTH, binding, folder, told

BREACH = BOTH + binding("orchid-team", "maple", "edit")


def marks(path: Path) -> list[str]:
    return sorted(finding.fingerprint for finding in told(path).findings)


def test_a_renamed_folder_and_renamed_files_change_nothing(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", k8s=BREACH)
    two = folder(tmp_path / "two" / "deep", k8s=BREACH)
    (two / "k8s.yaml").rename(two / "all-objects.yaml")

    assert marks(one)
    assert marks(one) == marks(two)


def test_other_files_beside_it_change_nothing(tmp_path: Path) -> None:
    more = {"aws-s3api-list-buckets.json": {"Buckets": [{"Name": "elsewhere"}]}}

    assert marks(folder(tmp_path / "one", k8s=BREACH)) == marks(folder(tmp_path / "two", k8s=BREACH, files=more))


def test_another_cause_has_another_fingerprint(tmp_path: Path) -> None:
    other = BOTH + binding("orchid-team", "maple", "edit", name="others")

    assert not set(marks(folder(tmp_path / "one", k8s=BREACH))) & set(marks(folder(tmp_path / "two", k8s=other)))


def test_the_rule_is_part_of_it() -> None:
    assert fingerprint("PW101", "RoleBinding", "quay", "a") != fingerprint("PW102", "RoleBinding", "quay", "a")


def test_parts_do_not_run_into_each_other() -> None:
    assert fingerprint("PW101", "ab", "c") != fingerprint("PW101", "a", "bc")


def test_generated_suffixes_do_not_count() -> None:
    assert stripped("AWSReservedSSO_Dev_0123456789abcdef") == "AWSReservedSSO_Dev_"
    assert stripped("association a-17caa3859a1f45a1") == stripped("association a-27fd576e180ab216")
    assert stripped("trainer-7d9f8b6c5d-x2k9p") == "trainer"
    assert fingerprint("PW601", "AWSReservedSSO_Dev_0123456789abcdef") == fingerprint("PW601", "AWSReservedSSO_Dev_fedcba9876543210")


def test_names_that_people_chose_count() -> None:
    assert stripped("team-a-dataset") == "team-a-dataset"
    assert stripped("arn:aws:iam::111122223333:role/reader") == "arn:aws:iam::111122223333:role/reader"


def test_a_short_id_is_as_long_as_it_must_be() -> None:
    ids = short_ids(["abcdef00" + "0" * 24, "abcdef01" + "0" * 24, "123456" + "0" * 26])

    assert sorted(ids.values()) == ["123456", "abcdef00", "abcdef01"]
