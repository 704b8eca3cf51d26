"""`partywall contracts check` and `show`."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from partywall.cli.contracts import contracts
from partywall.errors import TenancyError, UsageError
from tests.unit.contracts.written import tenants_text

GOOD = tenants_text(
    "tenants:\n  - {name: a, buckets: [x]}\n  - {name: b}\n"
    "contracts: [{tenant: a, approvals: [{tenant: b, lane: data, things: {buckets: [x]}, until: 2026-12-31, by: leads}]}]\n"
)


def test_check_counts_what_is_good(tmp_path: Path) -> None:
    (tmp_path / "tenants.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "other.yaml").write_text("apiVersion: v1\n", encoding="utf-8")

    result = CliRunner().invoke(contracts, ["check", str(tmp_path)], standalone_mode=False)

    assert (result.return_value, result.stderr) == (0, "ok: 1 file, 2 tenants, 1 cluster, 1 claim, 1 contract (1 approved)\n")


@pytest.mark.parametrize(
    ("content", "first"),
    [
        (b"# nothing yet\n", "1:1: the file is empty; the first line is `schema: partywall/tenants/v1`"),
        (b"schema: partywall/tenants/v1\ntenant: []\n", "2:1: `tenant` is not known; did you mean `tenants`?"),
        (
            b"schema: partywall/tenants/v1\ntenants: [\n",
            "3:1: this is not YAML: did not find expected node content; mend the line or quote the text",
        ),
    ],
)
def test_check_prints_each_mistake_and_ends_with_2(tmp_path: Path, content: bytes, first: str) -> None:
    path = tmp_path / "tenants.yaml"
    path.write_bytes(content)

    result = CliRunner().invoke(contracts, ["check", str(path)], standalone_mode=False)

    assert (result.return_value, result.stderr) == (2, f"{path}:{first}\n1 to mend\n")


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tenants.yaml"
    path.write_bytes(b"schema: partywall/tenants/v1\n# \xff\n")

    result = CliRunner().invoke(contracts, ["check", str(path)], standalone_mode=False)

    assert (result.return_value, result.stderr) == (2, f"{path}: byte 31 is not UTF-8; save the file as UTF-8\n1 to mend\n")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_and_windows_lines_do_not_matter(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "tenants.yaml").write_bytes(GOOD.replace("\n", "\r\n").encode(encoding))

    assert CliRunner().invoke(contracts, ["check", str(tmp_path)], standalone_mode=False).return_value == 0


def test_a_folder_without_tenancy_files_is_a_mistake_of_its_own(tmp_path: Path) -> None:
    result = CliRunner().invoke(contracts, ["check", str(tmp_path)], standalone_mode=False)

    assert isinstance(result.exception, UsageError)


def test_show_prints_what_a_tenant_owns_and_lets_others_do(tmp_path: Path) -> None:
    (tmp_path / "tenants.yaml").write_text(GOOD, encoding="utf-8")

    shown = CliRunner().invoke(contracts, ["show", str(tmp_path)], standalone_mode=False).stdout

    assert shown == (
        "a\n"
        "  buckets: x\n"
        f"  contract {tmp_path}/tenants.yaml: approved, cluster 111122223333/us-east-2/capacity\n"
        "    lets b reach x in lane data until 2026-12-31, by leads\n"
        "\n"
        "b\n"
        "  guest of a in lane data: x until 2026-12-31\n"
        "\n"
        "platform\n"
    )


def test_show_of_a_misspelt_tenant_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "tenants.yaml").write_text(GOOD.replace("name: a", "name: vision").replace("tenant: a", "tenant: vision"), encoding="utf-8")

    result = CliRunner().invoke(contracts, ["show", str(tmp_path), "visoin"], standalone_mode=False)

    assert str(result.exception) == "no tenant is called visoin; did you mean `vision`?"


def test_show_refuses_a_broken_file(tmp_path: Path) -> None:
    (tmp_path / "tenants.yaml").write_text("schema: partywall/tenants/v1\nx: 1\n", encoding="utf-8")

    assert isinstance(CliRunner().invoke(contracts, ["show", str(tmp_path)], standalone_mode=False).exception, TenancyError)
