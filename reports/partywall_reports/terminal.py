"""The answer on a screen: the verdict first, in 80 columns, as plain text or in colour."""

from collections.abc import Iterator, Sequence

from partywall.api import Accepted, Finding, Hop, Look, OpenQuestion, Place, Report, ReportFormat
from partywall_reports import words
from partywall_reports.escape import shown
from partywall_reports.grid import matrix
from partywall_reports.ink import Ink

IN_FULL = 20
IN_SHORT = 60
MOST_QUESTIONS = 12
MOST_ABOVE = 8
NARROWEST = 50
BY_DESIGN = "by design"
CUT = "<- cut here"
DECIDES = {"caller": "the caller", "environment": "the environment", "unknown": "nobody knows whom"}


def render(report: Report) -> str:
    """Return the report as plain text."""
    return show(report, Look())


def show(report: Report, look: Look) -> str:
    """Return the report as a person asked to see it."""
    ink = Ink(max(NARROWEST, look.width), look.colour)
    return "\n".join(_lines(report, look, ink)) + "\n"


def _lines(report: Report, look: Look, ink: Ink) -> Iterator[str]:
    yield from _verdict(report, ink)
    if look.brief:
        return
    yield from _estate(report, ink)
    yield from ink.wrapped(report.summary, rest=2)
    yield from _guess_warning(report, ink)
    yield ""
    grid = list(matrix(report, ink, everything=look.verbose))
    yield from grid
    yield from _findings(report, look, ink)
    yield from _questions(report, look, ink)
    yield from _footnotes(report, look, ink)


def _verdict(report: Report, ink: Ink) -> Iterator[str]:
    word, headline, estate = report.verdict.value, words.headline(report), shown(report.estate)
    room = _room(report, ink)
    if len(estate) <= room:
        yield f"{ink.paint(word, word)}  {ink.paint(headline, 'strong')}  {ink.paint(estate.rjust(room), 'soft')}".rstrip()
        return
    yield from ink.wrapped(headline, first=f"{word}  ", rest=len(word) + 2, style="strong", label=word)


def _estate(report: Report, ink: Ink) -> Iterator[str]:
    """Yield the estate's name where the first line had no room for it."""
    if len(shown(report.estate)) > _room(report, ink):
        yield from ink.wrapped(report.estate, rest=2, style="soft")


def _room(report: Report, ink: Ink) -> int:
    return ink.width - len(report.verdict.value) - len(words.headline(report)) - 4


def _guess_warning(report: Report, ink: Ink) -> Iterator[str]:
    if report.guessed:
        text = f"Who owns {words.plural(len(report.guessed), 'thing')} was guessed from names; a tenants.yaml would say it."
        yield from ink.wrapped(text, first="! ", rest=2, style="unknown", label="unknown")


def _findings(report: Report, look: Look, ink: Ink) -> Iterator[str]:
    limit = len(report.findings) if look.verbose else IN_FULL
    for finding in report.findings[:limit]:
        yield ""
        yield from _finding(finding, look, ink)
    rest = report.findings[limit:]
    if rest:
        yield ""
        yield from (_short(finding, ink) for finding in rest[:IN_SHORT])
    if len(rest) > IN_SHORT:
        yield f"and {words.plural(len(rest) - IN_SHORT, 'more finding')}: -v shows all"


def _short(finding: Finding, ink: Ink) -> str:
    text = f"{finding.severity.word:<8}  {finding.rule} {shown(finding.message, ink.width - 20 - len(finding.id))}"
    return ink.sides(text, shown(finding.id, 12), finding.severity.word)


def _finding(finding: Finding, look: Look, ink: Ink) -> Iterator[str]:
    severity = finding.severity.word
    sure = "" if finding.certainty == "sure" else f" [{shown(finding.certainty, 20)}]"
    head = f"{finding.rule} {finding.name}{sure}: {finding.message}"
    yield from ink.wrapped(head, first=severity, rest=10, style="strong", label=severity)
    if len(finding.pairs) > 1:
        yield from _pairs(finding, look, ink)
    if finding.drift is not None:
        yield from _drift(finding, ink)
    else:
        yield from _path(finding.path, look, ink)
        yield from _also(finding, look, ink)
    yield from _fix(finding, look, ink)
    yield ink.paint(f"  see  partywall explain {shown(finding.id, 40)}", "soft")


