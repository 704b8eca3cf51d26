"""The words of a case as the judge of IAM reads them: truth, who asks, the request's keys, patterns and policy variables."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

Json = Mapping[str, Any]
Truth = bool | None
Context = Mapping[str, tuple[str, ...]]

# Wildcards that came out of a variable are characters: they travel as these two until a pattern is built.
STAR, MARK = "\ue000", "\ue001"


# Three-valued logic.


def every(found: Iterable[Truth]) -> Truth:
    answer: Truth = True
    for truth in found:
        if truth is False:
            return False
        if truth is None:
            answer = None
    return answer


def some(found: Iterable[Truth]) -> Truth:
    answer: Truth = False
    for truth in found:
        if truth is True:
            return True
        if truth is None:
            answer = None
    return answer


def negated(truth: Truth) -> Truth:
    return None if truth is None else not truth


# Who asks.


@dataclass(frozen=True, slots=True)
class Caller:
    """`kind` is one of user, role, session, federated, root, service, provider, anonymous.

    `role` is the ARN of whom a session stands for: its role, or the user who federated.
    """

    kind: str
    arn: str
    account: str = ""
    name: str = ""
    role: str = ""


@lru_cache(maxsize=4096)
def caller(principal: str, given_arn: str, federated_by: str = "") -> Caller:
    """Read the principal of a case; `given_arn` is aws:PrincipalArn where the case gives it (it holds the path of a session's role).

    A federated user's ARN does not say which user federated; `settings.federatedBy` does.
    """
    if principal == "anonymous":
        return Caller("anonymous", "")
    parts = principal.split(":", 5)
    if len(parts) < 6:
        return Caller("service", principal)
    partition, account, rest = parts[1], parts[4], parts[5]
    kind, _, name = rest.partition("/")
    last = name.rsplit("/", 1)[-1]
    match kind:
        case "assumed-role":
            role_name = name.split("/", 1)[0]
            plain = f"arn:{partition}:iam::{account}:role/{role_name}"
            return Caller("session", principal, account, role_name, given_arn if ":role/" in given_arn else plain)
        case "role":
            return Caller("role", principal, account, last, principal)
        case "user":
            return Caller("user", principal, account, last)
        case "federated-user":
            return Caller("federated", principal, account, name, federated_by)
        case "root":
            return Caller("root", principal, account)
        case _:
            return Caller("provider", principal, account)


TYPES = {"user": "User", "role": "AssumedRole", "session": "AssumedRole", "federated": "FederatedUser", "root": "Account"}


def context_of(case: Json) -> dict[str, tuple[str, ...]]:
    """Return the request's keys in lower case, with those that AWS itself always sets (KEYS); a key that is not here is absent."""
    found: dict[str, tuple[str, ...]] = {}
    for key, value in (case.get("context") or {}).items():
        found[key.lower()] = tuple(texts(value) or ())
    who = caller(case["principal"], "".join(found.get("aws:principalarn", ())))
    own: dict[str, str] = {}
    if case.get("resourceAccount"):
        own["aws:resourceaccount"] = case["resourceAccount"]
    if who.kind in TYPES:
        own |= {
            "aws:principalarn": who.arn if who.kind == "federated" else who.role or who.arn,
            "aws:principalaccount": who.account,
            "aws:principaltype": TYPES[who.kind],
        }
    if who.kind == "anonymous":
        own |= {"aws:principalaccount": "anonymous", "aws:principaltype": "Anonymous"}
    if who.kind == "user":
        own["aws:username"] = who.name
    for key, text in own.items():
        found.setdefault(key, (text,))
    settings = case.get("settings") or {}
    if settings.get("bucketAbac") is False and case["action"].lower().startswith("s3:"):
        # S3: buckets-tagging-enable-abac.html. Without it the bucket's tags are in no request.
        found = {key: value for key, value in found.items() if not key.startswith(("aws:resourcetag/", "s3:buckettag/"))}
    return found


def texts(value: Any) -> list[str] | None:
    """Return the values of a JSON text, boolean, number, or list of them as texts; None where it is something else."""
    if isinstance(value, list):
        parts = [texts(one) for one in value if not isinstance(one, list)]
        return None if len(parts) < len(value) or None in parts else [text for part in parts for text in part or ()]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [str(value)] if isinstance(value, str | int | float) else None


# What is asked.


@dataclass(frozen=True, slots=True)
class Request:
    who: Caller
    action: str
    resource: str
    account: str
    context: Context
    wildcard_only: bool
    bounded: bool


# Patterns.


@lru_cache(maxsize=65536)
def glob(pattern: str, *, fold: bool = False) -> re.Pattern[str]:
    """`*` is any text and `?` any character, and no other character means anything but itself."""
    return re.compile("".join(sign(one, "") for one in pattern), re.DOTALL | (re.IGNORECASE if fold else 0))


def sign(one: str, but: str) -> str:
    wild = f"[^{but}]" if but else "."
    return {"*": wild + "*", "?": wild, STAR: r"\*", MARK: r"\?"}.get(one) or re.escape(one)


@lru_cache(maxsize=65536)
def arn_glob(pattern: str) -> re.Pattern[str] | None:
    """RESOURCE: a wildcard stays in its segment unless it is the segment's last character; None where no ARN can look so.

    The sixth part is one segment: `*` runs over `/` and `:` there. The service must be named.
    """
    if pattern.strip("*") == "":
        return glob("*")
    parts = pattern.split(":", 5)
    if len(parts) < 3 or parts[0] != "arn" or set("*?") & set(parts[2]):
        return None
    source, colons = [], 0
    for at, one in enumerate(pattern):
        colons += one == ":"
        last = at + 1 == len(pattern) or pattern[at + 1] == ":"
        source.append(sign(one, ":" if colons < 5 and not (one == "*" and last) else ""))
    return re.compile("".join(source), re.DOTALL)


def is_pattern(resource: str) -> bool:
    return "*" in resource or "?" in resource


@lru_cache(maxsize=65536)
def overlap(left: str, right: str) -> bool:
    """Whether some text fits both patterns."""
    if not left or not right:
        return not (left + right).strip("*")
    if left[0] == "*":
        return overlap(left[1:], right) or overlap(left, right[1:])
    if right[0] == "*":
        return overlap(right, left)
    return (left[0] == right[0] or "?" in (left[0], right[0])) and overlap(left[1:], right[1:])


@lru_cache(maxsize=65536)
def covers(wide: str, narrow: str) -> bool:
    """Whether all that fits `narrow` fits `wide` too: its wildcards are read as characters that only a wildcard takes."""
    source = "".join({"*": ".*", "?": "[^*]"}.get(one) or re.escape(one) for one in wide)
    return re.fullmatch(source, narrow, re.DOTALL) is not None


# Policy variables (VARIABLES, VERSION).

VARIABLE = re.compile(r"\$\{([^}]*)\}")
DEFAULT = re.compile(r"\s*([^,']+?)\s*,\s*'([^']*)'\s*", re.DOTALL)
SPECIAL = {"*": STAR, "?": MARK, "$": "$"}


def filled(text: str, context: Context, *, variables: bool) -> str | None:
    """Return a text with its variables replaced, or None where one has no value; before Version 2012-10-17 `${` is text."""
    if not variables or "${" not in text:
        return text
    done, at = [], 0
    for found in VARIABLE.finditer(text):
        value = value_of(found.group(1), context)
        if value is None:
            return None
        done += [text[at : found.start()], value]
        at = found.end()
    return "".join([*done, text[at:]])


def value_of(inside: str, context: Context) -> str | None:
    if inside in SPECIAL:
        return SPECIAL[inside]
    has_default = DEFAULT.fullmatch(inside)
    key = has_default.group(1) if has_default else inside.strip()
    values = context.get(key.lower(), ())
    # SETS: a key with several values is no variable.
    value = values[0] if len(values) == 1 else has_default.group(2) if has_default else None
    return None if value is None else value.replace("*", STAR).replace("?", MARK)


def plain(text: str) -> str:
    return text.replace(STAR, "*").replace(MARK, "?")
