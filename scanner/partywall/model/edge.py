"""One way from one thing to another, and what would close it."""

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from partywall.model.atom import Atom, Control
from partywall.model.evidence import Evidence
from partywall.model.fact import Fact
from partywall.model.node import Node
from partywall.model.residual import TRUE, Residual, phrase
from partywall.model.verbs import VERBS, Lane, Verb


class Certainty(IntEnum):
    """How sure an edge is; three nested sets, evaluated in this order."""

    SURE = 0
    CONDITIONAL = 1
    UNKNOWN = 2

    @property
    def word(self) -> str:
        """Return the certainty's name in a report."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold for an edge to exist: a formula, and how it reads."""

    residual: Residual
    text: str

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Return the atoms of the formula."""
        return self.residual.atoms

    @property
    def control(self) -> Control:
        """Return who decides it; what could not be told at all is unknown."""
        return self.residual.control


def when(residual: Residual, text: str = "") -> Condition | None:
    """Return the condition that a formula holds; None for one that always does."""
    return None if residual is TRUE else Condition(residual, text or phrase(residual))


class Move(StrEnum):
    """How a lever is moved."""

    REMOVE = "remove"
    SET = "set"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class Change:
    """What moving a lever does to the facts: these go, those come. The world is resolved again with them."""

    gone: tuple[Fact, ...] = ()
    come: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Lever:
    """The one thing that closes an edge: a grant to remove, a setting to change, a control to add.

    `kind`, `scope`, `name` and `content` say canonically what it is (`RoleBinding`, `account/region/cluster`, `vision/team-dev`, normalised
    content); they make the fingerprint,
    so they hold no file, no pointer and no generated suffix. `places` are where it stands or would stand, the leading one first. `text` is
    the advice, an imperative sentence
    without a full stop. `change` is what to resolve again to prove the advice; without it the advice stays advice.
    """

    move: Move
    kind: str
    scope: str
    name: str
    places: tuple[Evidence, ...]
    text: str
    content: str = ""
    change: Change | None = field(default=None, compare=False, repr=False)

    @property
    def identity(self) -> tuple[str, str, str, str, str]:
        """Return what makes two levers the same one."""
        return (self.move.value, self.kind, self.scope, self.name, self.content)


@dataclass(frozen=True, slots=True)
class Edge:
    """source --verb--> target, because of evidence, with a certainty. No evidence, no edge.

    `note` is a short phrase shown behind the verb (an association's id, the rule of a role); `reason` says what made an edge unknown.
    """

    source: Node
    verb: str
    target: Node
    because: tuple[Evidence, ...]
    lever: Lever
    certainty: Certainty = Certainty.SURE
    condition: Condition | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if not self.because:
            raise ValueError(f"an edge without evidence: {self.source} {self.verb} {self.target}")
        if self.verb not in VERBS:
            raise ValueError(f"no such verb: {self.verb}")

    @property
    def kind(self) -> Verb:
        """Return the verb's row of the table."""
        return VERBS[self.verb]

    @property
    def lane(self) -> Lane:
        """Return the lane of the verb."""
        return VERBS[self.verb].lane


@dataclass(frozen=True, slots=True)
class Hold:
    """A control that stands in front of a thing in one lane: what `explain A B` shows for a closed lane."""

    lane: Lane
    target: Node
    text: str
    because: tuple[Evidence, ...]
