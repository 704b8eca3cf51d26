"""The shapes that an API server demands of an object, as small checks that say in words what is wrong.

A check takes a value and its field, and returns why the server refuses it, or an empty string. The rules are those of structural schemas
(Kubernetes, "Extend the Kubernetes API with CustomResourceDefinitions"): unknown fields are dropped without a word, and so is a null.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from partywall.model.amounts import quantity
from partywall.model.evidence import Json

Check: TypeAlias = Callable[[Json, str], str]
NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_AMOUNT = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(([KMGTPE]i)|[numkMGTPE]|([eE][+-]?\d+))?", re.ASCII)


def text(values: Sequence[str] = (), shortest: int = 0, longest: int = 0) -> Check:
    """Demand a string, one of `values` where any are given, of some length."""

    def check(value: Json, field: str) -> str:
        if not isinstance(value, str):
            return f"{field} is not a string"
        if values and value not in values:
            return f"{field} is {value}, not one of {', '.join(values)}"
        if len(value) < shortest or (longest and len(value) > longest):
            return f"{field} has {len(value)} characters"
        return ""

    return check


def name(value: Json, field: str) -> str:
    """Demand a DNS subdomain name."""
    if not isinstance(value, str):
        return f"{field} is not a string"
    return "" if NAME.fullmatch(value) and len(value) <= 253 else f"{field} is no name"


def boolean(value: Json, field: str) -> str:
    """Demand true or false."""
    return "" if isinstance(value, bool) else f"{field} is not a boolean"


def integer(bits: int) -> Check:
    """Demand a whole number that fits into so many bits; a float without a fraction is one."""

    def check(value: Json, field: str) -> str:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
            return f"{field} is not a whole number"
        return "" if -(2 ** (bits - 1)) <= value < 2 ** (bits - 1) else f"{field} is too large"

    return check


def amount(value: Json, field: str) -> str:
    """Demand a quantity that is not negative, written as a whole number or a string."""
    if isinstance(value, str):
        if not _AMOUNT.fullmatch(value) or quantity(value) is None:
            return f"{field} is no quantity"
    elif flaw := integer(64)(value, field):
        return flaw
    read = quantity(value)
    return f"{field} is negative" if read is None or read < 0 else ""


def items(check: Check, least: int = 0, most: int = 0, key: str = "") -> Check:
    """Demand an array whose items pass a check, no two with the same `key`."""

    def of_array(value: Json, field: str) -> str:
        if not isinstance(value, Sequence) or isinstance(value, str):
            return f"{field} is not an array"
        if len(value) < least or (most and len(value) > most):
            return f"{field} has {len(value)} items"
        for number, item in enumerate(value):
            if flaw := check(item, f"{field}[{number}]"):
                return flaw
        names = [str(item.get(key)) for item in value if isinstance(item, Mapping)] if key else []
        twice = next((each for each in names if names.count(each) > 1), "")
        return f"{field} names {twice} twice" if twice else ""

    return of_array


def fields(checks: Mapping[str, Check], needed: Sequence[str] = ()) -> Check:
    """Demand an object with some fields; the others may be anything."""

    def of_object(value: Json, field: str) -> str:
        if not isinstance(value, Mapping):
            return f"{field or 'it'} is not an object"
        prefix = f"{field}." if field else ""
        for key in needed:
            if value.get(key) is None:
                return f"{prefix}{key} is missing"
        for key, check in checks.items():
            if value.get(key) is not None and (flaw := check(value[key], f"{prefix}{key}")):
                return flaw
        return ""

    return of_object


def strings(most: int = 0) -> Check:
    """Demand an object whose values are strings, such as labels."""

    def of_object(value: Json, field: str) -> str:
        if not isinstance(value, Mapping):
            return f"{field} is not an object"
        if most and len(value) > most:
            return f"{field} has {len(value)} entries"
        wrong = next((key for key, each in value.items() if not isinstance(each, str) and each is not None), None)
        return "" if wrong is None else f"{field}.{wrong} is not a string"

    return of_object
