"""The SARIF report: what GitHub and the viewers ask for, and every name only text."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partywall.api import Place, Report, Severity
from partywall_reports import sarif
from partywall_reports.escape import markdown, markdown_code, plain_message, relative_uri
from tests.unit.reports.hostile import TEXTS
from tests.unit.reports.sample import ALL, EXEC, drift, finding, full, many, maybe, respelled
from tests.unit.reports.sarif_lint import faults

Log = dict[str, Any]  # JSON as it was read back; the tests name the fields


def log(report: Report) -> Log:
    read: Log = json.loads(sarif.render(report))
    return read


def run(report: Report) -> Log:
    (only,) = log(report)["runs"]
    assert isinstance(only, dict)
    return only


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in {**ALL, "many": lambda: many(60)}.items()])
def test_a_log_has_none_of_the_known_faults(make: Callable[[], Report]) -> None:
    assert faults(log(make())) == []


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in TEXTS.items()])
def test_a_hostile_name_breaks_no_log(text: str) -> None:
    # An empty title or message is the engine's bug; here only strangers' names are hostile.
    report = respelled(full(), lambda named: named.text if named.field in ("title", "rule", "message", "rules") else text)

    assert faults(log(report)) == []
    assert sarif.render(report).isascii()


@given(st.text(st.characters(), max_size=30))
@settings(max_examples=40)
def test_any_name_of_a_document_is_a_relative_uri(text: str) -> None:
    uri = relative_uri(text)

    assert uri
    assert uri.isascii()
    assert not uri.startswith("/")
    assert ":" not in uri
    assert ".." not in uri.split("/")


def test_a_finding_stands_at_its_cause_with_its_path_as_a_flow() -> None:
    result = run(replace(full(), findings=(finding(),)))["results"][0]

    assert (result["ruleId"], result["kind"], result["level"]) == ("PW101", "fail", "error")
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "k8s/bindings.yaml", "uriBaseId": "INPUT", "index": 0},
        "region": {"startLine": 84, "startColumn": 1, "endLine": 84, "endColumn": 2},
    }
    assert result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "k8s/bindings.yaml#/items/3/subjects/0"
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["executionOrder"] for step in steps] == [1, 2]
    assert steps[1]["importance"] == "essential"
    assert steps[1]["state"]["condition"]["text"] == "aws:PrincipalTag/team = vision"
    assert steps[1]["location"]["message"]["text"] == (
        "group hyperpod-speech (speech) -> create pods/exec by debug -> namespace/vision (vision), "
        "if aws:PrincipalTag/team = vision (the cause: cut here)"
    )
    assert len(result["codeFlows"]) == 2
    assert result["partialFingerprints"] == {"partywall/v1": "a" * 32, "primaryLocationLineHash": "a" * 32 + ":1"}


def test_the_first_line_of_a_message_is_the_sentence_and_the_path_follows() -> None:
    text = run(full())["results"][0]["message"]["text"].split("\n")

    assert text[0] == "Group hyperpod-speech can open a shell in namespace/vision."
    assert text[1].startswith("1. group speech-team (speech) -> enters as by access entry -> ")
    assert text[-1] == "Fix (proved): take the group out of RoleBinding vision/debug"


def test_what_is_not_proved_is_open_and_no_failure() -> None:
    result = run(replace(full(), findings=(maybe(),)))["results"][0]

    assert (result["kind"], result["level"], result["properties"]["verdict"]) == ("open", "none", "unknown")
    assert result["locations"][0]["properties"] == {"line": "not known: the whole document is meant"}
    assert "The line is not known" in result["message"]["text"]


def test_a_drift_says_what_is_approved_and_what_is_real() -> None:
    result = run(replace(full(), findings=(drift(),)))["results"][0]

    assert "roles.workload: approved role/speech; real role/vision." in result["message"]["text"]
    assert result["properties"]["approved"] == "role/speech"


def test_an_open_question_is_a_notification_and_where_it_has_a_file_a_result() -> None:
    whole = run(full())
    notes = whole["invocations"][0]["toolExecutionNotifications"]
    results = [result for result in whole["results"] if result["ruleId"] == "PW-OPEN"]

    assert [note["level"] for note in notes] == ["warning", "warning", "note", "note"]
    assert notes[0]["associatedRule"] == {"id": "PW101", "index": 0}
    assert notes[0]["properties"]["rules"] == ["PW101", "PW702"]
    assert [result["kind"] for result in results] == ["open"]
    assert whole["invocations"][0]["executionSuccessful"] is True
    assert whole["invocations"][0]["exitCode"] == 1


def test_a_rule_has_its_page_and_the_severity_of_its_worst_finding() -> None:
    rules = {rule["id"]: rule for rule in run(full())["tool"]["driver"]["rules"]}

    assert rules["PW101"]["name"] == "ExecIntoForeignPods"
    assert rules["PW101"]["properties"]["security-severity"] == "9.5"
    assert rules["PW101"]["properties"]["tags"] == ["security", "multi-tenancy", "act"]
    assert rules["PW101"]["defaultConfiguration"] == {"level": "error"}
    assert "**Blind spots:** none known" in rules["PW101"]["help"]["markdown"]


def test_a_finding_of_a_rule_that_nobody_knows_has_a_rule_all_the_same() -> None:
    report = replace(full(), findings=(finding(rule="XY9", name="strangers-rule", severity=Severity.INFO),))

    assert faults(log(report)) == []


def test_documents_are_artifacts_with_their_hashes_and_no_path_is_absolute() -> None:
    whole = run(full())

    assert whole["artifacts"][1] == {
        "location": {"uri": "k8s/roles.yaml", "uriBaseId": "INPUT"},
        "hashes": {"sha-256": "2" * 64},
        "properties": {
            "kind": "kubernetes",
            "how": "collected",
            "at": "2026-11-30T19:04:12Z",
            "by": "role/reader",
            "request": "GET /roles",
        },
    }
    assert "uri" not in whole["originalUriBaseIds"]["INPUT"]
    assert whole["automationDetails"]["id"] == "partywall/sample/"


def test_a_cause_in_an_unlisted_document_and_on_line_nought_is_still_a_place() -> None:
    odd = finding(cause=replace(finding().cause, document="else where.yaml", line=0), path=(replace(EXEC, evidence=(Place("", ""),)),))

    assert faults(log(replace(full(), findings=(odd,)))) == []


def test_more_results_than_github_keeps_are_cut_and_said_to_be() -> None:
    whole = run(replace(many(5001), gaps=()))

    assert len(whole["results"]) == 5000
    assert whole["properties"]["resultsLeftOut"] == 1


def test_the_same_report_gives_the_same_bytes() -> None:
    assert sarif.render(full()) == sarif.render(full())


@pytest.mark.parametrize(
    "text, plain",
    [
        ("k8s.yaml[14]", "k8s.yaml[14]"),
        ("[click](1)", r"\[click\](1)"),
        ("{0} ${aws:x}", "{{0}} ${aws:x}"),
        ("a\nb", "a\\x0ab"),
    ],
)
def test_messages_hold_no_link_and_no_argument(text: str, plain: str) -> None:
    assert plain_message(text) == plain


@pytest.mark.parametrize(
    "text, marked",
    [
        ("*a* <b>", r"\*a\* &lt;b&gt;"),
        ("http://x", r"http\://x"),
        ("@team", r"\@team"),
        ("a | b", r"a \| b"),
    ],
)
def test_markdown_shows_markup(text: str, marked: str) -> None:
    assert markdown(text) == marked


@pytest.mark.parametrize("text, marked", [("a", "`a`"), ("a`b", "`` a`b ``"), ("```", "```` ``` ````"), ("", "` `")])
def test_a_code_span_is_fenced_by_more_than_it_holds(text: str, marked: str) -> None:
    assert markdown_code(text) == marked
