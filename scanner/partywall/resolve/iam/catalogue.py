"""The ways from one principal to another, as data: what each needs of whom, and what it yields.

`escalations.json` holds one entry for each published path (with the id that pathfinding.cloud gives it) and for each of ours. An entry
says which room makes its edges (`by`); those of `passing` and `changing` are made here from the data alone, the others name a resolver.

IAM user guide, "Grant a user permissions to pass a role to an AWS service"; actions, resource types and condition keys are those of the
service authorization reference.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files

from partywall.model.evidence import Json
from partywall.model.facts_iam import Statement
from partywall.resolve.iam.globs import PART_STAR, matches

PASS_ROLE = "iam:passrole"


@dataclass(frozen=True, slots=True)
class Need:
    """An action (lower case) and what it must be allowed on: a word, or the name of a region of resources."""

    action: str
    on: str


@dataclass(frozen=True, slots=True)
class Path:
    """One way from a principal to another.

    `service`: the role's trust policy must admit it. `runs`: the role is that of such a thing, and whether one runs with it is not read.
    `profile`: the role must stand in an instance profile. `keys`: what the caller fills in to get most. `versions`: only older versions
    count. `within`: the path needs more than that other one and yields the same. `lookup`: an action that only finds what to ask for.
    """

    id: str
    by: str
    title: str
    needs: tuple[Need, ...]
    verb: str
    target: str
    source: str
    service: str = ""
    runs: str = ""
    profile: bool = False
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    versions: bool = False
    within: str = ""
    lookup: str = ""
    conditions: Mapping[str, Json] = field(default_factory=dict)

    @property
    def actions(self) -> tuple[str, ...]:
        """Return what it needs, beside passing a role."""
        return tuple(need.action for need in self.needs if need.action != PASS_ROLE)


_FIELDS = frozenset(
    {"id", "by", "title", "needs", "yields", "source", "service", "runs", "profile", "keys", "versions", "within", "lookup"}
)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All paths, the regions of resources that their words stand for, and the day on which it was last looked through."""

    date: str
    paths: tuple[Path, ...]
    regions: Mapping[str, str]

    def by(self, *rooms: str) -> tuple[Path, ...]:
        """Return the paths whose edges one of these rooms makes, without those that only ask for more than another."""
        return tuple(path for path in self.paths if path.by in rooms and not path.within)


@cache
def catalogue() -> Catalogue:
    """Return the shipped catalogue."""
    loaded = json.loads(files(__package__).joinpath("escalations.json").read_text(encoding="utf-8"))
    return Catalogue(loaded["date"], tuple(map(_path, loaded["paths"])), {word: _region(text) for word, text in loaded["targets"].items()})


def _region(text: str) -> str:
    """Return a region of ARNs whose wildcards stay within one part: no name in it holds a colon."""
    return text if text == "*" else text.replace("*", PART_STAR)


def _path(row: Mapping[str, Json]) -> Path:
    verb, target = _texts(row["yields"])
    keys = row.get("keys")
    return Path(
        id=str(row["id"]),
        by=str(row["by"]),
        title=str(row["title"]),
        needs=tuple(Need(action.lower(), on) for action, on in map(_texts, _rows(row["needs"]))),
        verb=verb,
        target=target,
        source=str(row["source"]),
        service=str(row.get("service", "")),
        runs=str(row.get("runs", "")),
        profile=row.get("profile") is True,
        keys={key: (str(value),) for key, value in keys.items()} if isinstance(keys, Mapping) else {},
        versions=row.get("versions") is True,
        within=str(row.get("within", "")),
        lookup=str(row.get("lookup", "")).lower(),
        conditions={key: value for key, value in row.items() if key not in _FIELDS},
    )


def _rows(value: Json) -> list[Json]:
    return list(value) if isinstance(value, list) else []


def _texts(value: Json) -> list[str]:
    return [str(item) for item in _rows(value)]


@cache
def _bits() -> Mapping[str, int]:
    actions = {need.action for path in catalogue().paths for need in path.needs}
    return {action: 1 << number for number, action in enumerate(sorted(actions))}


@lru_cache(maxsize=1 << 16)
def _named(actions: tuple[str, ...], not_actions: tuple[str, ...]) -> int:
    patterns = [pattern.lower() for pattern in actions or not_actions]
    found = sum(bit for action, bit in _bits().items() if any(matches(pattern, action) for pattern in patterns))
    return found if actions else sum(_bits().values()) - found if not_actions else 0


def named(statements: Iterable[Statement]) -> int:
    """Return the actions of the catalogue that some of the statements name, as a row of bits."""
    row = 0
    for statement in statements:
        row |= _named(statement.actions, statement.not_actions)
    return row


def wanted(actions: Iterable[str]) -> int:
    """Return actions of the catalogue as a row of bits."""
    row = 0
    for action in actions:
        row |= _bits()[action]
    return row
