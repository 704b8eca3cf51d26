"""Answers of IAM in lines of text and as data."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from partywall.cli import FOUND, INCOMPLETE, OK
from partywall.engine.conditions import condition_lines, example_keys
from partywall.engine.lines import Lines
from partywall.model.document import Assumption, Document, Gap
from partywall.model.evidence import Evidence
from partywall.model.facts import Facts
from partywall.model.facts_iam import Effect
from partywall.model.residual import FALSE, TRUE, as_data, phrase
from partywall.resolve.iam import Answer, Decision, Outcome
from partywall.resolve.iam.controls import assumptions
from partywall.resolve.iam.decide import Reason
from partywall.resolve.iam.grants import described
from partywall.resolve.iam.hearing import Step, document_of, statement_of, steps

Named: TypeAlias = tuple[str, Answer]
# Documents that may hold a policy of a principal, a resource or the organization.
_OF_IAM = ("aws:iam:", "aws:organizations:", "aws:sso", "aws:s3", "aws:kms:", "aws:secretsmanager:", "aws:ecr:", "aws:efs:", "aws:eks:")
_CODES = {Outcome.ALLOWED: FOUND, Outcome.CONDITIONAL: FOUND, Outcome.UNDECIDABLE: INCOMPLETE}


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """What was read: facts, what of it could not be read and may concern IAM, and the lines of evidence."""

    facts: Facts
    gaps: tuple[Gap, ...]
    assumed: tuple[Assumption, ...]
    lines: Lines

    @classmethod
    def of(cls, documents: Sequence[Document], facts: Facts, gaps: Iterable[Gap]) -> "Input":
        """Keep the gaps that may concern IAM: those of documents of AWS, and those of which nobody knows what they are."""
        kinds = {document.name: document.kind for document in documents}
        kept = (gap for gap in gaps if gap.at is None or kinds.get(gap.at.document, "aws:iam:").startswith(_OF_IAM))
        return cls(facts, tuple(dict.fromkeys(kept)), tuple(assumptions(facts)), Lines(documents))

    def gaps_about(self, names: Iterable[str]) -> Iterator[Gap]:
        """Yield the gaps that are about one of these names, or about nobody knows what."""
        asked = tuple(names)
        return (gap for gap in self.gaps if not gap.nodes or any(node.name in name for node in gap.nodes for name in asked))

    def open_questions(self, resource: str, unlisted: Iterable[str]) -> Iterator[str]:
        """Yield why somebody may be missing among those who may do something with a resource."""
        for account in unlisted:
            yield f"not every principal of account {account} is in the input (aws iam get-account-authorization-details)"
        yield from (f"not read: {gap.what}" for gap in self.gaps_about((resource,)))

    def where(self, at: Evidence) -> str:
        """Return where evidence stands: document, line, pointer."""
        if not at.document:
            return "not in the input"
        line = self.lines.line_of(at)
        return f"{at.document}:{line} {at.pointer}".rstrip() if line else f"{at.document}#{at.pointer}"


def code_of(decision: Decision) -> int:
    """Return the exit code of a decision: found, clear, unknown."""
    return _CODES.get(decision.outcome, OK)


def code_of_all(decisions: Iterable[Decision], *, complete: bool) -> int:
    """Return the exit code of all decisions together; where nobody was found, what was not read leaves the question open."""
    codes = {code_of(decision) for decision in decisions}
    return FOUND if FOUND in codes else OK if complete and not codes else INCOMPLETE


def said(decision: Decision) -> str:
    """Say a decision in words, with its condition."""
    match decision.outcome:
        case Outcome.CONDITIONAL:
            return f"allowed if {phrase(decision.residual)}"
        case Outcome.UNDECIDABLE:
            return f"not decidable: {phrase(decision.residual)}"
        case Outcome.ALLOWED | Outcome.EXPLICIT | Outcome.IMPLICIT:
            return str(decision.outcome.value)


def can_lines(found: Input, principal: str, answer: Answer) -> Iterator[str]:
    """Yield the answer to one question."""
    yield said(answer.decision)
    yield f"{_name(answer, principal)} {answer.action} {answer.request.region}"
    for step in steps(answer):
        yield ""
        yield from _step_lines(found, step)
    if answer.decision.residual not in (TRUE, FALSE):
        yield ""
        yield from condition_lines(answer.decision.residual, answer.request.context)
    notes = _notes(found, answer)
    if notes:
        yield ""
        yield from (f"note: {note}" for note in notes)


def _name(answer: Answer, principal: str) -> str:
    caller = answer.rights.caller
    return principal if caller.session or not caller.arn else caller.arn


def _step_lines(found: Input, step: Step) -> Iterator[str]:
    name = f" {step.name}" if step.name else ""
    yield f"{step.layer.value}{name}: {step.outcome}"
    for reason in step.reasons:
        yield f"  {_does(reason)}: {statement_of(reason.grant)}"
        if reason.residual is not TRUE:
            yield f"    if {phrase(reason.residual)}"
        yield from (f"    because {found.where(at)}" for at in reason.grant.because if at.document)


def _does(reason: Reason) -> str:
    return "allows" if reason.effect is Effect.ALLOW else "denies"


def _notes(found: Input, answer: Answer) -> tuple[str, ...]:
    mine = (f"{gap.what}; {gap.remedy}" if gap.remedy else gap.what for gap in answer.gaps)
    unread = (f"not read: {gap.what}" for gap in found.gaps_about((answer.rights.principal.arn, answer.request.region)))
    return tuple(dict.fromkeys((*answer.decision.notes, *mine, *unread, *_assumed(found))))


def _assumed(found: Input) -> Iterator[str]:
    return (f"assumed: {assumption.text}" for assumption in found.assumed)


def who_lines(found: Input, action: str, resource: str, answers: Sequence[Named], open_: Iterable[str]) -> Iterator[str]:
    """Yield everybody who may, each with the first statement that says so; `open_` says why somebody may be missing."""
    may = [(name, answer) for name, answer in answers if answer.decision.outcome is not Outcome.UNDECIDABLE]
    yield f"{len(may) or 'nobody'} may {action} {resource}" + (
        f"; not decidable for {len(answers) - len(may)}" if len(answers) > len(may) else ""
    )
    for name, answer in may:
        yield f"  {name}: {said(answer.decision)}"
        first = next((reason.grant.statement.at for reason in answer.decision.reasons if reason.effect is Effect.ALLOW), None)
        if first is not None and first.document:
            yield f"      because {found.where(first)}"
    yield from _undecided([(name, said(answer.decision)) for name, answer in answers if answer.decision.outcome is Outcome.UNDECIDABLE])
    notes = tuple(dict.fromkeys((*_common_notes(answers), *open_, *_assumed(found))))
    if notes:
        yield ""
        yield from (f"note: {note}" for note in notes)


def _undecided(answers: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield those for whom nobody can tell, under the reason that they share."""
    by_reason: dict[str, list[str]] = {}
    for name, why in answers:
        by_reason.setdefault(why, []).append(name)
    for why, names in by_reason.items():
        yield ""
        yield why
        yield from (f"  ? {name}" for name in names)


