"""Statements and documents, as the judge of IAM reads them (pages: `tests/judges/iam.py`)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tests.judges.iam_operators import line_holds
from tests.judges.iam_words import (
    TYPES,
    Caller,
    Context,
    Json,
    Request,
    Truth,
    arn_glob,
    covers,
    every,
    filled,
    glob,
    is_pattern,
    negated,
    overlap,
    plain,
    some,
    texts,
)

# Statements.


def listed(statement: Json, positive: str, negative: str) -> tuple[list[str] | None, bool] | None:
    """Return the texts of `Action` or `NotAction` (and so on) and whether it is the Not form; None where both or none are given."""
    if (positive in statement) == (negative in statement):
        return None
    name = positive if positive in statement else negative
    found = statement[name]
    return ([found] if isinstance(found, str) else texts(found) if isinstance(found, list) else None), name == negative


@lru_cache(maxsize=65536)
def names_action(pattern: str, action: str) -> Truth:
    """ACTION: without regard to case; `service:` must be written out. What is behind the colon may be anything, also no action at all."""
    if pattern == "*":
        return True
    # Blanks around an action are dropped.
    service, colon, _ = pattern.strip().partition(":")
    if not colon or not re.fullmatch(r"[A-Za-z0-9-]+", service):
        return None
    return glob(pattern.strip(), fold=True).fullmatch(action) is not None


def action_fits(statement: Json, action: str) -> Truth:
    found = listed(statement, "Action", "NotAction")
    if found is None or found[0] is None:
        return None
    hit = some(names_action(pattern, action) for pattern in found[0])
    return negated(hit) if found[1] else hit


def names_resource(pattern: str, request: Request, *, widest: bool) -> Truth:
    """Whether an entry of Resource takes in the request's resource; `widest` asks whether it may, otherwise whether it does for all."""
    if request.wildcard_only:
        # Service authorization reference: an action without resource types takes `*` only.
        return pattern.strip("*") == ""
    ours = arn_glob(pattern)
    if ours is None:
        return None
    if is_pattern(request.resource):
        wide = plain(pattern)
        return overlap(wide, request.resource) if widest else covers(wide, request.resource)
    return ours.fullmatch(request.resource) is not None


def resource_fits(statement: Json, request: Request, *, variables: bool, required: bool) -> Truth:
    """RESOURCE, VARIABLES: an entry whose variable has no value names nothing; variables stand behind the fifth colon only."""
    if not required and "Resource" not in statement and "NotResource" not in statement:
        return True
    found = listed(statement, "Resource", "NotResource")
    if found is None or found[0] is None:
        return None
    entries, is_not = found
    # Some resource of the form is enough for an Allow; NotResource turns the question round.
    widest = (statement.get("Effect") == "Allow") != is_not
    hits: list[Truth] = []
    for entry in entries or ():
        if variables and "${" in ":".join(entry.split(":", 5)[:5]):
            hits.append(None)
            continue
        text = filled(entry, request.context, variables=variables)
        hits.append(False if text is None else names_resource(text, request, widest=widest))
    return negated(some(hits)) if is_not else some(hits)


def conditions_hold(statement: Json, context: Context, *, variables: bool) -> Truth:
    """VALUES: operators and keys are joined by AND."""
    block = statement.get("Condition")
    if block is None:
        return True
    if not isinstance(block, dict) or not all(isinstance(tests, dict) for tests in block.values()):
        return None
    return every(
        line_holds(name, key, wanted, context, variables=variables) for name, tests in block.items() for key, wanted in tests.items()
    )


# Principals. How a statement names the caller decides what may still stop it: directly, by its role, or by its account.

DIRECT, ROLE, ACCOUNT = "direct", "role", "account"
Naming = tuple[Truth, str]
NOBODY: Naming = (False, ACCOUNT)


def named_by(kind: str, text: str, who: Caller) -> Naming:
    """PRINCIPAL: whether one entry names the caller, and how. A `*` inside an ARN and an id of a deleted principal name nobody."""
    if kind == "AWS":
        if text == "*":
            return True, DIRECT
        if who.kind in TYPES and (text == who.account or re.fullmatch(rf"arn:[^:]+:iam::{who.account}:root", text)):
            return True, DIRECT if who.kind == "root" else ACCOUNT
        if who.role and text == who.role:
            return True, ROLE
        return (True, DIRECT) if who.kind in ("user", "session", "federated") and text == who.arn else NOBODY
    if kind == "Service":
        return (True, DIRECT) if who.kind == "service" and text == who.arn else NOBODY
    if kind == "Federated":
        return (True, DIRECT) if who.kind == "provider" and text == who.arn else NOBODY
    # A canonical user id stands for an account, and nothing in a case says which one.
    return None, DIRECT


def strongest(found: Sequence[Naming]) -> Naming:
    for naming in (DIRECT, ROLE, ACCOUNT):
        if (True, naming) in found:
            return True, naming
    return next((one for one in found if one[0] is None), NOBODY)


