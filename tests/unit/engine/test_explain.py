"""What `explain` prints of a finding, a thing and a pair."""

from pathlib import Path

import pytest

from partywall.engine.explain import explain_finding, explain_node, explain_pair, explain_rule, find_finding, find_nodes
from partywall.engine.scan import Scan
from partywall.errors import UsageError
from partywall.packs import rules
from tests.unit.engine.folders import BOTH, binding, folder, scanned

BREACH = BOTH + binding("orchid-team", "maple", "edit")


@pytest.fixture
def breached(tmp_path: Path) -> Scan:
    return scanned(folder(tmp_path, k8s=BREACH))


def test_a_pair_shows_its_ways_the_levers_and_what_holds(breached: Scan) -> None:
    lines = list(explain_pair(breached, "orchid", "maple"))

    assert any(line.startswith("act: breach (") for line in lines)
    cut = next(number for number, line in enumerate(lines) if "set of changes that closes every way from orchid to maple" in line)
    assert [line for line in lines[cut + 1 :] if "helpers" in line]


def test_a_closed_pair_says_what_holds_it(breached: Scan) -> None:
    lines = list(explain_pair(breached, "maple", "orchid"))

    assert "act: clear" in lines
    assert any(line.startswith("  held by ") for line in lines)
    assert not any("set of changes" in line for line in lines)


def test_a_name_that_is_no_tenant_is_refused_with_the_tenants(breached: Scan) -> None:
    with pytest.raises(UsageError, match=r"tenants are maple, orchid|tenants are orchid, maple"):
        list(explain_pair(breached, "orchid", "mapel"))


def test_a_node_shows_owner_reason_and_rights(breached: Scan) -> None:
    (number,) = find_nodes(breached.world, "group orchid-team")
    lines = list(explain_node(breached, number))

    assert "owner: orchid" in lines
    assert any(line.startswith("why: ") and "nobody claims it" not in line for line in lines)
    assert "may:" in lines
    assert any("create workloads" in line for line in lines)
    assert any("because k8s.yaml:" in line for line in lines)


def test_a_node_is_found_by_its_own_name_too(breached: Scan) -> None:
    assert find_nodes(breached.world, "orchid-team") == find_nodes(breached.world, "group orchid-team")
    assert find_nodes(breached.world, "nothing of the kind") == []


def test_a_finding_is_found_by_id_and_by_fingerprint(breached: Scan) -> None:
    finding = breached.report.findings[0]

    assert find_finding(breached, finding.id) is finding
    assert find_finding(breached, finding.fingerprint[:12]) is finding
    assert find_finding(breached, "zzzz") is None


def test_a_finding_shows_path_cause_proof_and_page(breached: Scan) -> None:
    finding = next(each for each in breached.report.findings if each.rule == "PW102")
    lines = list(explain_finding(breached, finding, rules()))

    assert "  orchid -> maple" in lines
    assert any(line.endswith("<- cut here") for line in lines)
    assert any(line.startswith("cause: ") and "k8s.yaml:" in line for line in lines)
    assert any(line.startswith("fix (proved): ") for line in lines)
    assert any(line.startswith("  closes: orchid -> maple act: ") for line in lines)


def test_a_rule_shows_its_page() -> None:
    rule = next(each for each in rules() if each.id == "PW102")
    lines = list(explain_rule(rule))

    assert lines[0].startswith("PW102 run-workloads-in-foreign-namespaces (")
    assert [line.partition(":")[0] for line in lines if line.startswith(("Why", "Fix", "Blind"))] == [
        "Why it matters",
        "Fix",
        "Blind spots",
    ]
