"""The answer as one page: it opens offline, without scripts, in light, in dark and on paper."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from partywall.api import Above, Accepted, AssessedRow, Finding, OpenQuestion, Report, ReportFormat, RuleRow, Verdict
from partywall_reports import words
from partywall_reports.escape import shown
from partywall_reports.html_matrix import Grid, anchor, grid

# Cards after the first are folded; after these, a finding is one line: a page of hundreds of megabytes opens nowhere.
OPEN_CARDS = 20
MOST_CARDS = 400
MOST_ROWS = 5000
LONGEST = 400
BY_DESIGN = "by design"
_MARKS = re.compile("([/:@,=])")


@dataclass(frozen=True, slots=True)
class Page:
    """All that the template lays out."""

    report: Report
    title: str
    headline: str
    covered: str
    tiles: tuple[words.Tile, ...]
    grid: Grid
    open_cards: tuple[Finding, ...]
    folded_cards: tuple[Finding, ...]
    lines: tuple[Finding, ...]
    drifts: tuple[Finding, ...]
    blinding: tuple[OpenQuestion, ...]
    noted: tuple[OpenQuestion, ...]
    climbers: tuple[Above, ...]
    platform: tuple[Above, ...]
    agreed: tuple[Accepted, ...]
    by_design: tuple[Accepted, ...]
    read: tuple[AssessedRow, ...]
    not_read: tuple[AssessedRow, ...]
    rules: tuple[RuleRow, ...]
    idle: tuple[RuleRow, ...]
    origins: tuple[tuple[str, int], ...]


def render(report: Report) -> str:
    """Return the report as one HTML document."""
    return _template().render(page=_page(report)) + "\n"


def _page(report: Report) -> Page:
    crossings = tuple(finding for finding in report.findings if finding.drift is None)
    asked = tuple(row for row in report.rules if row.asked or row.unknown or row.verdict is not Verdict.OK)
    return Page(
        report=report,
        title=f"partywall: {report.estate or 'estate'}, {report.as_of}: {report.verdict.value}",
        headline=words.headline(report),
        covered=words.covered(report),
        tiles=words.tiles(report),
        grid=grid(report),
        open_cards=crossings[:OPEN_CARDS],
        folded_cards=crossings[OPEN_CARDS:MOST_CARDS],
        lines=crossings[MOST_CARDS:],
        drifts=tuple(finding for finding in report.findings if finding.drift is not None),
        blinding=words.blinding(report),
        noted=tuple(gap for gap in report.gaps if not words.is_open(gap)),
        climbers=tuple(row for row in report.above if row.owner != "platform"),
        platform=tuple(row for row in report.above if row.owner == "platform"),
        agreed=tuple(row for row in report.accepted if row.kind != BY_DESIGN),
        by_design=tuple(row for row in report.accepted if row.kind == BY_DESIGN),
        read=tuple(row for row in report.assessed if row.state != "not assessed"),
        not_read=tuple(row for row in report.assessed if row.state == "not assessed"),
        rules=asked,
        idle=tuple(row for row in report.rules if row not in asked),
        origins=_origins(report),
    )


def _origins(report: Report) -> tuple[tuple[str, int], ...]:
    counts = Counter(f"{row.how} by {row.by}" if row.by else row.how for row in report.documents)
    return tuple(sorted(counts.items()))


def _visible(value: object) -> object:
    return value if isinstance(value, Markup) or not isinstance(value, str) else shown(value, LONGEST)


def _soft_breaks(text: str) -> Markup:
    """Return a name that may be broken after the marks by which names are built, and nowhere else first."""
    # No character reference that escape() writes holds one of these marks.
    return Markup(_MARKS.sub(r"\1<wbr>", str(escape(shown(text, LONGEST)))))


def _counted(owns: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {kind}" for kind, count in owns.items()) or "nothing"


def _rules_told(rules: Sequence[str], report: Report) -> str:
    """Return rule ids, ranges of neighbours folded, so that a gap that blinds forty rules does not fill the page."""
    order = {row.id: number for number, row in enumerate(report.rules)}
    runs: list[list[str]] = []
    for rule in rules:
        if runs and order.get(rule, -2) == order.get(runs[-1][-1], -9) + 1:
            runs[-1].append(rule)
        else:
            runs.append([rule])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}{' to ' if len(run) > 2 else ', '}{run[-1]}" for run in runs)


def _first(rows: Iterable[object], limit: int = MOST_ROWS) -> list[object]:
    return list(rows)[:limit]


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("partywall_reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        name=_soft_breaks, anchor=anchor, counted=_counted, first_rows=_first, listed=words.listed, sentence=words.sentence
    )
    environment.globals.update(
        plural=words.plural,
        legs=words.legs,
        pairs_of=words.pairs_of,
        fix_word=words.fix_word,
        proof=words.proof,
        blinded=words.blinded,
        rules_told=_rules_told,
        rule_lane=words.rule_lane,
        most_rows=MOST_ROWS,
    )
    return environment.get_template("report.html.jinja")


REPORT = ReportFormat("html", ".html", render)
