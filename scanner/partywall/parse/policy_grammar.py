"""What of a policy document follows IAM's grammar. AWS refuses what does not, so nobody knows what it would mean.

IAM user guide, "Grammar of the IAM JSON policy language".
"""

import json
from collections.abc import Mapping

from partywall.model.evidence import Json
from partywall.parse.policy_json import entries, rows, text, texts
from partywall.parse.policy_text import is_deep

_DOCUMENT = frozenset({"Version", "Id", "Statement"})
_VERSIONS = ("2012-10-17", "2008-10-17")
_MEMBERS = frozenset(
    {"Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Principal", "NotPrincipal", "Condition"},
)
_PRINCIPAL_KINDS = frozenset({"AWS", "Service", "Federated", "CanonicalUser"})
# Characters that stand for stars and question marks of another kind than those written (`globs`); no name of AWS holds them.
_RESERVED = ("\ue000", "\ue001", "\ue002", "\ue003")


def document_fault(found: Mapping[str, Json]) -> str:
    """Say what keeps a whole document from being evaluated, if anything."""
    strange = _strange(found, _DOCUMENT)
    if strange:
        return f"the policy document has the unknown member {strange}"
    version = found.get("Version", _VERSIONS[-1])
    return "" if version in _VERSIONS else f"Version is {shown(version)}"


def statement_fault(value: Mapping[str, Json]) -> str:
    """Say what keeps a statement from being evaluated, if anything."""
    if value.get("Effect") not in ("Allow", "Deny"):
        return f"Effect is {shown(value.get('Effect'))}"
    strange = _strange(value, _MEMBERS)
    if strange:
        return f"unknown member {strange}"
    if ("Action" in value) == ("NotAction" in value):
        return "a statement needs one of Action and NotAction"
    for member in ("Resource", "Principal"):
        if member in value and f"Not{member}" in value:
            return f"a statement has both {member} and Not{member}"
    return _texts_fault(value) or _condition_fault(value) or _principal_fault(value, "Principal") or _principal_fault(value, "NotPrincipal")


def reserved_fault(content: str) -> str:
    """Say which character a statement holds that the tool keeps for itself, if any."""
    found = next((char for char in _RESERVED if char in content), "")
    return f"it holds the character U+{ord(found):04X}, which no name of AWS has" if found else ""


def shown(value: Json) -> str:
    """Write a value so that it fits into a sentence."""
    if is_deep(value):
        return "nested too deeply"
    written = json.dumps(value)
    return written if len(written) <= 60 else f"{written[:60]}..."


def _strange(value: Mapping[str, Json], known: frozenset[str]) -> str:
    """Return the first name of an unknown member; a file of other origin may even have names that are no texts."""
    strange = sorted(str(name) for name in value if name not in known)
    return strange[0][:60] if strange else ""


def _texts_fault(value: Mapping[str, Json]) -> str:
    return next(
        (
            fault
            for member in ("Action", "NotAction", "Resource", "NotResource")
            if member in value and (fault := _list_fault(value[member], member))
        ),
        "",
    )


def is_text_list(value: Json) -> bool:
    """Tell whether a value is one text or an array that holds nothing but texts, and at least one."""
    return isinstance(value, str) or (bool(rows(value)) and len(texts(value)) == len(rows(value)))


def _list_fault(value: Json, member: str) -> str:
    found = texts(value)
    if not found:
        return f"{member} holds no text"
    if not is_text_list(value):
        return f"{member} holds something that is no text"
    return "" if all(item.strip() for item in found) else f"{member} holds an empty text"


def _condition_fault(value: Mapping[str, Json]) -> str:
    if "Condition" not in value:
        return ""
    condition = value["Condition"]
    if not isinstance(condition, Mapping) or not all(isinstance(tests, Mapping) for tests in condition.values()):
        return "Condition is no object of objects"
    return next(
        (
            fault
            for operator, tests in condition.items()
            for key, values in entries(tests).items()
            if (fault := comparison_fault(operator, key, values))
        ),
        "",
    )


def comparison_fault(operator: Json, key: Json, values: Json) -> str:
    """Say what keeps one line of a Condition block from being read, if anything."""
    if not text(operator).strip() or not text(key).strip():
        return "Condition has an operator or a key without a name"
    listed = values if isinstance(values, list | tuple) else (values,)
    if not all(isinstance(item, str | int | float) for item in listed):
        return f"the condition on {key} holds a value that is neither text, number nor truth value"
    return ""


def _principal_fault(value: Mapping[str, Json], member: str) -> str:
    if member not in value or value[member] == "*":
        return ""
    found = value[member]
    if not isinstance(found, Mapping):
        return f"{member} is neither * nor an object"
    strange = _strange(found, _PRINCIPAL_KINDS)
    if strange:
        return f"unknown kind of principal {strange}"
    if not found:
        return f"{member} names nobody"
    return next((fault for kind, names in found.items() if (fault := _list_fault(names, f"{member}.{kind}"))), "")
