"""Writes fixtures/vectors/iam/operators.json: every condition operator, with and without IfExists, alone and with a set prefix.

What is expected is written down here as the AWS pages say it, for operators that look for a match and for negated ones; nothing decides
it. Run as `python -m tests.vectors.make_iam_operators` from the root of the repository.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PLACE = Path("fixtures/vectors/iam/operators.json")
IAM = "https://docs.aws.amazon.com/IAM/latest/UserGuide/"
OPERATORS = IAM + "reference_policies_elements_condition_operators.html"
SETS = IAM + "reference_policies_condition-single-vs-multi-valued-context-keys.html"

# Operator: key, values of a policy, two values of a request that match, two that do not. A negated operator has the same values.
POSITIVE: dict[str, tuple[str, list[str], list[str], list[str]]] = {
    "StringEquals": ("aws:PrincipalTag/team", ["tide", "kelp"], ["tide", "kelp"], ["Tide", "t*"]),
    "StringEqualsIgnoreCase": ("aws:PrincipalTag/team", ["tide", "kelp"], ["TIDE", "Kelp"], ["tides", "t*"]),
    "StringLike": ("aws:PrincipalTag/team", ["ti*", "k?lp"], ["tide", "kelp"], ["Tide", "kellp"]),
    "NumericEquals": ("aws:MultiFactorAuthAge", ["60", "90.5"], ["60", "90.50"], ["61", "9"]),
    "NumericLessThan": ("aws:MultiFactorAuthAge", ["60"], ["59", "9"], ["60", "100"]),
    "NumericLessThanEquals": ("aws:MultiFactorAuthAge", ["60"], ["60", "9"], ["60.5", "100"]),
    "NumericGreaterThan": ("aws:MultiFactorAuthAge", ["60"], ["60.5", "100"], ["60", "9"]),
    "NumericGreaterThanEquals": ("aws:MultiFactorAuthAge", ["60"], ["60", "100"], ["59", "9"]),
    "DateEquals": (
        "aws:CurrentTime",
        ["2026-11-30T12:00:00Z"],
        ["2026-11-30T12:00:00Z", "2026-11-30T13:00:00+01:00"],
        ["2026-11-30T12:00:01Z", "2025-11-30T12:00:00Z"],
    ),
    "DateLessThan": (
        "aws:CurrentTime",
        ["2026-11-30T12:00:00Z"],
        ["2026-11-30T11:59:59Z", "2026-11-30T12:30:00+01:00"],
        ["2026-11-30T12:00:00Z", "2027-01-01"],
    ),
    "DateLessThanEquals": (
        "aws:CurrentTime",
        ["2026-11-30T12:00:00Z"],
        ["2026-11-30T12:00:00Z", "2026-11-30"],
        ["2026-11-30T12:00:01Z", "2027-01-01"],
    ),
    "DateGreaterThan": (
        "aws:CurrentTime",
        ["2026-11-30T12:00:00Z"],
        ["2026-11-30T12:00:01Z", "2027-01-01"],
        ["2026-11-30T12:00:00Z", "2026-11-30"],
    ),
    "DateGreaterThanEquals": (
        "aws:CurrentTime",
        ["2026-11-30T12:00:00Z"],
        ["2026-11-30T12:00:00Z", "2027-01-01"],
        ["2026-11-30T11:59:59Z", "2026-11-30"],
    ),
    "Bool": ("aws:SecureTransport", ["true"], ["true", "true"], ["false", "false"]),
    "BinaryEquals": ("aws:PrincipalTag/seal", ["dGlkZQ=="], ["dGlkZQ==", "dGlkZQ=="], ["a2VscA==", "VGlkZQ=="]),
    "IpAddress": (
        "aws:SourceIp",
        ["203.0.113.0/24", "2001:db8:1::/48"],
        ["203.0.113.9", "2001:db8:1::7"],
        ["198.51.100.9", "2001:db8:2::7"],
    ),
    "ArnEquals": (
        "aws:SourceArn",
        ["arn:aws:sns:*:111122223333:tide-?"],
        ["arn:aws:sns:eu-west-1:111122223333:tide-1", "arn:aws:sns:us-east-1:111122223333:tide-2"],
        ["arn:aws:sns:eu-west-1:444455556666:tide-1", "arn:aws:sqs:eu-west-1:111122223333:tide-1"],
    ),
    "ArnLike": (
        "aws:SourceArn",
        ["arn:aws:s3:::reef-*"],
        ["arn:aws:s3:::reef-1", "arn:aws:s3:::reef-a/b:c"],
        ["arn:aws:s3:::Reef-1", "arn:aws-cn:s3:::reef-1"],
    ),
}
NEGATED = {
    "StringNotEquals": "StringEquals",
    "StringNotEqualsIgnoreCase": "StringEqualsIgnoreCase",
    "StringNotLike": "StringLike",
    "NumericNotEquals": "NumericEquals",
    "DateNotEquals": "DateEquals",
    "NotIpAddress": "IpAddress",
    "ArnNotEquals": "ArnEquals",
    "ArnNotLike": "ArnLike",
}
# (prefix, what the request holds): whether an operator that looks for a match holds, and whether its negation does.
SAYS: dict[tuple[str, str], tuple[bool, bool]] = {
    ("", "absent"): (False, True),
    ("", "match"): (True, False),
    ("", "no match"): (False, True),
    ("ForAllValues:", "absent"): (True, True),
    ("ForAllValues:", "match"): (True, False),
    ("ForAllValues:", "some match"): (False, False),
    ("ForAllValues:", "no match"): (False, True),
    ("ForAnyValue:", "absent"): (False, False),
    ("ForAnyValue:", "match"): (True, False),
    ("ForAnyValue:", "some match"): (True, True),
    ("ForAnyValue:", "no match"): (False, True),
}


def cells() -> Iterator[dict[str, Any]]:
    """Yield each cell: the operator as written, its key and values, the request's value (null: absent), whether the line holds."""
    for operator in (*POSITIVE, *NEGATED):
        key, wanted, hits, misses = POSITIVE[NEGATED.get(operator, operator)]
        for (prefix, state), says in SAYS.items():
            requests = {"match": hits, "some match": [hits[0], misses[0]], "no match": misses}
            have = requests.get(state)
            for if_exists in ("", "IfExists"):
                yield {
                    "operator": prefix + operator + if_exists,
                    "key": key,
                    "policy": wanted,
                    "request": have if prefix or have is None else have[0],
                    # IfExists: where the key is absent, the line is true.
                    "holds": True if if_exists and state == "absent" else says[operator in NEGATED],
                    "page": SETS if prefix else OPERATORS,
                }
    for wants, vpc, holds in (("true", None, True), ("true", "vpc-1", False), ("false", None, False), ("false", "vpc-1", True)):
        yield null_cell("Null", wants, vpc, holds=holds)
    # Null takes no IfExists (access-analyzer-reference-policy-checks.html, "Null with if exists"), and no page gives it a set prefix.
    for name in (
        "NullIfExists",
        "ForAllValues:Null",
        "ForAnyValue:Null",
        "StringMatches",
        "ForSomeValues:StringEquals",
        "stringequalsifexist",
    ):
        yield null_cell(name, "true", None, holds=None)


def null_cell(operator: str, wanted: str, have: str | None, *, holds: bool | None) -> dict[str, Any]:
    return {"operator": operator, "key": "aws:SourceVpc", "policy": [wanted], "request": have, "holds": holds, "page": OPERATORS}


def text() -> str:
    lines = ",\n".join("  " + json.dumps(cell) for cell in cells())
    return '{"note": "written by tests/vectors/make_iam_operators.py; holds null: nobody can tell", "cells": [\n' + lines + "\n]}\n"


if __name__ == "__main__":
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    PLACE.write_text(text(), encoding="utf-8")
