"""What real Slurm 22.05.8, 24.11.5 and 26.05.5 printed: every answer is read, and text and JSON tell the same."""

import re
from pathlib import Path

import pytest

from partywall.files import ReadSettings, read
from partywall.model.document import Gap
from partywall.model.facts import Fact
from partywall.model.facts_slurm import Association, Partition, Reservation, SlurmAccount, SlurmUser
from partywall.parse.slurm import PARSERS

VERSIONS = ("22.05", "24.11", "26.05")
# What holds nobody's rights, or is what an old Slurm says instead of JSON.
HARMLESS = re.compile(
    r"manifest|unsupported|version|hostnames|licenses|topology|stats|sdiag|plugins|ping|coordinator|sinfo|squeue|node_o|as-user-ana/sacctmgr_dump"
)
SCENARIOS = ("good", "hyperpod-default", "mixed-bad")


@pytest.fixture(scope="module")
def recorded(shared: Path) -> Path:
    folder = shared / "slurm"
    if not folder.is_dir():
        pytest.skip("no recordings of real Slurm beside the repository")
    return folder


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_captured_output_parses_and_no_row_is_lost(recorded: Path, version: str, scenario: str) -> None:
    folder = recorded / f"{version}-{scenario}"
    documents = read(folder, ReadSettings(now="2026-11-30T00:00:00Z")).documents
    found: dict[str, list[Fact | Gap]] = {each.name: list(PARSERS[each.kind](each)) for each in documents if each.kind.startswith("slurm:")}

    assert len(found) > 55
    assert [each.name for each in documents if each.kind == "unknown" and not HARMLESS.search(each.name)] == []
    for name, facts in found.items():
        told = [fact for fact in facts if isinstance(fact, Gap)]
        # A listing without -P, or of no row since a plain user saw nothing, is told as what it is.
        assert not told or re.search(r"default\.txt|as-user-ana|_P[n]", name) or told[0].source == "slurm:error-answer", (name, told)
    listing = (folder / "as-root/sacctmgr_show_assoc_P.txt").read_text().strip().splitlines()
    (rows,) = (facts for name, facts in found.items() if name.endswith("as-root/sacctmgr_show_assoc_P.txt"))
    assert len([fact for fact in rows if isinstance(fact, Association)]) == len(listing) - 1


@pytest.mark.parametrize("version", ["24.11", "26.05"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_text_and_json_tell_the_same(recorded: Path, version: str, scenario: str) -> None:
    documents = {
        each.name: each for each in read(recorded / f"{version}-{scenario}/as-root", ReadSettings(now="2026-11-30T00:00:00Z")).documents
    }

    def told(name: str) -> list[Fact | Gap]:
        return list(PARSERS[documents[name].kind](documents[name]))

    assert tree(told("sacctmgr_show_assoc.json")) == tree(told("sacctmgr_show_assoc_P.txt"))
    assert levels(told("sacctmgr_show_user.json")) == levels(told("sacctmgr_show_user_withcoord_P.txt"))
    assert (
        gates(told("scontrol_show_partition.json"))
        == gates(told("scontrol_show_partition.txt"))
        == gates(told("scontrol_show_partition_o.txt"))
    )
    assert reserved(told("scontrol_show_reservation.json")) == reserved(told("scontrol_show_reservation.txt"))
    assert {fact.name for fact in told("sacctmgr_show_account.json") if isinstance(fact, SlurmAccount)} == {
        fact.name for fact in told("sacctmgr_show_account_withcoord_P.txt") if isinstance(fact, SlurmAccount)
    }
    manager = tree(told("scontrol_show_assoc_mgr.txt"))
    assert {row[:4] for row in manager} == {row[:4] for row in tree(told("sacctmgr_show_assoc_P.txt"))}


def tree(facts: list[Fact | Gap]) -> set[tuple[object, ...]]:
    rows = [fact for fact in facts if isinstance(fact, Association)]
    return {
        (fact.account, fact.user, fact.partition, "" if fact.user else fact.parent, frozenset(fact.qos), fact.limits.get("GrpTRES", ""))
        for fact in rows
    }


def levels(facts: list[Fact | Gap]) -> set[tuple[str, str, str]]:
    return {(fact.name, fact.admin, fact.default_account) for fact in facts if isinstance(fact, SlurmUser)}


def gates(facts: list[Fact | Gap]) -> set[tuple[object, ...]]:
    found = [fact for fact in facts if isinstance(fact, Partition)]
    return {(f.name, f.allow_accounts, f.deny_accounts, f.allow_groups, f.allow_qos, f.nodes, f.qos) for f in found}


def reserved(facts: list[Fact | Gap]) -> set[tuple[object, ...]]:
    return {(fact.name, fact.users, fact.accounts, fact.nodes) for fact in facts if isinstance(fact, Reservation)}