def principal_named(written: Any, who: Caller) -> Naming:
    if written == "*":
        return True, DIRECT
    if not isinstance(written, dict):
        return None, DIRECT
    found: list[Naming] = []
    for kind, values in written.items():
        entries = texts(values)
        found += [(None, DIRECT)] if entries is None else [named_by(kind, text, who) for text in entries]
    return strongest(found)


def principal_fits(statement: Json, request: Request, *, required: bool) -> Naming:
    """PRINCIPAL, NOT: a resource's statement without a principal reaches nobody; NotPrincipal denies whoever has a boundary."""
    if "NotPrincipal" in statement:
        if "Principal" in statement:
            return None, DIRECT
        if statement.get("Effect") == "Deny" and request.bounded:
            return True, DIRECT
        named, how = principal_named(statement["NotPrincipal"], request.who)
        # NOT: "all principals except the user Bob" lists Bob and his account's root; the account is there for his sake only.
        spares = named and not (how == ACCOUNT and lists_own(statement["NotPrincipal"], request.who))
        return negated(named if named is None else bool(spares)), DIRECT
    if "Principal" not in statement:
        return not required, DIRECT
    return principal_named(statement["Principal"], request.who)


def lists_own(written: Any, who: Caller) -> bool:
    """Whether a list holds principals of the caller's account beside the account itself."""
    entries = texts(written.get("AWS")) if isinstance(written, dict) else None
    return any(f"::{who.account}:" in text and not text.endswith(":root") for text in entries or ())


# Policies.


@dataclass(frozen=True, slots=True)
class Votes:
    """What a set of documents says: `deny`, and `allow` for each way in which a statement may name the caller."""

    deny: Truth
    direct: Truth
    role: Truth
    account: Truth

    @property
    def allow(self) -> Truth:
        return some((self.direct, self.role, self.account))


def statements(document: Any) -> tuple[list[Any], bool] | None:
    """Return the statements of a document and whether its variables are variables; None where it is no policy."""
    if not isinstance(document, dict) or "Statement" not in document:
        return None
    version = document.get("Version", "2008-10-17")
    if version not in ("2008-10-17", "2012-10-17"):
        return None
    found = document["Statement"]
    return (found if isinstance(found, list) else [found]), version == "2012-10-17"


def own_naming(statement: Json) -> Naming:
    """PRINCIPAL: a policy of an identity, a boundary, a session or an organization (but for RCPs) has no principal."""
    return (None if {"Principal", "NotPrincipal"} & set(statement) else True), DIRECT


def statement_fits(statement: Any, request: Request, kind: str, *, variables: bool) -> Naming:
    if not isinstance(statement, dict):
        return None, DIRECT
    fits = action_fits(statement, request.action)
    if fits is False:
        return NOBODY
    naming = own_naming(statement) if kind == "own" else principal_fits(statement, request, required=kind == "resource")
    if naming[0] is False:
        return NOBODY
    reaches = resource_fits(statement, request, variables=variables, required=kind != "resource")
    if reaches is False:
        return NOBODY
    return every((fits, naming[0], reaches, conditions_hold(statement, request.context, variables=variables))), naming[1]


def votes(documents: Sequence[Any], request: Request, kind: str) -> Votes:
    """Read documents that are `own` (no principal), of an `endpoint` (principal or everybody), or of a `resource` (principal)."""
    deny: Truth = False
    allow: dict[str, Truth] = {DIRECT: False, ROLE: False, ACCOUNT: False}
    for document in documents:
        found = statements(document)
        if found is None:
            deny, allow[DIRECT] = some((deny, None)), some((allow[DIRECT], None))
            continue
        for statement in found[0]:
            truth, naming = statement_fits(statement, request, kind, variables=found[1])
            effect = statement.get("Effect") if isinstance(statement, dict) else None
            if truth is not False and effect not in ("Allow", "Deny"):
                truth = None
            if truth is not False and effect != "Allow":
                deny = some((deny, truth))
            if truth is not False and effect != "Deny":
                allow[naming] = some((allow[naming], truth))
    return Votes(deny, allow[DIRECT], allow[ROLE], allow[ACCOUNT])


EVERYTHING, NOTHING = Votes(False, True, False, False), Votes(False, False, False, False)


def ceiling(documents: Sequence[Any] | None, request: Request, kind: str = "own") -> Votes:
    """Read documents that limit; none at all is no limit."""
    return votes(documents, request, kind) if documents else EVERYTHING


def levels(found: Sequence[Sequence[Any]] | None, request: Request) -> Votes:
    """SCP: every level from the root to the account must allow; a level without a document allows nothing."""
    read = [votes(documents, request, "own") for documents in found or ()]
    return Votes(some(one.deny for one in read), every(one.direct for one in read), False, False)
