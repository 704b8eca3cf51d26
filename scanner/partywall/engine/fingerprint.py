"""A finding's fingerprint: the rule and the canonical cause, and nothing of where it was read.

No file, pointer or pair goes in, so that a live estate and infrastructure as code agree (DESIGN section 3).
"""

import hashlib
import json
import re

GENERATED = (
    re.compile(r"(?<=[_-])[0-9a-f]{16}\b"),  # AWSReservedSSO_Name_0123456789abcdef
    re.compile(r"\ba-[0-9a-z]{8,}\b"),  # pod identity association ids
    re.compile(r"-[0-9a-f]{8,10}-[a-z0-9]{5}\b"),  # pods of a Deployment
)
LENGTH = 32


def fingerprint(rule: str, *cause: str) -> str:
    """Return 32 hex digits that stay the same wherever the cause is read from."""
    canonical = json.dumps([rule, *(stripped(part) for part in cause)], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()[:LENGTH]


def stripped(text: str) -> str:
    """Take generated suffixes out of a name."""
    for pattern in GENERATED:
        text = pattern.sub("", text)
    return text


def short_ids(fingerprints: list[str]) -> dict[str, str]:
    """Return the shortest prefix of six digits or more that tells each finding from the others."""
    out: dict[str, str] = {}
    for mark in fingerprints:
        length = next((n for n in range(6, LENGTH) if sum(other.startswith(mark[:n]) for other in set(fingerprints)) == 1), LENGTH)
        out[mark] = mark[:length]
    return out
