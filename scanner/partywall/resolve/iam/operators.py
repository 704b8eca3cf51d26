"""What the condition operators compare, and how their names are spelled.

IAM user guide, "IAM JSON policy elements: Condition operators".
"""

import ipaddress
import operator
import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from partywall.resolve.iam.globs import literal, matches

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


def number(text: str) -> Decimal | None:
    """Return a number, or None for a text that is none."""
    return Decimal(text) if re.fullmatch(r"[+-]?\d+(\.\d+)?", text) else None


_DATE = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?")


@lru_cache(maxsize=4096)
def moment(text: str) -> Decimal | None:
    """Return the second since 1970 of a W3C date, to any fraction, or of a number that is one; None for another text.

    W3C note "Date and Time Formats"; a text of four digits is a year where it looks like one.
    """
    if not _DATE.fullmatch(text) or (len(text) == 4 and not "1900" < text < "2200"):
        return number(text)
    fraction = re.search(r"\.\d+", text)
    whole = text.replace(fraction.group(), "") if fraction else text
    try:
        found = datetime.fromisoformat(whole + {4: "-01-01", 7: "-01"}.get(len(whole), ""))
    except ValueError:
        return None
    second = (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    return Decimal(int(second)) + Decimal(fraction.group() if fraction else 0)


def truth(text: str) -> bool | None:
    """Return what `true` or `false` says in any case of its letters, or None for another text."""
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


TESTS: Mapping[str, Test] = {
    "stringequals": _equal,
    "stringequalsignorecase": _equal_any_case,
    "stringlike": matches,
    "arnequals": _arn,
    "arnlike": _arn,
    "bool": _of(truth, operator.eq),
    "binaryequals": _of(_bytes, operator.eq),
    "ipaddress": _in_network,
    **_ordered("numeric", number),
    **_ordered("date", moment),
}
# What a text of the policy must be for its operator; such a policy is refused when it is saved.
READS: Mapping[str, Callable[[str], object]] = {
    "bool": truth,
    "binaryequals": _bytes,
    "ipaddress": _network,
    **dict.fromkeys(_ordered("numeric", number), number),
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
PATTERNS = frozenset({"stringlike", "arnlike", "arnequals"})
_SPELLING = re.compile(r"^(?:(forallvalues|foranyvalue):)?([a-z]+?)(ifexists)?$")


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator by its positive form in lower case, and what its name adds: negation, ForAllValues, ForAnyValue, IfExists."""

    base: str
    negated: bool
    every: bool
    some: bool
    if_exists: bool


@lru_cache(maxsize=4096)
def operator_named(text: str) -> Operator | None:
    """Return the operator of a name in any spelling of case, or None where there is none."""
    found = _SPELLING.match(text.lower())
    if not found:
        return None
    quantifier, name, if_exists = found.groups()
    base = _NEGATED.get(name, name)
    if base not in TESTS and (base != "null" or quantifier or if_exists):
        return None
    return Operator(base, name in _NEGATED, quantifier == "forallvalues", quantifier == "foranyvalue", if_exists is not None)


def compares_texts(operator: str) -> bool:
    """Tell whether an operator compares texts as they are written: values that begin like none of its texts all come out alike."""
    found = operator_named(operator)
    return found is not None and found.base.startswith(("string", "arn"))


def compares_arns(operator: str) -> bool:
    """Tell whether an operator compares ARNs, part by part."""
    found = operator_named(operator)
    return found is not None and found.base.startswith("arn")
