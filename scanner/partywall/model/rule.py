"""A rule: a question as data, a page, a sentence."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from partywall.model.edge import Certainty
from partywall.model.severity import Severity
from partywall.model.verbs import VERBS, Lane


class Stranger(StrEnum):
    """Who belongs to no tenant."""

    NOBODY = "nobody"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True, init=False)
class Crossings:
    """Asks for crossings of tenants by any of these verbs, all of one lane."""

    verbs: tuple[str, ...]

    def __init__(self, *verbs: str) -> None:
        unknown = [verb for verb in verbs if verb not in VERBS]
        if unknown:
            raise ValueError(f"no such verb: {', '.join(unknown)}")
        if len({VERBS[verb].lane for verb in verbs}) != 1:
            raise ValueError(f"verbs of several lanes in one question: {', '.join(verbs)}")
        object.__setattr__(self, "verbs", verbs)


@dataclass(frozen=True, slots=True)
class Strangers:
    """Asks for crossings, in any lane, of holders whom no tenant owns, or of those outside the estate."""

    who: Stranger


@dataclass(frozen=True, slots=True)
class People:
    """Asks for people who belong to several tenants and are not listed by the contracts."""


@dataclass(frozen=True, slots=True)
class Disputes:
    """Asks for things that two tenants claim."""


@dataclass(frozen=True, slots=True)
class Overreach:
    """Asks for approvals whose edge lets the guest do more than the approval says."""


@dataclass(frozen=True, slots=True, init=False)
class Differences:
    """Asks for differences between a contract and what is real, in these fields."""

    fields: tuple[str, ...]

    def __init__(self, *fields: str) -> None:
        object.__setattr__(self, "fields", fields)


Question: TypeAlias = Crossings | Strangers | People | Disputes | Overreach | Differences


@dataclass(frozen=True, slots=True)
class Crossing:
    """The leading example of one cause: `source` reaches `target` by `verb`. Names are printed in the words of their own system."""

    source: str
    verb: str
    target: str
    lane: Lane
    certainty: Certainty
    from_owner: str
    to_owner: str
    note: str = ""
    condition: str = ""
    approval: str = ""

    @property
    def if_condition(self) -> str:
        """Return `, if ...` for a conditional crossing, else nothing."""
        return f", if {self.condition}" if self.condition else ""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in groups of several owners."""

    person: str
    owners: tuple[str, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dispute:
    """A thing that several tenants claim."""

    thing: str
    claimants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A contract's field and reality, each in words."""

    tenant: str
    contract: str
    field: str
    approved: str
    real: str
    text: str


Answer: TypeAlias = Crossing | Person | Dispute | Difference


@dataclass(frozen=True, slots=True)
class Page:
    """A rule's manual page, taken from the docstring of its function."""

    title: str
    why: str
    fix: str
    blind_spots: str

    @property
    def text(self) -> str:
        """Return the page as Markdown without a heading."""
        return f"{self.title}\n\nWhy it matters: {self.why}\n\nFix: {self.fix}\n\nBlind spots: {self.blind_spots}\n"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `say` turns one answer into one sentence, or None where the answer is not its business; `severity` is a floor."""

    id: str
    name: str
    severity: Severity
    asks: Question
    page: Page
    say: Callable[..., str | None] = field(compare=False)
    module: str = ""
    version: int = 1

    @property
    def lane(self) -> Lane | None:
        """Return the lane that the rule's verbs belong to; None for a rule of several lanes or of drift."""
        return VERBS[self.asks.verbs[0]].lane if isinstance(self.asks, Crossings) else None


_HEADINGS = ("Why it matters:", "Fix:", "Blind spots:")


def rule(*, id: str, name: str, severity: Severity, asks: Question, version: int = 1) -> Callable[[Callable[..., str | None]], Rule]:
    """Make a rule of the function below: its docstring is the page, its answer the sentence. Registers nothing.

    Raises ValueError where the docstring lacks a first sentence or one of `Why it matters:`, `Fix:`, `Blind spots:`.
    """

    def made(say: Callable[..., str | None]) -> Rule:
        return Rule(
            id=id,
            name=name,
            severity=severity,
            asks=asks,
            page=page_from(id, say.__doc__ or ""),
            say=say,
            module=say.__module__,
            version=version,
        )

    return made


def page_from(rule_id: str, docstring: str) -> Page:
    """Split a rule's docstring into its page."""
    parts: list[list[str]] = [[]]
    expected = iter(_HEADINGS)
    heading = next(expected, None)
    for line in docstring.strip().splitlines():
        text = line.strip()
        if heading is not None and text.startswith(heading):
            parts.append([text.removeprefix(heading).strip()])
            heading = next(expected, None)
        else:
            parts[-1].append(text)
    if len(parts) != len(_HEADINGS) + 1 or not all("".join(part).strip() for part in parts):
        raise ValueError(f"{rule_id}: its docstring needs a first sentence, then {', '.join(_HEADINGS)}")
    return Page(*(" ".join(word for word in part if word).strip() for part in parts))
