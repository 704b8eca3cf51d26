"""Condition operators: one comparison, decided as far as the snapshot knows its key.

IAM user guide, "IAM JSON policy elements: Condition operators" and "Conditions with multiple context keys or values".
"""

import ipaddress
import operator
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from partywall.model.atom import Atom, Control
from partywall.model.facts_iam import Comparison
from partywall.model.residual import CANNOT_BE_EVALUATED, FALSE, STRENGTH, TRUE, Residual, all_of, that, unevaluable
from partywall.resolve.iam.context import Chosen, Context, Open, Value
from partywall.resolve.iam.globs import LITERAL_MARK, LITERAL_STAR, arn_covers, arn_meets, covers, literal, matches, meets
from partywall.resolve.iam.variables import Text, expand, keys_in, shielded

# A comparison of a text of the policy with a value of the request; None where one of them is no such thing.
Test = Callable[[str, str], bool | None]


def _equal(pattern: str, value: str) -> bool:
    return pattern == literal(value)


def _equal_any_case(pattern: str, value: str) -> bool:
    return pattern.lower() == literal(value).lower()


def _arn(pattern: str, value: str) -> bool | None:
    """Compare the six parts of two ARNs one by one; ArnEquals and ArnLike do the same."""
    wanted, given = pattern.split(":", 5), value.split(":", 5)
    if len(wanted) < 6 or wanted[0] != "arn":
        return None
    return len(given) == 6 and all(matches(mine, yours) for mine, yours in zip(wanted, given, strict=True))


def _in_network(pattern: str, value: str) -> bool | None:
    network, address = _network(pattern), _network(value)
    if network is None or address is None:
        return None
    return address.version == network.version and address.network_address in network


@lru_cache(maxsize=4096)
def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def _number(text: str) -> Decimal | None:
    return Decimal(text) if re.fullmatch(r"[+-]?\d+(\.\d+)?", text) else None


_DATE = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?")


