"""Condition operators: one comparison, decided as far as the snapshot knows its key.

IAM user guide, "IAM JSON policy elements: Condition operators" and "Conditions with multiple context keys or values".
"""

import ipaddress
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from partywall.model.atom import Atom, Control
from partywall.model.facts_iam import Comparison
from partywall.model.residual import CANNOT_BE_EVALUATED, FALSE, STRENGTH, TRUE, Residual, all_of, that, unevaluable
from partywall.resolve.iam.context import Chosen, Context, Open, Value
from partywall.resolve.iam.globs import LITERAL_MARK, LITERAL_STAR, arn_covers, arn_meets, covers, literal, matches, meets
from partywall.resolve.iam.variables import Text, expand, keys_in, shielded


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


def moment(text: str) -> float:
    """Return the second since 1970 of a date, or of a number that is one."""
    try:
        return float(text)
    except ValueError:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _date(test: Callable[[float, float], bool]) -> Callable[[str, str], bool]:
    def compare(pattern: str, value: str) -> bool:
        try:
            return test(moment(value), moment(pattern))
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


def _reads(read: Callable[[str], object]) -> Callable[[str], bool]:
    def test(pattern: str) -> bool:
        try:
            read(pattern)
        except ValueError:
            return False
        return True

    return test


_READS: Mapping[str, Callable[[str], bool]] = {
    "bool": _reads(lambda pattern: ("true", "false").index(pattern.lower())),
    "ipaddress": _reads(lambda pattern: ipaddress.ip_network(pattern, strict=False)),
    **dict.fromkeys(_ordered("numeric", _number), _reads(float)),
    **dict.fromkeys(_ordered("date", _date), _reads(moment)),
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


@lru_cache(maxsize=4096)
def _operator(text: str) -> _Operator | None:
    found = _SPELLING.match(text.lower())
    if not found:
        return None
    quantifier, name, if_exists = found.groups()
    base = _NEGATED.get(name, name)
    if base not in _TESTS and base != "null":
        return None
    return _Operator(base, name in _NEGATED, quantifier == "forallvalues", quantifier == "foranyvalue", if_exists is not None)


FITS = "fits"


def compare(comparison: Comparison, context: Context, *, variables: bool) -> Residual:
    """Decide one comparison as far as the context knows its keys; what is left is the comparison itself, or a constant."""
    operator = _operator(comparison.operator)
    if operator is None:
        return unevaluable(comparison.key, f"unknown operator {comparison.operator}")
    value = context.value(comparison.key)
    if operator.base == "null":
        return _null(comparison, value)
    texts = _texts(comparison, operator, context, variables=variables)
    strange = _strange(operator, texts)
    if strange is not None:
        return unevaluable(comparison.key, f"{comparison.operator} with {strange or 'an empty text'}")
    unknown = [key for text in texts for key in text.unknown]
    match value:
        case Open(control, always):
            if always or _absent(operator) == _any_value(operator, texts):
                known = _any_value(operator, texts)
                if known is not None:
                    return _constant(known)
            return _left(comparison, control, context, unknown, variables=variables)
        case Chosen(region):
            found = _chosen(operator, region, texts)
        case ():
            return _constant(_absent(operator))
        case _:
            found = _known(operator, value, texts)
    return _left(comparison, None, context, unknown, variables=variables) if found is None else _constant(found)


def holds(atom: Atom, context: Context) -> bool | None:
    """Tell whether an atom holds in a context; None where the context leaves it open."""
    if atom.operator == CANNOT_BE_EVALUATED:
        return None
    if atom.operator == FITS and len(atom.values) == 2:
        pattern, region = atom.values
        text = expand(pattern, context, variables=True)
        return not text.void and arn_covers(text.pattern, region) if text.void or not text.unknown else None
    found = compare(Comparison(atom.key, atom.operator, atom.values), context, variables=True)
    return None if found not in (TRUE, FALSE) else found is TRUE


def keys_of(atom: Atom) -> tuple[str, ...]:
    """Return the context keys, in lower case, that decide an atom."""
    named = () if atom.operator == FITS and len(atom.values) == 2 else (atom.key,)
    asked = (key for value in atom.values for key in keys_in(value))
    return tuple(dict.fromkeys(key.lower() for key in (*named, *asked)))


def fitting(pattern: str, region: str, text: Text, context: Context) -> Residual:
    """Return what must hold for a resource pattern with unknown variables to fit a region."""
    control = _weakest(text.unknown, None, context)
    return that(Atom(" and ".join(dict.fromkeys(text.unknown)), FITS, (pattern, region), control))


def _constant(truth: bool | None) -> Residual:
    return TRUE if truth else FALSE


def _left(comparison: Comparison, control: Control | None, context: Context, unknown: Iterable[str], *, variables: bool) -> Residual:
    values = comparison.values if variables else tuple(map(shielded, comparison.values))
    return that(Atom(comparison.key, comparison.operator, values, _weakest(unknown, control, context)))


def _weakest(keys: Iterable[str], control: Control | None, context: Context) -> Control:
    """Return who decides a comparison of several open keys: whoever chooses one of them makes it fit the others."""
    found = [value.control if isinstance(value, Open) else Control.CALLER for value in map(context.value, keys)]
    return min((*found, *((control,) if control else ())), key=STRENGTH.__getitem__, default=Control.UNKNOWN)


def _null(comparison: Comparison, value: Value) -> Residual:
    wants_absent = {text.lower() == "true" for text in comparison.values}
    if len(wants_absent) != 1:
        return _constant(bool(wants_absent))
    wanted = wants_absent.pop()
    match value:
        case Open(control, always):
            return _constant(not wanted) if always else that(Atom(comparison.key, comparison.operator, comparison.values, control))
        case Chosen():
            return _constant(not wanted)
        case _:
            return _constant(wanted == (value == ()))


def _absent(operator: _Operator) -> bool:
    """A missing key: false, but true for negated operators, ...IfExists and ForAllValues; ForAnyValue is false either way."""
    if operator.some:
        return operator.if_exists
    return operator.negated or operator.if_exists or operator.every


def _any_value(operator: _Operator, texts: list[Text]) -> bool | None:
    """Tell what a comparison says of a key that is there, where its value does not matter."""
    if not texts:
        return operator.negated
    if operator.base == "stringlike" and any(text.pattern == "*" and not text.unknown for text in texts):
        return not operator.negated
    return None


def _texts(comparison: Comparison, operator: _Operator, context: Context, *, variables: bool) -> list[Text]:
    texts = (expand(value, context, variables=variables) for value in comparison.values)
    return [text if operator.base in _PATTERNS else Text(_plain(text), text.unknown) for text in texts if not text.void]


def _plain(text: Text) -> str:
    """Take wildcards as they stand, but for those that an unknown variable left."""
    return text.pattern if text.unknown else literal(text.pattern)


def _strange(operator: _Operator, texts: Iterable[Text]) -> str | None:
    """Return a value that the operator cannot compare with: such a policy is refused when it is saved."""
    reads = _READS.get(operator.base)
    return None if reads is None else next((text.pattern for text in texts if not text.unknown and not reads(text.pattern)), None)


def _chosen(operator: _Operator, region: str, texts: list[Text]) -> bool | None:
    """Let the caller choose within the region: positive comparisons need something in common with it, negated ones something left of it."""
    is_arn = operator.base.startswith("arn")
    if operator.negated:
        return not any((arn_covers if is_arn else covers)(text.pattern, region) for text in texts if not text.unknown)
    # Names that a caller may choose hold no stars: a star that is no wildcard fits none of them.
    plain = [text for text in texts if LITERAL_STAR not in text.pattern and LITERAL_MARK not in text.pattern]
    common = [text for text in plain if (arn_meets if is_arn else meets)(text.pattern, region)]
    return None if common and all(text.unknown for text in common) else bool(common)


def _known(operator: _Operator, values: tuple[str, ...], texts: list[Text]) -> bool | None:
    """Compare every value of the key with every text; None where an unknown variable decides."""
    test = _TESTS[operator.base]
    fits = [_some(_fits(test, text, value) for text in texts) for value in values]
    if operator.negated:
        return _not(_each(fits) if operator.some else _some(fits))
    return _each(fits) if operator.every else _some(fits)


def _fits(test: Callable[[str, str], bool], text: Text, value: str) -> bool | None:
    if not text.unknown:
        return test(text.pattern, value)
    return None if matches(text.pattern, value) else False


def _some(found: Iterable[bool | None]) -> bool | None:
    seen = set(found)
    return True if True in seen else None if None in seen else False


def _each(found: Iterable[bool | None]) -> bool | None:
    seen = set(found)
    return False if False in seen else None if None in seen else True


def _not(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def condition(comparisons: tuple[Comparison, ...], context: Context, *, variables: bool) -> Residual:
    """Decide a whole Condition block: all comparisons must hold. What is false decides, even beside what cannot be evaluated."""
    return all_of(compare(comparison, context, variables=variables) for comparison in comparisons) if comparisons else TRUE
