"""The terminal report: the verdict first, in the columns that there are, and no name that moves the cursor."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partywall.api import Look, OpenQuestion, Report, Verdict
from partywall_reports import terminal
from partywall_reports.ink import broken
from tests.unit.reports.hostile import TEXTS
from tests.unit.reports.sample import ALL, blind, crowd, drift, empty, finding, full, many, quiet, respelled

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def lines(report: Report, look: Look) -> list[str]:
    return terminal.show(report, look).splitlines()


@pytest.mark.parametrize(
    "make", [pytest.param(make, id=name) for name, make in {**ALL, "crowd": lambda: crowd(15), "many": lambda: many(90)}.items()]
)
@pytest.mark.parametrize("width", [50, 80, 120, 200])
@pytest.mark.parametrize("verbose", [False, True])
def test_no_line_is_wider_than_the_screen(make: Callable[[], Report], width: int, verbose: bool) -> None:
    assert [line for line in lines(make(), Look(width=width, verbose=verbose)) if len(line) > width] == []


def test_the_first_line_is_the_verdict_with_its_counts() -> None:
    assert lines(full(), Look(width=90))[0] == "breach  1 way through the wall, 1 possible way, 1 drift, 2 questions open           sample"
    assert lines(quiet(), Look())[0].split("  ")[:2] == ["ok", "no way through the wall"]
    assert lines(blind(), Look())[0].startswith("unknown  no way through the wall was proved, 2 questions open")


def test_a_file_that_nobody_could_read_is_a_question_and_no_footnote() -> None:
    cut_off = OpenQuestion("k8s.yaml", "k8s.yaml: cut off", "unparsable", "everywhere", (), (), "write it again", None)
    report = replace(quiet(), verdict=Verdict.UNKNOWN, gaps=(cut_off,))

    text = terminal.show(report, Look(width=90))

    assert "1 question open" in text.splitlines()[0]
    assert "?  k8s.yaml: cut off\n   mend write it again\n" in text
    assert "blind to nothing" not in text


def test_brief_is_the_verdict_alone() -> None:
    assert len(lines(quiet(), Look(brief=True))) == 1
    assert len(lines(full(), Look(brief=True, width=100))) == 1


def test_a_path_is_read_from_top_to_bottom_and_says_where_to_cut() -> None:
    text = terminal.show(replace(full(), findings=(finding(),)), Look(width=120))

    assert (
        "    group speech-team (speech)\n"
        "      enters as  by access entry\n"
        "    group hyperpod-speech (speech)\n"
        "    > create pods/exec by debug  [if aws:PrincipalTag/team = vision]  <- cut here\n"
        "        because k8s/bindings.yaml:84 /items/3/subjects/0\n"
        "    namespace/vision (vision)\n"
    ) in text
    assert "  fix  take the group out of RoleBinding vision/debug (proved: 1 way remains, 1 closed, 1 by approval)\n" in text


def test_a_drift_says_what_is_approved_and_what_is_real() -> None:
    text = terminal.show(replace(full(), findings=(drift(),)), Look())

    assert "  approved  role/speech\n  real      role/vision\n" in text
    assert "correct the association (advice, not evaluated)" in text


def test_an_open_question_names_what_would_answer_it() -> None:
    text = terminal.show(blind(), Look())

    assert "?  is it enforced? [anybody to vision: act]\n   mend aws eks describe-addon\n" in text


def test_verbose_shows_the_examples_and_all_evidence() -> None:
    short, long = (terminal.show(full(), Look(verbose=verbose)) for verbose in (False, True))

    assert "user speech-1" not in short
    assert "user speech-1" in long
    assert "k8s/roles.yaml:311" not in short.split("?  is it")[0]
    assert "k8s/roles.yaml:311" in long
    assert "may list names" not in short
    assert "may list names" in long


def test_what_is_only_shown_by_design_is_counted() -> None:
    assert "1 residual view by design" in terminal.show(full(), Look())


def test_guessed_owners_are_said_loudly_and_at_once() -> None:
    assert any(line.startswith("! Who owns 1 thing was guessed") for line in lines(full(), Look())[:6])


def test_many_findings_become_lines_and_the_rest_a_count() -> None:
    text = terminal.show(many(150), Look())

    assert text.count("see  partywall explain") == 20
    assert "and 70 more findings: -v shows all" in text


def test_the_matrix_of_many_tenants_is_the_pairs_that_matter() -> None:
    text = terminal.show(crowd(30), Look())

    assert "  team-000                  A.....  team-001" in text
    assert "and 6 more pairs: -v shows all" in text


def test_colours_change_no_word() -> None:
    plain, coloured = (terminal.show(full(), Look(colour=colour)) for colour in (False, True))

    assert "\x1b" not in plain
    assert "\x1b[1;31m" in coloured
    assert COLOURS.sub("", coloured) == plain


@pytest.mark.parametrize(
    "text, lines",
    [
        ("one two three", ["one two", "three"]),
        ("a/bcd/efgh/ij", ["a/bcd/", "efgh/ij"]),
        ("go abcdefghijk", ["go", "abcdefgh", "ijk"]),
        ("a  b", ["a  b"]),
        ("", [""]),
    ],
)
def test_a_long_word_is_broken_behind_a_mark(text: str, lines: list[str]) -> None:
    assert broken(text, 8) == lines


@given(st.text(st.sampled_from("ab/ -"), max_size=60), st.integers(1, 12))
def test_breaking_lines_loses_nothing_but_spaces(text: str, room: int) -> None:
    found = broken(text, room)

    assert max(map(len, found)) <= room
    assert "".join(found).replace(" ", "") == text.replace(" ", "")


def test_an_empty_input_is_said_to_be_one() -> None:
    assert "0 documents read" in terminal.render(empty())
    assert "no lane was assessed" in terminal.render(empty())


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in TEXTS.items()])
def test_a_hostile_name_moves_nothing(text: str) -> None:
    shown = terminal.show(respelled(full(), lambda named: text), Look(verbose=True))

    assert shown.replace("\n", "").isprintable()
    assert max(map(len, shown.split("\n"))) <= 80
    assert len(shown.split("\n")) < 700
    shown.encode("utf-8")


@given(st.text(st.characters(), max_size=60))
@settings(max_examples=40)
def test_no_name_moves_anything(text: str) -> None:
    shown = terminal.render(respelled(full(), lambda named: text))

    assert shown.replace("\n", "").isprintable()
    assert max(map(len, shown.split("\n"))) <= 80