@lru_cache(maxsize=4096)
def moment(text: str) -> Decimal | None:
    """Return the second since 1970 of a W3C date, to any fraction, or of a number that is one; None for another text.

    W3C note "Date and Time Formats"; a text of four digits is a year where it looks like one.
    """
    if not _DATE.fullmatch(text) or (len(text) == 4 and not "1900" < text < "2200"):
        return _number(text)
    fraction = re.search(r"\.\d+", text)
    whole = text.replace(fraction.group(), "") if fraction else text
    try:
        found = datetime.fromisoformat(whole + {4: "-01-01", 7: "-01"}.get(len(whole), ""))
    except ValueError:
        return None
    second = (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    return Decimal(int(second)) + Decimal(fraction.group() if fraction else 0)


def _truth(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


def _bytes(text: str) -> bytes | None:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return None


def _of(read: Callable[[str], Any], test: Callable[[Any, Any], bool]) -> Test:
    """Compare two texts as what they are read as."""

    def compare(pattern: str, value: str) -> bool | None:
        wanted, given = read(pattern), read(value)
        return None if wanted is None or given is None else test(given, wanted)

    return compare


def _ordered(prefix: str, read: Callable[[str], Decimal | None]) -> Mapping[str, Test]:
    return {
        f"{prefix}equals": _of(read, operator.eq),
        f"{prefix}lessthan": _of(read, operator.lt),
        f"{prefix}lessthanequals": _of(read, operator.le),
        f"{prefix}greaterthan": _of(read, operator.gt),
        f"{prefix}greaterthanequals": _of(read, operator.ge),
    }


_TESTS: Mapping[str, Test] = {
    "stringequals": _equal,
    "stringequalsignorecase": _equal_any_case,
    "stringlike": matches,
    "arnequals": _arn,
    "arnlike": _arn,
    "bool": _of(_truth, operator.eq),
    "binaryequals": _of(_bytes, operator.eq),
    "ipaddress": _in_network,
    **_ordered("numeric", _number),
    **_ordered("date", moment),
}
# What a text of the policy must be for its operator; such a policy is refused when it is saved.
_READS: Mapping[str, Callable[[str], object]] = {
    "bool": _truth,
    "binaryequals": _bytes,
    "ipaddress": _network,
    **dict.fromkeys(_ordered("numeric", _number), _number),
    **dict.fromkeys(_ordered("date", moment), moment),
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
    if base not in _TESTS and (base != "null" or quantifier or if_exists):
        return None
    return _Operator(base, name in _NEGATED, quantifier == "forallvalues", quantifier == "foranyvalue", if_exists is not None)


FITS = "fits"


def compares_texts(operator: str) -> bool:
    """Tell whether an operator compares texts as they are written: values that begin like none of its texts all come out alike."""
    found = _operator(operator)
    return found is not None and found.base.startswith(("string", "arn"))


def compares_arns(operator: str) -> bool:
    """Tell whether an operator compares ARNs, part by part."""
    found = _operator(operator)
    return found is not None and found.base.startswith("arn")


def compare(comparison: Comparison, context: Context, *, variables: bool) -> Residual:
    """Decide one comparison as far as the context knows its keys; what is left is the comparison itself, or a constant."""
    how = _operator(comparison.operator)
    if how is None:
        return unevaluable(comparison.key, f"unknown operator {comparison.operator}")
    value = context.value(comparison.key)
    if how.base == "null":
        return _null(comparison, value)
    if value == ():
        return _constant(_absent(how))
    texts = _texts(comparison, how, context, variables=variables)
    unknown = [key for text in texts for key in text.unknown]
    strange = next((text.pattern for text in texts if not text.unknown and _READS.get(how.base, bool)(text.pattern) is None), None)
    if strange is not None:
        return unevaluable(comparison.key, f"{comparison.operator} with {strange or 'an empty text'}")
    match value:
        case Open(control, always):
            if always or _absent(how) == _any_value(how, texts):
                known = _any_value(how, texts)
                if known is not None:
                    return _constant(known)
            return _left(comparison, control, context, unknown, variables=variables)
        case Chosen(region):
            found = _chosen(how, region, texts)
        case _:
            found = _known(how, value, texts)
    if found is not None:
        return _constant(found)
    return _left(comparison, None, context, unknown, variables=variables) if unknown else _incomparable(comparison, value)


def _incomparable(comparison: Comparison, value: Value) -> Residual:
    """Of several values under a plain operator, and of values that are no such thing, nobody says how they compare."""
    given = " and ".join(value) if isinstance(value, tuple) else "a value that is not known"
    return unevaluable(comparison.key, f"{comparison.operator} with {given}")


def holds(atom: Atom, context: Context) -> bool | None:
    """Tell whether an atom holds in a context; None where the context leaves it open."""
    if atom.operator == CANNOT_BE_EVALUATED:
        return None
    if atom.operator == FITS and len(atom.values) == 2:
        pattern, region = atom.values
        text = expand(pattern, context, variables=True)
        return not text.void and arn_covers(text.pattern, region) if text.void or not text.unknown else None
    found = compare(Comparison(atom.operator, atom.key, atom.values), context, variables=True)
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


def _absent(how: _Operator) -> bool:
    """A missing key: false, but true for negated operators, ...IfExists and ForAllValues; ForAnyValue is false either way."""
    if how.some:
        return how.if_exists
    return how.negated or how.if_exists or how.every


def _any_value(how: _Operator, texts: list[Text]) -> bool | None:
    """Tell what a comparison says of a key that is there, where its value does not matter."""
    if not texts:
        return how.negated
    if how.base == "stringlike" and any(text.pattern == "*" and not text.unknown for text in texts):
        return not how.negated
    return None


def _texts(comparison: Comparison, how: _Operator, context: Context, *, variables: bool) -> list[Text]:
    filled = variables and how.base.startswith(("string", "arn"))
    texts = (expand(value, context, variables=filled) for value in comparison.values)
    return [text if how.base in _PATTERNS else Text(_plain(text), text.unknown) for text in texts if not text.void]


def _plain(text: Text) -> str:
    """Take wildcards as they stand, but for those that an unknown variable left."""
    return text.pattern if text.unknown else literal(text.pattern)


def _chosen(how: _Operator, region: str, texts: list[Text]) -> bool | None:
    """Let the caller choose within the region: positive comparisons need something in common with it, negated ones something left of it."""
    is_arn = how.base.startswith("arn")
    if how.negated:
        return not any((arn_covers if is_arn else covers)(text.pattern, region) for text in texts if not text.unknown)
    # Names that a caller may choose hold no stars: a star that is no wildcard fits none of them.
    plain = [text for text in texts if LITERAL_STAR not in text.pattern and LITERAL_MARK not in text.pattern]
    common = [text for text in plain if (arn_meets if is_arn else meets)(text.pattern, region)]
    return None if common and all(text.unknown for text in common) else bool(common)


def _known(how: _Operator, values: tuple[str, ...], texts: list[Text]) -> bool | None:
    """Compare every value of the key with every text; None where an unknown variable decides, or nobody says what happens.

    IAM user guide, "Single-valued vs. multivalued context keys": an empty text is an empty set, and several values need a set operator.
    """
    if values == ("",) and (how.every or how.some):
        return how.every
    if len(values) > 1 and not (how.every or how.some):
        return None
    test = _TESTS[how.base]
    hits = [_some(_fits(test, text, value) for text in texts) for value in values]
    fits = [_not(hit) for hit in hits] if how.negated else hits
    return _some(fits) if how.some else _each(fits)


def _fits(test: Test, text: Text, value: str) -> bool | None:
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