def _pairs(finding: Finding, look: Look, ink: Ink) -> Iterator[str]:
    if look.verbose or len(finding.pairs) <= 4:
        yield from ink.wrapped(words.pairs_of(finding), first="  who", rest=7)
        return
    first = ", ".join(f"{pair.source} to {pair.target}" for pair in finding.pairs[:3])
    yield from ink.wrapped(f"{first} and {words.plural(len(finding.pairs) - 3, 'more pair')}", first="  who", rest=7)


def _drift(finding: Finding, ink: Ink) -> Iterator[str]:
    drift = finding.drift
    if drift is None:
        return
    yield from ink.wrapped(f"{drift.field} of {_place(Place(drift.contract, '', finding.cause.line))}", first="  contract", rest=12)
    yield from ink.wrapped(drift.approved or "nothing", first="  approved", rest=12)
    yield from ink.wrapped(drift.real or "nothing", first="  real", rest=12)


def _path(path: Sequence[Hop], look: Look, ink: Ink) -> Iterator[str]:
    for hop, anew in words.legs(path):
        if anew:
            yield from _node(hop.source, hop.source_owner, ink)
        yield from _hop(hop, look, ink)
        yield from _node(hop.target, hop.target_owner, ink)


def _node(node: str, owner: str, ink: Ink) -> Iterator[str]:
    yield from ink.wrapped(f"{shown(node)} ({shown(owner, 60)})", rest=4)


def _hop(hop: Hop, look: Look, ink: Ink) -> Iterator[str]:
    does = hop.note if hop.note.startswith(hop.verb) else f"{hop.verb}  {hop.note}".strip()
    if hop.condition is not None:
        does += f"  [if {hop.condition}]"
    elif hop.certainty != "sure":
        does += f"  [{hop.certainty}]"
    lines = list(ink.wrapped(does, first="    >" if hop.cut else "", rest=6, style="breach" if hop.cut else "plain", label="breach"))
    if hop.cut:
        lines[-1:] = _marked(lines[-1], ink)
    yield from lines
    for term in hop.terms if look.verbose else ():
        yield from ink.wrapped(f"decided by {DECIDES.get(term.control, term.control)}: {term.text}", rest=8, style="soft")
    for place in hop.evidence if look.verbose else hop.evidence[:1] if hop.cut else ():
        yield from ink.wrapped(f"because {_place(place)}", rest=8, style="soft")


def _marked(line: str, ink: Ink) -> list[str]:
    mark = ink.paint(CUT, "breach")
    fits = ink.length(line) + 2 + len(CUT) <= ink.width
    return [f"{line}  {mark}"] if fits else [line, " " * (ink.width - len(CUT)) + mark]


def _place(place: Place) -> str:
    name = shown(place.document)
    where = f"{name}:{place.line}" if place.line is not None else name
    return f"{where} {shown(place.pointer)}" if place.pointer and not place.pointer.startswith("L") else where


def _also(finding: Finding, look: Look, ink: Ink) -> Iterator[str]:
    behind = finding.consequences
    if behind.count:
        reaches = words.plural(behind.count, "further reach", "further reaches")
        text = f"{reaches} behind it, in {words.listed(behind.lanes)} of {words.listed(behind.owners)}"
        yield from ink.wrapped(text, first="  then", rest=7)
        for example in behind.examples if look.verbose else ():
            yield from ink.wrapped(example, rest=9, style="soft")
    for number, path in enumerate(finding.examples if look.verbose else (), start=2):
        yield f"  way {number}"
        yield from _path(path, look, ink)
    if finding.examples and not look.verbose:
        yield f"  and  {words.plural(len(finding.examples), 'more example')}: -v"


