"""The condition operators of IAM, and the values that each can compare.

IAM user guide, "IAM JSON policy elements: Condition operators".
"""

import binascii
import ipaddress
import re
from base64 import b64decode
from dataclasses import dataclass
from enum import StrEnum

from partywall.resolve.iam.operators import moment


class Family(StrEnum):
    """What a group of operators compares."""

    STRING = "String"
    NUMERIC = "Numeric"
    DATE = "Date"
    BOOL = "Bool"
    BINARY = "Binary"
    IP = "IpAddress"
    ARN = "Arn"
    NULL = "Null"


_ORDERED = ("Equals", "NotEquals", "LessThan", "LessThanEquals", "GreaterThan", "GreaterThanEquals")
_BASES: dict[Family, tuple[str, ...]] = {
    Family.STRING: (
        "StringEquals",
        "StringNotEquals",
        "StringEqualsIgnoreCase",
        "StringNotEqualsIgnoreCase",
        "StringLike",
        "StringNotLike",
    ),
    Family.NUMERIC: tuple(f"Numeric{how}" for how in _ORDERED),
    Family.DATE: tuple(f"Date{how}" for how in _ORDERED),
    Family.BOOL: ("Bool",),
    Family.BINARY: ("BinaryEquals",),
    Family.IP: ("IpAddress", "NotIpAddress"),
    Family.ARN: ("ArnEquals", "ArnLike", "ArnNotEquals", "ArnNotLike"),
    Family.NULL: ("Null",),
}
# The 27 operators by their name in lower case.
OPERATORS: dict[str, tuple[str, Family]] = {name.lower(): (name, family) for family, names in _BASES.items() for name in names}
_SETS = {"forallvalues": "ForAllValues:", "foranyvalue": "ForAnyValue:"}
_IF_EXISTS = "IfExists"
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class Operator:
    """A condition operator: how AWS writes it, what it compares, and what goes with it. `every` is ForAllValues."""

    written: str
    family: Family
    every: bool
    if_exists: bool


def operator_of(text: str) -> Operator | None:
    """Return the operator that a text means, whatever its case, or None where IAM has none of that name."""
    first, colon, rest = text.strip().lower().rpartition(":")
    if (first not in _SETS) if colon else bool(first):
        return None
    if_exists = rest.endswith(_IF_EXISTS.lower())
    base = OPERATORS.get(rest.removesuffix(_IF_EXISTS.lower()))
    if base is None:
        return None
    name, family = base
    written = f"{_SETS.get(first, '')}{name}{_IF_EXISTS if if_exists else ''}"
    return Operator(written, family, first == "forallvalues", if_exists)


def value_fault(family: Family, value: str) -> str:
    """Say what keeps a value from being compared by such an operator, as the end of a sentence, or return an empty text."""
    match family:
        case Family.BOOL | Family.NULL:
            return "" if value.lower() in ("true", "false") else "is neither true nor false"
        case Family.NUMERIC:
            return "" if _NUMBER.fullmatch(value) else "is no number"
        case Family.DATE:
            return "" if moment(value) is not None else "is no date"
        case Family.IP:
            return "" if _is_network(value) else "is no address or range of addresses"
        case Family.BINARY:
            return "" if _is_base64(value) else "is not Base64"
        case Family.ARN:
            return "" if value.startswith(("arn:", "*")) else "is no ARN, so that nothing fits it"
        case Family.STRING:
            return ""


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _is_base64(text: str) -> bool:
    try:
        b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True
