"""Condition operators: one comparison, decided as far as the snapshot knows its key.

IAM user guide, "IAM JSON policy elements: Condition operators" and "Conditions with multiple context keys or values".
"""

from collections.abc import Iterable

from partywall.model.atom import Atom, Control
from partywall.model.facts_iam import Comparison
from partywall.model.residual import CANNOT_BE_EVALUATED, FALSE, STRENGTH, TRUE, Residual, all_of, that, unevaluable
from partywall.resolve.iam.context import Chosen, Context, Open, Value
from partywall.resolve.iam.globs import LITERAL_MARK, LITERAL_STAR, arn_covers, arn_meets, covers, literal, matches, meets
from partywall.resolve.iam.operators import PATTERNS, READS, TESTS, Operator, Test, operator_named, truth
from partywall.resolve.iam.variables import Text, expand, keys_in, shielded

FITS = "fits"


def compare(comparison: Comparison, context: Context, *, variables: bool) -> Residual:
    """Decide one comparison as far as the context knows its keys; what is left is the comparison itself, or a constant."""
    how = operator_named(comparison.operator)
    if how is None:
        return unevaluable(comparison.key, f"unknown operator {comparison.operator}")
    value = context.value(comparison.key)
    if how.base == "null":
        return _null(comparison, value)
    if value == ():
        return _constant(_absent(how))
    texts = _texts(comparison, how, context, variables=variables)
    unknown = [key for text in texts for key in text.unknown]
    strange = next((text.pattern for text in texts if not text.unknown and READS.get(how.base, bool)(text.pattern) is None), None)
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
    strange = next((text for text in comparison.values if truth(text) is None), None)
    if strange is not None:
        return unevaluable(comparison.key, f"{comparison.operator} with {strange or 'an empty text'}")
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


def _absent(how: Operator) -> bool:
    """A missing key: false, but true for negated operators, ...IfExists and ForAllValues; ForAnyValue is false either way."""
    if how.some:
        return how.if_exists
    return how.negated or how.if_exists or how.every


def _any_value(how: Operator, texts: list[Text]) -> bool | None:
    """Tell what a comparison says of a key that is there, where its value does not matter."""
    if not texts:
        return how.negated
    if how.base == "stringlike" and any(text.pattern == "*" and not text.unknown for text in texts):
        return not how.negated
    return None


def _texts(comparison: Comparison, how: Operator, context: Context, *, variables: bool) -> list[Text]:
    filled = variables and how.base.startswith(("string", "arn"))
    texts = (expand(value, context, variables=filled) for value in comparison.values)
    return [text if how.base in PATTERNS else Text(_plain(text), text.unknown) for text in texts if not text.void]


def _plain(text: Text) -> str:
    """Take wildcards as they stand, but for those that an unknown variable left."""
    return text.pattern if text.unknown else literal(text.pattern)


def _chosen(how: Operator, region: str, texts: list[Text]) -> bool | None:
    """Let the caller choose within the region: positive comparisons need something in common with it, negated ones something left of it."""
    is_arn = how.base.startswith("arn")
    if how.negated:
        return not any((arn_covers if is_arn else covers)(text.pattern, region) for text in texts if not text.unknown)
    # Names that a caller may choose hold no stars: a star that is no wildcard fits none of them.
    plain = [text for text in texts if LITERAL_STAR not in text.pattern and LITERAL_MARK not in text.pattern]
    common = [text for text in plain if (arn_meets if is_arn else meets)(text.pattern, region)]
    return None if common and all(text.unknown for text in common) else bool(common)


def _known(how: Operator, values: tuple[str, ...], texts: list[Text]) -> bool | None:
    """Compare every value of the key with every text; None where an unknown variable decides, or nobody says what happens.

    IAM user guide, "Single-valued vs. multivalued context keys": an empty text is an empty set, and several values need a set operator.
    """
    if values == ("",) and (how.every or how.some):
        return how.every
    if len(values) > 1 and not (how.every or how.some):
        return None
    test = TESTS[how.base]
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