def _fix(finding: Finding, look: Look, ink: Ink) -> Iterator[str]:
    fix = finding.fix
    result = _result(finding)
    yield from ink.wrapped(f"{fix.text.rstrip('.')} ({result})", first="  fix", rest=7, label="ok" if fix.proved else "medium")
    if look.verbose:
        for word, ways in (("closes", fix.closes), ("stays", fix.stays), ("approved", fix.approved), ("opens", fix.opens)):
            for way in ways:
                yield from ink.wrapped(words.way_words(way), first=f"    {word}", rest=14, style="soft")
    for alternative in finding.alternatives:
        yield from ink.wrapped(alternative, first="  or", rest=7)


def _result(finding: Finding) -> str:
    fix = finding.fix
    if not fix.evaluated:
        return "advice, not evaluated"
    parts = [f"{words.plural(len(fix.stays), 'way')} {'remains' if len(fix.stays) == 1 else 'remain'}", f"{len(fix.closes)} closed"]
    parts += [f"{len(fix.approved)} by approval"] if fix.approved else []
    parts += [f"{len(fix.opens)} opened"] if fix.opens else []
    return f"{'proved' if fix.proved else 'evaluated, no proof'}: {', '.join(parts)}"


def _questions(report: Report, look: Look, ink: Ink) -> Iterator[str]:
    if not report.gaps:
        return
    yield ""
    limit = len(report.gaps) if look.verbose else MOST_QUESTIONS
    for gap in report.gaps[:limit]:
        yield from _question(gap, ink)
    if len(report.gaps) > limit:
        yield f"?  and {words.plural(len(report.gaps) - limit, 'more question')}: -v shows all"


def _question(gap: OpenQuestion, ink: Ink) -> Iterator[str]:
    blind = words.blinded(gap)
    if not words.is_open(gap):
        yield from ink.wrapped(f"not read, and blind to nothing: {gap.what}", first="i", rest=3, label="soft")
        return
    yield from ink.wrapped(gap.what + (f" [{blind}]" if blind else ""), first="?", rest=3, label="unknown")
    if gap.remedy:
        yield from ink.wrapped(gap.remedy, first="   mend", rest=8, style="soft", label="soft")


def _footnotes(report: Report, look: Look, ink: Ink) -> Iterator[str]:
    yield ""
    for row in report.accepted:
        if row.kind != BY_DESIGN or look.verbose:
            yield from ink.wrapped(_accepted(row), first="+", rest=3, label="approved")
    residual = sum(row.kind == BY_DESIGN for row in report.accepted)
    if residual and not look.verbose:
        text = f"{words.plural(residual, 'residual view')} by design of the service, which no contract takes away: -v lists them"
        yield from ink.wrapped(text, first="+", rest=3, label="approved")
    for assumption in report.assumptions:
        yield from ink.wrapped(f"assumed: {assumption}", first="i", rest=3, label="soft")
    yield from _above(report, look, ink)
    yield from ink.wrapped(_read(report), rest=0, style="soft")


def _accepted(row: Accepted) -> str:
    until = f" until {row.until}" if row.until else ""
    by = f", by {row.by}" if row.by else ""
    return f"{row.kind}: {row.grantor} lets {row.guest}, {row.lane}: {row.what}{until}{by} ({_place(row.place)})"


def _above(report: Report, look: Look, ink: Ink) -> Iterator[str]:
    climbers = [row for row in report.above if row.owner != "platform"]
    if not report.above:
        return
    text = f"{words.plural(len(report.above), 'identity', 'identities')} above the wall, {len(climbers)} of them not the platform's alone"
    yield from ink.wrapped(text, first="^", rest=3, label="soft")
    shown_rows = report.above if look.verbose else climbers[:MOST_ABOVE]
    for row in shown_rows:
        yield from ink.wrapped(f"{shown(row.node)} ({row.owner}): {row.how}", rest=5, style="soft")


def _read(report: Report) -> str:
    unread = [row.kind for row in report.assessed if row.state == "not assessed"]
    not_assessed = f"; not assessed: {words.listed(list(dict.fromkeys(unread)))}" if unread else ""
    return f"{words.plural(len(report.documents), 'document')} read, as of {report.as_of}; {words.covered(report)}{not_assessed}"


REPORT = ReportFormat("terminal", ".txt", render, show)
