"""The project's own IAM vectors, in the case format of `tests/judges/iam.py`: the operator matrix and the traps."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]
PRINCIPAL, ACTION, RESOURCE, ACCOUNT = "arn:aws:iam::111122223333:role/tide", "s3:GetObject", "arn:aws:s3:::reef/coral.bin", "111122223333"
ALLOW = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
# Whether the line of the condition holds: what a statement with it and nothing else answers, as an Allow and as a Deny beside an Allow.
ANSWERS: dict[bool | None, tuple[str, str]] = {
    True: ("allowed", "explicit"),
    False: ("implicit", "allowed"),
    None: ("undecidable", "undecidable"),
}


def operator_cases(folder: Path) -> Iterator[Json]:
    """Yield two cases for each cell of the operator matrix: its condition in an Allow, and in a Deny beside an Allow."""
    for cell in json.loads((folder / "operators.json").read_text(encoding="utf-8"))["cells"]:
        condition = {"Condition": {cell["operator"]: {cell["key"]: cell["policy"]}}}
        allow, deny = ANSWERS[cell["holds"]]
        for effect, statements, expected in (
            ("Allow", [ALLOW | condition], allow),
            ("Deny", [ALLOW, ALLOW | condition | {"Effect": "Deny"}], deny),
        ):
            yield {
                "name": f"{effect} {cell['operator']}: {cell['request']} against {cell['policy']}",
                "page": cell["page"],
                "principal": PRINCIPAL,
                "action": ACTION,
                "resource": RESOURCE,
                "resourceAccount": ACCOUNT,
                "context": {} if cell["request"] is None else {cell["key"]: cell["request"]},
                "identity": [{"Version": "2012-10-17", "Statement": statements}],
                "expect": expected,
            }


def trap_cases(folder: Path) -> list[Json]:
    """Return the cases of the 46 traps; each holds the number of its trap."""
    found: list[Json] = json.loads((folder / "traps.json").read_text(encoding="utf-8"))["cases"]
    return found