def _common_notes(answers: Sequence[Named]) -> Iterator[str]:
    """Yield what was said beside every decision, and so concerns the resource."""
    if answers:
        first, *others = (answer.decision.notes for _, answer in answers)
        yield from (note for note in first if all(note in notes for notes in others))


def can_data(found: Input, principal: str, answer: Answer) -> Mapping[str, object]:
    """Return the answer to one question as data."""
    return {
        "schema": "partywall/iam-can/v1",
        "principal": _name(answer, principal),
        "action": answer.action,
        "resource": answer.request.region,
        **_decision_data(answer),
        "steps": [_step_data(found, step) for step in steps(answer)],
        "notes": list(_notes(found, answer)),
    }


def who_data(found: Input, action: str, resource: str, answers: Sequence[Named], open_: Iterable[str]) -> Mapping[str, object]:
    """Return everybody who may as data."""
    rows = [{"principal": name, **_decision_data(answer), "notes": list(answer.decision.notes)} for name, answer in answers]
    return {
        "schema": "partywall/iam-who-can/v1",
        "action": action.lower(),
        "resource": resource,
        "principals": rows,
        "notes": list(dict.fromkeys((*open_, *_assumed(found)))),
    }


def _decision_data(answer: Answer) -> Mapping[str, object]:
    decision = answer.decision
    known: dict[str, object] = {"outcome": decision.outcome.value, "condition": as_data(decision.residual)}
    if decision.residual in (TRUE, FALSE):
        return known
    found = example_keys(decision.residual, answer.request.context)
    return {
        **known,
        "in_words": phrase(decision.residual),
        "control": decision.residual.control.value,
        "examples": {word: {key: list(values) for key, values in keys.items()} for word, keys in found.items()},
    }


def _step_data(found: Input, step: Step) -> Mapping[str, object]:
    return {
        "layer": step.layer.value,
        "name": step.name,
        "outcome": step.outcome,
        "statements": [_reason_data(found, reason) for reason in step.reasons],
    }


def _reason_data(found: Input, reason: Reason) -> Mapping[str, object]:
    return {
        "effect": reason.effect.value,
        "statement": described(reason.grant.statement),
        "document": document_of(reason.grant),
        "condition": as_data(reason.residual),
        "evidence": [_place(found, at) for at in reason.grant.because if at.document],
    }


def _place(found: Input, at: Evidence) -> Mapping[str, object]:
    line = found.lines.line_of(at)
    return {"document": at.document, "pointer": at.pointer, **({"line": line} if line else {})}
