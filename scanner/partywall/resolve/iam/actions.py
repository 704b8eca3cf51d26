"""What IAM can be asked: every action with its resource types and condition keys, as AWS's Service Authorization Reference lists them.

A dated table (`as_of`), built by `scanner/tables/build_iam_actions.py`; global keys are kept by hand (`tables/global_keys.json`).
Nothing is loaded before the first question, and then only the service that it names. What the table does not know may exist: AWS adds
words daily.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from typing import NamedTuple, TypedDict

from partywall.resolve.iam.globs import glob, is_wild
from partywall.resolve.iam.store import entry

_TABLE = "actions"
_LEVELS = {"l": "List", "r": "Read", "w": "Write", "t": "Tagging", "p": "Permissions management"}


class _Index(TypedDict):
    source: str
    as_of: str
    rcp: list[str]
    keys: dict[str, list[tuple[str, str]]]


class _Entry(TypedDict):
    types: list[tuple[str, str, list[int]]]
    actions: list[tuple[str, str, list[int], list[int], list[int]]]


@dataclass(frozen=True, slots=True)
class ResourceType:
    """A kind of resource that an action may name: `arn` is a pattern with `${...}` for its parts, `keys` are its condition keys."""

    name: str
    arn: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Action:
    """An action, written as AWS writes it (`s3:GetObject`).

    `levels` are access levels (List, Read, Write, Tagging, Permissions management), mostly one. `required` are the names of those of its
    resource types that every request names. `keys` are its condition keys and those of its resource types.
    """

    name: str
    levels: tuple[str, ...]
    types: tuple[ResourceType, ...]
    required: tuple[str, ...]
    keys: tuple[str, ...]

    @property
    def wildcard_only(self) -> bool:
        """Tell whether it has no resource type, so that only a statement for `*` grants it."""
        return not self.types


@dataclass(frozen=True, slots=True)
class Key:
    """A condition key. `name` may hold one placeholder, as in `aws:ResourceTag/${TagKey}`.

    `type` is String, ARN, Bool, Numeric, Date, IPAddress or empty where AWS does not say; `many`: a request may hold several values.
    `services` are those that define it, none for a global key.
    """

    name: str
    type: str
    many: bool
    services: tuple[str, ...] = ()


def as_of() -> str:
    """Return the day of the table, as YYYY-MM-DD."""
    return _index()["as_of"]


def source() -> str:
    """Say where the table comes from."""
    return _index()["source"]


def service_known(prefix: str) -> bool:
    """Tell whether a service prefix is one of AWS's; case does not matter."""
    return prefix.lower() in _index()["keys"]


def supports_control_policies(prefix: str) -> bool:
    """Tell whether resource control policies reach a service's resources."""
    return prefix.lower() in _controlled()


def action(name: str) -> Action | None:
    """Return an action by its name (`s3:getobject`), whose case does not matter, or None where the table does not know it."""
    prefix, _, own = name.strip().lower().partition(":")
    return _service(prefix).get(own) if service_known(prefix) else None


@lru_cache(maxsize=8192)
def expand(pattern: str) -> tuple[str, ...]:
    """Return the actions that a pattern with `*` and `?` names, in lower case and sorted; case does not matter."""
    low = pattern.strip().lower()
    if not is_wild(low):
        return (low,) if low in _every_set() else ()
    if low in ("*", "*:*"):
        return _every()
    prefix = low.partition(":")[0]
    fits = glob(low).fullmatch
    among = _every() if is_wild(prefix) else _names().get(prefix, ())
    return tuple(name for name in among if fits(name))


def condition_key(name: str) -> Key | None:
    """Return the condition key that a name means: a global one, one of a service, or one with a placeholder that the name fills."""
    low = name.strip().lower()
    shelf = _keys()
    if low in shelf.plain:
        return shelf.plain[low]
    return next(
        (key for start, end, key in shelf.templates if low.startswith(start) and low.endswith(end) and len(low) > len(start) + len(end)),
        None,
    )


def keys_of_service(prefix: str) -> tuple[str, ...]:
    """Return the names of the condition keys that a service's actions may carry, the global ones left aside."""
    return tuple(name for name, _ in _index()["keys"].get(prefix.lower(), ()) if not name.startswith("aws:"))


class _Shelf(NamedTuple):
    plain: Mapping[str, Key]
    templates: tuple[tuple[str, str, Key], ...]


@cache
def _index() -> _Index:
    loaded: _Index = json.loads(entry(_TABLE, "index.json"))
    return loaded


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    """Return the full names of each service's actions, in lower case and sorted."""
    rows = (line.split(" ") for line in entry(_TABLE, "names.txt").lower().split("\n"))
    return {service: tuple(sorted(f"{service}:{name}" for name in names)) for service, *names in rows}


@cache
def _every() -> tuple[str, ...]:
    return tuple(sorted(chain.from_iterable(_names().values())))


@cache
def _every_set() -> frozenset[str]:
    return frozenset(chain.from_iterable(_names().values()))


@cache
def _controlled() -> frozenset[str]:
    return frozenset(_index()["rcp"])


@cache
def _keys() -> _Shelf:
    held: dict[str, tuple[str, str, list[str]]] = {}
    for name, kind in json.loads((files(__package__) / "tables/global_keys.json").read_text(encoding="utf-8"))["keys"]:
        held[name.lower()] = (name, kind, [])
    everywhere = frozenset(held)
    for service, rows in _index()["keys"].items():
        for name, kind in rows:
            if name.lower() not in everywhere:
                held.setdefault(name.lower(), (name, kind, []))[2].append(service)
    made = {low: Key(name, kind.removeprefix("ArrayOf"), kind.startswith("ArrayOf"), tuple(who)) for low, (name, kind, who) in held.items()}
    templates = tuple((*_around(low), key) for low, key in sorted(made.items()) if "${" in low)
    return _Shelf(made, templates)


def _around(name: str) -> tuple[str, str]:
    """Return what stands before and behind the one placeholder of a name."""
    start, _, rest = name.partition("${")
    return start, rest.partition("}")[2]


@lru_cache(maxsize=512)
def _service(prefix: str) -> Mapping[str, Action]:
    """Return the actions of a known service, by name in lower case."""
    table: _Entry = json.loads(entry(_TABLE, f"{prefix}.json"))
    keys = [name for name, _ in _index()["keys"][prefix]]
    types = [ResourceType(name, arn, tuple(keys[number] for number in numbers)) for name, arn, numbers in table["types"]]
    found: dict[str, Action] = {}
    for name, levels, used, required, own in table["actions"]:
        held = tuple(types[number] for number in used)
        named = dict.fromkeys((*(keys[number] for number in own), *(key for each in held for key in each.keys)))
        found[name.lower()] = Action(
            f"{prefix}:{name}",
            tuple(_LEVELS[letter] for letter in levels),
            held,
            tuple(types[number].name for number in required),
            tuple(named),
        )
    return found
