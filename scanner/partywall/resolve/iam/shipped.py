"""AWS managed policies whose content is shipped as data, since account details hold only those that are attached, and listings none."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from partywall.model.arn import account_of, last_name
from partywall.model.evidence import Evidence, Json
from partywall.model.facts_iam import Comparison, Effect, Policy, Statement


@dataclass(frozen=True, slots=True)
class Shipped:
    """A policy as shipped; where it is not `complete`, AWS's holds more than these statements."""

    policy: Policy
    complete: bool


@cache
def _shelf() -> Mapping[str, Shipped]:
    loaded = json.loads(files(__package__).joinpath("managed_policies.json").read_text(encoding="utf-8"))
    return {name: Shipped(_policy(name, entry["statements"]), bool(entry["complete"])) for name, entry in loaded["policies"].items()}


def _policy(name: str, rows: list[Mapping[str, Json]]) -> Policy:
    return Policy(name, tuple(_statement(name, row) for row in rows), Evidence("", ""))


def _statement(name: str, row: Mapping[str, Json]) -> Statement:
    return Statement(
        at=Evidence("", ""),
        effect=Effect(str(row.get("Effect", "Allow"))),
        content=json.dumps({"policy": name, **row}, sort_keys=True),
        actions=_texts(row.get("Action")),
        not_actions=_texts(row.get("NotAction")),
        resources=_texts(row.get("Resource", "*" if "NotResource" not in row else None)),
        not_resources=_texts(row.get("NotResource")),
        comparisons=tuple(_comparisons(row.get("Condition"))),
    )


def _texts(value: Json) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _comparisons(value: Json) -> list[Comparison]:
    blocks = value if isinstance(value, Mapping) else {}
    return [
        Comparison(operator, key, _texts(values))
        for operator, tests in blocks.items()
        if isinstance(tests, Mapping)
        for key, values in tests.items()
    ]


def shipped_policy(arn: str) -> Shipped | None:
    """Return an AWS managed policy of known content, or None."""
    return _shelf().get(last_name(arn)) if account_of(arn) == "aws" else None
