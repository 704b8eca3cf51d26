"""A conditional hop shows its condition, as data and with who decides, in every report."""

import json

from partywall.api import Look
from partywall_reports import html, sarif, terminal
from partywall_reports import json as json_report
from tests.unit.reports.sample import EXEC, full

TERMS = [
    {"text": "aws:PrincipalTag/team StringEquals vision", "control": "caller"},
    {"text": "aws:SourceVpc StringEquals vpc-1", "control": "environment"},
]


def test_json_has_the_formula_and_its_terms() -> None:
    hops = json.loads(json_report.render(full()))["findings"][0]["path"]

    assert hops[1]["residual"] == EXEC.residual
    assert hops[1]["terms"] == TERMS
    assert "residual" not in hops[0]
    assert "terms" not in hops[0]


def test_sarif_has_them_as_properties_of_the_step() -> None:
    flow = json.loads(sarif.render(full()))["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]

    assert flow[1]["properties"] == {"residual": EXEC.residual, "terms": TERMS}
    assert "properties" not in flow[0]


def test_html_folds_who_decides_under_the_condition() -> None:
    page = html.render(full())

    assert "<li>caller: aws:PrincipalTag/team StringEquals vision</li>" in page
    assert "<li>environment: aws:SourceVpc StringEquals vpc-1</li>" in page


def test_the_terminal_says_who_decides_where_everything_is_asked_for() -> None:
    told = "decided by the environment: aws:SourceVpc StringEquals vpc-1"

    assert told in terminal.show(full(), Look(width=120, verbose=True))
    assert told not in terminal.show(full(), Look(width=120))
    assert "[if aws:PrincipalTag/team = vision]" in terminal.show(full(), Look(width=120))
