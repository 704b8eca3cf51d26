"""The slow judge against npm's @cloud-copilot/iam-simulate, a program of its own, on random valid cases.

Its licence (AGPL-3.0) keeps it out of the project: `.ci/run` installs it under .cache/node and this test runs it. Disagreements come in
kinds; each has a predicate here and an entry with an AWS page in tests/vectors/iam_ledger.yaml. Nothing else may differ.
"""

import ipaddress
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.judges.iam import judge
from tests.judges.iam_services import RCP_SERVICES
from tests.judges.iam_words import context_of, filled
from tests.properties.iam_cases import random_case
from tests.properties.iam_vocabulary import HERE

pytestmark = pytest.mark.service

Json = Mapping[str, Any]
HERE_IS = Path(__file__).parent
CASES = int(os.environ.get("PARTYWALL_IAM_CASES", "20000"))
# The runners share the machine's cores.
RUNNERS = 2
MULTIVALUED = ("aws:tagkeys", "aws:principalorgpaths")


@pytest.fixture(scope="module")
def package(root: Path) -> Path:
    """Return the folder whose node_modules holds iam-simulate, or skip; under .ci/run its absence is a failure."""
    place = Path(os.environ.get("PARTYWALL_NODE_TOOLS", root / ".cache/node"))
    if not (place / "node_modules/@cloud-copilot/iam-simulate/package.json").is_file():
        if os.environ.get("PARTYWALL_REQUIRE_SERVICES") == "1":
            pytest.fail("@cloud-copilot/iam-simulate is required here (PARTYWALL_REQUIRE_SERVICES=1) and is not installed")
        pytest.skip("@cloud-copilot/iam-simulate is not installed; .ci/run installs it")
    return place


def told(case: Json) -> str:
    """Return a case as a line, with the keys that AWS sets itself: the program sets none."""
    context = {key: list(values) if key in MULTIVALUED or len(values) != 1 else values[0] for key, values in context_of(case).items()}
    return json.dumps({**case, "context": context})


