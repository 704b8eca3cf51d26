"""The action and the condition keys that somebody asks about, held against the tables of what IAM knows."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from partywall.errors import UsageError
from partywall.resolve.iam.actions import action, as_of, condition_key, expand, service_known

_ACTION = re.compile(r"[a-z0-9-]+:[a-z0-9]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AskedAction:
    """An action in lower case, and as AWS spells it. `wildcard_only`: it has no resource types. `notes` say what is strange about it."""

    name: str
    spelled: str
    wildcard_only: bool = False
    notes: tuple[str, ...] = ()


def asked_action(text: str) -> AskedAction:
    """Read `service:Action` in any case; one that the table does not know may still exist. Raises UsageError for anything else."""
    if not _ACTION.fullmatch(text):
        what = "several actions; ask about one at a time" if "*" in text or "?" in text else "no action; write service:Action"
        raise UsageError(f"{text}: {what}, such as s3:GetObject")
    known = action(text)
    if known is None:
        return AskedAction(text.lower(), text, notes=(_unknown(text),))
    return AskedAction(text.lower(), known.name, known.wildcard_only)


def _unknown(text: str) -> str:
    service = text.partition(":")[0]
    if not service_known(service):
        return f"no service {service} is in the table of {as_of()}; the answer is what the policies say of the word"
    near = get_close_matches(text.lower(), expand(f"{service}:*"), 1, 0.7)
    found = action(near[0]) if near else None
    hint = f"; did you mean {found.name}?" if found else ""
    return f"no action {text} is in the table of {as_of()}; the answer is what the policies say of the word{hint}"


def unknown_keys(keys: Iterable[str]) -> Iterator[str]:
    """Yield what is to be said of condition keys that the table does not know; claims of identity providers are their own words."""
    for key in keys:
        if condition_key(key) is None and "." not in key.partition(":")[0]:
            yield f"no condition key {key} is in the table of {as_of()}"
