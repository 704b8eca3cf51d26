"""The results of a SARIF log: findings at their causes, open questions at the documents that they are about."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from partywall.api import Finding, Hop, OpenQuestion, Place, Verdict
from partywall_reports import words
from partywall_reports.escape import markdown, markdown_code, plain_message, relative_uri, shown
from partywall_reports.sarif_parts import LEVELS, RANKS, Json, without_nothing
from partywall_reports.sarif_rules import GAPS_RULE

# GitHub keeps a hundred locations of a result and shows a thousand steps.
MOST_FLOWS = 10


@dataclass(frozen=True, slots=True)
class Places:
    """Where the documents stand among the artifacts."""

    numbers: Mapping[str, int]

    def of_gap(self, gap: OpenQuestion) -> Place | None:
        """Return where an open question stands, or nothing where it is about no one file: a result without a file is refused by GitHub."""
        if gap.place is not None and gap.place.document:
            return gap.place
        return Place(gap.source, "") if gap.source in self.numbers else None


def finding_result(finding: Finding, numbers: Mapping[str, int], places: Places) -> dict[str, Json]:
    """Return one finding as a result. What is not proved is `open`, and what is no failure has no level (SARIF 2.1.0, section 3.27.10)."""
    is_open = finding.verdict is Verdict.UNKNOWN
    cause = Place(finding.cause.document, finding.cause.pointer, finding.cause.line)
    return {
        "ruleId": finding.rule,
        "ruleIndex": numbers[finding.rule],
        "kind": "open" if is_open else "fail",
        "level": "none" if is_open else LEVELS[finding.severity],
        "rank": RANKS[finding.severity],
        "message": {"text": _text(finding), "markdown": _markdown(finding)},
        "locations": [_location(cause, places, plain_message(finding.cause.text))],
        "codeFlows": [_flow(path, places) for path in (finding.path, *finding.examples)[:MOST_FLOWS] if path],
        "partialFingerprints": {"partywall/v1": finding.fingerprint, "primaryLocationLineHash": f"{finding.fingerprint}:1"},
        "properties": _properties(finding),
    }


def gap_result(gap: OpenQuestion, rule: int, places: Places) -> dict[str, Json]:
    """Return one open question as a result of kind `open`."""
    place = places.of_gap(gap) or Place(gap.source, "")
    blind = words.blinded(gap)
    text = (
        (gap.what or "Something was not read")
        + (f" (blind: {blind})" if blind else "")
        + (f". To answer it: {gap.remedy}" if gap.remedy else "")
    )
    identity = hashlib.sha256("\n".join((gap.source, gap.what, gap.reason)).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return {
        "ruleId": GAPS_RULE,
        "ruleIndex": rule,
        "kind": "open",
        "level": "none",
        "message": {"text": plain_message(text), "markdown": markdown(text)},
        "locations": [_location(place, places, plain_message(gap.reason))],
        "partialFingerprints": {"partywall/v1": identity, "primaryLocationLineHash": f"{identity}:1"},
        "properties": {"verdict": "unknown", "reason": gap.reason, "direction": gap.direction, "rules": list(gap.rules)},
    }


def physical(place: Place, places: Places) -> dict[str, Json]:
    """Return a place as a physical location, with the four numbers that GitHub asks for. An unknown line is shown as the first."""
    artifact: dict[str, Json] = {"uri": relative_uri(place.document), "uriBaseId": "INPUT"}
    if place.document in places.numbers:
        artifact["index"] = places.numbers[place.document]
    line = max(1, place.line or 1)
    return {"artifactLocation": artifact, "region": {"startLine": line, "startColumn": 1, "endLine": line, "endColumn": 2}}


def _location(place: Place, places: Places, message: str, more: Sequence[Place] = ()) -> dict[str, Json]:
    return without_nothing(
        {
            "physicalLocation": physical(place, places),
            "logicalLocations": _logical((place, *more)),
            "message": {"text": message or "the whole document"},
            "properties": None if place.line is not None else {"line": "not known: the whole document is meant"},
        }
    )


def _logical(places: Sequence[Place]) -> list[Json]:
    """Return places by document and pointer, each once: two that are shortened to the same words are one (SARIF 2.1.0, section 3.28.4)."""
    kinds = {shown(f"{place.document}#{place.pointer}", 1000): "member" if place.pointer else "resource" for place in places}
    return [{"fullyQualifiedName": name, "kind": kind} for name, kind in kinds.items()]


def _flow(path: Sequence[Hop], places: Places) -> dict[str, Json]:
    return {
        "message": {"text": plain_message(f"{path[0].source} reaches {path[-1].target} in {words.plural(len(path), 'step')}")},
        "threadFlows": [{"locations": [_step(hop, number, places) for number, hop in enumerate(path, start=1)]}],
    }


def _step(hop: Hop, number: int, places: Places) -> dict[str, Json]:
    text = plain_message(_hop_words(hop))
    if hop.evidence:
        location = _location(hop.evidence[0], places, text, hop.evidence[1:])
    else:
        location = {"logicalLocations": [{"fullyQualifiedName": shown(hop.target), "kind": "resource"}], "message": {"text": text}}
    state: dict[str, Json] = {"certainty": {"text": plain_message(hop.certainty)}}
    if hop.condition is not None:
        state["condition"] = {"text": plain_message(hop.condition)}
    step: dict[str, Json] = {
        "location": location,
        "executionOrder": number,
        "importance": "essential" if hop.cut else "important",
        "state": state,
    }
    if hop.residual is not None:
        terms: list[Json] = [{"text": shown(term.text, 1000), "control": term.control} for term in hop.terms]
        step["properties"] = {"residual": _visible(hop.residual), "terms": terms}
    return step


def _visible(value: object) -> Json:
    """Return a formula with every text made visible."""
    match value:
        case Mapping():
            return {str(name): _visible(item) for name, item in value.items()}
        case list() | tuple():
            return [_visible(item) for item in value]
        case bool():
            return value
        case _:
            return shown(str(value), 1000)


def _hop_words(hop: Hop) -> str:
    does = hop.note if hop.note.startswith(hop.verb) else f"{hop.verb} {hop.note}".strip()
    condition = f", if {hop.condition}" if hop.condition is not None else ""
    cut = " (the cause: cut here)" if hop.cut else ""
    return f"{hop.source} ({hop.source_owner}) -> {does} -> {hop.target} ({hop.target_owner}){condition}{cut}"


def _text(finding: Finding) -> str:
    lines = [plain_message(words.sentence(finding.message.rstrip("."))) + "."]
    lines += [f"{number}. {plain_message(_hop_words(hop))}" for number, hop in enumerate(finding.path, start=1)]
    if finding.drift is not None:
        lines += [plain_message(f"{finding.drift.field}: approved {finding.drift.approved}; real {finding.drift.real}.")]
    lines += [plain_message(f"Fix ({words.fix_word(finding.fix)}): {finding.fix.text}")]
    if not finding.cause.line:
        lines += ["The line is not known; the result stands for the whole document."]
    return "\n".join(lines)


def _markdown(finding: Finding) -> str:
    lines = [markdown(words.sentence(finding.message.rstrip("."))) + "\\.", ""]
    for number, hop in enumerate(finding.path, start=1):
        condition = f", *if {markdown(hop.condition)}*" if hop.condition is not None else ""
        cut = " **← cut here**" if hop.cut else ""
        does = hop.note if hop.note.startswith(hop.verb) else f"{hop.verb} {hop.note}".strip()
        lines.append(
            f"{number}. {markdown_code(hop.source)} ({markdown(hop.source_owner)}) {markdown(does)} "
            f"{markdown_code(hop.target)} ({markdown(hop.target_owner)}){condition}{cut}"
        )
    if finding.drift is not None:
        drift = finding.drift
        lines += ["", f"{markdown(drift.field)}: approved {markdown_code(drift.approved)}, real {markdown_code(drift.real)}"]
    lines += ["", f"**Fix** ({words.fix_word(finding.fix)}): {markdown(finding.fix.text)}"]
    return "\n".join(lines)


def _properties(finding: Finding) -> dict[str, Json]:
    drift = finding.drift
    return without_nothing(
        {
            "id": finding.id,
            "severity": finding.severity.word,
            "certainty": finding.certainty,
            "lane": finding.lane,
            "verdict": finding.verdict.value,
            "pairs": [{"from": shown(pair.source), "to": shown(pair.target)} for pair in finding.pairs],
            "cause": {
                "kind": shown(finding.cause.kind),
                "pointer": shown(finding.cause.pointer, 1000),
                "text": shown(finding.cause.text, 1000),
            },
            "fixProved": finding.fix.proved,
            "contract": None if drift is None else shown(drift.contract),
            "field": None if drift is None else shown(drift.field),
            "approved": None if drift is None else shown(drift.approved),
            "real": None if drift is None else shown(drift.real),
        }
    )
