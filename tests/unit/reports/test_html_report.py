"""The HTML report: one page, no scripts, nothing from elsewhere, and every name only text."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partywall.api import Report
from partywall_reports import html
from tests.unit.reports.hostile import TEXTS
from tests.unit.reports.sample import ALL, blind, crowd, finding, full, many, quiet, respelled

VOID = frozenset({"meta", "br", "wbr", "rect", "path", "link", "img"})


class Page(HTMLParser):
    """What a browser would make of a page: its tags in order, their attributes, the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.levels: list[int] = []
        self.unbalanced: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if re.fullmatch(r"h\d", tag):
            self.levels.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def text(self) -> str:
        return "".join(self.texts)

    def values(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]


def shape(report: Report) -> list[str]:
    """Return the tags of a page; a name may be broken anywhere, so break marks do not count."""
    return [tag for tag in Page(html.render(report)).tags if tag != "wbr"]


def sizes() -> Iterator[Callable[[], Report]]:
    yield from ALL.values()
    yield lambda: crowd(15)
    yield lambda: crowd(45)
    yield lambda: many(25)


@pytest.mark.parametrize("make", [pytest.param(make, id=str(number)) for number, make in enumerate(sizes())])
def test_the_page_is_whole_and_alone(make: Callable[[], Report]) -> None:
    text = html.render(make())
    page = Page(text)

    assert (page.unbalanced, page.open) == ([], [])
    assert not {"script", "img", "iframe", "link", "object", "embed", "form", "base"} & set(page.tags)
    assert [name for _, name, _ in page.attributes if name.startswith("on") or name in ("src", "style", "xlink:href")] == []
    assert [value for value in page.values("href") if not value.startswith("#")] == []
    assert re.findall(r"https?:|//[a-z]|url\(|@import", text) == []
    assert "default-src 'none'" in text


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in ALL.items()])
def test_every_link_leads_somewhere_and_every_place_is_one(make: Callable[[], Report]) -> None:
    page = Page(html.render(make()))
    places = page.values("id")

    assert len(places) == len(set(places))
    assert {value[1:] for value in page.values("href")} <= set(places)


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in ALL.items()])
def test_a_reader_of_headings_and_tables_finds_the_way(make: Callable[[], Report]) -> None:
    page = Page(html.render(make()))

    assert page.levels[0] == 1
    assert page.levels.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(page.levels, page.levels[1:], strict=False))
    assert page.tags.count("th") == len(page.values("scope"))
    assert ("html", "lang", "en") in page.attributes


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in TEXTS.items() if name != "empty"])
def test_a_hostile_name_stays_text(text: str) -> None:
    assert shape(respelled(full(), lambda named: text)) == shape(respelled(full(), lambda named: "name"))


@given(st.text(st.characters(), min_size=1, max_size=30))
@settings(max_examples=25)
def test_any_name_stays_text(text: str) -> None:
    report = respelled(quiet(), lambda named: text)

    assert shape(report) == shape(respelled(quiet(), lambda named: "name"))
    html.render(report).encode("utf-8")


def test_a_very_long_name_is_shortened_and_a_page_stays_small() -> None:
    assert len(html.render(respelled(full(), lambda named: "x" * 10_000))) < 400_000


def test_hidden_characters_are_made_visible() -> None:
    text = Page(html.render(respelled(full(), lambda named: TEXTS["bidi"]))).text()

    assert "\u202e" not in text
    assert "abc\\u202etxt.exe" in text


def test_the_verdict_comes_first_in_words() -> None:
    text = re.sub(r"\s+", " ", Page(html.render(full())).text())

    assert "Breach: 1 way through the wall, 1 possible way, 1 drift, 2 questions open" in text
    assert text.index("Breach: 1 way") < text.index("Who reaches whom") < text.index("Findings") < text.index("Open questions")


def test_a_fix_that_was_not_proved_is_never_called_the_fix() -> None:
    proved = Page(html.render(full())).text()
    advice = Page(html.render(blind())).text()

    assert proved.count("Fix.") == 1
    assert proved.count("Advice.") == 1
    assert "Fix." not in advice


def test_the_words_of_every_state_are_on_the_page() -> None:
    text = " ".join(Page(html.render(full())).values("aria-label"))

    assert "act: breach" in text
    for state in ("conditional", "unknown", "approved", "by way of", "clear", "not assessed"):
        assert state in text


def test_conditions_stand_in_the_hop_where_they_bite() -> None:
    text = Page(html.render(full())).text()

    assert text.index("create pods/exec by debug") < text.index("if aws:PrincipalTag/team = vision") < text.index("Cause")


@pytest.mark.parametrize("make, form", [(lambda: crowd(5), "letters"), (lambda: crowd(15), "heat"), (lambda: crowd(45), "tally")])
def test_the_matrix_takes_the_form_that_its_size_allows(make: Callable[[], Report], form: str) -> None:
    page = Page(html.render(make()))

    assert ("table", "class", f"matrix {form}") in page.attributes or (form == "tally" and "Whom each reaches" in page.text())


def test_cards_fold_after_the_first_twenty_and_become_lines_after_four_hundred() -> None:
    page = Page(html.render(many(450)))

    assert page.tags.count("article") == 20
    assert "380 more findings, folded" in page.text()
    assert "50 more findings, one line each" in page.text()


def test_the_same_report_gives_the_same_bytes() -> None:
    assert html.render(full()) == html.render(full())


def test_the_fixed_cost_of_a_page_is_small() -> None:
    assert len(html.render(quiet()).encode()) < 30_000


def test_a_finding_of_a_rule_that_nobody_knows_is_printed_too() -> None:
    report = replace(full(), findings=(finding(rule="XY9", name="strangers-rule"),))

    assert "XY9 strangers-rule" in Page(html.render(report)).text()


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize("ink", ["ink", "soft", "link", "breach", "maybe", "unknown", "ok"])
def test_every_ink_can_be_read_on_every_paper(ink: str, theme: int) -> None:
    """4.5 to 1 for text (WCAG 2.2, success criterion 1.4.3)."""
    style = files("partywall_reports").joinpath("templates/style.css").read_text("utf-8")
    colours = dict(re.findall(r"--([a-z-]+):(#[0-9a-f]{3,6})\b", style.split("@media")[theme]))
    washes = [name for name in colours if name.endswith("-wash") and (ink in ("ink", "soft") or name == f"{ink}-wash")]
    papers = ["paper", "wash", *washes]

    assert {paper: round(ratio, 2) for paper in papers if (ratio := contrast(colours[ink], colours[paper])) < 4.5} == {}


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(each * 2 for each in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
