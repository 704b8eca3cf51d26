"""AWS managed policies whose content is shipped as dated data, since account details hold only those that are attached, and listings none.

Built by `scanner/tables/build_managed_policies.py`. AWS changes its policies: what an account holds today may allow more than the table
says, so a report names its day.
"""

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TypedDict

from partywall.model.arn import last_name
from partywall.model.evidence import Evidence, Json
from partywall.model.facts_iam import Comparison, Effect, Policy, Statement
from partywall.resolve.iam.store import entry

_TABLE = "managed_policies"
_OF_AWS = "arn:aws:iam::aws:policy/"
_NOWHERE = Evidence("", "")


class _Index(TypedDict):
    source: str
    as_of: str
    firsts: list[str]
    partial: list[str]


@dataclass(frozen=True, slots=True)
class Shipped:
    """A policy as shipped, its default version and the day of its last change (YYYY-MM-DD).

    Where it is not `complete`, AWS's holds more than these statements.
    """

    policy: Policy
    complete: bool
    version: str
    changed: str


def as_of() -> str:
    """Return the day of the table, as YYYY-MM-DD."""
    return _index()["as_of"]


def source() -> str:
    """Say where the table comes from."""
    return _index()["source"]


def shipped_arns() -> tuple[str, ...]:
    """Return the ARNs of all policies of the table, sorted."""
    return tuple(line.partition("\t")[0] for number in range(len(_index()["firsts"])) for line in _shelf(number))


@lru_cache(maxsize=4096)
def shipped_policy(arn: str) -> Shipped | None:
    """Return an AWS managed policy by its whole ARN, path included, or None. Those of other partitions differ and are not in the table."""
    if not arn.startswith(_OF_AWS):
        return None
    number = bisect_right(_index()["firsts"], arn) - 1
    if number < 0:
        return None
    line = next((line for line in _shelf(number) if line.startswith(f"{arn}\t")), None)
    if line is None:
        return None
    _, version, changed, document = line.split("\t")
    return Shipped(_policy(last_name(arn), json.loads(document)), arn not in _index()["partial"], version, changed)


@cache
def _index() -> _Index:
    loaded: _Index = json.loads(entry(_TABLE, "index.json"))
    return loaded


@lru_cache(maxsize=64)
def _shelf(number: int) -> tuple[str, ...]:
    return tuple(entry(_TABLE, f"{number:02}.txt").split("\n"))


def _policy(name: str, document: Mapping[str, Json]) -> Policy:
    """Read a document that AWS wrote: its grammar is taken for granted, as tests hold for all of the table."""
    listed = document["Statement"]
    rows = listed if isinstance(listed, list) else [listed]
    return Policy(name, tuple(_statement(name, row) for row in rows if isinstance(row, Mapping)), _NOWHERE)


def _statement(name: str, row: Mapping[str, Json]) -> Statement:
    return Statement(
        at=_NOWHERE,
        effect=Effect(str(row["Effect"])),
        content=json.dumps({"policy": name, **row}, sort_keys=True),
        sid=str(row.get("Sid", "")),
        actions=_texts(row.get("Action")),
        not_actions=_texts(row.get("NotAction")),
        resources=_texts(row.get("Resource")),
        not_resources=_texts(row.get("NotResource")),
        comparisons=tuple(_comparisons(row.get("Condition"))),
    )


def _texts(value: Json) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(_text(item) for item in value) if isinstance(value, list) else (_text(value),)


def _text(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _comparisons(value: Json) -> list[Comparison]:
    blocks = value if isinstance(value, Mapping) else {}
    return [
        Comparison(operator, key, _texts(values))
        for operator, tests in blocks.items()
        if isinstance(tests, Mapping)
        for key, values in tests.items()
    ]
