"""Kubernetes quantities."""

import math
import re

from partywall.model.evidence import Json

_QUANTITY = re.compile(r"([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)(?:([eE][+-]?\d+)|([KMGTPE]i|[numkMGTPE]))?")
_LARGEST = 2**63 - 1
_SUFFIXES = {
    "": 1.0,
    **{"n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18},
    **{"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50, "Ei": 2.0**60},
}


def quantity(value: Json) -> float | None:
    """Read a quantity such as `8`, `500m` or `1Gi` (Kubernetes API reference, Quantity); None where it is none.

    No quantity is larger than 2^63-1: what is written larger is stored as that.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _capped(value)
    match = _QUANTITY.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return None
    number, exponent, suffix = match.groups()
    return _capped(float(f"{number}{exponent or ''}") * _SUFFIXES[suffix or ""])


def _capped(value: float) -> float | None:
    """Return a number within the bounds of a quantity; what is not a number is none."""
    return float(max(-_LARGEST, min(value, _LARGEST))) if not math.isnan(value) else None
