"""Kubernetes quantities."""

import re

from partywall.model.evidence import Json

_QUANTITY = re.compile(r"([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)(?:([eE][+-]?\d+)|([KMGTPE]i|[numkMGTPE]))?")
_SUFFIXES = {
    "": 1.0,
    **{"n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18},
    **{"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50, "Ei": 2.0**60},
}


def quantity(value: Json) -> float | None:
    """Read a quantity such as `8`, `500m` or `1Gi` (Kubernetes API reference, Quantity); None where it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    match = _QUANTITY.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return None
    number, exponent, suffix = match.groups()
    return float(f"{number}{exponent or ''}") * _SUFFIXES[suffix or ""]
