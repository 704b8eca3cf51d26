"""What is left to be decided: a formula over atoms in a normal form, each formula once in memory.

Negation stands at the atoms only; nested conjunctions and alternatives are flat, without repetition, in the order of their text. Equal
formulas are the same object, so comparing them is comparing identities.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TypeAlias
from weakref import WeakValueDictionary

from partywall.model.atom import Atom, Control
from partywall.model.evidence import Json

Data: TypeAlias = Mapping[str, Json]
CANNOT_BE_EVALUATED = "cannot be evaluated"


class Shape(Enum):
    """What a formula is."""

    TRUE = "true"
    FALSE = "false"
    IS = "is"
    IS_NOT = "is not"
    ALL = "all"
    SOME = "some"


@dataclass(frozen=True, eq=False)
class Residual:
    """A formula: a constant, an atom that must or must not hold, a conjunction or an alternative. The functions below make them."""

    shape: Shape
    text: str
    atom: Atom | None = None
    parts: tuple["Residual", ...] = ()
    opposite: list["Residual"] = field(default_factory=list, repr=False)

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """Return the atoms, each once, in the order of the text."""
        if self.atom is not None:
            return (self.atom,)
        return tuple(dict.fromkeys(atom for part in self.parts for atom in part.atoms))

    @cached_property
    def is_evaluable(self) -> bool:
        """Tell whether a context decides it: no atom stands for what could not be evaluated."""
        return all(atom.operator != CANNOT_BE_EVALUATED for atom in self.atoms)

    @cached_property
    def control(self) -> Control:
        """Return who decides: all parts of a conjunction must be met, of alternatives the easiest one is enough."""
        if self.atom is not None:
            return self.atom.control
        found = [part.control for part in self.parts] or [Control.CALLER]
        return (min if self.shape is Shape.SOME else max)(found, key=STRENGTH.__getitem__)

    @property
    def literals(self) -> tuple["Residual", ...]:
        """Return the parts of a conjunction, or the formula itself."""
        return self.parts if self.shape is Shape.ALL else (self,)


STRENGTH: Mapping[Control, int] = {Control.CALLER: 0, Control.ENVIRONMENT: 1, Control.UNKNOWN: 2}
TRUE = Residual(Shape.TRUE, "true")
FALSE = Residual(Shape.FALSE, "false")
_KNOWN: WeakValueDictionary[tuple[Shape, object], Residual] = WeakValueDictionary()


def that(atom: Atom, *, holds: bool = True) -> Residual:
    """Return the formula that an atom holds, or that it does not."""
    shape = Shape.IS if holds else Shape.IS_NOT
    return _once(shape, atom, lambda: Residual(shape, _in_words(atom, holds), atom))


def unevaluable(what: str, why: str) -> Residual:
    """Return the formula of something whose truth nobody can tell: `what` is looked at, `why` says what is strange."""
    return that(Atom(what, CANNOT_BE_EVALUATED, (why,), Control.UNKNOWN))


def all_of(parts: Iterable[Residual]) -> Residual:
    """Return the conjunction."""
    return _joined(Shape.ALL, parts, TRUE, FALSE)


def any_of(parts: Iterable[Residual]) -> Residual:
    """Return the alternative."""
    return _joined(Shape.SOME, parts, FALSE, TRUE)


def negated(residual: Residual) -> Residual:
    """Return the formula that holds where this one does not."""
    if not residual.opposite:
        residual.opposite.append(_negated(residual))
    return residual.opposite[0]


def _negated(residual: Residual) -> Residual:
    match residual.shape:
        case Shape.TRUE:
            return FALSE
        case Shape.FALSE:
            return TRUE
        case Shape.IS | Shape.IS_NOT:
            assert residual.atom is not None
            # Of what could not be evaluated nobody can tell either that it does not hold.
            open_ = residual.atom.operator == CANNOT_BE_EVALUATED
            return residual if open_ else that(residual.atom, holds=residual.shape is Shape.IS_NOT)
        case Shape.ALL:
            return any_of(map(negated, residual.parts))
        case Shape.SOME:
            return all_of(map(negated, residual.parts))


def decided(residual: Residual, truth: Callable[[Atom], bool | None]) -> Residual:
    """Return what is left once some atoms are known to hold or not; `truth` returns None for those that stay open."""
    match residual.shape:
        case Shape.TRUE | Shape.FALSE:
            return residual
        case Shape.IS | Shape.IS_NOT:
            assert residual.atom is not None
            found = truth(residual.atom)
            return residual if found is None else TRUE if found == (residual.shape is Shape.IS) else FALSE
        case Shape.ALL:
            return all_of(decided(part, truth) for part in residual.parts)
        case Shape.SOME:
            return any_of(decided(part, truth) for part in residual.parts)


def as_data(residual: Residual) -> Data:
    """Return the formula as data: `all` or `any` of formulas, or an atom with its key, operator, values, control and whether it holds."""
    match residual.shape:
        case Shape.TRUE | Shape.FALSE:
            return {"always": residual is TRUE}
        case Shape.ALL:
            return {"all": [as_data(part) for part in residual.parts]}
        case Shape.SOME:
            return {"any": [as_data(part) for part in residual.parts]}
        case _:
            atom = residual.atom
            assert atom is not None
            known: dict[str, Json] = {
                "key": atom.key,
                "operator": atom.operator,
                "values": list(atom.values),
                "control": atom.control.value,
            }
            return known if residual.shape is Shape.IS else {**known, "not": True}


def phrase(residual: Residual) -> str:
    """Return the formula in words, without the brackets around all of it."""
    return residual.text[1:-1] if residual.shape is Shape.SOME else residual.text


def _once(shape: Shape, key: object, made: Callable[[], Residual]) -> Residual:
    found = _KNOWN.get((shape, key))
    if found is None:
        found = made()
        _KNOWN[shape, key] = found
    return found


def _joined(shape: Shape, parts: Iterable[Residual], neutral: Residual, ruling: Residual) -> Residual:
    flat: dict[Residual, None] = {}
    for part in _flat(shape, parts):
        if part is ruling or (negated(part) is not part and negated(part) in flat):
            return ruling
        if part is not neutral:
            flat[part] = None
    kept = _absorbed(shape, flat) if len(flat) > 1 else list(flat)
    if len(kept) < 2:
        return kept[0] if kept else neutral
    listed = tuple(sorted(kept, key=lambda part: part.text))
    return _once(shape, listed, lambda: Residual(shape, _listed(shape, listed), None, listed))


def _flat(shape: Shape, parts: Iterable[Residual]) -> Iterator[Residual]:
    for part in parts:
        if part.shape is shape:
            yield from part.parts
        else:
            yield part


def _absorbed(shape: Shape, flat: Iterable[Residual]) -> list[Residual]:
    """Drop what says less than another part: `a and (a or b)` is `a`."""
    other = Shape.SOME if shape is Shape.ALL else Shape.ALL
    whole = list(flat)
    known = set(whole)
    kept = [part for part in whole if part.shape is not other or known.isdisjoint(part.parts)]
    wide = [part for part in kept if part.shape is other]
    if len(wide) < 2:
        return kept
    sets = {part: frozenset(part.parts) for part in wide}
    return [part for part in kept if part not in sets or not any(sets[one] < sets[part] for one in wide)]


def _listed(shape: Shape, parts: tuple[Residual, ...]) -> str:
    if shape is Shape.ALL:
        return " and ".join(part.text for part in parts)
    return f"({' or '.join(part.text for part in parts)})"


def _in_words(atom: Atom, holds: bool) -> str:
    if atom.operator == CANNOT_BE_EVALUATED:
        return f"{atom.key} {CANNOT_BE_EVALUATED}: {atom.values[0]}"
    operator = atom.operator if holds else f"not {atom.operator}"
    return f"{atom.key} {operator} {' or '.join(atom.values)}"
