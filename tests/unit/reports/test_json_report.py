"""The JSON report: all that the report holds, as its schema says, in the same bytes."""

import json
from collections.abc import Callable, Iterator
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from partywall.api import Report
from partywall_reports import json as json_report
from tests.unit.reports.sample import ALL, Named, crowd, full, many, respelled

HOSTILE = ("\ud800", "\ud83d\ude00", "a\nb", "x" * 10_000, "\u202eevil", "</script>", '"', "\x1b[31m", "\x00")


def validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(files("partywall_reports").joinpath("schemas/report-v1.schema.json").read_text("utf-8")))


def strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from strings(item)
        case dict():
            for key, item in value.items():
                yield key
                yield from strings(item)
        case _:
            return


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(validator().schema)


@pytest.mark.parametrize("report", [pytest.param(make, id=name) for name, make in ALL.items()])
def test_every_report_is_as_the_schema_says(report: Callable[[], Report]) -> None:
    assert [error.message for error in validator().iter_errors(json.loads(json_report.render(report())))] == []


def test_nothing_that_the_report_holds_is_lost() -> None:
    seen: list[str] = []

    def spell(named: Named) -> str:
        seen.append(f"{named.field}-{len(seen)}")
        return seen[-1]

    printed = set(strings(json.loads(json_report.render(respelled(full(), spell)))))

    assert [text for text in seen if text not in printed] == []


def test_field_names_are_those_of_version_one() -> None:
    printed = json.loads(json_report.render(full()))

    assert printed["schema"] == "partywall/report/v1"
    assert printed["tool"] == {"name": "partywall", "version": "0.1.0", "tables": [{"name": "policy catalogue", "date": "2026-11-01"}]}
    assert printed["findings"][0]["pairs"] == [{"from": "speech", "to": "vision"}, {"from": "speech", "to": "platform"}]
    assert printed["findings"][0]["from"] == {"tenant": "speech", "node": "group speech-team"}
    assert printed["findings"][0]["path"][1]["condition"] == "aws:PrincipalTag/team = vision"
    assert "condition" not in printed["findings"][0]["path"][0]
    assert "contract" not in printed["findings"][0]
    assert {name: printed["findings"][2][name] for name in ("contract", "field", "approved", "real")} == {
        "contract": "contracts/speech.yaml",
        "field": "roles.workload",
        "approved": "role/speech",
        "real": "role/vision",
    }
    assert printed["documents"][1]["provenance"] == {
        "how": "collected",
        "at": "2026-11-30T19:04:12Z",
        "by": "role/reader",
        "request": "GET /roles",
    }


def test_the_same_report_gives_the_same_bytes_and_ends_its_last_line() -> None:
    assert json_report.render(full()) == json_report.render(full())
    assert json_report.render(full()).endswith("}\n")


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_hostile_name_stays_a_string(text: str) -> None:
    printed = json_report.render(respelled(full(), lambda named: text))

    assert printed.isascii()
    assert json.loads(printed)["summary"] == "".join(f"\\u{ord(each):04x}" if "\ud800" <= each <= "\udfff" else each for each in text)


def test_a_lone_surrogate_is_written_as_its_escape_because_it_is_no_character() -> None:
    printed = json.loads(json_report.render(respelled(full(), lambda named: "a\udc80b")))

    assert printed["estate"] == "a\\udc80b"
    json.dumps(printed, ensure_ascii=False).encode()


def test_many_findings_and_many_tenants_are_all_there() -> None:
    assert len(json.loads(json_report.render(many(300)))["findings"]) == 300
    assert len(json.loads(json_report.render(crowd(15)))["matrix"]) == 15 * 14 * 6
