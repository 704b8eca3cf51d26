"""Condition operators: one comparison, decided as far as the snapshot knows its key.

IAM user guide, "IAM JSON policy elements: Condition operators" and "Conditions with multiple context keys or values".
"""

import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum

from partywall.model.edge import Atom, Control
from partywall.model.facts_iam import Comparison
from partywall.resolve.iam.context import ALWAYS_SET, Chosen, Context, Open
from partywall.resolve.iam.globs import LITERAL_MARK, LITERAL_STAR, arn_covers, arn_meets, covers, is_wild, literal, matches, meets
from partywall.resolve.iam.variables import Text, expand


class Truth(Enum):
    """How a comparison, a condition or a statement comes out."""

    NO = "no"
    YES = "yes"
    OPEN = "open"
    UNEVALUABLE = "unevaluable"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A truth, the atoms that decide it where it is open, and why it could not be evaluated."""

    truth: Truth
    atoms: tuple[Atom, ...] = ()
    why: str = ""


NO = Outcome(Truth.NO)
YES = Outcome(Truth.YES)


def _equal(pattern: str, value: str) -> bool:
    return pattern == literal(value)


def _equal_any_case(pattern: str, value: str) -> bool:
    return pattern.casefold() == literal(value).casefold()


def _same_truth(pattern: str, value: str) -> bool:
    return pattern.casefold() == value.casefold()


def _arn(pattern: str, value: str) -> bool:
    return arn_meets(pattern, literal(value))


def _in_network(pattern: str, value: str) -> bool:
    try:
        return ipaddress.ip_address(value) in ipaddress.ip_network(pattern, strict=False)
    except ValueError:
        return False


def _number(test: Callable[[float, float], bool]) -> Callable[[str, str], bool]:
    def compare(pattern: str, value: str) -> bool:
        try:
            return test(float(value), float(pattern))
        except ValueError:
            return False

    return compare


def _moment(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _date(test: Callable[[float, float], bool]) -> Callable[[str, str], bool]:
    def compare(pattern: str, value: str) -> bool:
        try:
            return test(_moment(value), _moment(pattern))
        except ValueError:
            return False

    return compare


def _ordered(
    prefix: str, made: Callable[[Callable[[float, float], bool]], Callable[[str, str], bool]]
) -> Mapping[str, Callable[[str, str], bool]]:
    return {
        f"{prefix}equals": made(lambda value, limit: value == limit),
        f"{prefix}lessthan": made(lambda value, limit: value < limit),
        f"{prefix}lessthanequals": made(lambda value, limit: value <= limit),
        f"{prefix}greaterthan": made(lambda value, limit: value > limit),
        f"{prefix}greaterthanequals": made(lambda value, limit: value >= limit),
    }


_TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "stringequals": _equal,
    "stringequalsignorecase": _equal_any_case,
    "stringlike": matches,
    "arnequals": _arn,
    "arnlike": _arn,
    "bool": _same_truth,
    "binaryequals": _equal,
    "ipaddress": _in_network,
    **_ordered("numeric", _number),
    **_ordered("date", _date),
}
_NEGATED: Mapping[str, str] = {
    "stringnotequals": "stringequals",
    "stringnotequalsignorecase": "stringequalsignorecase",
    "stringnotlike": "stringlike",
    "arnnotequals": "arnequals",
    "arnnotlike": "arnlike",
    "notipaddress": "ipaddress",
    "numericnotequals": "numericequals",
    "datenotequals": "dateequals",
}
# Stars and question marks are wildcards under these only.
_PATTERNS = frozenset({"stringlike", "arnlike", "arnequals"})
_SPELLING = re.compile(r"^(?:(forallvalues|foranyvalue):)?([a-z]+?)(ifexists)?$")


@dataclass(frozen=True, slots=True)
class _Operator:
    base: str
    negated: bool
    every: bool
    some: bool
    if_exists: bool


def _operator(text: str) -> _Operator | None:
    found = _SPELLING.match(text.lower())
    if not found:
        return None
    quantifier, name, if_exists = found.groups()
    base = _NEGATED.get(name, name)
    if base not in _TESTS and base != "null":
        return None
    return _Operator(base, name in _NEGATED, quantifier == "forallvalues", quantifier == "foranyvalue", if_exists is not None)


def compare(comparison: Comparison, context: Context, *, variables: bool) -> Outcome:
    """Decide one comparison."""
    operator = _operator(comparison.operator)
    if operator is None:
        return Outcome(Truth.UNEVALUABLE, why=f"unknown operator {comparison.operator}")
    value = context.value(comparison.key)
    if operator.base == "null":
        return _null(comparison, value)
    match value:
        case Open(control):
            return _open(comparison, operator, context, control, variables=variables)
        case Chosen(region):
            return _chosen(comparison, operator, region, context, variables=variables)
        case ():
            return _absent(operator)
        case _:
            return _known(comparison, operator, value, context, variables=variables)


def _atom(comparison: Comparison, control: Control) -> Atom:
    return Atom(comparison.key, comparison.operator, comparison.values, control)


def _null(comparison: Comparison, value: object) -> Outcome:
    wants_absent = {text.lower() == "true" for text in comparison.values}
    if len(wants_absent) != 1:
        return YES if wants_absent else NO
    wanted = wants_absent.pop()
    match value:
        case Open(control):
            if comparison.key.lower() in ALWAYS_SET:
                return NO if wanted else YES
            return Outcome(Truth.OPEN, (_atom(comparison, control),))
        case Chosen():
            return NO if wanted else YES
        case _:
            return YES if wanted == (value == ()) else NO


def _absent(operator: _Operator) -> Outcome:
    """A missing key: false, but true for negated operators, ...IfExists and ForAllValues; ForAnyValue is false either way."""
    if operator.some:
        return YES if operator.if_exists else NO
    return YES if operator.negated or operator.if_exists or operator.every else NO


def _texts(comparison: Comparison, operator: _Operator, context: Context, *, variables: bool) -> list[Text]:
    texts = (expand(value, context, variables=variables) for value in comparison.values)
    return [text if operator.base in _PATTERNS else Text(_plain(text), text.atoms, text.void) for text in texts if not text.void]


def _plain(text: Text) -> str:
    """Take wildcards as they stand, but for those that an unknown variable left."""
    return text.pattern if text.atoms else literal(text.pattern)


def _open(comparison: Comparison, operator: _Operator, context: Context, control: Control, *, variables: bool) -> Outcome:
    if not comparison.values and not operator.negated and not operator.every:
        return NO
    texts = _texts(comparison, operator, context, variables=variables)
    if not texts and comparison.values:
        return YES if operator.negated or operator.every or operator.if_exists else NO
    if (
        operator.base == "stringlike"
        and not operator.negated
        and any(text.pattern == "*" and not text.atoms for text in texts)
        and comparison.key.lower() in ALWAYS_SET
    ):
        return YES
    return Outcome(Truth.OPEN, (_atom(comparison, control), *(atom for text in texts for atom in text.atoms)))


def _chosen(comparison: Comparison, operator: _Operator, region: str, context: Context, *, variables: bool) -> Outcome:
    """Let the caller choose within the region: positive comparisons need something in common with it, negated ones something left of it."""
    texts = _texts(comparison, operator, context, variables=variables)
    is_arn = operator.base.startswith("arn")
    if operator.negated:
        whole = any((arn_covers if is_arn else covers)(text.pattern, region) for text in texts if not text.atoms)
        return NO if whole else YES
    # Names that a caller may choose hold no stars: a star that is no wildcard fits none of them.
    plain = [text for text in texts if LITERAL_STAR not in text.pattern and LITERAL_MARK not in text.pattern]
    common = [text for text in plain if (arn_meets if is_arn else meets)(text.pattern, region)]
    if not common:
        return NO
    sure = any(not text.atoms for text in common)
    return YES if sure else Outcome(Truth.OPEN, tuple(atom for text in common for atom in text.atoms))


def _known(comparison: Comparison, operator: _Operator, values: object, context: Context, *, variables: bool) -> Outcome:
    assert isinstance(values, tuple)
    texts = _texts(comparison, operator, context, variables=variables)
    test = _TESTS[operator.base]
    fits = [[text for text in texts if _fits(test, text, value)] for value in values]
    if operator.negated:
        hit = [text for found in fits for text in found]
        failing = _every if operator.some else _any
        if not failing(fits):
            return YES
        unsure = tuple(Atom(atom.key, f"not {atom.operator}", atom.values, atom.control) for text in hit for atom in text.atoms)
        return Outcome(Truth.OPEN, unsure) if hit and all(text.atoms for text in hit) else NO
    holds = _every if operator.every else _any
    if not holds(fits):
        return NO
    sure = holds([[text for text in found if not text.atoms] for found in fits])
    return YES if sure else Outcome(Truth.OPEN, tuple(atom for found in fits for text in found for atom in text.atoms))


def _fits(test: Callable[[str, str], bool], text: Text, value: str) -> bool:
    return matches(text.pattern, value) if text.atoms and is_wild(text.pattern) else test(text.pattern, value)


def _any(found: list[list[Text]]) -> bool:
    return any(found)


def _every(found: list[list[Text]]) -> bool:
    return all(found)


def condition(comparisons: tuple[Comparison, ...], context: Context, *, variables: bool) -> Outcome:
    """Decide a whole Condition block: all comparisons must hold. What is false decides, even beside what cannot be evaluated."""
    if not comparisons:
        return YES
    outcomes = [compare(comparison, context, variables=variables) for comparison in comparisons]
    if any(outcome.truth is Truth.NO for outcome in outcomes):
        return NO
    strange = [outcome for outcome in outcomes if outcome.truth is Truth.UNEVALUABLE]
    if strange:
        return strange[0]
    atoms = tuple(atom for outcome in outcomes for atom in outcome.atoms)
    return Outcome(Truth.OPEN, atoms) if atoms else YES