def answers(node: str, package: Path, cases: Sequence[Json]) -> list[tuple[str, str]]:
    """Return the program's word for each case, and the keys it left out."""
    command = [node, str(HERE_IS / "iam_simulate/run.mjs"), str(package)]
    size = -(-len(cases) // RUNNERS)

    def run(part: Sequence[Json]) -> list[str]:
        asked = "".join(told(case) + "\n" for case in part)
        return subprocess.run(command, input=asked, capture_output=True, text=True, timeout=600, check=True).stdout.splitlines()

    with ThreadPoolExecutor(RUNNERS) as pool:
        parts = list(pool.map(run, [cases[at : at + size] for at in range(0, len(cases), size)]))
    return [(word, left_out) for part in parts for word, _, left_out in (line.partition("\t") for line in part)]


# Kinds of disagreement.


def documents(case: Json) -> Iterator[Json]:
    for name in ("identity", "boundary", "session", "endpoint"):
        yield from case.get(name) or ()
    for name in ("serviceControl", "resourceControl"):
        yield from (document for level in case.get(name) or () for document in level)
    if "resourcePolicy" in case:
        yield case["resourcePolicy"]


def lines_of(case: Json) -> Iterator[tuple[str, str, list[str], bool]]:
    """Yield every line of a condition: operator, key, values, and whether variables are replaced."""
    for document in documents(case):
        found = document["Statement"]
        for statement in found if isinstance(found, list) else [found]:
            for operator, keys in (statement.get("Condition") or {}).items():
                for key, values in keys.items():
                    yield operator, key.lower(), values if isinstance(values, list) else [values], document.get("Version") == "2012-10-17"


def date_in_seconds(case: Json) -> bool:
    return any("Date" in operator and any(value.isdigit() for value in values) for operator, _, values, _ in lines_of(case))


def old_variable(case: Json) -> bool:
    return any("${" in json.dumps(document) and document.get("Version") != "2012-10-17" for document in documents(case))


def other_family(case: Json) -> bool:
    address = case["context"].get("aws:SourceIp")
    version = ipaddress.ip_address(address).version if address else 0
    return version > 0 and any(
        "NotIpAddress" in operator and any(ipaddress.ip_network(value).version != version for value in values)
        for operator, _, values, _ in lines_of(case)
    )


def negated_without_value(case: Json) -> bool:
    context = context_of(case)
    return any(
        "Not" in operator and any(filled(value, context, variables=variables) is None for value in values)
        for operator, _, values, variables in lines_of(case)
    )


def not_resource_without_value(case: Json) -> bool:
    context = context_of(case)
    return any(
        filled(entry, context, variables=document.get("Version") == "2012-10-17") is None
        for document in documents(case)
        for statement in (document["Statement"] if isinstance(document["Statement"], list) else [document["Statement"]])
        for entry in listed(statement.get("NotResource", []))
    )


def listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def variable_without_slash(case: Json) -> bool:
    return any(":jobs-${" in json.dumps(document) for document in documents(case))


def account_beside_another(case: Json) -> bool:
    root = f"arn:aws:iam::{HERE}:root"
    found = case.get("resourcePolicy", {"Statement": []})["Statement"]
    listed_ones = [
        listed(statement["NotPrincipal"]["AWS"])
        for statement in (found if isinstance(found, list) else [found])
        if "AWS" in statement.get("NotPrincipal", ())
    ]
    return any(root in entries and len(entries) > 1 and case["principal"] not in entries for entries in listed_ones)


def special_character(case: Json) -> bool:
    return any("Equals" in operator and "v${*}" in values for operator, _, values, _ in lines_of(case))


def any_value_if_exists(case: Json) -> bool:
    context = context_of(case)
    return any(
        operator.startswith("ForAnyValue:") and operator.endswith("IfExists") and not context.get(key)
        for operator, key, _, _ in lines_of(case)
    )


def service_of(case: Json) -> str:
    return str(case["action"]).split(":")[0]


ANY = frozenset((ours, theirs) for ours in ("allowed", "explicit", "implicit") for theirs in ("allowed", "explicit", "implicit"))
# Each kind: which cases, and how the answers (the judge's, the program's) differ then.
KINDS: Mapping[str, tuple[Callable[[Json], bool], frozenset[tuple[str, str]]]] = {
    "an edit of a service-linked role": (
        lambda case: case["action"] == "iam:PutRolePolicy" and ":role/aws-service-role/" in case["resource"],
        frozenset({("implicit", "allowed")}),
    ),
    "a resource control policy on a service without": (
        lambda case: "resourceControl" in case and service_of(case) not in RCP_SERVICES,
        frozenset({("implicit", "explicit"), ("allowed", "explicit")}),
    ),
    "an organization's policy and a service-linked role": (
        lambda case: ":role/aws-service-role/" in case["principal"] and bool({"serviceControl", "resourceControl"} & set(case)),
        frozenset({("implicit", "explicit"), ("allowed", "explicit"), ("allowed", "implicit")}),
    ),
    "a Deny on a reserved role": (lambda case: ":role/aws-reserved/" in case["resource"], frozenset({("explicit", "implicit")})),
    "a role passed across accounts": (
        lambda case: case["action"] == "iam:PassRole" and (case["resourceAccount"] != HERE or not case["principal"].startswith("arn:")),
        frozenset({("implicit", "allowed")}),
    ),
    "the root user": (lambda case: case["principal"].endswith(":root"), ANY),
    "a grant to the session itself above its session policy": (
        lambda case: "session" in case and "resourcePolicy" in case and case["resourceAccount"] == HERE,
        frozenset({("allowed", "implicit")}),
    ),
    "NotPrincipal with another's account": (account_beside_another, frozenset({("explicit", "implicit"), ("explicit", "allowed")})),
    "a date in seconds": (date_in_seconds, ANY),
    "a variable in an older version": (old_variable, ANY),
    "NotIpAddress of the other family": (other_family, ANY),
    "a negated operator and a variable without a value": (negated_without_value, ANY),
    "NotResource and a variable without a value": (not_resource_without_value, ANY),
    "a variable in a resource without a slash": (variable_without_slash, ANY),
    "a special character in StringEquals": (special_character, ANY),
    "ForAnyValue with IfExists and no key": (any_value_if_exists, ANY),
}


def kind_of(case: Json, ours: str, theirs: str) -> str:
    return next((kind for kind, (fits, pairs) in KINDS.items() if (ours, theirs) in pairs and fits(case)), "not settled")


def test_only_settled_kinds_of_case_are_answered_otherwise(service: Callable[[str], str], package: Path) -> None:
    cases = [random_case(seed, odd=False) for seed in range(CASES)]

    found = answers(service("node"), package, cases)

    counts: Counter[str] = Counter()
    open_cases = []
    for case, (theirs, left_out) in zip(cases, found, strict=True):
        ours = judge(case)
        if theirs.startswith("refused") or left_out:
            counts["refused"] += 1
        elif ours != theirs:
            kind = kind_of(case, ours, theirs)
            counts[kind] += 1
            open_cases += [(ours, theirs, case)] if kind == "not settled" else []
    sys.stdout.write(f"{len(cases)} cases put to iam-simulate: {dict(counts)}\n")
    assert open_cases[:3] == []
    assert counts["refused"] <= 0.01 * len(cases)
    if len(cases) >= 20000:
        assert set(counts) - {"refused"} == set(KINDS)


def test_the_ledger_has_a_page_for_each_kind() -> None:
    entries = yaml.safe_load((HERE_IS.parent / "vectors/iam_ledger.yaml").read_text(encoding="utf-8"))["iam_simulate"]

    assert [entry["kind"] for entry in entries if re.match(r"https://docs\.aws\.amazon\.com/", entry["page"])] != []
    assert {entry["kind"] for entry in entries} == set(KINDS)
