"""Kubernetes quantities as numbers."""

import re
from collections.abc import Mapping

# Kubernetes API reference, "Quantity": decimal and binary suffixes, and exponents.
_FACTORS: Mapping[str, float] = {
    "": 1.0,
    "n": 1e-9,
    "u": 1e-6,
    "m": 1e-3,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "P": 1e15,
    "E": 1e18,
    "Ki": 2.0**10,
    "Mi": 2.0**20,
    "Gi": 2.0**30,
    "Ti": 2.0**40,
    "Pi": 2.0**50,
    "Ei": 2.0**60,
}
_QUANTITY = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)([a-zA-Z]*)")


def amount(text: str) -> float | None:
    """Return a quantity as a number; None: it is none."""
    match = _QUANTITY.fullmatch(text.strip())
    if match is None or match[2] not in _FACTORS:
        return None
    return float(match[1]) * _FACTORS[match[2]]
