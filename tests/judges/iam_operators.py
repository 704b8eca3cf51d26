"""The 27 condition operators, as the judge of IAM reads OPERATORS, SETS and VALUES (pages: `tests/judges/iam.py`)."""

import base64
import binascii
import ipaddress
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from tests.judges.iam_words import Context, Truth, every, filled, glob, negated, plain, some, texts

# Condition operators (OPERATORS): the comparison of one value of the request with one of the policy.


def number(text: str) -> Decimal | None:
    try:
        return Decimal(text) if re.fullmatch(r"[+-]?\d+(\.\d+)?", text) else None
    except InvalidOperation:
        return None


W3C = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?")


@lru_cache(maxsize=4096)
def moment(text: str) -> Decimal | None:
    """Return a W3C date or a number of seconds as seconds since 1970, to any fraction."""
    if not W3C.fullmatch(text) or (len(text) == 4 and not "1900" < text < "2200"):
        return number(text)
    fraction = re.search(r"\.\d+", text)
    whole = text.replace(fraction.group(), "") if fraction else text
    try:
        read = datetime.fromisoformat({4: whole + "-01-01", 7: whole + "-01"}.get(len(whole), whole))
    except ValueError:
        return None
    return Decimal(int(read.replace(tzinfo=read.tzinfo or UTC).timestamp())) + Decimal(fraction.group() if fraction else 0)


def truth_word(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


def decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


@lru_cache(maxsize=4096)
def network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    """Return a range; an address alone is a range of one."""
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def in_network(have: str, want: str) -> Truth:
    address, found = network(have), network(want)
    if address is None or found is None:
        return None
    return address.version == found.version and address.network_address in found


def like_arn(have: str, want: str) -> Truth:
    """Each of the six parts is compared on its own; ArnEquals and ArnLike do the same."""
    wanted, got = want.split(":", 5), have.split(":", 5)
    if len(wanted) < 6 or wanted[0] != "arn":
        return None
    return len(got) == 6 and all(glob(pattern).fullmatch(part) is not None for pattern, part in zip(wanted, got, strict=True))


Comparison = Callable[[str, str], Truth]


def read_both(read: Callable[[str], Any], compare: Callable[[Any, Any], bool]) -> Comparison:
    """Compare two texts as what `read` makes of them; nothing is known where one is no such thing."""

    def comparison(have: str, want: str) -> Truth:
        left, right = read(have), read(plain(want))
        return None if left is None or right is None else compare(left, right)

    return comparison


def equal(left: Any, right: Any) -> bool:
    return bool(left == right)


ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "Equals": equal,
    "LessThan": lambda left, right: bool(left < right),
    "LessThanEquals": lambda left, right: bool(left <= right),
    "GreaterThan": lambda left, right: bool(left > right),
    "GreaterThanEquals": lambda left, right: bool(left >= right),
}
# Operator: its comparison, and whether it is the negation of it. `Null` is the 27th, below.
OPERATORS: Mapping[str, tuple[Comparison, bool]] = {
    "StringEquals": (read_both(str, equal), False),
    "StringNotEquals": (read_both(str, equal), True),
    "StringEqualsIgnoreCase": (read_both(str.lower, equal), False),
    "StringNotEqualsIgnoreCase": (read_both(str.lower, equal), True),
    "StringLike": (lambda have, want: glob(want).fullmatch(have) is not None, False),
    "StringNotLike": (lambda have, want: glob(want).fullmatch(have) is not None, True),
    **{f"Numeric{name}": (read_both(number, order), False) for name, order in ORDERS.items()},
    "NumericNotEquals": (read_both(number, equal), True),
    **{f"Date{name}": (read_both(moment, order), False) for name, order in ORDERS.items()},
    "DateNotEquals": (read_both(moment, equal), True),
    "Bool": (read_both(truth_word, equal), False),
    "BinaryEquals": (read_both(decoded, equal), False),
    "IpAddress": (in_network, False),
    "NotIpAddress": (in_network, True),
    "ArnEquals": (like_arn, False),
    "ArnLike": (like_arn, False),
    "ArnNotEquals": (like_arn, True),
    "ArnNotLike": (like_arn, True),
}


@lru_cache(maxsize=1024)
def operator(name: str) -> tuple[str, str, bool] | None:
    """Return a written operator as set prefix, base and IfExists; None where there is no such operator (Null takes neither)."""
    prefix, colon, rest = name.rpartition(":")
    base = rest.removesuffix("IfExists")
    if (prefix not in ("ForAllValues", "ForAnyValue") if colon else False) or (base != "Null" and base not in OPERATORS):
        return None
    return None if base == "Null" and name != "Null" else (prefix, base, rest != base)


def line_holds(name: str, key: str, wanted: Any, context: Context, *, variables: bool) -> Truth:
    """Whether one line of a Condition holds."""
    found, listed = operator(name), texts(wanted)
    if found is None or listed is None:
        return None
    prefix, base, if_exists = found
    have = context.get(key.lower())
    if base == "Null":
        return some(read_both(truth_word, equal)("false" if have else "true", text) for text in listed)
    compare, negates = OPERATORS[base]
    if not have:
        return absent(prefix, negates, if_exists)
    if prefix and have == ("",):
        # SETS: an empty text is an empty set.
        return prefix == "ForAllValues"
    takes_variables = variables and base.startswith(("String", "Arn"))

    def fits(one: str) -> Truth:
        hit = some(
            False if text is None else compare(one, text) for text in (filled(raw, context, variables=takes_variables) for raw in listed)
        )
        return negated(hit) if negates else hit

    if prefix:
        return (every if prefix == "ForAllValues" else some)(fits(one) for one in have)
    # SETS: a key of several values needs a set operator; nobody says what happens without.
    return fits(have[0]) if len(have) == 1 else None


def absent(prefix: str, negates: bool, if_exists: bool) -> bool:
    """OPERATORS, SETS: what a line says of a key that is not in the request."""
    if if_exists:
        return True
    return prefix == "ForAllValues" if prefix else negates
