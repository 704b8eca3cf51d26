"""Answers of Kubernetes clusters in lines of text and as data."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from partywall.cli import FOUND, INCOMPLETE, OK
from partywall.engine.lines import Lines
from partywall.model.document import Document, Gap
from partywall.model.edge import Edge
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.node import cluster_name
from partywall.model.residual import FALSE, TRUE, as_data
from partywall.resolve.access import Allowance, Answer, Asked, Crowd, Decision, Layer, Outcome
from partywall.resolve.rbac.places import is_glob

# Documents that may say something of a cluster; one of which nobody knows what it is may, too.
_OF_CLUSTERS = ("kubernetes", "aws:eks:", "aws:sagemaker:", "unknown")
_CODES = {Outcome.ALLOWED: FOUND, Outcome.CONDITIONAL: FOUND, Outcome.UNDECIDABLE: INCOMPLETE}


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """What was read: facts, what of it could not be read and may concern clusters, and the lines of evidence."""

    facts: Facts
    gaps: tuple[Gap, ...]
    lines: Lines

    @classmethod
    def of(cls, documents: Sequence[Document], facts: Facts, gaps: Iterable[Gap]) -> "Input":
        """Keep the gaps that may concern clusters."""
        kinds = {document.name: document.kind for document in documents}
        kept = (gap for gap in gaps if gap.at is None or kinds.get(gap.at.document, "unknown").startswith(_OF_CLUSTERS))
        return cls(facts, tuple(dict.fromkeys(kept)), Lines(documents))

    def where(self, at: Evidence) -> str:
        """Return where evidence stands: document, line, pointer."""
        if not at.document:
            return "not in the input"
        line = self.lines.line_of(at)
        return f"{at.document}:{line} {at.pointer}".rstrip() if line else f"{at.document}#{at.pointer}"

    def place(self, at: Evidence) -> Mapping[str, object]:
        """Return where evidence stands as data."""
        line = self.lines.line_of(at)
        return {"document": at.document, "pointer": at.pointer, **({"line": line} if line else {})}


def code_of_all(outcomes: Iterable[Outcome]) -> int:
    """Return the exit code of all answers together: found, unknown, clear."""
    codes = {_CODES.get(outcome, OK) for outcome in outcomes}
    return FOUND if FOUND in codes else INCOMPLETE if INCOMPLETE in codes else OK


def outcomes_of(crowds: Iterable[Crowd]) -> Iterator[Outcome]:
    """Yield what is known of each crowd; where nobody was found, what was not read leaves the question open."""
    for crowd in crowds:
        yield from (answer.decision.outcome for answer in crowd.answers)
        if crowd.open_questions:
            yield Outcome.UNDECIDABLE


def said(decision: Decision, asked: Asked) -> str:
    """Say a decision in words, with its condition and where it holds."""
    match decision.outcome:
        case Outcome.CONDITIONAL:
            return f"allowed if {' or '.join(decision.conditions)}{_limits(decision, asked)}"
        case Outcome.UNDECIDABLE:
            return f"not decidable: {'; '.join(decision.open_questions)}"
        case Outcome.ALLOWED | Outcome.DENIED:
            return f"{decision.outcome.value}{_limits(decision, asked)}"


def _limits(decision: Decision, asked: Asked) -> str:
    homes, names = _homes(decision, asked), _names(decision)
    where = f" in namespace{'s' if len(homes) > 1 or is_glob(homes[0]) else ''} {', '.join(homes)}" if homes else ""
    return f"{where}, only named {', '.join(names)}" if names else where


def _homes(decision: Decision, asked: Asked) -> tuple[str, ...]:
    """Return the namespaces in which it is allowed, where that was left open; none where it holds everywhere."""
    homes = tuple(dict.fromkeys(one.namespace for one in decision.allowances))
    return () if "" in homes or not (asked.is_open or asked.is_of_namespaces) else tuple(sorted(homes))


def _names(decision: Decision) -> tuple[str, ...]:
    if not all(one.names for one in decision.allowances):
        return ()
    return tuple(dict.fromkeys(name for one in decision.allowances for name in one.names))


def _in(asked: Asked, scope: str) -> str:
    place = (
        ""
        if asked.wide
        else f" in namespace {asked.namespace}"
        if asked.namespace
        else " in all namespaces"
        if asked.everywhere
        else " in any namespace"
    )
    return f"{place} of {cluster_name(scope)}" if cluster_name(scope) else place


def can_lines(found: Input, answers: Sequence[Answer]) -> Iterator[str]:
    """Yield the answer to one question, for each cluster."""
    for number, answer in enumerate(answers):
        if number:
            yield ""
        yield from _answer_lines(found, answer)


def _answer_lines(found: Input, answer: Answer) -> Iterator[str]:
    yield said(answer.decision, answer.asked)
    yield f"{answer.who} {answer.asked}{_in(answer.asked, answer.scope)}"
    if answer.ways_in:
        yield ""
        for text, at in answer.ways_in:
            yield f"comes in by {text}"
            yield f"  because {found.where(at)}"
    for layer in Layer:
        mine = [one for one in answer.decision.allowances if one.layer is layer]
        if mine:
            yield ""
            yield f"{layer.value}: {'may allow' if answer.decision.outcome is Outcome.UNDECIDABLE else 'allows'}"
            for one in mine:
                yield from _allowance_lines(found, one)
    if answer.may_become:
        yield ""
        yield "may also make itself able to do more:"
        yield from (line for edge in answer.may_become for line in _edge_lines(found, edge))
    notes = _notes(answer.decision)
    if notes:
        yield ""
        yield from (f"note: {note}" for note in notes)


def _allowance_lines(found: Input, one: Allowance) -> Iterator[str]:
    yield f"  allows: {one.text}"
    if one.names:
        yield f"    only named {', '.join(one.names)}"
    if one.condition:
        yield f"    if {one.condition.text}"
    yield from (f"    because {found.where(at)}" for at in one.because)


def _edge_lines(found: Input, edge: Edge) -> Iterator[str]:
    yield f"  {edge.verb} {edge.target}: {edge.note}"
    if edge.condition:
        yield f"    if {edge.condition.text}"
    yield from (f"    because {found.where(at)}" for at in edge.because if at.document)


def _notes(decision: Decision) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*decision.notes, *(f"not read: {doubt}" for doubt in decision.doubts))))


def who_lines(found: Input, crowds: Sequence[Crowd]) -> Iterator[str]:
    """Yield everybody who may, each with the first grant that says so."""
    for number, crowd in enumerate(crowds):
        if number:
            yield ""
        yield from _crowd_lines(found, crowd)


def _crowd_lines(found: Input, crowd: Crowd) -> Iterator[str]:
    may = [answer for answer in crowd.answers if answer.decision.outcome is not Outcome.UNDECIDABLE]
    unsure = [answer for answer in crowd.answers if answer.decision.outcome is Outcome.UNDECIDABLE]
    open_ = f"; not decidable for {len(unsure)}" if unsure else ""
    yield f"{len(may) or 'nobody'} may {crowd.asked}{_in(crowd.asked, crowd.scope)}{open_}"
    for answer in may:
        yield f"  {answer.who}: {said(answer.decision, answer.asked)}"
        first = answer.decision.allowances[0]
        yield f"      by {first.text}"
        yield from (f"      because {found.where(at)}" for at in first.because)
    by_reason: dict[str, list[str]] = {}
    for answer in unsure:
        by_reason.setdefault(said(answer.decision, answer.asked), []).append(str(answer.who))
    for why, names in by_reason.items():
        yield ""
        yield why
        yield from (f"  ? {name}" for name in names)
    notes = _crowd_notes(crowd)
    if notes:
        yield ""
        yield from (f"note: {note}" for note in notes)


def _crowd_notes(crowd: Crowd) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*crowd.notes, *(f"not read: {doubt}" for doubt in crowd.open_questions))))


def can_data(found: Input, asked: Asked, answers: Sequence[Answer]) -> Mapping[str, object]:
    """Return the answer to one question as data."""
    rows = [
        {
            "cluster": answer.scope,
            **_decision_data(answer),
            "ways_in": [{"text": text, "evidence": [found.place(at)]} for text, at in answer.ways_in],
            "steps": _steps_data(found, answer.decision),
            "may_become": [_edge_data(found, edge) for edge in answer.may_become],
            "notes": list(_notes(answer.decision)),
        }
        for answer in answers
    ]
    return {"schema": "partywall/k8s-can/v1", "subject": str(answers[0].who), **_asked_data(asked), "answers": rows}


def who_data(found: Input, asked: Asked, crowds: Sequence[Crowd]) -> Mapping[str, object]:
    """Return everybody who may as data."""
    rows = [
        {
            "cluster": crowd.scope,
            "subjects": [
                {"subject": str(answer.who), **_decision_data(answer), "steps": _steps_data(found, answer.decision)}
                for answer in crowd.answers
            ],
            "notes": list(_crowd_notes(crowd)),
        }
        for crowd in crowds
    ]
    return {"schema": "partywall/k8s-who-can/v1", **_asked_data(asked), "answers": rows}


def _asked_data(asked: Asked) -> Mapping[str, object]:
    if asked.url:
        return {"verb": asked.verb, "url": asked.url}
    place = "*" if asked.everywhere else asked.namespace
    return {"verb": asked.verb, "group": asked.group, "resource": asked.resource, "namespace": place, "name": asked.name}


def _decision_data(answer: Answer) -> Mapping[str, object]:
    decision = answer.decision
    known: dict[str, object] = {"outcome": decision.outcome.value, "condition": as_data(decision.residual)}
    if decision.residual not in (TRUE, FALSE):
        known["in_words"] = said(decision, answer.asked)
        known["control"] = decision.residual.control.value
    return {**known, "namespaces": list(_homes(decision, answer.asked)), "names": list(_names(decision))}


def _steps_data(found: Input, decision: Decision) -> list[Mapping[str, object]]:
    return [
        {"layer": layer.value, "grants": [_allowance_data(found, one) for one in decision.allowances if one.layer is layer]}
        for layer in Layer
        if any(one.layer is layer for one in decision.allowances)
    ]


def _allowance_data(found: Input, one: Allowance) -> Mapping[str, object]:
    return {
        "text": one.text,
        "namespace": one.namespace,
        "names": list(one.names),
        "certainty": one.certainty.word,
        "condition": as_data(one.condition.residual if one.condition else TRUE),
        "evidence": [found.place(at) for at in one.because],
    }


def _edge_data(found: Input, edge: Edge) -> Mapping[str, object]:
    evidence = [found.place(at) for at in edge.because if at.document]
    return {"verb": edge.verb, "target": str(edge.target), "note": edge.note, "certainty": edge.certainty.word, "evidence": evidence}
